package bert

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fast returns the machine's kernels, or skips the test where there are none
// to compare with.
func fast(t testing.TB) *kernels {
	t.Helper()
	k, ok := fastKernels()
	if !ok {
		t.Skip("this machine has no vector unit that there is assembly for")
	}
	return k
}

func normal(random *rand.Rand, n int, deviation float64) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(random.NormFloat64() * deviation)
	}
	return values
}

// distance returns the largest difference between values, relative to the
// larger of 1 and the wanted.
func distance(want, got []float32) float64 {
	var largest float64
	for i := range want {
		d := math.Abs(float64(want[i])-float64(got[i])) / max(1, math.Abs(float64(want[i])))
		if !(d <= largest) { // also true of NaN
			largest = d
		}
	}
	return largest
}

// randomPanel returns weights whose neighbours keep to pairLimit, and the
// same by input and channel.
func randomPanel(random *rand.Rand, k int, extreme bool) (*panel, [][panelWidth]int8) {
	p := &panel{
		weights: make([]byte, k*panelWidth), sums: make([]int32, panelWidth),
		scales: normal(random, panelWidth, 1), biases: normal(random, panelWidth, 1),
	}
	plain := make([][panelWidth]int8, k)
	for c := range panelWidth {
		for i := range k {
			w := random.IntN(255) - 127
			if i%2 == 1 {
				left := pairLimit - max(int(plain[i-1][c]), -int(plain[i-1][c]))
				w = max(min(w, left), -left)
			}
			if extreme {
				w = pairLimit / 2 * (1 - 2*(c%2))
			}
			plain[i][c] = int8(w)
			p.weights[i/quad*quad*panelWidth+quad*c+i%quad] = byte(w)
			p.sums[c] += int32(w)
		}
	}
	return p, plain
}

func randomActivations(random *rand.Rand, k int, extreme bool) (acts []uint8, zeros []int32) {
	acts, zeros = make([]uint8, blockRows*k), make([]int32, blockRows)
	for i := range acts {
		acts[i] = uint8(random.IntN(256))
		if extreme {
			acts[i] = 255
		}
	}
	for i := range zeros {
		zeros[i] = int32(random.IntN(256))
	}
	return acts, zeros
}

// Also with the largest weights and activations that there can be, of one
// sign and of both, the sums do not saturate.
func TestMultiplyAgrees(t *testing.T) {
	t.Parallel()
	fast := fast(t)
	random := rand.New(rand.NewPCG(1, 2))
	for _, k := range []int{32, 64, 96, 384, 1536, 3072, 4096} {
		for i := range 8 {
			extreme := i%4 == 0
			stride := panelWidth + random.IntN(40)
			panel, _ := randomPanel(random, k, extreme)
			acts, zeros := randomActivations(random, k, extreme)
			rowScales := normal(random, blockRows, 1)
			want, got := make([]float32, blockRows*stride), make([]float32, blockRows*stride)
			multiplyScalar(want, stride, acts, k, rowScales, zeros, panel)
			fast.multiply(got, stride, acts, k, rowScales, zeros, panel)
			if !slices.Equal(want, got) {
				t.Fatalf("k %d, stride %d, extreme %v (-scalar +fast):\n%s", k, stride, extreme, cmp.Diff(want, got))
			}
		}
	}
}

// The scalar product itself is checked against its definition in float64.
func TestMultiplyScalar(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	const k, stride = 64, 20
	panel, weights := randomPanel(random, k, false)
	acts, zeros := randomActivations(random, k, false)
	rowScales := normal(random, blockRows, 1)
	got := make([]float32, blockRows*stride)
	multiplyScalar(got, stride, acts, k, rowScales, zeros, panel)
	for r := range blockRows {
		for c := range panelWidth {
			var sum float64
			for i := range k {
				sum += (float64(acts[r*k+i]) - float64(zeros[r])) * float64(weights[i][c])
			}
			want := sum*float64(panel.scales[c])*float64(rowScales[r]) + float64(panel.biases[c])
			if d := math.Abs(want - float64(got[r*stride+c])); !(d <= 1e-6*math.Abs(want)+1e-3) {
				t.Errorf("row %d, channel %d: %v, want %v", r, c, got[r*stride+c], want)
			}
		}
	}
}

func TestQuantizeAgrees(t *testing.T) {
	t.Parallel()
	fast := fast(t)
	random := rand.New(rand.NewPCG(5, 6))
	shapes := map[string]func(float32) float32{
		"as drawn": func(v float32) float32 { return v },
		"positive": func(v float32) float32 { return float32(math.Abs(float64(v))) },
		"negative": func(v float32) float32 { return -float32(math.Abs(float64(v))) },
		"zero":     func(float32) float32 { return 0 },
	}
	for name, shape := range shapes {
		for n := 32; n <= 1536; n += 32 {
			for _, deviation := range []float64{1e-6, 1, 1e6} {
				from, factors := normal(random, n, deviation), normal(random, n, 1)
				for i := range from {
					factors[i] = float32(math.Abs(float64(factors[i])))
					from[i] = shape(from[i])
				}
				want, got := make([]uint8, n), make([]uint8, n)
				scale, zero := quantizeScalar(want, from, factors)
				gotScale, gotZero := fast.quantize(got, from, factors)
				if scale != gotScale || zero != gotZero || !slices.Equal(want, got) {
					t.Fatalf("%s, n %d, deviation %v: scale %v, want %v; zero %d, want %d\n%s",
						name, n, deviation, gotScale, scale, gotZero, zero, cmp.Diff(want, got))
				}
				for i, v := range from {
					v *= factors[i]
					if back := float32(int32(want[i])-zero) * scale; !(math.Abs(float64(back-v)) <= 1.01*float64(scale)) {
						t.Fatalf("%s, n %d: %v came back as %v", name, n, v, back)
					}
				}
			}
		}
	}
}

func TestRowKernelsAgree(t *testing.T) {
	t.Parallel()
	fast := fast(t)
	random := rand.New(rand.NewPCG(7, 8))
	for n := 32; n <= 1536; n += 32 {
		for _, deviation := range []float64{1e-3, 1, 30} {
			a, b, gamma, beta := normal(random, n, deviation), normal(random, n, deviation), normal(random, n, 1), normal(random, n, 1)
			want, got := make([]float32, n), make([]float32, n)
			addNormScalar(want, a, b, gamma, beta, 1e-12)
			fast.addNorm(got, a, b, gamma, beta, 1e-12)
			if d := distance(want, got); !(d < 1e-5) {
				t.Errorf("addNorm of %d with deviation %v: off by %v", n, deviation, d)
			}
			copy(got, a)
			fast.addNorm(got, got, b, gamma, beta, 1e-12)
			if d := distance(want, got); !(d < 1e-5) {
				t.Errorf("addNorm of %d onto itself: off by %v", n, d)
			}
			copy(want, a)
			copy(got, a)
			geluScalar(want)
			fast.gelu(got)
			if d := distance(want, got); !(d < 1e-6) {
				t.Errorf("gelu of %d with deviation %v: off by %v", n, deviation, d)
			}
			copy(want, a)
			copy(got, a)
			softmaxScalar(want)
			fast.softmax(got)
			if d := distance(want, got); !(d < 2e-6) {
				t.Errorf("softmax of %d with deviation %v: off by %v", n, deviation, d)
			}
		}
	}
}

// The error bounds hold over all that can come, not only over samples.
func TestApproximations(t *testing.T) {
	t.Parallel()
	fast := fast(t)
	row := make([]float32, laneWidth)
	for x := -120.0; x <= 120; x += 1e-3 {
		for i := range row {
			row[i] = float32(x)
		}
		v := float64(row[0])
		fast.gelu(row)
		if want := 0.5 * v * math.Erfc(-v/math.Sqrt2); !(math.Abs(float64(row[3])-want) < 1e-6*max(1, math.Abs(want))) {
			t.Fatalf("gelu(%v) is %v, want %v", v, row[3], want)
		}
		if x > 0 {
			continue
		}
		clear(row)
		row[1] = float32(v)
		fast.softmax(row)
		want := max(math.Exp(v), math.Exp(-87)) // where float32 ends
		if got := float64(row[1]) / float64(row[0]); !(math.Abs(got-want) < 1e-6*want) {
			t.Fatalf("exp(%v) is %v, want %v", v, got, want)
		}
	}
}

func TestAttentionKernelsAgree(t *testing.T) {
	t.Parallel()
	fast := fast(t)
	random := rand.New(rand.NewPCG(9, 10))
	for _, d := range []int{32, 64, 96} {
		for n := 1; n <= 130; n += 1 + n/10 {
			t.Run(fmt.Sprintf("%d tokens of %d", n, d), func(t *testing.T) {
				padded := roundUp(n, laneWidth)
				query, keys := normal(random, d, 1), normal(random, d*padded, 1)
				want, got := make([]float32, padded), make([]float32, padded)
				attendScalar(want, query, keys, padded)
				fast.attend(got, query, keys, padded)
				if d := distance(want, got); !(d < 1e-5) {
					t.Errorf("attend: off by %v", d)
				}
				stride := d + random.IntN(50)
				shares, values := normal(random, n, 1), normal(random, n*stride, 1)
				want, got = make([]float32, d), make([]float32, d)
				mixScalar(want, shares, values, stride)
				fast.mix(got, shares, values, stride)
				if d := distance(want, got); !(d < 1e-5) {
					t.Errorf("mix: off by %v", d)
				}
			})
		}
	}
}

func TestKernelsRefuse(t *testing.T) {
	t.Parallel()
	fast := fast(t)
	row := make([]float32, 20)
	tests := []struct {
		name string
		call func()
	}{
		{"multiply", func() {
			fast.multiply(row, panelWidth, make([]uint8, 192), 32, row, make([]int32, 6), &panel{make([]byte, 512), make([]int32, 16), row, row})
		}},
		{"quantize", func() { fast.quantize(make([]uint8, 20), row, row) }},
		{"addNorm", func() { fast.addNorm(row[:16], row, row[:8], row, row, 1) }},
		{"gelu", func() { fast.gelu(row) }},
		{"attend", func() { fast.attend(row, row[:4], row, 8) }},
		{"softmax", func() { fast.softmax(nil) }},
		{"mix", func() { fast.mix(make([]float32, 32), row, row, 32) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Error("reads or writes beyond its slices")
				}
			}()
			tt.call()
		})
	}
}

func BenchmarkMultiply(b *testing.B) {
	all := []*kernels{&scalarKernels}
	if k, ok := fastKernels(); ok {
		all = append(all, k)
	}
	for _, kernels := range all {
		for _, k := range []int{384, 1536} {
			b.Run(fmt.Sprintf("%s/%d", kernels.name, k), func(b *testing.B) {
				random := rand.New(rand.NewPCG(11, 12))
				panel, _ := randomPanel(random, k, false)
				acts, zeros := randomActivations(random, k, false)
				rowScales, out := normal(random, blockRows, 1), make([]float32, blockRows*panelWidth)
				for b.Loop() {
					kernels.multiply(out, panelWidth, acts, k, rowScales, zeros, panel)
				}
				b.ReportMetric(float64(blockRows*panelWidth*k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GMAC/s")
			})
		}
	}
}
