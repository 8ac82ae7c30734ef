package bert

import "math"

// scalarKernels run on every machine, and say what the assembly has to
// compute.
var scalarKernels = kernels{
	name:     "scalar",
	multiply: multiplyScalar,
	quantize: quantizeScalar,
	addNorm:  addNormScalar,
	gelu:     geluScalar,
	attend:   attendScalar,
	softmax:  softmaxScalar,
	mix:      mixScalar,
}

func multiplyScalar(out []float32, stride int, acts []uint8, k int, rowScales []float32, rowZeros []int32, panel *panel) {
	for r := range blockRows {
		var sums [panelWidth]int32
		row := acts[r*k : r*k+k]
		for i := 0; i < len(row); i += quad {
			a := (*[quad]uint8)(row[i:])
			a0, a1, a2, a3 := int32(a[0]), int32(a[1]), int32(a[2]), int32(a[3])
			weights := (*[quad * panelWidth]byte)(panel.weights[i*panelWidth:])
			for c := range sums {
				w := (*[quad]byte)(weights[quad*c:])
				sums[c] += a0*int32(int8(w[0])) + a1*int32(int8(w[1])) + a2*int32(int8(w[2])) + a3*int32(int8(w[3]))
			}
		}
		to := out[r*stride : r*stride+panelWidth]
		for c, sum := range sums {
			sum -= rowZeros[r] * panel.sums[c]
			// The conversion keeps the compiler from fusing the sum into
			// the product, which rounds differently.
			to[c] = float32(float32(sum)*panel.scales[c]*rowScales[r]) + panel.biases[c]
		}
	}
}

func quantizeScalar(to []uint8, from, factors []float32) (scale float32, zero int32) {
	var least, largest float32
	for i, v := range from {
		v *= factors[i]
		least, largest = min(least, v), max(largest, v)
	}
	scale = (largest - least) / 255
	var steps float32
	if largest > least {
		steps = 255 / (largest - least)
	}
	zero = -int32(math.RoundToEven(float64(least * steps)))
	for i, v := range from {
		q := zero + int32(math.RoundToEven(float64(float32(v*factors[i])*steps)))
		to[i] = uint8(min(max(q, 0), 255))
	}
	return scale, zero
}

func addNormScalar(to, a, b, gamma, beta []float32, eps float32) {
	var sum float32
	for i := range to {
		to[i] = a[i] + b[i]
		sum += to[i]
	}
	mean := sum / float32(len(to))
	var squares float32
	for i := range to {
		to[i] -= mean
		squares += to[i] * to[i]
	}
	factor := float32(1 / math.Sqrt(float64(squares/float32(len(to))+eps)))
	for i := range to {
		to[i] = to[i]*factor*gamma[i] + beta[i]
	}
}

func geluScalar(row []float32) {
	for i, v := range row {
		row[i] = float32(0.5 * float64(v) * math.Erfc(-float64(v)*(math.Sqrt2/2)))
	}
}

func attendScalar(scores, query, keys []float32, padded int) {
	clear(scores[:padded])
	for i, q := range query {
		for j, k := range keys[i*padded : i*padded+padded] {
			scores[j] += q * k
		}
	}
}

func softmaxScalar(row []float32) {
	largest := row[0]
	for _, v := range row {
		largest = max(largest, v)
	}
	var sum float32
	for i, v := range row {
		row[i] = float32(math.Exp(float64(v - largest)))
		sum += row[i]
	}
	for i := range row {
		row[i] /= sum
	}
}

func mixScalar(to, shares, values []float32, stride int) {
	clear(to)
	for j, share := range shares {
		for i, v := range values[j*stride : j*stride+len(to)] {
			to[i] += share * v
		}
	}
}
