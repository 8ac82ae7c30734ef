package search

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/segment"
)

// matcher finds a query's terms in texts. It is not safe for concurrent use.
type matcher struct {
	terms    []term
	stems    map[string]int // of Word terms, to their place in terms
	prefixes []int
	pairs    []int
	stemmer  segment.Stemmer
}

func newMatcher(terms []term) *matcher {
	m := &matcher{stems: map[string]int{}}
	for _, t := range terms {
		if _, known := m.stems[t.stem]; known && !t.prefix && t.class != segment.Pairs {
			continue
		}
		at := len(m.terms)
		m.terms = append(m.terms, t)
		switch {
		case t.class == segment.Pairs:
			m.pairs = append(m.pairs, at)
		case t.prefix:
			m.prefixes = append(m.prefixes, at)
		default:
			m.stems[t.stem] = at
		}
	}
	return m
}

// word returns which term a word of a text is, or -1.
func (m *matcher) word(word string) int {
	if at, ok := m.stems[m.stemmer.Stem(word)]; ok {
		return at
	}
	if at, ok := m.stems[word]; ok { // names are not stemmed
		return at
	}
	for _, at := range m.prefixes {
		if strings.HasPrefix(word, m.terms[at].word) {
			return at
		}
	}
	return -1
}

// counts is what a text holds of a query.
type counts struct {
	tf     []float64
	length float64
	// pairs is how many times two terms that stand side by side in the query
	// stand so in the text.
	adjacent int
}

// count looks a text through.
func (m *matcher) count(text string) counts {
	c := counts{tf: make([]float64, len(m.terms))}
	last := -1
	segment.Runs(text, func(r segment.Run) bool {
		at := -1
		switch r.Class {
		case segment.Pairs:
			c.length += float64(len(r.Text)) / 3
			for _, p := range m.pairs {
				if n := strings.Count(r.Text, m.terms[p].word); n > 0 {
					c.tf[p] += float64(n)
					at = p
				}
			}
		default:
			c.length++
			if at = m.word(r.Text); at >= 0 {
				c.tf[at]++
			}
		}
		if at >= 0 && last >= 0 && at == last+1 {
			c.adjacent++
		}
		last = at
		return true
	})
	return c
}

func (c *counts) add(other counts) {
	for i, n := range other.tf {
		c.tf[i] += n
	}
	c.length += other.length
}

// spans returns the byte ranges of a text that a query matches, in order.
func (m *matcher) spans(text string) [][2]int {
	var spans [][2]int
	segment.Runs(text, func(r segment.Run) bool {
		if r.Class != segment.Pairs {
			if m.word(r.Text) >= 0 {
				spans = append(spans, [2]int{r.Start, r.End})
			}
			return true
		}
		for _, p := range m.pairs {
			spans = append(spans, substringSpans(text, r, m.terms[p].word)...)
		}
		return true
	})
	return spans
}

// substringSpans finds a folded word in a run. Where folding changed the
// length of the text the places are unknown and the whole run is taken.
func substringSpans(text string, r segment.Run, word string) [][2]int {
	original := text[r.Start:r.End]
	if !strings.Contains(r.Text, word) {
		return nil
	}
	if original != r.Text {
		return [][2]int{{r.Start, r.End}}
	}
	var spans [][2]int
	for from := 0; ; {
		at := strings.Index(original[from:], word)
		if at < 0 {
			return spans
		}
		start := r.Start + from + at
		spans = append(spans, [2]int{start, start + len(word)})
		from += at + len(word)
	}
}
