package vector

import "math/bits"

// hammingScalar writes to out the number of bits in which each code differs
// from the query's. The codes follow each other, each as long as the query's.
// hamming does the same with what the processor offers.
func hammingScalar(q, codes []uint64, out []uint16) {
	if len(q) == 4 {
		hamming4(q, codes, out)
		return
	}
	for i := range out {
		out[i] = differing(q, codes[i*len(q):])
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

// differing counts the bits in which the query's code differs from the one
// that code begins with.
func differing(q, code []uint64) uint16 {
	n := 0
	for len(q) >= 2 && len(code) >= 2 {
		n += bits.OnesCount64(code[0]^q[0]) + bits.OnesCount64(code[1]^q[1])
		q, code = q[2:], code[2:]
	}
	for i := range q {
		n += bits.OnesCount64(code[i] ^ q[i])
	}
	return uint16(n)
}
