package ingest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/unprivileged"
)

// TestForbiddenFiles has files and folders among the exports that may not be
// read. The rest is imported, and the summary names what was not.
func TestForbiddenFiles(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	base, err := os.MkdirTemp("", "forbidden")
	if err != nil {
		t.Fatal(err)
	}
	d.exports, d.data = filepath.Join(base, "exports"), filepath.Join(base, "data")
	d.roots = []store.Root{{Path: d.exports}}
	d.put("a.fake", lines(chat("a", five()...)...))
	d.put("closed.fake", lines(chat("closed", five()...)...))
	d.put("closed.zip", zipOf(t, zipEntry{name: "b.fake", text: lines(chat("zip", five()...)...)}))
	d.put("folder/c.fake", lines(chat("folder", five()...)...))
	d.put("z.fake", lines(chat("z", idents()...)...))
	if err := os.Mkdir(d.data, 0o777); err != nil {
		t.Fatal(err)
	}
	modes := map[string]os.FileMode{
		base: 0o755, d.exports: 0o755, d.data: 0o777, d.path("a.fake"): 0o644, d.path("z.fake"): 0o644,
		d.path("closed.fake"): 0, d.path("closed.zip"): 0, d.path("folder"): 0,
	}
	for path, mode := range modes {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	if os.Getuid() == 0 {
		if err := os.Chown(d.data, unprivileged.Nobody, unprivileged.Nobody); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		os.Chmod(d.path("folder"), 0o700)
		os.RemoveAll(base)
	})
	d.start("import", unprivileged.Command).finish(t)
	if n := len(d.bodies()); n != 9 {
		t.Errorf("%d messages, want those of the two files that are open", n)
	}
	r := d.reader()
	problems, err := r.Problems(t.Context(), 1, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	run, err := r.Import(t.Context(), 1)
	if err != nil || run.Errors != 3 || run.Added != 9 || run.Status != store.ImportPartial {
		t.Errorf("run %+v, %v", run, err)
	}
	for _, name := range []string{"closed.fake", "closed.zip", "folder"} {
		found := false
		for _, p := range problems {
			found = found || p.Path == d.path(name) && strings.Contains(p.Reason, "permission denied")
		}
		if !found {
			t.Errorf("no problem of %s in %+v", name, problems)
		}
	}
}
