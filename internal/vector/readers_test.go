package vector

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadersAndWriter lets readers refresh and search without pause while a
// writer commits and compacts. Every item of commit number c has Group c and
// Ref its number within; a commit's state says how many commits there are, and
// deletes all of commit c-10 but the first item. The first item of every commit
// is put into group 1000, too. So each view can be checked by itself.
func TestReadersAndWriter(t *testing.T) {
	t.Parallel()
	const commits, perCommit, kept = 120, 20, 10
	spec := Spec{Fingerprint: "busy", Dims: 64, Rotate: true}
	dir := t.TempDir()
	w := mustWriter(t, dir, spec)
	defer w.Close()
	if err := w.Commit([]byte{0}); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var all sync.WaitGroup
	shared := mustOpen(t, dir, spec)
	defer shared.Close()
	for reader := range 4 {
		all.Go(func() {
			ix := shared // two share one, two have their own
			if reader%2 == 1 {
				own, err := Open(dir, spec)
				if err != nil {
					t.Error(err)
					return
				}
				defer own.Close()
				ix = own
			}
			r := rand.New(rand.NewPCG(30, uint64(reader)))
			seen := 0
			for last := false; !last; {
				select {
				case <-done:
					last = true
				default:
				}
				if _, err := ix.Refresh(); err != nil {
					t.Errorf("refresh: %v", err)
					return
				}
				v := ix.View()
				number := int(v.State()[0])
				if number < seen {
					t.Errorf("commit %d after %d", number, seen)
				}
				seen = number
				want := min(number, kept)*perCommit + max(0, number-kept)
				if v.Live() != want {
					t.Errorf("commit %d has %d live slots, want %d", number, v.Live(), want)
				}
				matches, err := v.Search(t.Context(), randomUnit(r, spec.Dims), 1000, Options{Candidates: 1 << 20})
				if err != nil || len(matches) != want {
					t.Errorf("commit %d: %d found, want %d (%v)", number, len(matches), want, err)
				}
				for _, m := range matches {
					if group := int(v.Groups()[m.Slot]); group > number || group <= number-kept && v.Refs()[m.Slot] != 0 {
						t.Errorf("commit %d: item %d of commit %d", number, v.Refs()[m.Slot], group)
					}
				}
				marked := v.MarksIn(Is(1000))
				if len(marked) != number {
					t.Errorf("commit %d has %d marked slots, want as many", number, len(marked))
				}
				for _, m := range marked {
					if v.Refs()[m.Slot] != 0 || v.Groups()[m.Slot] != m.Ref {
						t.Errorf("commit %d: item %d of commit %d is marked as %d", number, v.Refs()[m.Slot], v.Groups()[m.Slot], m.Ref)
					}
				}
				v.Release()
				runtime.Gosched()
			}
			if seen != commits {
				t.Errorf("the last commit seen is %d", seen)
			}
		})
	}
	write := func() error {
		r := rand.New(rand.NewPCG(31, 1))
		for c := uint32(1); c <= commits; c++ {
			items := randomItems(r, perCommit, spec.Dims)
			for i := range items {
				items[i].Group, items[i].Ref = c, uint32(i)
			}
			first, err := w.Append(items)
			if err == nil {
				err = w.Mark([]Mark{{first, 1000, c}})
			}
			if err != nil {
				return err
			}
			v := shared.View()
			if v.Compactions() != w.header.generation || v.Len()+perCommit != w.Len() {
				v.Release()
				if _, err := shared.Refresh(); err != nil {
					return err
				}
				v = shared.View()
			}
			var old []uint32
			for slot, group := range v.Groups() {
				if group+kept == c && v.Refs()[slot] != 0 {
					old = append(old, uint32(slot))
				}
			}
			v.Release()
			if err := w.Delete(old); err != nil {
				return err
			}
			if err := w.Commit([]byte{byte(c)}); err != nil {
				return err
			}
			if w.DeadShare() > CompactAbove {
				if err := w.Compact(t.Context()); err != nil {
					return err
				}
			}
		}
		return nil
	}
	err := write()
	close(done)
	all.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if w.header.generation < 3 {
		t.Errorf("only %d compactions", w.header.generation)
	}
}

// TestViewStays shows that a view outlives compaction, removal and rebuilding,
// and that the index notices them.
func TestViewStays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	small(t, dir)
	ix := mustOpen(t, dir, smallSpec)
	defer ix.Close()
	v := ix.View()
	defer v.Release()
	vec := randomUnit(rand.New(rand.NewPCG(1, 1)), smallSpec.Dims)
	search := func() []Match {
		matches, err := v.Search(t.Context(), vec, 30, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return matches
	}
	want := search()
	refs := slices.Clone(v.Refs())

	w := mustWriter(t, dir, smallSpec)
	if err := w.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if changed, err := ix.Refresh(); !changed || err != nil {
		t.Fatalf("after compaction: changed %v, %v", changed, err)
	}
	if names := indexFiles(t, dir); !slices.Contains(names, "small-1.1.codes") {
		t.Errorf("files after compaction: %q", names)
	}
	if err := Remove(dir, smallSpec.Fingerprint); err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Refresh(); !errors.Is(err, ErrAbsent) {
		t.Fatalf("after removal: %v", err)
	}
	w = mustWriter(t, dir, smallSpec)
	defer w.Close()
	if w.State() != nil {
		t.Errorf("state %q after removal", w.State())
	}
	if err := w.Commit([]byte("new")); err != nil {
		t.Fatal(err)
	}
	if changed, err := ix.Refresh(); !changed || err != nil {
		t.Fatalf("after rebuilding: changed %v, %v", changed, err)
	}
	fresh := ix.View()
	defer fresh.Release()
	if string(fresh.State()) != "new" || fresh.Len() != 0 {
		t.Errorf("state %q, %d slots after rebuilding", fresh.State(), fresh.Len())
	}
	if changed, err := ix.Refresh(); changed || err != nil {
		t.Errorf("nothing new: changed %v, %v", changed, err)
	}
	if diff := cmp.Diff(want, search()); diff != "" {
		t.Errorf("the old view has changed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(refs, v.Refs()); diff != "" {
		t.Errorf("the old view has changed (-want +got):\n%s", diff)
	}
}

// TestReadOnlyFolder reads where nothing may be written, and leaves no trace.
func TestReadOnlyFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "index")
	small(t, dir)
	list := func() string {
		var text string
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil {
				t.Fatal(err)
			}
			if runtime.GOOS != "windows" && info.Mode().Perm() != fileMode {
				t.Errorf("%s has mode %v", e.Name(), info.Mode())
			}
			text += e.Name() + " " + info.ModTime().String() + "\n"
		}
		return text
	}
	if info, err := os.Stat(dir); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != dirMode {
		t.Errorf("folder has mode %v (%v)", info.Mode(), err)
	}
	before := list()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, dirMode) })
	if state, err := use(dir, smallSpec); state != "three" || err != nil {
		t.Errorf("state %q, %v", state, err)
	}
	if diff := cmp.Diff(before, list()); diff != "" {
		t.Errorf("reading has changed files (-before +after):\n%s", diff)
	}
}

// TestOneWriter shows what a second writer and a removal are told, and that a
// lock is no obstacle to readers or to other models.
func TestOneWriter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	small(t, dir)
	w := mustWriter(t, dir, smallSpec)
	_, errWrite := OpenWriter(dir, smallSpec)
	for _, err := range []error{errWrite, Remove(dir, smallSpec.Fingerprint)} {
		var locked *LockedError
		if !errors.As(err, &locked) || locked.File != lockFile(dir, smallSpec.Fingerprint) {
			t.Errorf("%v", err)
		}
	}
	if state, err := use(dir, smallSpec); state != "three" || err != nil {
		t.Errorf("state %q, %v", state, err)
	}
	beside := smallSpec
	beside.Fingerprint, beside.Dims = "small-1.1", 100
	b := mustWriter(t, dir, beside)
	if err := b.Commit([]byte("beside")); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(nil); !errors.Is(err, os.ErrClosed) {
		t.Errorf("commit after close: %v", err)
	}
	found, err := Fingerprints(dir)
	if diff := cmp.Diff([]string{"small-1", "small-1.1"}, found); diff != "" || err != nil {
		t.Errorf("fingerprints (-want +got, %v):\n%s", err, diff)
	}
	if err := Remove(dir, smallSpec.Fingerprint); err != nil {
		t.Fatal(err)
	}
	if state, err := use(dir, beside); state != "beside" || err != nil {
		t.Errorf("the other model after removal: state %q, %v", state, err)
	}
	if _, err := Open(dir, smallSpec); err == nil {
		t.Error("open after removal: no error")
	}
}

// TestMisuse is refused without harm.
func TestMisuse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	small(t, dir)
	w := mustWriter(t, dir, smallSpec)
	defer w.Close()
	ix := mustOpen(t, dir, smallSpec)
	defer ix.Close()
	v := ix.View()
	defer v.Release()
	unit := make([]float32, smallSpec.Dims)
	unit[3] = 1
	for _, test := range []struct {
		name string
		do   func() error
		want string
	}{
		{"append short vector", func() error { _, err := w.Append([]Item{{Vector: unit}, {Vector: unit[:9]}}); return err },
			"append item 1: vector of 9 components, want 64"},
		{"delete what is not there", func() error { return w.Delete([]uint32{1, 30}) }, "delete slot 30: the index has 30"},
		{"mark what is not there", func() error { return w.Mark([]Mark{{1, 2, 3}, {30, 2, 3}}) }, "mark slot 30: the index has 30"},
		{"long state", func() error { return w.Commit(make([]byte, 65)) }, "commit vector index: state of 65 bytes, at most 64"},
		{"short query", func() error { _, err := v.Search(t.Context(), unit[:9], 1, Options{}); return err },
			"compare with query: vector of 9 components, want 64"},
		{"filter of another view", func() error { _, err := v.Search(t.Context(), unit, 1, Options{Accept: NewBitmap(3)}); return err },
			"search vectors: filter of 3 slots, the view has 30"},
		{"score what is not there", func() error { _, err := v.Score(unit, []uint32{2, 30}); return err },
			"score vectors: slot 30, the view has 30"},
	} {
		got := ""
		if err := test.do(); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	if w.Len() != 30 || w.Deleted(1) != v.Deleted(1) || w.marks != w.header.marks {
		t.Errorf("a refused change was made: %d slots", w.Len())
	}
	for _, change := range []func() error{
		func() error { return w.Mark([]Mark{{1, 2, 3}}) },
		func() error { _, err := w.Append([]Item{{Vector: unit}}); return err },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if err := w.Compact(t.Context()); err == nil {
			t.Error("compaction took what was not committed")
		}
		if err := w.Commit(nil); err != nil {
			t.Fatal(err)
		}
	}
}

// TestScore compares scores of chosen slots, deleted and repeated ones among
// them, with what a search says.
func TestScore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	small(t, dir)
	ix := mustOpen(t, dir, smallSpec)
	defer ix.Close()
	v := ix.View()
	defer v.Release()
	vec := randomUnit(rand.New(rand.NewPCG(2, 1)), smallSpec.Dims)
	matches, err := v.Search(t.Context(), vec, 30, Options{})
	if err != nil {
		t.Fatal(err)
	}
	slots := []uint32{0, 0} // 0 is deleted
	for _, m := range matches {
		slots = append(slots, m.Slot)
	}
	scores, err := v.Score(vec, slots)
	if err != nil {
		t.Fatal(err)
	}
	if scores[0] != scores[1] || scores[0] == 0 {
		t.Errorf("slot 0 has scores %g and %g", scores[0], scores[1])
	}
	for i, m := range matches {
		if scores[i+2] != m.Score {
			t.Errorf("slot %d has score %g, want %g", m.Slot, scores[i+2], m.Score)
		}
	}
	zero, err := v.Search(t.Context(), make([]float32, smallSpec.Dims), 30, Options{})
	if zero != nil || err != nil {
		t.Errorf("zero query: %v, %v", zero, err)
	}
}
