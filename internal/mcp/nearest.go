package mcp

import "strings"

// nearest returns the candidate a person who wrote word most likely meant, or
// "" when none is close: letters dropped, doubled, swapped or wrong, another
// case, or a part of the name. Of equally close candidates the first wins.
func nearest(word string, candidates []string) string {
	w := fold(word)
	if w == "" {
		return ""
	}
	best, bestCost := "", len([]rune(w))/3+2
	for _, c := range candidates {
		f := fold(c)
		cost := editDistance([]rune(w), []rune(f))
		if len(w) >= 3 && (strings.Contains(f, w) || strings.Contains(w, f)) {
			cost = min(cost, 1)
		}
		if cost < bestCost {
			best, bestCost = c, cost
		}
	}
	return best
}

// fold drops what spellings of one name differ in.
func fold(s string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(s))
}

// editDistance counts insertions, deletions, substitutions and swaps of
// neighbours (optimal string alignment).
func editDistance(a, b []rune) int {
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
