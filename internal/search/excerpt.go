package search

import (
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
	spans := m.spans(body)
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
		s.start, s.end = max(s.start, at), min(s.end, end)
		if s.start >= s.end {
			continue
		}
		b.WriteString(body[at:s.start])
		b.WriteString(Mark)
		b.WriteString(body[s.start:s.end])
		b.WriteString(Mark)
		at = s.end
	}
	b.WriteString(body[at:end])
	if end < len(body) {
		b.WriteString(" …")
	}
	return b.String()
}

// densest returns the bounds of the stretch with the most matches, cut at
// spaces.
func densest(body string, spans []span) (start, end int) {
	best, most := 0, 0
	for i := range spans {
		n := 1
		for _, s := range spans[i+1:] {
			if s.end-spans[i].start > excerptSize*3/4 {
				break
			}
			n++
		}
		if n > most {
			best, most = spans[i].start, n
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
