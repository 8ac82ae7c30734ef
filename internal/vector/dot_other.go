//go:build !amd64

package vector

func dot(q []int16, row []byte) int32 { return dotScalar(q, row) }
