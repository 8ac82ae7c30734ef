package vector

import (
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"encoding/binary"

	"github.com/google/go-cmp/cmp"
)

var smallSpec = Spec{Fingerprint: "small-1", Dims: 64, Archive: 5, Rotate: true}

// small makes an index of three commits, the last of which has state "three".
func small(t testing.TB, dir string) {
	t.Helper()
	w := mustWriter(t, dir, smallSpec)
	defer w.Close()
	r := rand.New(rand.NewPCG(8, 8))
	for i, state := range []string{"one", "two", "three"} {
		if _, err := w.Append(randomItems(r, 10, smallSpec.Dims)); err != nil {
			t.Fatal(err)
		}
		if err := w.Delete([]uint32{uint32(i), uint32(9 + i)}); err != nil {
			t.Fatal(err)
		}
		if err := w.Mark([]Mark{{uint32(9 + i), 7, 3}, {uint32(3 * i), uint32(i), 4}}); err != nil {
			t.Fatal(err)
		}
		if err := w.Commit([]byte(state)); err != nil {
			t.Fatal(err)
		}
	}
}

// use opens and searches an index, and returns its state.
func use(dir string, spec Spec) (state string, err error) {
	ix, err := Open(dir, spec)
	if err != nil {
		return "", err
	}
	defer ix.Close()
	v := ix.View()
	defer v.Release()
	vec := make([]float32, spec.Dims)
	vec[0] = 1
	for _, o := range []Options{{}, {Candidates: 2}, {Candidates: 1, Accept: inGroup(v, 1)}} {
		if _, err := v.Search(rootContext, vec, 3, o); err != nil {
			return "", err
		}
	}
	return string(v.State()), v.Verify(rootContext)
}

func copyDir(t testing.TB, from string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(filepath.Join(to, "index"), os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(to, "index")
}

// TestTruncated cuts every file at every length. What was committed is either
// whole or the damage is named.
func TestTruncated(t *testing.T) {
	t.Parallel()
	whole := t.TempDir()
	small(t, whole)
	for _, name := range indexFiles(t, whole) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := copyDir(t, whole)
			path := filepath.Join(dir, name)
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			for size := info.Size() - 1; size >= 0; size-- {
				if size > 1024 && size%64 > 1 && size%4096 > 520 {
					continue
				}
				if err := os.Truncate(path, size); err != nil {
					t.Fatal(err)
				}
				state, err := use(dir, smallSpec)
				// The record of the second commit is the first in the file.
				if strings.HasSuffix(name, ".head") && size >= recordSize {
					if state != "two" || err != nil {
						t.Fatalf("%d bytes: state %q, %v", size, state, err)
					}
					continue
				}
				wantDamage(t, fmt.Sprintf("%d bytes", size), path, err)
				_, err = OpenWriter(dir, smallSpec)
				wantDamage(t, fmt.Sprintf("%d bytes, writer", size), path, err)
			}
		})
	}
}

func wantDamage(t *testing.T, what, file string, err error) {
	t.Helper()
	var damaged *DamagedError
	if !errors.As(err, &damaged) || damaged.File != file {
		t.Fatalf("%s: %v, want damage of %s", what, err, file)
	}
	if text := err.Error(); !strings.Contains(text, file) || !strings.Contains(text, "delete its folder") {
		t.Fatalf("%s: %q does not say what is wrong with which file and what to do", what, text)
	}
}

func indexFiles(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".lock") {
			names = append(names, e.Name())
		}
	}
	if len(names) != int(kinds)+1 {
		t.Fatalf("files %q", names)
	}
	return names
}

// TestFlipped flips a bit of every byte.
func TestFlipped(t *testing.T) {
	t.Parallel()
	whole := t.TempDir()
	small(t, whole)
	for _, name := range indexFiles(t, whole) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := copyDir(t, whole)
			path := filepath.Join(dir, name)
			sound, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for i := range sound {
				if err := flip(path, sound, i); err != nil {
					t.Fatal(err)
				}
				state, err := use(dir, smallSpec)
				switch {
				case !strings.HasSuffix(name, ".head"):
					wantDamage(t, fmt.Sprintf("byte %d", i), path, err)
				case i >= recordStride: // the newest record; the one before is whole
					if state != "two" || err != nil {
						t.Fatalf("byte %d: state %q, %v", i, state, err)
					}
				case state != "three" || err != nil:
					t.Fatalf("byte %d: state %q, %v", i, state, err)
				}
				if err := os.WriteFile(path, sound, fileMode); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func flip(path string, sound []byte, i int) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteAt([]byte{sound[i] ^ 0x10}, int64(i))
	return err
}

// TestLostHeader continues from the commit before when the newest record is
// lost, while a reader knows the lost one.
func TestLostHeader(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	small(t, dir)
	ix := mustOpen(t, dir, smallSpec)
	defer ix.Close()
	path := headFile(dir, smallSpec.Fingerprint)
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := flip(path, sound, recordStride+20); err != nil {
		t.Fatal(err)
	}
	w := mustWriter(t, dir, smallSpec)
	defer w.Close()
	if got := string(w.State()); got != "two" {
		t.Fatalf("state %q", got)
	}
	if err := w.Delete([]uint32{15, 16}); err != nil {
		t.Fatal(err)
	}
	if err := w.Mark([]Mark{{17, 8, 5}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit([]byte("other three")); err != nil {
		t.Fatal(err)
	}
	if changed, err := ix.Refresh(); !changed || err != nil {
		t.Fatalf("changed %v, %v", changed, err)
	}
	v := ix.View()
	defer v.Release()
	if got := string(v.State()); got != "other three" || v.Live() != 14 || !v.Deleted(15) {
		t.Errorf("state %q, %d live", got, v.Live())
	}
	if diff := cmp.Diff([]Mark{{9, 7, 3}, {0, 0, 4}, {10, 7, 3}, {3, 1, 4}, {17, 8, 5}}, v.Marks()); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
}

// TestLostHeaderOfSameSize continues from the commit before a lost one that had
// as many deleted slots and marks, but others.
func TestLostHeaderOfSameSize(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	small(t, dir)
	change := func(state string, slot uint32) {
		w := mustWriter(t, dir, smallSpec)
		defer w.Close()
		if err := w.Delete([]uint32{slot}); err != nil {
			t.Fatal(err)
		}
		if err := w.Mark([]Mark{{slot, 9, 0}}); err != nil {
			t.Fatal(err)
		}
		if err := w.Commit([]byte(state)); err != nil {
			t.Fatal(err)
		}
	}
	change("lost", 20)
	ix := mustOpen(t, dir, smallSpec)
	defer ix.Close()
	path := headFile(dir, smallSpec.Fingerprint)
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := flip(path, sound, 20); err != nil {
		t.Fatal(err)
	}
	change("other", 21)
	if changed, err := ix.Refresh(); !changed || err != nil {
		t.Fatalf("changed %v, %v", changed, err)
	}
	v := ix.View()
	defer v.Release()
	for slot, want := range map[uint32]bool{20: false, 21: true} {
		if marked := inGroup(v, 9).Has(slot); v.Deleted(slot) != want || marked != want {
			t.Errorf("slot %d: deleted %v, marked %v, want %v", slot, v.Deleted(slot), marked, want)
		}
	}
}

// TestRefused opens what is sound and yet cannot be used.
func TestRefused(t *testing.T) {
	t.Parallel()
	whole := t.TempDir()
	small(t, whole)
	head := headFile(whole, smallSpec.Fingerprint)
	other := func(change func(*Spec)) Spec {
		spec := smallSpec
		change(&spec)
		return spec
	}
	for _, test := range []struct {
		name string
		spec Spec
		want error
	}{
		{"other model", other(func(s *Spec) { s.Fingerprint = "large" }), &OtherModelError{whole, "large", []string{"small-1"}}},
		{"other archive", other(func(s *Spec) { s.Archive = 6 }), &OtherArchiveError{head, 6, 5}},
		{"other size", other(func(s *Spec) { s.Dims = 128 }), &DamagedError{head, "vectors of 64 components, the model has 128"}},
		{"path as fingerprint", other(func(s *Spec) { s.Fingerprint = "../x" }), nil},
		{"no fingerprint", other(func(s *Spec) { s.Fingerprint = "" }), nil},
		{"fewer than no components", other(func(s *Spec) { s.Dims = -1 }), nil},
		{"too many components", other(func(s *Spec) { s.Dims = MaxDims + 1 }), nil},
	} {
		_, err := Open(whole, test.spec)
		if err == nil {
			t.Errorf("%s: no error", test.name)
		}
		if diff := cmp.Diff(fmt.Sprintf("%T %v", test.want, test.want), fmt.Sprintf("%T %v", err, err)); test.want != nil && diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	sizeless := other(func(s *Spec) { s.Dims = 0 })
	if ix, err := Open(whole, sizeless); err != nil {
		t.Errorf("a reader that leaves the size to the index: %v", err)
	} else {
		ix.Close()
	}
	if _, err := OpenWriter(t.TempDir(), sizeless); err == nil {
		t.Error("a writer made an index of vectors without components")
	}
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "missing")} {
		if _, err := Open(dir, smallSpec); !errors.Is(err, ErrAbsent) {
			t.Errorf("empty folder: %v", err)
		}
	}
}

// TestOtherFormat is refused by readers and writers alike, in words.
func TestOtherFormat(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	small(t, dir)
	path := headFile(dir, smallSpec.Fingerprint)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		format       uint32
		older, newer bool
		remedy       string
	}{
		{formatVersion - 1, true, false, "index again"},
		{formatVersion + 1, false, true, "use a newer version"},
	} {
		record := data[recordStride:]
		binary.LittleEndian.PutUint32(record[8:], test.format)
		binary.LittleEndian.PutUint32(record[12:], 0)
		binary.LittleEndian.PutUint32(record[12:], crc32.Checksum(record, castagnoli))
		if err := os.WriteFile(path, data, fileMode); err != nil {
			t.Fatal(err)
		}
		_, errRead := Open(dir, smallSpec)
		_, errWrite := OpenWriter(dir, smallSpec)
		for _, err := range []error{errRead, errWrite} {
			var older *OlderFormatError
			var newer *NewerFormatError
			if errors.As(err, &older) != test.older || errors.As(err, &newer) != test.newer {
				t.Fatalf("format %d: %v", test.format, err)
			}
			if text := err.Error(); !strings.Contains(text, path) || !strings.Contains(text, fmt.Sprint("format ", test.format)) || !strings.Contains(text, test.remedy) {
				t.Errorf("format %d: %q does not say what is wrong with which file and what to do", test.format, text)
			}
		}
	}
}
