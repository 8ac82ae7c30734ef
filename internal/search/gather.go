package search

import (
	"context"
	"fmt"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// gathered are the candidates of a query.
type gathered struct {
	list    []store.Candidate
	total   int64 // matches, when counted to the end
	counted bool
	notices []string
	rest    string // what to say after the last candidate; empty when all matches are among them
}

// gather asks the index for the candidates of a query and counts its matches.
func (s *Searcher) gather(ctx context.Context, c *compiled, extent store.Extent, windows bool) (gathered, error) {
	e := c.expression()
	// The extent is that of the messages that are not missing.
	if c.period != (Range{}) && !c.missing && (windows || e.most > pool) {
		e.text += monthFilter(c.period, extent)
	}
	limit := int64(broad)
	if windows {
		limit = questionDocs // its words were chosen to fit
	}
	if e.most > limit && !c.missing {
		total, err := s.count(ctx, c, e.text)
		if err != nil {
			return gathered{}, err
		}
		if total > limit || total > countLimit {
			return s.newest(ctx, c, e, total, extent)
		}
	}
	ids, err := s.best(ctx, c, e.text)
	if err != nil {
		return gathered{}, err
	}
	list, err := s.candidates(ctx, ids, c.period)
	if err != nil {
		return gathered{}, err
	}
	if len(ids) < pool {
		return gathered{list: list, total: int64(len(list)), counted: true}, nil
	}
	if !windows && len(list) < len(ids) {
		// The months of the period hold matches outside of it, which took
		// places of the pool.
		return s.all(ctx, c, e.text)
	}
	total, err := s.count(ctx, c, e.text)
	return gathered{
		list: list, total: total, counted: total <= countLimit && len(list) == len(ids) && !windows,
		rest: fmt.Sprintf("only the best %d of the matches are ranked: narrow by date, sender or conversation to reach the others", len(list)),
	}, err
}

// count counts matches as far as counting goes.
func (s *Searcher) count(ctx context.Context, c *compiled, expression string) (int64, error) {
	return s.r.CountMatches(ctx, store.MatchQuery{Expression: expression, Missing: c.missing, Limit: countLimit + 1})
}

// best returns the ids of the best matches, at most pool. Of a question that
// names somebody they begin with that person's.
func (s *Searcher) best(ctx context.Context, c *compiled, expression string) ([]int64, error) {
	var ids []int64
	if len(c.names) > 0 {
		near, err := s.r.Match(ctx, store.MatchQuery{Expression: allOf([]expr{{text: expression}, tagged(c.names...)}, nil).text, Missing: c.missing, Limit: pool / 3, Ranked: true})
		if err != nil {
			return nil, err
		}
		for _, m := range near {
			ids = append(ids, m.ID)
		}
	}
	found, err := s.r.Match(ctx, store.MatchQuery{Expression: expression, Missing: c.missing, Limit: pool, Ranked: true})
	if err != nil {
		return nil, err
	}
	known := make(map[int64]bool, len(ids))
	for _, id := range ids {
		known[id] = true
	}
	for _, m := range found {
		if len(ids) < pool && !known[m.ID] {
			ids = append(ids, m.ID)
		}
	}
	return ids, nil
}

// all gathers every match of a period that is no whole number of months.
func (s *Searcher) all(ctx context.Context, c *compiled, expression string) (gathered, error) {
	ids, err := s.latest(ctx, c, expression, countLimit)
	if err != nil {
		return gathered{}, err
	}
	list, err := s.candidates(ctx, ids, c.period)
	return gathered{list: list, total: int64(len(list)), counted: len(ids) < countLimit}, err
}

// latest returns the ids of the matches imported last.
func (s *Searcher) latest(ctx context.Context, c *compiled, expression string, limit int) ([]int64, error) {
	found, err := s.r.Match(ctx, store.MatchQuery{Expression: expression, Missing: c.missing, Limit: limit})
	ids := make([]int64, len(found))
	for i, m := range found {
		ids[i] = m.ID
	}
	return ids, err
}

// candidates reads messages and leaves out those outside the period.
func (s *Searcher) candidates(ctx context.Context, ids []int64, p Range) ([]store.Candidate, error) {
	list, err := s.r.Candidates(ctx, ids)
	return slices.DeleteFunc(list, func(x store.Candidate) bool { return !p.holds(x.Sort) }), err
}
