package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mark stands on both sides of what a query matched in an excerpt.
const Mark = "**"

// excerptSize is how much of a body an excerpt shows, in bytes; bodies that
// are little longer are shown whole.
const excerptSize = 320

// excerpt shows the part of a body where most of the query is found, with
// the matches marked.
func (m *matcher) excerpt(body string) string {
	spans := mergeSpans(m.spans(body))
	start, end := 0, len(body)
	if len(body) > excerptSize*3/2 {
		start, end = densest(body, spans)
	}
	var b strings.Builder
	if start > 0 {
		b.WriteString("… ")
	}
	at := start
	for _, s := range spans {
		if s[0] < at || s[1] > end {
			continue
		}
		b.WriteString(body[at:s[0]])
		b.WriteString(Mark)
		b.WriteString(body[s[0]:s[1]])
		b.WriteString(Mark)
		at = s[1]
	}
	b.WriteString(body[at:end])
	if end < len(body) {
		b.WriteString(" …")
	}
	return b.String()
}

func mergeSpans(spans [][2]int) [][2]int {
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	merged := spans[:0]
	for _, s := range spans {
		if n := len(merged); n > 0 && s[0] < merged[n-1][1] {
			merged[n-1][1] = max(merged[n-1][1], s[1])
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

// densest returns the bounds of the stretch with the most matches, cut at
// spaces.
func densest(body string, spans [][2]int) (start, end int) {
	best, most := 0, 0
	for i := range spans {
		n := 0
		for _, s := range spans[i:] {
			if s[1]-spans[i][0] > excerptSize*3/4 {
				break
			}
			n++
		}
		if n > most {
			best, most = spans[i][0], n
		}
	}
	start = cutBefore(body, max(0, best-excerptSize/4))
	end = cutAfter(body, min(len(body), start+excerptSize))
	return start, end
}

// cutBefore moves a place back to the beginning of a word, within reason.
func cutBefore(body string, at int) int {
	if at == 0 {
		return 0
	}
	for i := at; i > 0 && at-i < 40; i-- {
		if r, _ := utf8.DecodeLastRuneInString(body[:i]); unicode.IsSpace(r) && utf8.RuneStart(body[i]) {
			return i
		}
	}
	for at > 0 && !utf8.RuneStart(body[at]) {
		at--
	}
	return at
}

// cutAfter moves a place forward to the end of a word, within reason.
func cutAfter(body string, at int) int {
	for i := at; i < len(body) && i-at < 40; i++ {
		if utf8.RuneStart(body[i]) {
			if r, _ := utf8.DecodeRuneInString(body[i:]); unicode.IsSpace(r) {
				return i
			}
		}
	}
	for at < len(body) && !utf8.RuneStart(body[at]) {
		at++
	}
	return at
}
