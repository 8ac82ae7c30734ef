package search

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/segment"
)

// term is one thing looked for in a text: a word in any inflection, the
// beginning of a word, or runs that stand one after the other.
type term struct {
	runs   []segment.Run
	forms  []string // of a single word, its inflections and itself
	prefix bool     // the last run may go on
	docs   int64    // messages that hold it, as far as the index counts
	named  []string // tags of the senders and conversations whose name holds it
}

// first is the first folded word, for notices.
func (t term) first() string { return t.runs[0].Text }

// look compiles runs that stand side by side to what finds them in texts.
// exact leaves inflections out.
func (c *compiler) look(runs []segment.Run, exact, prefix bool) (t term, e expr, err error) {
	t = term{runs: runs, prefix: prefix && runs[len(runs)-1].Class == segment.Word}
	switch {
	case len(runs) > 1 || runs[0].Class != segment.Word:
		e, err = c.phrase(&t)
	case t.prefix:
		e, err = c.prefix(&t)
	default:
		e, err = c.word(&t, exact)
	}
	if err != nil {
		return t, e, err
	}
	tokens, more := tokensOf(runs)
	t.named, err = c.named(tokens, more || t.prefix)
	return t, e, err
}

// tokensOf are the tokens of consecutive runs. The last run of a script
// without spaces gives its pairs only, and a single character with whatever
// follows it: in the text the run may go on.
func tokensOf(runs []segment.Run) (tokens []string, more bool) {
	for i, r := range runs {
		list := r.Tokens()
		if i == len(runs)-1 && r.Class == segment.Pairs {
			if more = len(list) == 1; !more {
				list = list[:len(list)-1]
			}
		}
		tokens = append(tokens, list...)
	}
	return tokens, more
}

// phrase finds runs that stand one after the other.
func (c *compiler) phrase(t *term) (expr, error) {
	tokens, more := tokensOf(t.runs)
	e := expr{text: quote(tokens...), most: unbounded, joint: len(tokens) > 1}
	if more || t.prefix {
		e.text += " *"
	}
	exact := tokens
	if more || t.prefix {
		exact = tokens[:len(tokens)-1]
	}
	counts, err := c.s.r.TermDocs(c.ctx, exact)
	for _, token := range exact {
		e.most = min(e.most, counts[token])
	}
	if len(exact) == 0 { // a single character
		terms, err := c.s.r.PrefixTerms(c.ctx, tokens[0], 1)
		t.docs = terms.Docs
		return expr{text: e.text, most: terms.Docs}, err
	}
	t.docs = e.most
	return e, err
}

// word finds every inflection of a word.
func (c *compiler) word(t *term, exact bool) (expr, error) {
	word := t.runs[0].Text
	var err error
	if exact {
		var counts map[string]int64
		t.forms = []string{word}
		counts, err = c.s.r.TermDocs(c.ctx, t.forms)
		t.docs = counts[word]
	} else {
		t.forms, t.docs, err = c.s.inflections(c.ctx, word)
	}
	parts := make([]expr, len(t.forms))
	for i, form := range t.forms {
		parts[i].text = quote(form)
	}
	e := anyOf(parts)
	e.most = t.docs
	return e, err
}

// maxForms bounds how many inflections of a word are looked for.
const maxForms = 40

// inflections returns word and the words of the archive that have the same
// stem, or the same without an article written with it, and in how many messages they stand.
func (s *Searcher) inflections(ctx context.Context, word string) (forms []string, docs int64, err error) {
	forms = []string{word}
	if !segment.Inflects(word) {
		others := segment.Attached(word)
		counts, err := s.r.TermDocs(ctx, append(others, word))
		for _, other := range others {
			if counts[other] > 0 {
				forms, docs = append(forms, other), docs+counts[other]
			}
		}
		return forms, docs + counts[word], err
	}
	stem := segment.Stem(word)
	prefix, others := segment.StemPrefix(stem)
	add := func(term string, n int64) bool {
		if term == word {
			docs += n
		} else if len(term) <= len(word)+segment.LongestEnding && len(forms) < maxForms && segment.Stem(term) == stem {
			forms, docs = append(forms, term), docs+n
		}
		return true
	}
	if err := s.r.Terms(ctx, prefix, add); err != nil {
		return nil, 0, err
	}
	if !strings.HasPrefix(word, prefix) {
		others = append(others[:len(others):len(others)], word)
	}
	counts, err := s.r.TermDocs(ctx, others)
	for _, term := range others {
		if n, ok := counts[term]; ok {
			add(term, n)
		}
	}
	return forms, docs, err
}

// Prefix bounds: beyond wideDocs messages a prefix is looked up through its
// wideTerms commonest words instead of all of them.
const (
	wideDocs  = 20_000
	wideTerms = 32
)

// prefix finds the words that begin alike.
func (c *compiler) prefix(t *term) (expr, error) {
	beginning := t.runs[0].Text
	terms, err := c.s.r.PrefixTerms(c.ctx, beginning, wideTerms)
	t.docs = terms.Docs
	if err != nil || terms.Docs <= wideDocs {
		return expr{text: quote(beginning) + " *", most: terms.Docs}, err
	}
	if terms.Words > len(terms.Terms) {
		c.notice(fmt.Sprintf("%s* begins %s different words; only %d of the commonest were searched: write more letters", beginning, counted(terms.Words), len(terms.Terms)))
	}
	parts := make([]expr, len(terms.Terms))
	for i, word := range terms.Terms {
		parts[i].text = quote(word)
	}
	e := anyOf(parts)
	e.most = terms.Docs
	return e, nil
}

// counted words a number of words that the store counts no further than this.
func counted(words int) string {
	const limit = 20_000
	if words >= limit {
		return "more than 20,000"
	}
	return strconv.Itoa(words)
}

// idf is how much a term tells in an archive of total messages: the rarer, the
// more.
func (t term) idf(total int64) float64 {
	docs := float64(t.docs)
	return math.Log(1 + (math.Max(float64(total), docs)-docs+0.5)/(docs+0.5))
}
