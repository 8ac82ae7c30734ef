package vector

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2

// dotAVX2 is dotScalar for n components, a multiple of 64, with AVX2.
//
//go:noescape
func dotAVX2(q *int16, row *byte, n int) int32

func dot(q []int16, row []byte) int32 {
	if !hasAVX2 || len(q) == 0 || len(q)%64 != 0 || len(row) < len(q) {
		return dotScalar(q, row)
	}
	return dotAVX2(&q[0], &row[0], len(q))
}
