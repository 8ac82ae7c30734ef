package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDot compares what the processor offers with plain Go, lengths that the
// fast path does not take among it.
func TestDot(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 4, 60, 64, 128, 192, 256, 320, 384, 1536, MaxDims} {
		for _, test := range []struct {
			name string
			q    func() int16
			row  func() byte
		}{
			{"random", func() int16 { return int16(r.IntN(1<<11) - 1<<10) }, func() byte { return byte(r.IntN(256)) }},
			{"largest", func() int16 { return int16(math.MaxInt32/128/max(n, 1024) - 1) }, func() byte { return 0x80 }},
			{"zero", func() int16 { return 0 }, func() byte { return 0xff }},
		} {
			q, row := make([]int16, n), make([]byte, n)
			var want int64
			for i := range q {
				q[i], row[i] = test.q(), test.row()
				want += int64(q[i]) * int64(int8(row[i]))
			}
			if got := dotScalar(q, row); int64(got) != want {
				t.Errorf("%s: scalar product of %d components is %d, want %d", test.name, n, got, want)
			}
			if got := dot(q, row); int64(got) != want {
				t.Errorf("%s: product of %d components is %d, want %d", test.name, n, got, want)
			}
		}
	}
}

func TestHamming(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2, 1))
	for _, words := range []int{1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, MaxDims / 64} {
		for _, n := range []int{0, 1, 2, 65} {
			q, codes := make([]uint64, words), make([]uint64, words*n)
			for i := range q {
				q[i] = r.Uint64()
			}
			want := make([]uint16, n)
			for i := range codes {
				codes[i] = r.Uint64()
				if i < words {
					codes[i] = ^q[i] // everything differs
				}
				for b := range 64 {
					want[i/words] += uint16((codes[i] ^ q[i%words]) >> b & 1)
				}
			}
			scalar, fast := make([]uint16, n), make([]uint16, n)
			hammingScalar(q, codes, scalar)
			hamming(q, codes, fast)
			if diff := cmp.Diff(want, scalar); diff != "" {
				t.Errorf("%d codes of %d words, scalar (-want +got):\n%s", n, words, diff)
			}
			if diff := cmp.Diff(want, fast); diff != "" {
				t.Errorf("%d codes of %d words (-want +got):\n%s", n, words, diff)
			}
		}
	}
}

func TestEstimator(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 1))
	wide := make([]int16, 192)
	for i := range wide {
		wide[i] = int16(r.IntN(1<<12) - 1<<11)
	}
	e := newEstimator(wide)
	for range 50 {
		code := []uint64{r.Uint64(), r.Uint64(), r.Uint64()}
		var want int32
		for i, x := range wide {
			if code[i/64]>>(i%64)&1 != 0 {
				want += int32(x)
			} else {
				want -= int32(x)
			}
		}
		if got := e.of(code); got != want {
			t.Fatalf("estimate %d, want %d", got, want)
		}
	}
}

func TestSmallest(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4, 1))
	for _, n := range []int{1, 2, 3, 10, 257} {
		for k := range n + 1 {
			keys := make([]uint64, n)
			for i, p := range r.Perm(n) {
				keys[i] = uint64(p)
			}
			smallest(keys, k)
			for _, key := range keys[:k] {
				if key >= uint64(k) {
					t.Fatalf("the %d smallest of %d hold %d", k, n, key)
				}
			}
		}
	}
}

// TestNearest compares the two ways of choosing, over a list and over a
// bitmap, with sorting.
func TestNearest(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 1))
	for _, shape := range []struct{ limit, ties int }{{3, 0}, {3, 2}, {0, 1}, {9, 100}} {
		for _, n := range []int{0, 1, 3, 4, 5, 131} {
			dist := make([]uint16, n)
			var want []uint32
			ties := shape.ties
			for i := range dist {
				dist[i] = uint16(r.IntN(10))
				if r.IntN(3) == 0 {
					dist[i] = 0xffff
				}
				switch {
				case int(dist[i]) < shape.limit:
					want = append(want, uint32(i))
				case int(dist[i]) == shape.limit && ties > 0:
					want = append(want, uint32(i))
					ties--
				}
			}
			got := choose(dist, part{0, n}, uint16(shape.limit), shape.ties)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("limit %d, %d ties of %v (-want +got):\n%s", shape.limit, shape.ties, dist, diff)
			}
		}
	}
}

// TestWorkers shows that results do not depend on how work is shared, down to
// which of equally near slots are candidates.
func TestWorkers(t *testing.T) {
	t.Parallel()
	spec := Spec{Fingerprint: "w", Dims: 64}
	dir := t.TempDir()
	w := mustWriter(t, dir, spec)
	defer w.Close()
	r := rand.New(rand.NewPCG(6, 1))
	if _, err := w.Append(randomItems(r, 30_000, spec.Dims)); err != nil {
		t.Fatal(err)
	}
	var slots []uint32
	for i := range 3000 {
		slots = append(slots, uint32(i*7))
	}
	if err := w.Delete(slots); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(nil); err != nil {
		t.Fatal(err)
	}
	ix := mustOpen(t, dir, spec)
	defer ix.Close()
	v := ix.View()
	defer v.Release()
	for _, test := range []struct {
		name   string
		accept *Bitmap
	}{
		{"all", nil},
		{"most", Where(v.Groups(), Between(1, groupCount))},
		{"few", Where(v.Times(), Between(0, 1<<29))},
	} {
		vec := randomUnit(r, spec.Dims)
		var want []Match
		for workers := 1; workers <= 7; workers++ {
			got, err := v.Search(t.Context(), vec, 50, Options{Candidates: 60, Workers: workers, Accept: test.accept})
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %d workers (-one +many):\n%s", test.name, workers, diff)
			}
		}
		if len(want) != 50 {
			t.Errorf("%s: %d found", test.name, len(want))
		}
	}
}

func TestWhere(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 1))
	for _, n := range []int{0, 1, 63, 64, 65, 1000} {
		column := make([]uint32, n)
		for i := range column {
			column[i] = uint32(r.IntN(20))
			if r.IntN(10) == 0 {
				column[i] = math.MaxUint32 - uint32(r.IntN(3))
			}
		}
		for _, test := range []struct {
			name  string
			test  Test
			holds func(uint32) bool
		}{
			{"is", Is(3), func(v uint32) bool { return v == 3 }},
			{"is the largest", Is(math.MaxUint32), func(v uint32) bool { return v == math.MaxUint32 }},
			{"between", Between(3, 9), func(v uint32) bool { return v >= 3 && v <= 9 }},
			{"between all", Between(0, math.MaxUint32), func(uint32) bool { return true }},
			{"between none", Between(9, 3), func(uint32) bool { return false }},
			{"masked", Masked(5, 4), func(v uint32) bool { return v&5 == 4 }},
			{"masked with what the mask hides", Masked(4, 5), func(uint32) bool { return false }},
			{"any of one", AnyOf([]uint32{3, 3}), func(v uint32) bool { return v == 3 }},
			{"any of none", AnyOf(nil), func(uint32) bool { return false }},
			{"any of near ones", AnyOf([]uint32{7, 3, 19, 3}), func(v uint32) bool { return v == 3 || v == 7 || v == 19 }},
			{"any of far ones", AnyOf([]uint32{math.MaxUint32, 3}), func(v uint32) bool { return v == 3 || v == math.MaxUint32 }},
		} {
			got := Where(column, test.test)
			var want []uint32
			for i, v := range column {
				if test.holds(v) {
					want = append(want, uint32(i))
				}
			}
			if diff := cmp.Diff(fmt.Sprint(want), fmt.Sprint(got.Slots())); diff != "" {
				t.Errorf("%s of %d (-want +got):\n%s", test.name, n, diff)
			}
			if got.Len() != n || got.Count() != len(want) {
				t.Errorf("%s of %d: %d of %d, want %d", test.name, n, got.Count(), got.Len(), len(want))
			}
		}
	}
}

func TestBitmap(t *testing.T) {
	t.Parallel()
	set := func(slots ...uint32) *Bitmap {
		b := NewBitmap(130)
		for _, s := range slots {
			b.Set(s)
		}
		return b
	}
	for _, test := range []struct {
		name string
		got  *Bitmap
		want []uint32
	}{
		{"and", set(0, 64, 129).And(set(64, 129)), []uint32{64, 129}},
		{"or", set(0, 64).Or(set(64, 129)), []uint32{0, 64, 129}},
		{"and not", set(0, 64, 129).AndNot(set(64)), []uint32{0, 129}},
	} {
		if diff := cmp.Diff(test.want, test.got.Slots()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	if b := set(64); !b.Has(64) || b.Has(63) || b.Has(129) {
		t.Error("a set of one slot has another")
	}
}
