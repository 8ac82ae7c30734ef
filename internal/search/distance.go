package search

// within reports whether a becomes b by at most limit changes: a letter put
// in, left out, taken for another, or two swapped with each other.
func within(a, b string, limit int) bool {
	as, bs := []rune(a), []rune(b)
	if len(as)-len(bs) > limit || len(bs)-len(as) > limit {
		return false
	}
	// Three rows of the table of distances between all beginnings.
	before, above, row := make([]int, len(bs)+1), make([]int, len(bs)+1), make([]int, len(bs)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(as); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(bs); j++ {
			cost := 1
			if as[i-1] == bs[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && as[i-1] == bs[j-2] && as[i-2] == bs[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return false
		}
		before, above, row = above, row, before
	}
	return above[len(bs)] <= limit
}
