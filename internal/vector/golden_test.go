package vector

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var goldenSpec = Spec{Fingerprint: "golden-1.0", Dims: 100, Archive: 0xfeed, Rotate: true}

func goldenItems() []Item {
	items := make([]Item, 5)
	for i := range items {
		v := make([]float32, goldenSpec.Dims)
		v[7*i], v[7*i+7] = 0.6, 0.8
		n := uint32(i)
		items[i] = Item{Vector: v, Ref: 100 + n, Group: 200 + n, Owner: 300 + n, Time: 400 + n, Key: 500 + n}
	}
	return items
}

// TestGolden reads an index that this version of the format wrote, and compares
// what is written today with it byte by byte.
func TestGolden(t *testing.T) {
	t.Parallel()
	const golden = "testdata/format-2"
	dir := filepath.Join(t.TempDir(), "index")
	w := mustWriter(t, dir, goldenSpec)
	if _, err := w.Append(goldenItems()); err != nil {
		t.Fatal(err)
	}
	if err := w.Delete([]uint32{3}); err != nil {
		t.Fatal(err)
	}
	if err := w.Mark([]Mark{{4, 200, 600}, {1, 204, 601}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit([]byte("state")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.RemoveAll(golden); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(lockFile(dir, goldenSpec.Fingerprint)); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(golden, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range indexFiles(t, golden) {
		want, err := os.ReadFile(filepath.Join(golden, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-format 2 +now):\n%s", name, diff)
		}
	}

	ix := mustOpen(t, golden, goldenSpec)
	defer ix.Close()
	v := ix.View()
	defer v.Release()
	matches, err := v.Search(t.Context(), goldenItems()[1].Vector, 3, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	fmt.Fprintf(&got, "%d slots, %d live, marks %v, %q\n", v.Len(), v.Live(), v.Marks(), v.State())
	for _, m := range matches {
		s := m.Slot
		fmt.Fprintf(&got, "%d %.2f: %d %d %d %d %d\n", s, m.Score, v.Refs()[s], v.Groups()[s], v.Owners()[s], v.Times()[s], v.Keys()[s])
	}
	want := "5 slots, 4 live, marks [{4 200 600} {1 204 601}], \"state\"\n1 1.00: 101 201 301 401 501\n0 0.48: 100 200 300 400 500\n2 0.48: 102 202 302 402 502\n"
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("contents (-want +got):\n%s", diff)
	}
	if err := v.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestFirstFormat refuses what the first version of the format wrote in words,
// and begins anew when it is removed.
func TestFirstFormat(t *testing.T) {
	t.Parallel()
	dir := copyDir(t, "testdata/format-1")
	var older *OlderFormatError
	if _, err := Open(dir, goldenSpec); !errors.As(err, &older) || older.Found != 1 {
		t.Errorf("reader: %v", err)
	}
	if _, err := OpenWriter(dir, goldenSpec); !errors.As(err, &older) || older.Found != 1 {
		t.Errorf("writer: %v", err)
	}
	if err := Remove(dir, goldenSpec.Fingerprint); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 { // the lock
		t.Errorf("left after removal: %v (%v)", entries, err)
	}
	w := mustWriter(t, dir, goldenSpec)
	defer w.Close()
	if w.Len() != 0 || w.State() != nil {
		t.Errorf("%d slots, state %q", w.Len(), w.State())
	}
}
