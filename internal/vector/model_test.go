package vector

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// model is an index as simple as can be: what one is compared with.
type model struct {
	quant *quantiser
	items []modelItem
	state []byte
}

type modelItem struct {
	Item
	row  []byte
	also []Mark
	dead bool
}

func newModel(spec Spec) *model {
	h := header{dims: spec.Dims, rotated: spec.Rotate, seed: seedOf(spec.Fingerprint), clip: clipFor(paddedDims(spec.Dims))}
	return &model{quant: newQuantiser(&h)}
}

func (m *model) clone() *model {
	c := *m
	c.items = slices.Clone(m.items)
	return &c
}

func (m *model) append(items []Item) {
	for _, it := range items {
		room := make([]float32, m.quant.padded)
		m.quant.prepare(it.Vector, room)
		row := make([]byte, m.quant.padded)
		m.quant.row(room, make([]byte, m.quant.padded/8), row)
		m.items = append(m.items, modelItem{Item: it, row: row})
	}
}

func (m *model) delete(slots []uint32) {
	for _, slot := range slots {
		m.items[slot].dead = true
	}
}

func (m *model) mark(list []Mark) {
	for _, mark := range list {
		it := &m.items[mark.Slot]
		it.also = append(slices.Clip(it.also), Mark{Group: mark.Group, Ref: mark.Ref}) // clones share what was there
	}
}

func (it modelItem) in(group uint32) bool {
	return it.Group == group || slices.ContainsFunc(it.also, func(m Mark) bool { return m.Group == group })
}

func (m *model) compact() {
	m.items = slices.DeleteFunc(m.items, func(it modelItem) bool { return it.dead })
}

func (m *model) live() int {
	n := 0
	for _, it := range m.items {
		if !it.dead {
			n++
		}
	}
	return n
}

// search scores everything.
func (m *model) search(vec []float32, k int, accept func(modelItem) bool) []Match {
	q, err := m.quant.query(vec)
	if err != nil {
		panic(err)
	}
	if q.zero {
		return nil
	}
	var found []Match
	for slot, it := range m.items {
		if it.dead || !accept(it) {
			continue
		}
		var product int64
		for i, x := range q.wide {
			product += int64(x) * int64(int8(it.row[i]))
		}
		found = append(found, Match{uint32(slot), float32(int32(product)) * q.unit})
	}
	slices.SortStableFunc(found, func(a, b Match) int { return cmp.Compare(b.Score, a.Score) })
	return found[:min(k, len(found))]
}

func everything(modelItem) bool { return true }

// compare fails the test unless the view shows what the model has.
func (m *model) compare(t *testing.T, v *View, r *rand.Rand) {
	t.Helper()
	if v.Len() != len(m.items) || v.Live() != m.live() || !bytes.Equal(v.State(), m.state) {
		t.Fatalf("view has %d slots, %d live, state %q; want %d, %d, %q", v.Len(), v.Live(), v.State(), len(m.items), m.live(), m.state)
	}
	also := make([][]Mark, len(m.items))
	for _, mark := range v.Marks() {
		also[mark.Slot] = append(also[mark.Slot], Mark{Group: mark.Group, Ref: mark.Ref})
	}
	for slot, it := range m.items {
		s := uint32(slot)
		got := [...]uint32{v.Refs()[s], v.Groups()[s], v.Owners()[s], v.Times()[s], v.Keys()[s]}
		want := [...]uint32{it.Ref, it.Group, it.Owner, it.Time, it.Key}
		if got != want || v.Deleted(s) != it.dead || !slices.Equal(also[s], it.also) {
			t.Fatalf("slot %d: attributes %v, deleted %v, marks %v; want %v, %v, %v", s, got, v.Deleted(s), also[s], want, it.dead, it.also)
		}
	}
	vec := randomUnit(r, m.quant.dims)
	group := uint32(r.IntN(groupCount))
	for _, test := range []struct {
		name   string
		o      Options
		accept func(modelItem) bool
	}{
		{"all", Options{Candidates: len(m.items) + 1}, everything},
		{"one worker", Options{Candidates: len(m.items) + 1, Workers: 1}, everything},
		{"filter", Options{Candidates: len(m.items) + 1, Accept: inGroup(v, group)}, func(it modelItem) bool { return it.in(group) }},
	} {
		got, err := v.Search(t.Context(), vec, 10, test.o)
		if err != nil {
			t.Fatalf("search %s: %v", test.name, err)
		}
		if diff := gocmp.Diff(m.search(vec, 10, test.accept), got); diff != "" {
			t.Fatalf("search %s (-want +got):\n%s", test.name, diff)
		}
	}
	m.compareFew(t, v, vec)
	if err := v.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// inGroup returns the slots that are in a group by their item or by a mark.
func inGroup(v *View, group uint32) *Bitmap {
	in := Where(v.Groups(), Is(group))
	for _, m := range v.MarksIn(Is(group)) {
		in.Set(m.Slot)
	}
	return in
}

// compareFew searches with few candidates: what is found need not be the best,
// but must be live and have the right score.
func (m *model) compareFew(t *testing.T, v *View, vec []float32) {
	t.Helper()
	few, err := v.Search(t.Context(), vec, 5, Options{Candidates: 10, Workers: 3})
	if err != nil {
		t.Fatal(err)
	}
	if len(few) != min(5, m.live()) {
		t.Fatalf("%d found, want %d", len(few), min(5, m.live()))
	}
	scores := make(map[uint32]float32)
	for _, match := range m.search(vec, len(m.items), everything) {
		scores[match.Slot] = match.Score
	}
	for _, match := range few {
		if want, ok := scores[match.Slot]; !ok || want != match.Score {
			t.Fatalf("slot %d has score %g, want %g (live: %v)", match.Slot, match.Score, want, ok)
		}
	}
}

const groupCount = 4

func randomItems(r *rand.Rand, n, dims int) []Item {
	items := make([]Item, n)
	for i := range items {
		items[i] = Item{
			Vector: randomUnit(r, dims),
			Ref:    r.Uint32(), Group: uint32(r.IntN(groupCount)), Owner: r.Uint32(), Time: r.Uint32(), Key: r.Uint32(),
		}
		if r.IntN(20) == 0 {
			clear(items[i].Vector)
		}
		if i > 0 && r.IntN(5) == 0 {
			items[i].Vector = items[i-1].Vector // so that scores tie
		}
	}
	return items
}

// randomMarks marks n of the slots, if there are any, some of them more than
// once.
func randomMarks(r *rand.Rand, n, slots int) (list []Mark) {
	if slots == 0 {
		return nil
	}
	for range n {
		list = append(list, Mark{uint32(r.IntN(slots)), uint32(r.IntN(groupCount)), uint32(r.IntN(groupCount))})
	}
	return list
}

// TestRandomSteps does random things to an index and to the model, and
// compares them whenever something is committed.
func TestRandomSteps(t *testing.T) {
	t.Parallel()
	for _, dims := range []int{1, 64, 100, 256, 384} {
		for _, rotate := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d components, rotate %v", dims, rotate), func(t *testing.T) {
				t.Parallel()
				walk(t, Spec{Fingerprint: "m-1.0", Dims: dims, Archive: 9, Rotate: rotate}, rand.New(rand.NewPCG(uint64(dims), 1)))
			})
		}
	}
}

func walk(t *testing.T, spec Spec, r *rand.Rand) {
	dir := t.TempDir()
	w := mustWriter(t, dir, spec)
	defer func() { w.Close() }()
	committed := newModel(spec)
	pending := committed.clone()
	commit := func() {
		pending.state = fmt.Appendf(nil, "state %d", r.IntN(1000))
		if err := w.Commit(pending.state); err != nil {
			t.Fatal(err)
		}
		committed = pending.clone()
	}
	commit()
	ix := mustOpen(t, dir, spec)
	defer ix.Close()
	for range 150 / everyIn(4) {
		switch r.IntN(9) {
		case 0, 1, 2:
			items := randomItems(r, r.IntN(200), spec.Dims)
			first, err := w.Append(items)
			if err != nil || int(first) != len(pending.items) {
				t.Fatalf("append: slot %d, want %d (%v)", first, len(pending.items), err)
			}
			pending.append(items)
		case 3, 4:
			var slots []uint32
			for i := range pending.items {
				if r.IntN(20) == 0 {
					slots = append(slots, uint32(i))
				}
			}
			if err := w.Delete(slots); err != nil {
				t.Fatal(err)
			}
			pending.delete(slots)
		case 5:
			commit()
		case 6: // forget what was not committed
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			w = mustWriter(t, dir, spec)
			pending = committed.clone()
		case 7:
			commit()
			if w.DeadShare() > CompactAbove {
				if err := w.Compact(t.Context()); err != nil {
					t.Fatal(err)
				}
				pending.compact()
				committed = pending.clone()
			}
		case 8:
			list := randomMarks(r, r.IntN(50), len(pending.items))
			if err := w.Mark(list); err != nil {
				t.Fatal(err)
			}
			pending.mark(list)
		}
		if r.IntN(2) == 0 {
			if _, err := ix.Refresh(); err != nil {
				t.Fatal(err)
			}
			v := ix.View()
			committed.compare(t, v, r)
			v.Release()
		}
	}
}

func mustWriter(t testing.TB, dir string, spec Spec) *Writer {
	t.Helper()
	w, err := OpenWriter(dir, spec)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func mustOpen(t testing.TB, dir string, spec Spec) *Index {
	t.Helper()
	ix, err := Open(dir, spec)
	if err != nil {
		t.Fatal(err)
	}
	return ix
}
