package vector

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/vector/vectortest"
)

// exact returns the k slots with the largest cosines.
func exact(items []Item, vec []float32, k int) []uint32 {
	type found struct {
		slot  uint32
		score float32
	}
	all := make([]found, len(items))
	for i, it := range items {
		all[i] = found{uint32(i), vectortest.Dot(it.Vector, vec)}
	}
	slices.SortFunc(all, func(a, b found) int { return cmp.Compare(b.score, a.score) })
	var slots []uint32
	for _, f := range all[:k] {
		slots = append(slots, f.slot)
	}
	return slots
}

// TestRecall holds default searches against exact ones.
func TestRecall(t *testing.T) {
	t.Parallel()
	n, queries := 100_000, 40
	if testing.Short() {
		n, queries = 10_000, 20
	}
	spec := Spec{Fingerprint: "recall", Dims: 256, Rotate: true}
	dir := t.TempDir()
	w := mustWriter(t, dir, spec)
	defer w.Close()
	c := vectortest.NewClusters(rand.New(rand.NewPCG(1, 3)), 500, spec.Dims)
	items := make([]Item, n)
	for i := range items {
		items[i] = Item{Vector: c.Next(), Group: uint32(i % 50)}
	}
	if _, err := w.Append(items); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(nil); err != nil {
		t.Fatal(err)
	}
	ix := mustOpen(t, dir, spec)
	defer ix.Close()
	v := ix.View()
	defer v.Release()
	hits := 0
	for range queries {
		vec := c.Next()
		got, err := v.Search(t.Context(), vec, 10, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := exact(items, vec, 10)
		for _, m := range got {
			if slices.Contains(want, m.Slot) {
				hits++
			}
		}
	}
	if recall := float64(hits) / float64(10*queries); recall < 0.97 {
		t.Errorf("recall of the ten nearest is %.3f, want at least 0.97", recall)
	} else {
		t.Logf("recall of the ten nearest: %.3f", recall)
	}
}
