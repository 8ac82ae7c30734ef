package bert

// Sizes that the kernels are made for. Every shape is a multiple of them.
const (
	panelWidth = 16 // output channels that a panel of weights holds
	blockRows  = 6  // rows that one pass over a panel computes
	quad       = 4  // inputs whose weights lie together
	depthStep  = 32 // divides the length of every row
	laneWidth  = 8  // float32 that a vector register holds
)

// kernels is the arithmetic, either in assembly or in Go. Both compute the
// same; multiply and quantize agree to the bit.
type kernels struct {
	name string

	// multiply computes a block of blockRows rows of activations, each with
	// its scale and zero point, by one panel:
	//
	//	out[r*stride+c] = (sum over i of (acts[r*k+i] - rowZeros[r]) * weight[i, c]) * scales[c] * rowScales[r] + biases[c]
	//
	// The weights have for every four inputs, for each of the panel's
	// channels, four bytes. Neighbours, inputs 2i and 2i+1, keep to pairLimit.
	multiply func(out []float32, stride int, acts []uint8, k int, rowScales []float32, rowZeros []int32, panel *panel)

	// quantize writes from, each value times its factor, as integers q, so
	// that the value is about (q - zero) * scale.
	quantize func(to []uint8, from, factors []float32) (scale float32, zero int32)

	// addNorm writes the layer norm of a+b, which may be to itself.
	addNorm func(to, a, b, gamma, beta []float32, eps float32)

	// gelu applies the Gaussian error linear unit to every value, with an
	// error below 1e-6 of the larger of 1 and the value.
	gelu func(row []float32)

	// attend writes the products of a query with padded keys, which lie
	// column by column: keys[i*padded+j] is component i of key j.
	attend func(scores, query, keys []float32, padded int)

	// softmax turns scores into shares that add up to 1.
	softmax func(row []float32)

	// mix adds up the values by their shares; value j starts at j*stride.
	mix func(to, shares, values []float32, stride int)
}

// panel is what multiply needs of panelWidth outputs of a linear.
type panel struct {
	weights        []byte  // int8
	sums           []int32 // of every output's weights
	scales, biases []float32
}

// pairLimit is what the magnitudes of two neighbouring weights may add up
// to, so that their products with the largest activations fit an int16
// together: 255 * 128 <= 32,767. That is what the instruction VPMADDUBSW,
// which multiplies most bytes at once, adds in, and it saturates silently.
// The limit costs little precision, since two large weights are seldom
// neighbours.
const pairLimit = 128

func roundUp(n, multiple int) int {
	return (n + multiple - 1) / multiple * multiple
}
