package sourcetest

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// invisible maps what may stand in an archive's files to what it stands for
// and nobody could see there.
var invisible = strings.NewReplacer(
	"{LRM}", "\u200e", "{RLM}", "\u200f", "{LRE}", "\u202a", "{PDF}", "\u202c", "{BOM}", "\ufeff",
	"{NBSP}", "\u00a0", "{NNBSP}", "\u202f", "{CR}", "\r", "{BAD}", "\xe9",
)

// Archive reads a fixture from a txtar archive. Its files are the fixture's,
// with names in braces for invisible characters ({NBSP}, {LRM}, {CR} …). Lines
// of its comment may name the container, the path and, any number of times,
// the owner:
//
//	container: WhatsApp Chat - Ana.zip
//	path: _chat.txt
//	me: Ben
//
// The fixture is named after the archive, and so is the container where no
// line names it; the path is by default that of the first file.
func Archive(t testing.TB, file string) Fixture {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Files) == 0 {
		t.Fatalf("%s holds no files", file)
	}
	name := strings.TrimSuffix(filepath.Base(file), ".txtar")
	f := Fixture{Name: name, Container: name, Path: archive.Files[0].Name, Files: map[string]string{}}
	for line := range strings.Lines(string(archive.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "container":
			f.Container = value
		case "path":
			f.Path = value
		case "me":
			f.Options.Me = append(f.Options.Me, value)
		}
	}
	for _, entry := range archive.Files {
		f.Files[entry.Name] = invisible.Replace(string(entry.Data))
	}
	return f
}
