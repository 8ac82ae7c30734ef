package search

import (
	"context"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// Facets are the matches of a query by what else could narrow it.
type Facets struct {
	Total         int64
	Conversations map[int64]int64 // by id
	Senders       map[int64]int64 // by handle id; nobody's and the owner's are left out
	FromMe        int64
	Years         map[int]int64
}

// Facets counts the matches of a query, every one of them, or returns false
// when there are too many for that. What Search finds beyond the words of the
// query (by their neighbours, by meaning, or by other words when none of them
// stands anywhere) is not counted: Total then differs from that of the
// results.
func (s *Searcher) Facets(ctx context.Context, q Query) (Facets, bool, error) {
	f, complete, err := s.facets(ctx, q)
	return f, complete, located(err, q.Text)
}

func (s *Searcher) facets(ctx context.Context, q Query) (Facets, bool, error) {
	root, _, err := read(q.Text)
	if err != nil || root == nil {
		return Facets{}, false, err
	}
	c := &compiler{ctx: ctx, s: s, now: s.now(), out: &compiled{}}
	if err := c.arguments(q); err != nil {
		return Facets{}, false, err
	}
	compile := c.compile
	if isQuestion(root, q.Text) {
		compile = c.question
	}
	if err := compile(root); err != nil {
		return Facets{}, false, err
	}
	e := c.out.expression()
	if c.out.period != (Range{}) && !c.out.missing { // the extent is that of the others
		extent, err := s.r.Extent(ctx)
		if err != nil {
			return Facets{}, false, err
		}
		e.text += monthFilter(c.out.period, extent)
	}
	facts, complete, err := s.r.MatchFacts(ctx, store.MatchQuery{Expression: e.text, Missing: c.out.missing, Limit: countLimit})
	if err != nil || !complete {
		return Facets{}, false, err
	}
	f := Facets{Conversations: map[int64]int64{}, Senders: map[int64]int64{}, Years: map[int]int64{}}
	for _, x := range facts {
		if !c.out.period.holds(x.Sort) {
			continue
		}
		f.Total++
		f.Conversations[x.Conversation]++
		f.Years[time.UnixMicro(x.Sort).UTC().Year()]++
		switch {
		case x.FromMe:
			f.FromMe++
		case x.Sender != 0:
			f.Senders[x.Sender]++
		}
	}
	return f, true, nil
}
