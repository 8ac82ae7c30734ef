package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/unprivileged"
)

// folder is everything that can be told of a folder: names, modes and bytes.
func folder(t testing.TB, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		var text []byte
		if info.Mode().IsRegular() {
			if text, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		found[strings.TrimPrefix(path, dir)] = info.Mode().String() + " " + info.ModTime().String() + " " + string(text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// changedFiles names the files that differ, without their bytes.
func changedFiles(before, after map[string]string) []string {
	var names []string
	for name, text := range after {
		if before[name] != text {
			names = append(names, name)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			names = append(names, name+" (gone)")
		}
	}
	return names
}

func TestOpenReaderWithoutArchive(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		prepare func(t *testing.T, dir string)
		want    error
	}{
		{"no folder", func(t *testing.T, dir string) { remove(t, dir) }, ErrNoArchive},
		{"empty folder", func(*testing.T, string) {}, ErrNoArchive},
		{"empty file", func(t *testing.T, dir string) { writeFile(t, filepath.Join(dir, FileName), nil) }, ErrNoArchive},
		{"old archive", func(t *testing.T, dir string) { setSchemaVersion(t, dir, 0) }, ErrOldSchema},
		{"new archive", func(t *testing.T, dir string) { setSchemaVersion(t, dir, 1000) }, ErrNewSchema},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			tt.prepare(t, dir)
			parent := filepath.Dir(dir)
			before := folder(t, parent)
			_, err := OpenReader(t.Context(), dir, ReaderOptions{})
			if !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
			path := filepath.Join(dir, FileName)
			var at *PathError
			if !errors.As(err, &at) || at.Path != path || !strings.Contains(err.Error(), path) {
				t.Errorf("error %q does not name %s", err, path)
			}
			if changed := changedFiles(before, folder(t, parent)); len(changed) > 0 {
				t.Errorf("opening changed %q", changed)
			}
		})
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func writeFile(t testing.TB, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// setSchemaVersion makes an archive that says it has the given version.
func setSchemaVersion(t *testing.T, dir string, version int) {
	t.Helper()
	w, err := OpenWriter(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.db.ExecContext(t.Context(), "PRAGMA user_version = "+itoa(version)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestOpenReaderOfForeignFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	writeFile(t, path, bytes.Repeat([]byte("no database "), 1000))
	before := folder(t, dir)
	_, err := OpenReader(t.Context(), dir, ReaderOptions{})
	if err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want one that names %s", err, path)
	}
	if changed := changedFiles(before, folder(t, dir)); len(changed) > 0 {
		t.Errorf("opening changed %q", changed)
	}
}

// TestForeignDatabase: another program's database is refused by all, whatever
// version it gives its schema, and not changed.
func TestForeignDatabase(t *testing.T) {
	t.Parallel()
	scripts, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []int{0, len(scripts) - 1, len(scripts) + 1} {
		dir := t.TempDir()
		path := filepath.Join(dir, FileName)
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec("CREATE TABLE messages(id); PRAGMA user_version = " + itoa(version)); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o640); err != nil {
			t.Fatal(err)
		}
		before := folder(t, dir)
		if _, err := OpenReader(t.Context(), dir, ReaderOptions{}); !errors.Is(err, ErrForeign) {
			t.Errorf("version %d: reader: error %v, want %v", version, err, ErrForeign)
		}
		if _, err := OpenRecorder(t.Context(), dir); !errors.Is(err, ErrForeign) {
			t.Errorf("version %d: recorder: error %v, want %v", version, err, ErrForeign)
		}
		if _, err := OpenWriter(t.Context(), dir); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), path) {
			t.Errorf("version %d: writer: error %v, want %v with the path", version, err, ErrForeign)
		}
		if changed := changedFiles(before, folder(t, dir)); len(changed) > 0 {
			t.Errorf("version %d: opening changed %q", version, changed)
		}
		if info, err := os.Stat(path); err != nil || os.PathSeparator == '/' && info.Mode().Perm() != 0o640 {
			t.Errorf("version %d: opening changed the mode to %v, error %v", version, info.Mode(), err)
		}
	}
}

func TestOpenReaderWithoutPermission(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	setSchemaVersion(t, dir, 1)
	if err := os.Chmod(filepath.Join(dir, FileName), 0); err != nil {
		t.Fatal(err)
	}
	unprivileged.Run(t, func() {
		if _, err := OpenReader(t.Context(), dir, ReaderOptions{}); !errors.Is(err, os.ErrPermission) {
			t.Errorf("error %v, want %v", err, os.ErrPermission)
		}
	})
}

func TestTroubleOf(t *testing.T) {
	t.Parallel()
	open := func(prepare func(t *testing.T, dir string)) error {
		dir := t.TempDir()
		prepare(t, dir)
		r, err := OpenReader(t.Context(), dir, ReaderOptions{})
		if err == nil {
			defer r.Close()
			_, err = r.Overview(t.Context())
		}
		return err
	}
	for _, tt := range []struct {
		name string
		err  error
		want Trouble
	}{
		{"no database", open(func(t *testing.T, dir string) {
			writeFile(t, filepath.Join(dir, FileName), bytes.Repeat([]byte("no database "), 1000))
		}), Damaged},
		{"cut", open(func(t *testing.T, dir string) {
			setSchemaVersion(t, dir, 1)
			if err := os.Truncate(filepath.Join(dir, FileName), 5000); err != nil {
				t.Fatal(err)
			}
		}), Damaged},
		{"none", open(func(*testing.T, string) {}), ""},
		{"no room for a file", &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, DiskFull},
	} {
		if got := TroubleOf(tt.err); got != tt.want {
			t.Errorf("%s: trouble %q of %v, want %q", tt.name, got, tt.err, tt.want)
		}
	}
}

// TestReaderOfCopy reads a copy of the archive's file alone, without the
// write-ahead log and its index.
func TestReaderOfCopy(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 20)
	text, err := os.ReadFile(filepath.Join(x.dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, FileName), text)
	before := folder(t, dir)
	r := openReader(t, dir, ReaderOptions{})
	if err := readEverything(t.Context(), r, x); err != nil {
		t.Fatal(err)
	}
	if changed := changedFiles(before, folder(t, dir)); len(changed) > 0 {
		t.Errorf("reading changed %q", changed)
	}

	// A writer that comes later is seen all the same.
	w := openWriter(t, dir)
	write(t, w, func(b *Batch) error { return b.setMissing(t.Context(), x.messages[0].id, x.importID) })
	m, err := r.Message(t.Context(), x.messages[0].id)
	if err != nil {
		t.Fatal(err)
	}
	if m.MissingSince != x.importID {
		t.Errorf("reader does not see what a writer did after it was opened")
	}
}

// TestReaderOfBegunLog reads what a writer leaves that was killed between the
// header of its log and the first page of it.
func TestReaderOfBegunLog(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 20)
	w := openWriter(t, x.dir)
	write(t, w, func(b *Batch) error { return b.setMissing(t.Context(), x.messages[0].id, x.importID) })
	dir := t.TempDir()
	for _, name := range []string{FileName, FileName + "-wal", FileName + "-shm"} {
		text, err := os.ReadFile(filepath.Join(x.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if name == FileName+"-wal" {
			text = text[:logHeader]
		}
		writeFile(t, filepath.Join(dir, name), text)
	}
	before := folder(t, dir)
	r := openReader(t, dir, ReaderOptions{})
	if err := readEverything(t.Context(), r, x); err != nil {
		t.Fatal(err)
	}
	if changed := changedFiles(before, folder(t, dir)); len(changed) > 0 {
		t.Errorf("reading changed %q", changed)
	}
}

func TestReaderChangesNothing(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 60)
	before := folder(t, x.dir)
	r := openReader(t, x.dir, ReaderOptions{})
	if err := readEverything(t.Context(), r, x); err != nil {
		t.Fatal(err)
	}
	if changed := changedFiles(before, folder(t, x.dir)); len(changed) > 0 {
		t.Errorf("reading changed %q", changed)
	}
}

// TestReaderCannotWrite tries to write through a reader's own connections.
func TestReaderCannotWrite(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 20)
	for _, o := range []ReaderOptions{{}, {WithWriter: true}} {
		r := openReader(t, x.dir, o)
		for _, statement := range []string{
			"DELETE FROM messages", "UPDATE settings SET value = 0", "INSERT INTO people(name) VALUES('x')", "CREATE TABLE x(y)",
			"DROP TABLE links", "PRAGMA user_version = 7", "PRAGMA journal_mode = DELETE", "VACUUM", "INSERT INTO fts(fts) VALUES('optimize')",
			"PRAGMA query_only = 0; DELETE FROM messages",
		} {
			before := folder(t, x.dir)
			_, err := r.db.ExecContext(t.Context(), statement)
			changed := changedFiles(before, folder(t, x.dir))
			if o.WithWriter { // the log's index is shared with the writer
				changed = nil
			}
			if err == nil && statement != "PRAGMA journal_mode = DELETE" || len(changed) > 0 {
				t.Errorf("%+v: %s: error %v, changed %q", o, statement, err, changed)
			}
		}
		got, err := r.Overview(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if want := int64(len(x.kept(Filter{}))); got.Messages != want {
			t.Errorf("%+v: %d messages left, want %d", o, got.Messages, want)
		}
	}
}

// TestReaderHasNoWriteMethod keeps the list of what a reader can do. Whoever
// adds to it says here that it reads.
func TestReaderHasNoWriteMethod(t *testing.T) {
	t.Parallel()
	var got []string
	for m := range reflect.TypeFor[*Reader]().Methods() {
		got = append(got, m.Name)
	}
	if diff := cmp.Diff(readerMethods, got); diff != "" {
		t.Errorf("methods of Reader (-want +got):\n%s", diff)
	}
	if fields := reflect.TypeFor[Reader](); true {
		for f := range fields.Fields() {
			if f.IsExported() {
				t.Errorf("field %s gives away what a reader holds", f.Name)
			}
		}
	}
}

func TestRelativeDataFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	w, err := OpenWriter(t.Context(), filepath.Join("some", "data"))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := openReader(t, filepath.Join("some", "data"), ReaderOptions{})
	if !filepath.IsAbs(r.Path()) {
		t.Errorf("path %s is not absolute", r.Path())
	}
	if _, err := r.Overview(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestDataFolderWithOddName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"with space", "per%20cent", "what?mode=memory", "a#b", "ünïcode", "plus+and&amp"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), name)
			w, err := OpenWriter(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(filepath.Join(dir, FileName))
			if err != nil || info.Size() == 0 {
				t.Fatalf("the archive is not where it should be: %v", err)
			}
			openReader(t, dir, ReaderOptions{})
		})
	}
}

func TestOpenCancelled(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 5)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := OpenReader(ctx, x.dir, ReaderOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("reader: error %v, want %v", err, context.Canceled)
	}
	if _, err := OpenWriter(ctx, x.dir); !errors.Is(err, context.Canceled) {
		t.Errorf("writer: error %v, want %v", err, context.Canceled)
	}
}
