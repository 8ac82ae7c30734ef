package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/msgbrowse/msgbrowse/internal/segment"
)

// span is a byte range of a text.
type span struct{ start, end int }

// spans returns the places of a text that a query matches, in order and apart
// from each other.
func (m *matcher) spans(text string) []span {
	var found []span
	runs := runsOf(text)
	for i, r := range runs {
		if r.Class == segment.Pairs {
			for _, at := range m.pairs {
				found = append(found, substrings(text, r, m.terms[at].runs[0].Text)...)
			}
		} else if m.word(r.Text) >= 0 {
			found = append(found, span{r.Start, r.End})
		}
		for _, at := range m.sequences {
			if t := m.terms[at]; t.standsAt(runs, i) {
				found = append(found, t.spansAt(text, runs[i:i+len(t.runs)])...)
			}
		}
	}
	found = merged(found)
	for i := range found {
		from, to := 0, len(text)
		if i > 0 {
			from = found[i-1].end
		}
		if i+1 < len(found) {
			to = found[i+1].start
		}
		found[i].start -= before(text[from:found[i].start])
		found[i].end += behind(text[found[i].end:to])
		if r, _ := utf8.DecodeRuneInString(text[to:]); text[found[i].end:to] == joiner && segment.IsEmoji(r) {
			found[i].end = to
		}
	}
	return merged(found)
}

// before returns how many bytes at the end of a text are the beginning of an
// emoji that goes on behind it, such as those of a family.
func before(text string) int {
	whole := len(text)
	for strings.HasSuffix(text, joiner) {
		rest := strings.TrimRightFunc(strings.TrimSuffix(text, joiner), belongs)
		r, n := utf8.DecodeLastRuneInString(rest)
		if !segment.IsEmoji(r) {
			break
		}
		text = rest[:len(rest)-n]
	}
	return whole - len(text)
}

// behind returns how many bytes at the beginning of a text belong to the
// character before it as people see it: the marks of a letter, and what makes
// an emoji of several.
func behind(text string) int {
	whole := len(text)
	for {
		text = strings.TrimLeftFunc(text, belongs)
		rest, joined := strings.CutPrefix(text, joiner)
		r, n := utf8.DecodeRuneInString(rest)
		if !joined || !segment.IsEmoji(r) {
			return whole - len(text)
		}
		text = rest[n:]
	}
}

// joiner makes one emoji of those on its sides.
const joiner = "\u200d"

// belongs reports whether a character is part of the one before it: a mark, a
// selector of its look, a skin tone, or a tag as the flags of regions have.
func belongs(r rune) bool {
	return unicode.IsMark(r) || r >= 0x1F3FB && r <= 0x1F3FF || r >= 0xE0020 && r <= 0xE007F
}

// spansAt returns what the term's runs match of the text's.
func (t term) spansAt(text string, runs []segment.Run) []span {
	spans := make([]span, len(runs))
	for j, r := range runs {
		spans[j] = span{r.Start, r.End}
		if r.Class != segment.Pairs {
			continue
		}
		n := len(t.runs[j].Text)
		switch j {
		case 0:
			spans[j] = original(text, r, len(r.Text)-n, len(r.Text))
		case len(runs) - 1:
			spans[j] = original(text, r, 0, n)
		}
	}
	return spans
}

// substrings finds a folded word in a run.
func substrings(text string, r segment.Run, word string) (spans []span) {
	for from := 0; ; {
		at := strings.Index(r.Text[from:], word)
		if at < 0 {
			return spans
		}
		spans = append(spans, original(text, r, from+at, from+at+len(word)))
		from += at + len(word)
	}
}

// original returns where a part of a folded run stands in its text. Where the
// text does not fold piece by piece that is the whole run.
func original(text string, r segment.Run, from, to int) span {
	raw := text[r.Start:r.End]
	if raw == r.Text {
		return span{r.Start + from, r.Start + to}
	}
	found := span{r.Start, r.End}
	folded := 0
	for at := 0; at < len(raw); {
		n := norm.NFKC.NextBoundaryInString(raw[at:], true)
		piece := segment.FoldPairs(raw[at : at+n])
		if !strings.HasPrefix(r.Text[folded:], piece) {
			return span{r.Start, r.End}
		}
		if folded <= from {
			found.start = r.Start + at
		}
		at, folded = at+n, folded+len(piece)
		if folded >= to {
			found.end = r.Start + at
			break
		}
	}
	return found
}

// merged sorts spans and joins those that overlap or touch.
func merged(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	list := spans[:0]
	for _, s := range spans {
		if n := len(list); n > 0 && s.start <= list[n-1].end {
			list[n-1].end = max(list[n-1].end, s.end)
			continue
		}
		list = append(list, s)
	}
	return list
}
