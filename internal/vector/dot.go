package vector

// dotScalar is the product of a query and a row of the same length. dot
// computes the same with what the processor offers.
func dotScalar(q []int16, row []byte) int32 {
	row = row[:len(q)]
	var a, b, c, d int32
	for len(q) >= 4 {
		a += int32(q[0]) * int32(int8(row[0]))
		b += int32(q[1]) * int32(int8(row[1]))
		c += int32(q[2]) * int32(int8(row[2]))
		d += int32(q[3]) * int32(int8(row[3]))
		q, row = q[4:], row[4:]
	}
	return a + b + c + d
}
