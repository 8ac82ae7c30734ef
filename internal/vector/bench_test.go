package vector

import (
	"fmt"
	"math"
	"testing"
)

// quickUnit makes unit vectors faster than normally distributed ones can be
// made; benchmarks need many.
func quickUnit(state *uint64, dims int) []float32 {
	v := make([]float32, dims)
	var sum float64
	for i := range v {
		x := float64(int32(splitMix(state))) / math.MaxInt32
		v[i] = float32(x)
		sum += x * x
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

const benchDims = 256

// benchIndex makes an index of n vectors.
func benchIndex(b *testing.B, n int) (dir string, spec Spec) {
	b.Helper()
	spec = Spec{Fingerprint: fmt.Sprintf("bench-%d", n), Dims: benchDims, Archive: 1}
	dir = b.TempDir()
	w, err := OpenWriter(dir, spec)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	state := uint64(1)
	for w.Len() < n {
		items := make([]Item, min(n-w.Len(), 10000))
		for i := range items {
			items[i] = Item{Vector: quickUnit(&state, benchDims), Ref: uint32(w.Len() + i), Group: uint32(splitMix(&state) % 100)}
		}
		if _, err := w.Append(items); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Commit(nil); err != nil {
		b.Fatal(err)
	}
	return dir, spec
}

// BenchmarkSearch has a budget of 8 ms for a million slots on two processors.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		dir, spec := benchIndex(b, n)
		ix, err := Open(dir, spec)
		if err != nil {
			b.Fatal(err)
		}
		defer ix.Close()
		v := ix.View()
		defer v.Release()
		state := uint64(7)
		for _, test := range []struct {
			name string
			o    Options
		}{
			{"all", Options{}},
			{"one in 100", Options{Accept: Where(v.Groups(), Is(3))}},
			{"stretch of 1 in 100", Options{Accept: Where(v.Refs(), Between(uint32(n/2), uint32(n/2+n/100)))}},
			{"half", Options{Accept: Where(v.Groups(), Between(0, 49))}},
			{"one worker", Options{Workers: 1}},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, test.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := v.Search(b.Context(), quickUnit(&state, benchDims), 10, test.o); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkWhere(b *testing.B) {
	column := make([]uint32, 1_000_000)
	for i := range column {
		column[i] = uint32(i / 80_000)
	}
	for _, test := range []struct {
		name string
		test Test
	}{{"is", Is(3)}, {"any of two", AnyOf([]uint32{3, 5})}} {
		b.Run(test.name, func(b *testing.B) {
			for b.Loop() {
				Where(column, test.test)
			}
		})
	}
}

func BenchmarkHamming(b *testing.B) {
	for _, dims := range []int{256, 384, 512, 768, 1024, 1536} {
		b.Run(fmt.Sprint(dims), func(b *testing.B) {
			q := make([]uint64, dims/64)
			codes := make([]uint64, len(q)*100_000)
			out := make([]uint16, 100_000)
			b.SetBytes(int64(len(codes) * 8))
			for b.Loop() {
				hamming(q, codes, out)
			}
		})
	}
}

func BenchmarkDot(b *testing.B) {
	q := make([]int16, benchDims)
	row := make([]byte, benchDims)
	for _, test := range []struct {
		name string
		dot  func([]int16, []byte) int32
	}{{"scalar", dotScalar}, {"fastest", dot}} {
		b.Run(test.name, func(b *testing.B) {
			for b.Loop() {
				test.dot(q, row)
			}
		})
	}
}

func BenchmarkCount(b *testing.B) {
	dist := make([]uint16, blockSlots)
	state := uint64(0)
	for i := range dist {
		dist[i] = uint16(112 + splitMix(&state)%32)
	}
	counts := make([]uint32, 257)
	for b.Loop() {
		count(dist, counts)
	}
}

func BenchmarkChoose(b *testing.B) {
	dist := make([]uint16, 1<<20)
	state := uint64(0)
	for i := range dist {
		dist[i] = uint16(112 + splitMix(&state)%256)
	}
	for b.Loop() {
		choose(dist, part{0, len(dist)}, 112, 10)
	}
}

func BenchmarkRotate(b *testing.B) {
	for _, dims := range []int{256, 384, 768} {
		b.Run(fmt.Sprint(dims), func(b *testing.B) {
			r := newRotation(dims, 1)
			v := make([]float32, dims)
			v[0] = 1
			for b.Loop() {
				r.apply(v)
			}
		})
	}
}

func BenchmarkQuantise(b *testing.B) {
	q := newQuantiser(&header{dims: benchDims, clip: clipFor(benchDims)})
	state := uint64(0)
	v := quickUnit(&state, benchDims)
	code, row := make([]byte, benchDims/8), make([]byte, benchDims)
	for b.Loop() {
		q.row(v, code, row)
	}
}
