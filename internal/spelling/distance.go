// Package spelling tells how far one spelling is from another.
package spelling

// Distance counts the characters that are put in, left out, taken for another
// or swapped with their neighbour between a and b (optimal string alignment).
// It takes time in the product of their lengths.
func Distance(a, b []rune) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i, x := range a {
		row[0] = i + 1
		for j, y := range b {
			cost := 1
			if x == y {
				cost = 0
			}
			row[j+1] = min(above[j+1]+1, row[j]+1, above[j]+cost)
			if i > 0 && j > 0 && x == b[j-1] && a[i-1] == y {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
