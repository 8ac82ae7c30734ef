package config

import "strings"

// Nearest returns the known name that s was most likely meant to be: the one
// with the fewest inserted, dropped, changed or swapped characters, the
// earlier one of equals. A dotted name also counts by its last part alone, one
// step farther away, where at least half of that part is right. It returns ""
// when known is empty.
func Nearest(s string, known []string) string {
	best, least := "", -1
	for _, name := range known {
		d := distance(s, name)
		if short := lastPart(name); short != name || lastPart(s) != s {
			if apart := distance(lastPart(s), short); 2*apart <= len(short) {
				d = min(d, apart+1)
			}
		}
		if least < 0 || d < least {
			best, least = name, d
		}
	}
	return best
}

func lastPart(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

// maxName bounds the names that are compared: the cost grows with the product
// of their lengths, and no setting comes near it.
const maxName = 64

// distance is the optimal string alignment distance of a and b in characters.
func distance(a, b string) int {
	x, y := clip(a), clip(b)
	rows := [3][]int{make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(x); i++ {
		before, last, row := rows[0], rows[1], rows[2]
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		rows[0], rows[1], rows[2] = last, row, before
	}
	return rows[1][len(y)]
}

func clip(s string) []rune {
	r := []rune(strings.ToLower(s))
	return r[:min(len(r), maxName)]
}
