package store

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/unprivileged"
)

// TestReadingWhereWritingIsForbidden reads an archive from a folder and files
// that cannot be written to: as a writer left it, and as a copy of the file
// alone.
func TestReadingWhereWritingIsForbidden(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 20)
	want := fmt.Sprintf("messages %d", len(x.kept(Filter{})))
	for _, names := range [][]string{{FileName, FileName + "-wal", FileName + "-shm"}, {FileName}} {
		t.Run(fmt.Sprint(len(names), " files"), func(t *testing.T) {
			t.Parallel()
			dir, err := os.MkdirTemp("", "readonly")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				os.Chmod(dir, 0o700)
				os.RemoveAll(dir)
			})
			for _, name := range names {
				text, err := os.ReadFile(filepath.Join(x.dir, name))
				if err != nil {
					t.Fatal(err)
				}
				writeFile(t, filepath.Join(dir, name), text)
				if err := os.Chmod(filepath.Join(dir, name), 0o444); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(dir, 0o555); err != nil {
				t.Fatal(err)
			}
			p := startRole(t, "reader", dir, unprivileged.Command)
			if got := p.line(t); got != want {
				t.Errorf("the reader said %q, want %q", got, want)
			}
			if err := p.Wait(); err != nil {
				t.Errorf("reader: %v: %s", err, p.err)
			}
		})
	}
}
