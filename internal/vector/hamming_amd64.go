package vector

import "golang.org/x/sys/cpu"

var hasPOPCNT = cpu.X86.HasPOPCNT

// hammingPOPCNT is hammingScalar for n > 0 codes of the given number of words.
//
//go:noescape
func hammingPOPCNT(q *uint64, words int, codes *uint64, out *uint16, n int)

func hamming(q, codes []uint64, out []uint16) {
	if !hasPOPCNT || len(q) == 0 || len(out) == 0 || len(codes) < len(q)*len(out) {
		hammingScalar(q, codes, out)
		return
	}
	hammingPOPCNT(&q[0], len(q), &codes[0], &out[0], len(out))
}
