package search

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/embed"
	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
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
	p.near = &pending{done: make(chan struct{}), cancel: cancel}
	go func(n *pending) {
		defer close(n.done)
		n.found = p.s.nearest(ctx, p.text, scope)
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

// meantText is what a query means, for a model to read: its words without
// filters. A query that asks for exact words, beginnings of words or
// alternatives, or excludes some, is one of words alone.
func meantText(root node, text string) string {
	texts, plain := textsOf(root)
	if !plain {
		return ""
	}
	words := make([]string, 0, len(texts))
	for _, t := range texts {
		if t.phrase || t.prefix {
			return ""
		}
		words = append(words, t.text)
	}
	meant := strings.Join(words, " ")
	if asks := strings.TrimSpace(text); meant != "" && (strings.HasSuffix(asks, "?") || strings.HasSuffix(asks, "？")) {
		meant += "?"
	}
	return meant
}

// scope is what the filters say that can be told without the index.
func (c *compiled) scope() embed.Scope {
	return embed.Scope{Conversations: c.conversations, Senders: c.senders, FromMe: c.fromMe, Start: c.period.Start, End: c.period.End}
}

// within narrows the conversations of the scope.
func (c *compiled) among(conversations []int64) {
	if c.conversations == nil {
		c.conversations = slices.Clone(conversations)
		if c.conversations == nil {
			c.conversations = []int64{}
		}
		return
	}
	c.conversations = slices.DeleteFunc(c.conversations, func(id int64) bool { return !slices.Contains(conversations, id) })
}

func folded(text string) string { return segment.Fold(text) }

func sameWords(a, b string) bool { return folded(a) == folded(b) }

// semantic searches by meaning alone.
func (p *pursuit) semantic(ctx context.Context, root node) (Results, error) {
	c := &compiler{ctx: ctx, s: p.s, now: p.s.now(), out: &compiled{}}
	if err := c.arguments(p.q); err != nil {
		return Results{}, err
	}
	if err := c.narrowAll(root); err != nil {
		return Results{}, err
	}
	if c.out.missing {
		return Results{}, fmt.Errorf("query: messages that are missing are found by their words only; leave is:missing out, or search by keyword")
	}
	if p.text == "" {
		p.text = strings.TrimSpace(p.q.Text)
	}
	texts, _ := textsOf(root)
	words := make([]string, len(texts))
	for i, t := range texts {
		words[i] = t.text
	}
	// Not to look for the words, but for whom they name.
	if len(telling(words)) > 0 {
		if _, err := c.any(words); err != nil {
			return Results{}, err
		}
		c.out.notices = nil
	}
	p.ask(ctx, c.out.scope())
	found := p.near.wait()
	if found.err != nil || found.why != "" {
		return Results{Mode: Semantic, WithoutMeaning: found.why}, found.err
	}
	extent, err := p.s.r.Extent(ctx)
	if err != nil {
		return Results{}, err
	}
	names, err := p.s.names(ctx)
	if err != nil {
		return Results{}, err
	}
	m := newMatcher(nil)
	r := newRanker(p.s.r, names, m, extent.Messages)
	results := Results{Notices: c.out.notices}
	list, err := p.meet(ctx, c.out, nil, &results)
	if err != nil {
		return Results{}, err
	}
	order := make([]ranked, len(list))
	for i, x := range list {
		order[i] = ranked{Candidate: x.Candidate, neighbour: true, meant: true, why: Scores{Near: x.near}}
	}
	addNear(order, 1)
	for i := range order {
		if c.out.concerns(order[i].Candidate) {
			order[i].score += namedWeight
		}
	}
	sortRanked(order)
	order = foldAlike(order)
	if found.judged {
		if err := p.judge(ctx, r, order[:min(judgedPool, len(order))], alone); err != nil {
			return Results{}, err
		}
		sortRanked(order)
	}
	results.Mode, results.Total = Semantic, int64(len(order))
	if err := p.page(ctx, m, order, &results); err != nil {
		return Results{}, err
	}
	for i := range results.Hits {
		results.Hits[i].Score = similarity(results.Hits[i].Why)
	}
	return results, nil
}

// concerns reports whether a message is by somebody, or in a conversation,
// that the query names.
func (c *compiled) concerns(x store.Candidate) bool {
	return slices.Contains(c.names, segment.ConversationTag(x.ConversationID)) || slices.Contains(c.names, segment.SenderTag(x.SenderID))
}

// similarity is the similarity to show: that of the judge, where there is one,
// else that of the vectors, each without what stands around the message
// counting more than the message itself.
func similarity(s Scores) float64 {
	if s.Judged != 0 {
		return math.Max(0, math.Min(1, s.Judged/2))
	}
	return math.Max(0, math.Min(1, s.Near/1.5))
}
