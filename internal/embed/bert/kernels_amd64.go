package bert

import "golang.org/x/sys/cpu"

// fastKernels returns the kernels for this machine's vector unit, and false
// if it has none that they are written for. They need AVX2 and FMA, which
// Intel has since Haswell (2013) and AMD since Excavator (2015).
func fastKernels() (*kernels, bool) {
	return &avx2Kernels, cpu.X86.HasAVX2 && cpu.X86.HasFMA
}

// The functions below check what the assembly relies on, since it would
// read and write wherever it is told to.
var avx2Kernels = kernels{
	name: "avx2",
	multiply: func(out []float32, stride int, acts []uint8, k int, rowScales []float32, rowZeros []int32, panel *panel) {
		check(k%depthStep == 0 && k > 0 && stride >= panelWidth && len(out) >= (blockRows-1)*stride+panelWidth)
		check(len(acts) >= blockRows*k && len(rowScales) >= blockRows && len(rowZeros) >= blockRows)
		check(len(panel.weights) >= k*panelWidth && len(panel.sums) >= panelWidth && len(panel.scales) >= panelWidth && len(panel.biases) >= panelWidth)
		multiplyAVX2(&out[0], stride, &acts[0], k, &rowScales[0], &rowZeros[0], &panel.weights[0], &panel.sums[0], &panel.scales[0], &panel.biases[0])
	},
	quantize: func(to []uint8, from, factors []float32) (scale float32, zero int32) {
		check(len(from)%depthStep == 0 && len(from) > 0 && len(to) >= len(from) && len(factors) >= len(from))
		return quantizeAVX2(&to[0], &from[0], &factors[0], len(from))
	},
	addNorm: func(to, a, b, gamma, beta []float32, eps float32) {
		n := len(to)
		check(n%laneWidth == 0 && n > 0 && len(a) >= n && len(b) >= n && len(gamma) >= n && len(beta) >= n)
		addNormAVX2(&to[0], &a[0], &b[0], &gamma[0], &beta[0], n, eps)
	},
	gelu: func(row []float32) {
		check(len(row)%laneWidth == 0 && len(row) > 0)
		geluAVX2(&row[0], len(row))
	},
	attend: func(scores, query, keys []float32, padded int) {
		check(len(query)%4 == 0 && len(query) > 0 && padded%laneWidth == 0 && padded > 0)
		check(len(scores) >= padded && len(keys) >= len(query)*padded)
		attendAVX2(&scores[0], &query[0], len(query), &keys[0], padded)
	},
	softmax: func(row []float32) {
		check(len(row)%laneWidth == 0 && len(row) > 0)
		softmaxAVX2(&row[0], len(row))
	},
	mix: func(to, shares, values []float32, stride int) {
		check(len(to)%depthStep == 0 && len(to) > 0 && len(shares) > 0)
		check(stride >= len(to) && len(values) >= (len(shares)-1)*stride+len(to))
		mixAVX2(&to[0], &shares[0], len(shares), &values[0], stride, len(to))
	},
}

func check(ok bool) {
	if !ok {
		panic("bert: kernel called with sizes it cannot compute")
	}
}

//go:noescape
func multiplyAVX2(out *float32, stride int, acts *uint8, k int, rowScales *float32, rowZeros *int32, weights *byte, sums *int32, scales, biases *float32)

//go:noescape
func quantizeAVX2(to *uint8, from, factors *float32, n int) (scale float32, zero int32)

//go:noescape
func addNormAVX2(to, a, b, gamma, beta *float32, n int, eps float32)

//go:noescape
func geluAVX2(row *float32, n int)

//go:noescape
func attendAVX2(scores, query *float32, d int, keys *float32, padded int)

//go:noescape
func softmaxAVX2(row *float32, n int)

//go:noescape
func mixAVX2(to, shares *float32, n int, values *float32, stride, d int)
