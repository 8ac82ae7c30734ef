package config

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/spelling"
)

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

// distance is that of the spellings of a and b, but for capitals.
func distance(a, b string) int { return spelling.Distance(clip(a), clip(b)) }

func clip(s string) []rune {
	r := []rune(strings.ToLower(s))
	return r[:min(len(r), maxName)]
}
