//go:build unix

package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestModes makes archives under a wide umask and over files that are open to
// all. It changes the umask of the process, so nothing runs beside it.
func TestModes(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	tests := []struct {
		name    string
		prepare func(t *testing.T, dir string)
	}{
		{"nothing there", func(*testing.T, string) {}},
		{"open folder", func(t *testing.T, dir string) {
			if err := os.MkdirAll(dir, 0o777); err != nil {
				t.Fatal(err)
			}
		}},
		{"open archive", func(t *testing.T, dir string) {
			w, err := OpenWriter(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"", FileName, FileName + "-wal", FileName + "-shm"} {
				if err := os.Chmod(filepath.Join(dir, name), 0o777); err != nil {
					t.Fatal(err)
				}
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			tt.prepare(t, dir)
			w, err := OpenWriter(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := only(w.SaveRoot(t.Context(), Root{Path: "/x"})); err != nil {
				t.Fatal(err)
			}
			checkModes(t, dir, "while open")
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			checkModes(t, dir, "after closing")
		})
	}
}

func checkModes(t *testing.T, dir, when string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		want := FileMode
		if entry.IsDir() {
			want = DirMode
		} else {
			files++
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s: %s has mode %o, want %o", when, filepath.Base(path), got, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files != 3 {
		t.Errorf("%s: %d files, want the archive, its log and the log's index", when, files)
	}
}
