package signal

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
	"golang.org/x/tools/txtar"
)

// fixture reads an export from testdata; its first file is the one to read.
func fixture(t testing.TB, name string) sourcetest.Fixture {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	f := sourcetest.Fixture{Name: name, Files: map[string]string{}, Path: archive.Files[0].Name, Container: "Signal"}
	for _, file := range archive.Files {
		f.Files[file.Name] = string(file.Data)
	}
	return f
}

// reader returns the source that reads f.
func reader(f sourcetest.Fixture) source.Source {
	if strings.HasSuffix(f.Path, ".json") {
		return Lines{}
	}
	return Markdown{}
}

func fixtureNames(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("fixtures: %v, %v", files, err)
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(filepath.Base(f), ".txtar")
	}
	return files
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for _, name := range fixtureNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := fixture(t, name)
			sourcetest.Golden(t, filepath.Join("testdata", name+".golden"), sourcetest.Read(t, reader(f), f))
		})
	}
}

// TestLineEnds reads every transcript as a Windows machine would have
// written it.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	for _, name := range fixtureNames(t) {
		f := fixture(t, name)
		if reader(f) != (Markdown{}) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := sourcetest.Read(t, Markdown{}, f)
			f.Files[f.Path] = strings.ReplaceAll(f.Files[f.Path], "\n", "\r\n")
			got := sourcetest.Read(t, Markdown{}, f)
			if diff := diffContent(want, got); diff != "" {
				t.Errorf("with CRLF (-want +got):\n%s", diff)
			}
			for i, m := range got.Messages() {
				if line := want.Messages()[i].Position.Line; m.Position.Line != line {
					t.Errorf("message %d at line %d, want %d", i, m.Position.Line, line)
				}
			}
		})
	}
}
