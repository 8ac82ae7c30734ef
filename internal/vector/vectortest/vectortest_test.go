package vectortest

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestDot(t *testing.T) {
	t.Parallel()
	for n := range 10 {
		a, b, want := make([]float32, n), make([]float32, n+1), float32(0)
		for i := range n {
			a[i], b[i] = float32(i+1), float32(2*i-3)
			want += a[i] * b[i]
		}
		if got := Dot(a, b); got != want {
			t.Errorf("%d components: got %v, want %v", n, got, want)
		}
	}
}

// Vectors have length 1, lie in groups, and come again from the same source.
func TestClusters(t *testing.T) {
	t.Parallel()
	source := func(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }
	c, again := NewClusters(source(1), 5, 64).From(source(2)), NewClusters(source(1), 5, 64).From(source(2))
	near := 0
	var all [][]float32
	for range 200 {
		v := c.Next()
		if length := math.Sqrt(float64(Dot(v, v))); math.Abs(length-1) > 1e-5 {
			t.Fatalf("length %v, want 1", length)
		}
		if w := again.Next(); Dot(v, w) < 1-1e-5 {
			t.Fatal("the same source gives another vector")
		}
		for _, other := range all {
			if Dot(v, other) > 0.5 {
				near++
			}
		}
		all = append(all, v)
	}
	if pairs := len(all) * (len(all) - 1) / 2; near < pairs/10 || near > pairs/2 {
		t.Errorf("%d of %d pairs are near, want about a fifth", near, pairs)
	}
}
