package search

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// loosen tries other readings when nothing was found: words spelled as the
// archive spells them, a last word that may be the beginning of one, then any
// of the words. Filters hold in all of them.
func (p *pursuit) loosen(ctx context.Context, root node) (Results, int, error) {
	texts, plain := textsOf(root)
	if !plain || len(texts) == 0 {
		return Results{}, 0, nil
	}
	for _, reading := range []func(context.Context, node, []textNode) (Results, int, error){p.respelled, p.begun, p.anyWord} {
		results, found, err := reading(ctx, root, texts)
		if err != nil || found > 0 {
			return results, found, err
		}
	}
	return Results{}, 0, nil
}

// reading looks for other texts within the filters of a query, and says so.
func (p *pursuit) reading(ctx context.Context, root node, texts []textNode, notice string) (Results, int, error) {
	kids := make([]node, 0, len(texts))
	for _, t := range texts {
		kids = append(kids, t)
	}
	for _, f := range filtersOf(root) {
		kids = append(kids, f)
	}
	results, found, err := p.try(ctx, false, func(c *compiler) error { return c.compile(andNode{kids}) })
	results.Notices = append([]string{notice}, results.Notices...)
	return results, found, err
}

// respelled replaces words that the archive does not know by two that make
// them, or by the most similar ones it does know.
func (p *pursuit) respelled(ctx context.Context, root node, texts []textNode) (Results, int, error) {
	respelled := make([]textNode, len(texts))
	var said []string
	for i, t := range texts {
		respelled[i] = t
		runs := runsOf(t.text)
		if t.phrase || t.prefix || len(runs) != 1 || runs[0].Class != segment.Word {
			continue
		}
		word := runs[0].Text
		_, docs, err := p.s.inflections(ctx, word)
		if err != nil {
			return Results{}, 0, err
		}
		if docs > 0 {
			continue
		}
		similar, err := p.s.divided(ctx, word)
		if err == nil && similar == "" {
			similar, err = p.s.similar(ctx, word)
		}
		if err != nil {
			return Results{}, 0, err
		}
		if similar != "" {
			respelled[i].text, respelled[i].phrase = similar, strings.Contains(similar, " ")
			said = append(said, fmt.Sprintf("%q for %q", similar, t.text))
		}
	}
	if len(said) == 0 {
		return Results{}, 0, nil
	}
	return p.reading(ctx, root, respelled, "nothing holds exactly this; did you mean "+strings.Join(said, " and ")+"? messages with that are shown")
}

// divided returns the two words that stand side by side in the archive and
// make an unknown one together: thank you for thankyou, don't for dont. Of
// several it is the commonest, or nothing.
func (s *Searcher) divided(ctx context.Context, word string) (string, error) {
	var pieces []string
	for i := range word {
		if i > 0 {
			pieces = append(pieces, word[:i], word[i:])
		}
	}
	docs, err := s.r.TermDocs(ctx, pieces)
	if err != nil {
		return "", err
	}
	best, most := "", int64(0)
	for i := 0; i < len(pieces); i += 2 {
		a, b := pieces[i], pieces[i+1]
		if docs[a] == 0 || docs[b] == 0 {
			continue
		}
		n, err := s.r.CountMatches(ctx, store.MatchQuery{Expression: quote(a, b), Limit: countLimit})
		if err != nil {
			return "", err
		}
		if n > most {
			best, most = a+between(a, b)+b, n
		}
	}
	return best, nil
}

// between is what stands between two pieces that are written as one word, as
// far as that can be guessed.
func between(a, b string) string {
	switch b {
	case "t", "s", "m", "d", "re", "ve", "ll":
		return "'"
	}
	switch a {
	case "o", "l", "d":
		return "'"
	}
	return " "
}

// similar returns the word of the archive that differs least from one it does
// not know, the commonest of several, or nothing.
func (s *Searcher) similar(ctx context.Context, word string) (string, error) {
	letters := utf8.RuneCountInString(word)
	for limit := 1; limit <= min(2, letters/4); limit++ {
		best, most := "", int64(0)
		err := s.r.Terms(ctx, firstLetters(word, 2), func(term string, docs int64) bool {
			if docs > most && within(word, term, limit) {
				best, most = term, docs
			}
			return true
		})
		if err != nil || best != "" {
			return best, err
		}
	}
	return "", nil
}

func firstLetters(word string, n int) string {
	for i := range word {
		if n == 0 {
			return word[:i]
		}
		n--
	}
	return word
}

// begun takes the last word for the beginning of one.
func (p *pursuit) begun(ctx context.Context, root node, texts []textNode) (Results, int, error) {
	last := texts[len(texts)-1]
	runs := runsOf(last.text)
	if last.phrase || last.prefix || len(runs) != 1 || runs[0].Class != segment.Word || len(runs[0].Text) < 2 {
		return Results{}, 0, nil
	}
	begun := append(texts[:len(texts)-1:len(texts)-1], textNode{text: last.text, prefix: true, at: last.at})
	return p.reading(ctx, root, begun, fmt.Sprintf("nothing holds exactly this; messages with words that begin with %q are shown", last.text))
}

// anyWord looks for any of the words.
func (p *pursuit) anyWord(ctx context.Context, root node, texts []textNode) (Results, int, error) {
	words := make([]string, len(texts))
	pieces := 0
	for i, t := range texts {
		words[i] = t.text
		for _, r := range runsOf(t.text) {
			pieces += len(split(r))
		}
	}
	if pieces < 2 {
		return Results{}, 0, nil
	}
	results, found, err := p.try(ctx, true, func(c *compiler) error {
		if err := c.narrowAll(root); err != nil {
			return err
		}
		var err error
		c.out.words, err = c.any(words)
		return err
	})
	results.Notices = append([]string{"no message holds all of this; those that hold some of it are shown, with what was said around them"}, results.Notices...)
	return results, found, err
}
