package embed

import "math"

// Normalise gives a vector the length 1. A vector of zeros stays one; one that
// has no direction, because not all of it are numbers, is left as it is and
// reported by false.
func Normalise[F float32 | float64](v []F) bool {
	var square float64
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	switch {
	case math.IsNaN(square), math.IsInf(square, 0):
		return false
	case square == 0:
		return true
	}
	scale := 1 / math.Sqrt(square)
	for i, x := range v {
		v[i] = F(float64(x) * scale)
	}
	return true
}
