package vector

import (
	"math"
	"math/bits"
)

// rotationRounds of sign flips and Hadamard transforms make any vector's
// components look drawn from one normal distribution. Two rounds still show
// traces of vectors with few large components; a fourth changes nothing that
// can be measured.
const rotationRounds = 3

// rotation turns vectors by an orthogonal matrix that follows from a seed,
// without storing or multiplying it: each round flips signs at random and
// then applies a Walsh-Hadamard transform to the first and, where the length
// is no power of two, to the last components, as many as the largest power of
// two allows. The two overlap, so everything mixes with everything.
type rotation struct {
	signs [][]float32 // alternately for the first and the last components
	block int
	dims  int
}

// newRotation makes the rotation of vectors of a multiple of 64 components.
func newRotation(dims int, seed uint64) *rotation {
	r := &rotation{block: 1 << (bits.Len(uint(dims)) - 1), dims: dims}
	steps := rotationRounds
	if r.block != dims {
		steps *= 2
	}
	scale := float32(1 / math.Sqrt(float64(r.block)))
	state := seed
	for range steps {
		signs := make([]float32, dims)
		var random uint64
		for i := range signs {
			if i%64 == 0 {
				random = splitMix(&state)
			}
			signs[i] = 1 - 2*float32(random>>(i%64)&1)
		}
		// The transform's factor is applied together with the signs.
		part := signs[:r.block]
		if len(r.signs)%2 == 1 && r.block != dims {
			part = signs[dims-r.block:]
		}
		for i := range part {
			part[i] *= scale
		}
		r.signs = append(r.signs, signs)
	}
	return r
}

// apply turns v, which has the rotation's number of components, in place.
func (r *rotation) apply(v []float32) {
	for step, signs := range r.signs {
		signs = signs[:len(v)]
		for i := range v {
			v[i] *= signs[i]
		}
		if step%2 == 1 && r.block != r.dims {
			hadamard(v[r.dims-r.block:])
		} else {
			hadamard(v[:r.block])
		}
	}
}

// hadamard applies the Walsh-Hadamard transform, unscaled, to a power of two
// of at least 64 components.
func hadamard(v []float32) {
	for i := 0; i+4 <= len(v); i += 4 {
		w := v[i : i+4 : i+4]
		a, b, c, d := w[0]+w[1], w[0]-w[1], w[2]+w[3], w[2]-w[3]
		w[0], w[1], w[2], w[3] = a+c, b+d, a-c, b-d
	}
	half := 4
	for ; 4*half <= len(v); half *= 4 { // two levels at once
		for i := 0; i < len(v); i += 4 * half {
			w := v[i : i+half]
			x, y, z := v[i+half:][:len(w)], v[i+2*half:][:len(w)], v[i+3*half:][:len(w)]
			for j := range w {
				a, b, c, d := w[j]+x[j], w[j]-x[j], y[j]+z[j], y[j]-z[j]
				w[j], x[j], y[j], z[j] = a+c, b+d, a-c, b-d
			}
		}
	}
	if half < len(v) {
		x := v[:half]
		y := v[half:][:len(x)]
		for j := range x {
			x[j], y[j] = x[j]+y[j], x[j]-y[j]
		}
	}
}

// splitMix is the generator SplitMix64 of Steele, Lea and Flood (2014). It is
// part of the file format: the same seed must give the same rotation forever.
func splitMix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
