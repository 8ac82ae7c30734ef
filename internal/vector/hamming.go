package vector

import "math/bits"

// hamming writes to out the number of bits in which each code differs from
// the query's. The codes follow each other, each of the query's length.
func hamming(q, codes []uint64, out []uint16) {
	switch len(q) {
	case 4:
		hamming4(q, codes, out)
	case 6:
		hamming6(q, codes, out)
	default:
		hammingAny(q, codes, out)
	}
}

// hamming4 is for vectors of 256 components.
func hamming4(q, codes []uint64, out []uint16) {
	a, b, c, d := q[0], q[1], q[2], q[3]
	codes = codes[:len(out)*4]
	for i := range out {
		w := codes[i*4 : i*4+4 : i*4+4]
		out[i] = uint16(bits.OnesCount64(w[0]^a) + bits.OnesCount64(w[1]^b) + bits.OnesCount64(w[2]^c) + bits.OnesCount64(w[3]^d))
	}
}

// hamming6 is for vectors of 384 components.
func hamming6(q, codes []uint64, out []uint16) {
	a, b, c, d, e, f := q[0], q[1], q[2], q[3], q[4], q[5]
	codes = codes[:len(out)*6]
	for i := range out {
		w := codes[i*6 : i*6+6 : i*6+6]
		out[i] = uint16(bits.OnesCount64(w[0]^a) + bits.OnesCount64(w[1]^b) + bits.OnesCount64(w[2]^c) +
			bits.OnesCount64(w[3]^d) + bits.OnesCount64(w[4]^e) + bits.OnesCount64(w[5]^f))
	}
}

func hammingAny(q, codes []uint64, out []uint16) {
	for i := range out {
		w := codes[i*len(q):]
		x := q
		n := 0
		for len(x) >= 4 && len(w) >= 4 {
			n += bits.OnesCount64(w[0]^x[0]) + bits.OnesCount64(w[1]^x[1]) + bits.OnesCount64(w[2]^x[2]) + bits.OnesCount64(w[3]^x[3])
			w, x = w[4:], x[4:]
		}
		for j := range x {
			n += bits.OnesCount64(w[j] ^ x[j])
		}
		out[i] = uint16(n)
	}
}
