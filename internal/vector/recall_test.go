package vector

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// clusters makes vectors as models make them of texts: gathered in groups, and
// with most of their variance on few components.
type clusters struct {
	r       *rand.Rand
	centres [][]float32
	sizes   []float32 // of the components
}

func newClusters(r *rand.Rand, n, dims int) *clusters {
	c := &clusters{r: r, sizes: make([]float32, dims)}
	for i := range c.sizes {
		c.sizes[i] = float32(1 / math.Sqrt(float64(i+4)))
	}
	for range n {
		c.centres = append(c.centres, c.draw(nil))
	}
	return c
}

// draw returns a vector near the centre, or anywhere.
func (c *clusters) draw(centre []float32) []float32 {
	v := make([]float32, len(c.sizes))
	for i := range v {
		v[i] = float32(c.r.NormFloat64()) * c.sizes[i]
	}
	scale(v)
	if centre != nil {
		for i := range v {
			v[i] = 0.7*v[i] + centre[i]
		}
		scale(v)
	}
	return v
}

func (c *clusters) next() []float32 { return c.draw(c.centres[c.r.IntN(len(c.centres))]) }

func scale(v []float32) {
	length := float32(math.Sqrt(product(v, v)))
	for i := range v {
		v[i] /= length
	}
}

// exact returns the k slots with the largest cosines.
func exact(items []Item, vec []float32, k int) []uint32 {
	type found struct {
		slot  uint32
		score float32
	}
	all := make([]found, len(items))
	for i, it := range items {
		all[i] = found{uint32(i), dot32(it.Vector, vec)}
	}
	slices.SortFunc(all, func(a, b found) int { return cmp.Compare(b.score, a.score) })
	var slots []uint32
	for _, f := range all[:k] {
		slots = append(slots, f.slot)
	}
	return slots
}

func dot32(a, b []float32) float32 {
	b = b[:len(a)]
	var s, t, u, v float32
	for len(a) >= 4 {
		s += a[0] * b[0]
		t += a[1] * b[1]
		u += a[2] * b[2]
		v += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	return s + t + u + v
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
	c := newClusters(rand.New(rand.NewPCG(1, 3)), 500, spec.Dims)
	items := make([]Item, n)
	for i := range items {
		items[i] = Item{Vector: c.next(), Group: uint32(i % 50)}
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
		vec := c.next()
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
