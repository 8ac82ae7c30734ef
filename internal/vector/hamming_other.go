//go:build !amd64

package vector

func hamming(q, codes []uint64, out []uint16) { hammingScalar(q, codes, out) }
