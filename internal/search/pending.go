package search

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/embed"
	"github.com/msgbrowse/msgbrowse/internal/segment"
)

// pending is a search by meaning that runs while words are looked for.
type pending struct {
	done   chan struct{}
	cancel context.CancelFunc
	found  near
}

// ask starts the search by meaning, once, if the query has one.
func (p *pursuit) ask(ctx context.Context, scope embed.Scope) {
	if p.near != nil || p.q.Mode == Keyword || p.text == "" {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	count := nearestBeside
	if p.asked || p.q.Mode == Semantic {
		count = nearestAsked
	}
	p.near = &pending{done: make(chan struct{}), cancel: cancel}
	go func(n *pending) {
		defer close(n.done)
		n.found = p.s.nearest(ctx, p.text, scope, count)
	}(p.near)
}

func (n *pending) wait() near {
	<-n.done
	return n.found
}

// stop ends what still runs for the search.
func (p *pursuit) stop() {
	if p.near != nil {
		p.near.cancel()
		<-p.near.done
	}
}

// shortestMeant is how many letters a word has at least to mean something by
// itself: C++ and R&B are like nothing but themselves.
const shortestMeant = 3

// meantText is what a query means, for a model to read: its words without
// filters. A query that asks for exact words, beginnings of words or
// alternatives, or excludes some, is one of words alone, and so is one with
// numbers, or of letters that are no words, that is no question.
func meantText(root node, text string, asked bool) string {
	texts, plain := textsOf(root)
	if !plain {
		return ""
	}
	words := make([]string, 0, len(texts))
	means := asked
	for _, t := range texts {
		means = means || slices.ContainsFunc(runsOf(t.text), func(r segment.Run) bool {
			return r.Class != segment.Word || utf8.RuneCountInString(r.Text) >= shortestMeant
		})
		if t.phrase || t.prefix || !asked && strings.ContainsFunc(t.text, unicode.IsDigit) {
			return ""
		}
		words = append(words, t.text)
	}
	if !means {
		return ""
	}
	meant := strings.Join(words, " ")
	if meant != "" && endsAsQuestion(text) {
		meant += "?"
	}
	return meant
}
