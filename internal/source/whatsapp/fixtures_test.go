package whatsapp

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// tokens stand in the fixture archives for what cannot be seen.
var tokens = strings.NewReplacer(
	"{LRM}", lrm, "{RLM}", "\u200f", "{LRE}", "\u202a", "{PDF}", "\u202c", "{BOM}", "\ufeff",
	"{NBSP}", "\u00a0", "{NNBSP}", "\u202f", "{CR}", "\r", "{BAD}", "\xe9",
)

// chatFixtures are the archives in testdata/chats by name, exportFixtures
// those in testdata/exports.
func chatFixtures(t testing.TB) map[string]sourcetest.Fixture   { return fixtures(t, "chats") }
func exportFixtures(t testing.TB) map[string]sourcetest.Fixture { return fixtures(t, "exports") }

func fixtures(t testing.TB, folder string) map[string]sourcetest.Fixture {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives in testdata/%s: %v", folder, err)
	}
	fixtures := map[string]sourcetest.Fixture{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		fixtures[name] = parseFixture(name, text)
	}
	return fixtures
}

// parseFixture reads an archive whose comment holds the candidate's container
// and path and the owner's name, if it is given.
func parseFixture(name string, text []byte) sourcetest.Fixture {
	archive := txtar.Parse(text)
	f := sourcetest.Fixture{Name: name, Files: map[string]string{}}
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
	for _, file := range archive.Files {
		f.Files[file.Name] = tokens.Replace(string(file.Data))
	}
	return f
}

func sortedFixtures(fixtures map[string]sourcetest.Fixture) []sourcetest.Fixture {
	var sorted []sourcetest.Fixture
	for _, name := range slices.Sorted(maps.Keys(fixtures)) {
		sorted = append(sorted, fixtures[name])
	}
	return sorted
}
