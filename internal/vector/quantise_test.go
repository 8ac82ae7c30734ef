package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func randomUnit(r *rand.Rand, dims int) []float32 {
	v := make([]float32, dims)
	var sum float64
	for i := range v {
		x := r.NormFloat64()
		v[i] = float32(x)
		sum += x * x
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}

func product(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// TestClip shows that bytes end where they should: with another scale the mean
// square error of normally distributed components is larger.
func TestClip(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	samples := make([]float64, 2_000_000)
	for i := range samples {
		samples[i] = r.NormFloat64()
	}
	loss := func(clip float64) float64 {
		var sum float64
		for _, x := range samples {
			got := math.Round(min(max(x*127/clip, -127), 127)) * clip / 127
			sum += (x - got) * (x - got)
		}
		return sum / float64(len(samples))
	}
	chosen := loss(clipDeviations)
	for _, other := range []float64{3, 3.5, 4.5, 5} {
		if loss(other) <= chosen {
			t.Errorf("bytes that end at %g deviations lose %.3g, at %g only %.3g", float64(clipDeviations), chosen, other, loss(other))
		}
	}
}

func TestRow(t *testing.T) {
	t.Parallel()
	q := newQuantiser(&header{dims: 64, clip: 0.5})
	v := make([]float32, 64)
	copy(v, []float32{0.5, -0.5, 0.7, -0.7, 0, 0.002, -0.002, 0.0019})
	code, row := make([]byte, 8), make([]byte, 64)
	q.row(v, code, row)
	if diff := cmp.Diff([]int8{127, -127, 127, -127, 0, 1, -1, 0}, signed(row[:8])); diff != "" {
		t.Errorf("bytes (-want +got):\n%s", diff)
	}
	if want := []byte{0b10100101, 0, 0, 0, 0, 0, 0, 0}; !cmp.Equal(want, code) {
		t.Errorf("code %b, want %b", code, want)
	}
}

func signed(row []byte) []int8 {
	var s []int8
	for _, b := range row {
		s = append(s, int8(b))
	}
	return s
}

// TestScoreError holds scores against exact cosines.
func TestScoreError(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		dims  int
		bound float64 // of the root mean square
	}{{64, 0.0013}, {256, 0.0007}, {384, 0.0006}, {1536, 0.0004}} {
		t.Run(fmt.Sprint(test.dims), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(3, uint64(test.dims)))
			q := newQuantiser(&header{dims: test.dims, rotated: true, seed: 5, clip: clipFor(test.dims)})
			room, row := make([]float32, test.dims), make([]byte, test.dims)
			var sum float64
			const n = 500
			for range n {
				a, b := randomUnit(r, test.dims), randomUnit(r, test.dims)
				for i := range a {
					a[i] += b[i]
				}
				length := math.Sqrt(product(a, a))
				for i := range a {
					a[i] = float32(float64(a[i]) / length)
				}
				q.prepare(a, room)
				q.row(room, make([]byte, test.dims/8), row)
				wanted, err := q.query(b)
				if err != nil {
					t.Fatal(err)
				}
				d := float64(float32(dot(wanted.wide, row))*wanted.unit) - product(a, b)
				sum += d * d
			}
			if rms := math.Sqrt(sum / n); rms > test.bound {
				t.Errorf("scores are off by %.5f, want at most %g", rms, test.bound)
			}
		})
	}
}

// TestQueryFits shows that no row, whatever bytes it holds, takes a product
// out of 32 bits, for queries that make the most of it.
func TestQueryFits(t *testing.T) {
	t.Parallel()
	for _, dims := range []int{1, 64, 256, 1536, MaxDims} {
		for _, filled := range []int{1, dims} {
			q := newQuantiser(&header{dims: dims, clip: clipFor(paddedDims(dims))})
			v := make([]float32, dims)
			for i := range filled {
				v[i] = float32(1 / math.Sqrt(float64(filled)))
			}
			wanted, err := q.query(v)
			if err != nil {
				t.Fatal(err)
			}
			var worst int64
			for _, x := range wanted.wide {
				worst += 128 * max(int64(x), -int64(x))
			}
			if worst > math.MaxInt32 || worst == 0 {
				t.Errorf("%d of %d components: the largest product is %d", filled, dims, worst)
			}
		}
	}
}

func TestRefusedVectors(t *testing.T) {
	t.Parallel()
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, test := range []struct {
		name string
		v    []float32
		want string
	}{
		{"zero", []float32{0, 0}, ""},
		{"unit", []float32{0.6, 0.8}, ""},
		{"short", []float32{1}, "vector of 1 components, want 2"},
		{"half", []float32{0.5, 0}, "vector of length 0.5, want 1 or 0"},
		{"no number", []float32{nan, 0}, "vector of length NaN, want 1 or 0"},
		{"infinite", []float32{inf, 0}, "vector of length +Inf, want 1 or 0"},
	} {
		got := ""
		if err := checkVector(test.v, 2); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestRotation shows that angles stay, that vectors with all their weight on
// few components come out even, and that files of this format will be turned
// the same way by every version.
func TestRotation(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4, 2))
	for _, dims := range []int{64, 128, 192, 256, 320, 384, 768, 960, 1024, 1536} {
		turn := newRotation(dims, 77)
		a, b := randomUnit(r, dims), randomUnit(r, dims)
		before := product(a, b)
		turn.apply(a)
		turn.apply(b)
		if after := product(a, b); math.Abs(after-before) > 1e-5 || math.Abs(product(a, a)-1) > 1e-5 {
			t.Errorf("%d components: the product becomes %g, was %g", dims, after, before)
		}
		// The variances of components, over inputs that have them falling as
		// after a principal component analysis, are about equal afterwards.
		variance := make([]float64, dims)
		var fourth float64
		const n = 400
		for range n {
			v := randomUnit(r, dims)
			for i := range v {
				v[i] /= float32(i + 1)
			}
			length := float32(math.Sqrt(product(v, v)))
			for i := range v {
				v[i] /= length
			}
			turn.apply(v)
			for i, x := range v {
				variance[i] += float64(x) * float64(x) / n
				fourth += math.Pow(float64(x), 4)
			}
		}
		var spread float64
		for _, s := range variance {
			spread += math.Pow(s*float64(dims)-1, 2) / float64(dims)
		}
		// A uniformly random rotation has a spread of about 2/effective
		// dimension + sampling, and a kurtosis of about 3.
		if kurtosis := fourth / n * float64(dims); spread > 1.2 || kurtosis < 2 || kurtosis > 4 {
			t.Errorf("%d components: variances differ by %.2f, kurtosis %.2f", dims, math.Sqrt(spread), kurtosis)
		}
	}
	v := make([]float32, 192)
	v[3] = 1
	newRotation(192, 1).apply(v)
	got := fmt.Sprintf("%.6f", v[:4])
	if want := "[-0.127713 0.028398 -0.046098 -0.057302]"; got != want {
		t.Errorf("the rotation of files of format 1 has changed: %s, want %s", got, want)
	}
}
