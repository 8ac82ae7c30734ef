package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// part is one of the expressions of a question, any of which may be found.
type part struct {
	expr
	tells float64 // how much its words tell, see term.idf
	pair  bool    // of common words, which count once however many pairs hold them
}

// gatherAny gathers messages with any of the words of a question.
func (s *Searcher) gatherAny(ctx context.Context, c *compiled, extent store.Extent) (gathered, error) {
	e := c.inMonths(c.expression(), extent)
	if e.most > questionDocs && !c.missing { // a single word
		total, err := s.count(ctx, c, e.text)
		if err != nil {
			return gathered{}, err
		}
		if total > countLimit {
			return s.newest(ctx, c, c.expression(), total, extent)
		}
	}
	ids, err := s.mostTelling(ctx, c, e, extent)
	if err != nil {
		return gathered{}, err
	}
	list, err := s.candidates(ctx, ids, c.period)
	if c.conversations != nil { // there may be few others in its block
		list = slices.DeleteFunc(list, func(x store.Candidate) bool { return !slices.Contains(c.conversations, x.ConversationID) })
	}
	g := gathered{list: list, total: int64(len(list)), counted: len(ids) < questionPool}
	if !g.counted {
		g.rest = restNotice(len(list))
	}
	return g, err
}

// mostTelling returns the ids of the messages that hold the most of what the
// words of a question tell, at most questionPool, the latest imported ones
// among equals. How often and in how long a message a word stands counts
// later, when they are ranked; here it would cost more than everything else.
// Of a question that names somebody a third are that person's.
func (s *Searcher) mostTelling(ctx context.Context, c *compiled, whole expr, extent store.Extent) ([]int64, error) {
	if len(c.parts) == 0 { // a name, or phrases
		return s.latest(ctx, c, whole, questionPool)
	}
	type match struct {
		id           int64
		words, pairs float64
	}
	var found []match
	at := map[int64]int{}
	stretches, err := s.stretches(ctx, c)
	if err != nil {
		return nil, err
	}
	lists := make([][]int64, len(c.parts)*len(stretches))
	err = atOnce(ctx, len(lists), func(ctx context.Context, i int) (err error) {
		in := stretches[i%len(stretches)]
		e := allOf(append([]expr{c.parts[i/len(stretches)].expr}, in.filters...), nil)
		lists[i], err = s.latestWithin(ctx, c, c.inMonths(e, extent), in.Block, questionDocs)
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range lists {
		p := c.parts[i/len(stretches)]
		for _, id := range lists[i] {
			i, known := at[id]
			if !known {
				i = len(found)
				at[id], found = i, append(found, match{id: id})
			}
			if x := &found[i]; p.pair {
				x.pairs = max(x.pairs, p.tells)
			} else {
				x.words += p.tells
			}
		}
	}
	slices.SortFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.words+b.pairs, a.words+a.pairs), cmp.Compare(b.id, a.id))
	})
	ids := make([]int64, len(found))
	for i, x := range found {
		ids[i] = x.id
	}
	if len(ids) <= questionPool || len(c.names) == 0 {
		return ids[:min(questionPool, len(ids))], nil
	}
	named, err := s.latest(ctx, c, allOf([]expr{whole, tagged(c.names...)}, nil), questionDocs)
	if err != nil {
		return nil, err
	}
	theirs := make(map[int64]bool, len(named))
	for _, id := range named {
		theirs[id] = true
	}
	first, others := make([]int64, 0, len(ids)), make([]int64, 0, len(ids))
	for _, id := range ids {
		if theirs[id] && len(first) < questionPool/3 {
			first = append(first, id)
		} else {
			others = append(others, id)
		}
	}
	return append(first, others...)[:questionPool], nil
}
