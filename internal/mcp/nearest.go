package mcp

import (
	"cmp"
	"slices"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/spelling"
)

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
		if cost := unlikeness(w, c); cost < bestCost {
			best, bestCost = c, cost
		}
	}
	return best
}

// closest returns the n candidates most like word, the best first; of equally
// close ones those that stand first.
func closest(word string, candidates []string, n int) []string {
	w := fold(cut(word, maxName))
	costs := make(map[string]int, len(candidates))
	for _, c := range candidates {
		costs[c] = unlikeness(w, c)
	}
	sorted := slices.Clone(candidates)
	slices.SortStableFunc(sorted, func(a, b string) int { return cmp.Compare(costs[a], costs[b]) })
	return sorted[:min(n, len(sorted))]
}

// unlikeness is how far a candidate is from a folded word.
func unlikeness(word, candidate string) int {
	f := fold(candidate)
	cost := spelling.Distance([]rune(word), []rune(f))
	if min(len(word), len(f)) >= 3 && (strings.Contains(f, word) || strings.Contains(word, f)) {
		cost = min(cost, 1)
	}
	return cost
}

// fold drops what spellings of one name differ in.
func fold(s string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(s))
}
