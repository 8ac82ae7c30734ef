package archtest

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// TestTree checks the module itself.
func TestTree(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	files := load(t, root)
	if len(files) < 20 {
		t.Fatalf("found only %d files: the tree was not read", len(files))
	}
	for _, wrong := range violations(files) {
		t.Error(wrong)
	}
}

// TestPage compares the rooms with the table of the page that explains them.
func TestPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllSubmatch(page, -1) {
		got = append(got, strings.Replace(string(row[1]), "<family>", "*", 1))
	}
	slices.Sort(got)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(rooms)), got); diff != "" {
		t.Errorf("rooms of the page (-rules +page):\n%s", diff)
	}
}

// TestViolations checks a made-up module that breaks every rule, beside files
// that come close and do not.
func TestViolations(t *testing.T) {
	t.Parallel()
	const name = "testdata/violations.txtar"
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	long := filepath.Join(dir, "internal/store/long.go")
	if err := os.WriteFile(long, []byte("package store\n"+strings.Repeat("//\n", maxLines)), 0o600); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(violations(load(t, dir)), "\n") + "\n"
	if *update {
		archive.Comment = []byte(got)
		if err := os.WriteFile(name, txtar.Format(archive), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(archive.Comment), got); diff != "" {
		t.Errorf("violations (-want +got):\n%s", diff)
	}
}
