package search

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/segment"
)

// matcher finds a query's terms in texts. It is not safe for concurrent use.
type matcher struct {
	terms     []term
	words     map[string]int // forms of single words, to their place in terms
	prefixes  []int          // places of the terms of each sort
	pairs     []int
	sequences []int
	runs      []segment.Run // of the text that is looked at
}

func newMatcher(terms []term) *matcher {
	m := &matcher{words: map[string]int{}}
	known := map[string]bool{}
	for _, t := range terms {
		if key := t.key(); !known[key] {
			known[key] = true
			m.add(t)
		}
	}
	return m
}

// key tells terms apart that match different texts.
func (t term) key() string {
	key := ""
	for _, r := range t.runs {
		key += r.Text + " "
	}
	if t.prefix {
		key += "*"
	}
	if len(t.forms) == 1 {
		key += "="
	}
	return key
}

func (m *matcher) add(t term) {
	at := len(m.terms)
	m.terms = append(m.terms, t)
	switch {
	case len(t.runs) > 1:
		m.sequences = append(m.sequences, at)
	case t.runs[0].Class == segment.Pairs:
		m.pairs = append(m.pairs, at)
	case t.prefix:
		m.prefixes = append(m.prefixes, at)
	case t.runs[0].Class == segment.Emoji:
		m.words[t.runs[0].Text] = at
	}
	for _, form := range t.forms {
		if _, taken := m.words[form]; !taken {
			m.words[form] = at
		}
	}
}

// word returns which term a word or emoji of a text is, or -1.
func (m *matcher) word(word string) int {
	if at, ok := m.words[word]; ok {
		return at
	}
	for _, at := range m.prefixes {
		if strings.HasPrefix(word, m.terms[at].runs[0].Text) {
			return at
		}
	}
	return -1
}

// counts is what a text holds of a query.
type counts struct {
	tf     []float32 // by term
	length float32
	// adjacent is how many times two terms that stand side by side in the
	// query stand so in the text.
	adjacent int
}

// count looks a text through; tf has a place for every term.
func (m *matcher) count(text string, tf []float32) counts {
	c := counts{tf: tf}
	last := -1
	m.runs = m.runs[:0]
	segment.Runs(text, func(r segment.Run) bool {
		if len(m.sequences) > 0 {
			m.runs = append(m.runs, r)
		}
		at := -1
		if r.Class == segment.Pairs {
			c.length += float32(len(r.Text)) / 3
			at = m.countPairs(r.Text, &c)
		} else {
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
	for _, at := range m.sequences {
		for i := range m.runs {
			if m.terms[at].standsAt(m.runs, i) {
				c.tf[at]++
			}
		}
	}
	return c
}

// countPairs looks a run of a script without spaces through and returns the
// last term in it, or -1.
func (m *matcher) countPairs(text string, c *counts) int {
	last := -1
	for _, at := range m.pairs {
		n := strings.Count(text, m.terms[at].runs[0].Text)
		if n == 0 {
			continue
		}
		c.tf[at] += float32(n)
		if last >= 0 && at == last+1 {
			c.adjacent++
		}
		last = at
	}
	return last
}

// standsAt reports whether the term's runs stand in a text from a place on.
// Of a script without spaces the first run may begin within a longer one, and
// the last run end there.
func (t term) standsAt(runs []segment.Run, i int) bool {
	if i+len(t.runs) > len(runs) {
		return false
	}
	for j, want := range t.runs {
		got := runs[i+j]
		ok := got.Class == want.Class
		switch last := j == len(t.runs)-1; {
		case !ok:
		case want.Class == segment.Pairs && j == 0:
			ok = strings.HasSuffix(got.Text, want.Text)
		case want.Class == segment.Pairs && last, t.prefix && last:
			ok = strings.HasPrefix(got.Text, want.Text)
		default:
			ok = got.Text == want.Text
		}
		if !ok {
			return false
		}
	}
	return true
}
