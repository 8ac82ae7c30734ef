package search

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

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
	explained(order)
	addNear(order, 1)
	for i := range order {
		if c.out.concerns(order[i].Candidate) {
			order[i].score += namedWeight
		}
		if p.asked && endsAsQuestion(order[i].Body) {
			order[i].score -= askedWeightAlone
		}
	}
	if p.asked {
		favourAnswers(order, p.text, answerWeightAlone)
	}
	sortRanked(order)
	order = foldAlike(order)
	if found.judged {
		if err := p.judge(ctx, r, order[:min(judgedPoolAlone, len(order))], 1); err != nil {
			return Results{}, err
		}
		sortRanked(order)
	}
	results.Mode, results.Total = Semantic, int64(len(order))
	p.ranked(order, nil, results)
	return results, p.page(ctx, m, order, &results)
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
		return math.Max(0, math.Min(1, s.Judged/(1+aroundWeight)))
	}
	return math.Max(0, math.Min(1, s.Near/1.5))
}
