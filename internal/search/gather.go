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
	if windows {
		return s.gatherAny(ctx, c, extent)
	}
	e := c.expression()
	if e.most > pool {
		e = c.inMonths(e, extent)
	}
	ids, err := s.latest(ctx, c, e, broad+1)
	if err != nil {
		return gathered{}, err
	}
	total := int64(len(ids))
	if total > broad {
		if total, err = s.count(ctx, c, e.text); err != nil {
			return gathered{}, err
		}
		if !c.missing {
			return s.newest(ctx, c, c.expression(), total, extent)
		}
	}
	cut := len(ids) > pool
	switch {
	case !cut:
	case len(c.conversations) == 1 && c.conjoined:
		ids = ids[:pool] // each holds all the words; in a conversation the latest were imported last
	default:
		if ids, err = s.best(ctx, c, e.text); err != nil {
			return gathered{}, err
		}
	}
	list, err := s.candidates(ctx, ids, c.period)
	switch {
	case err != nil:
		return gathered{}, err
	case !cut:
		return gathered{list: list, total: int64(len(list)), counted: true}, nil
	case len(list) < len(ids):
		// The months of the period hold matches outside of it, which took
		// places of the pool.
		return s.all(ctx, c, e)
	}
	return gathered{list: list, total: total, counted: total <= countLimit, rest: restNotice(len(list))}, nil
}

func restNotice(ranked int) string {
	return fmt.Sprintf("only the best %d of the matches are ranked: narrow by date, sender or conversation to reach the others", ranked)
}

// inMonths narrows an expression to the months of the period. The extent is
// that of the messages that are not missing.
func (c *compiled) inMonths(e expr, extent store.Extent) expr {
	if c.period == (Range{}) || c.missing {
		return e
	}
	return expr{e.text + monthFilter(c.period, extent), e.most, true}
}

// count counts matches as far as counting goes.
func (s *Searcher) count(ctx context.Context, c *compiled, expression string) (int64, error) {
	return s.r.CountMatches(ctx, store.MatchQuery{Expression: expression, Missing: c.missing, Limit: countLimit + 1})
}

// best returns the ids of the matches that are the most relevant, at most pool.
func (s *Searcher) best(ctx context.Context, c *compiled, expression string) ([]int64, error) {
	return s.r.BestMatches(ctx, store.MatchQuery{Expression: expression, Missing: c.missing, Limit: pool})
}

// all gathers every match of a period that is no whole number of months.
func (s *Searcher) all(ctx context.Context, c *compiled, e expr) (gathered, error) {
	ids, err := s.latest(ctx, c, e, countLimit)
	if err != nil {
		return gathered{}, err
	}
	list, err := s.candidates(ctx, ids, c.period)
	return gathered{list: list, total: int64(len(list)), counted: len(ids) < countLimit}, err
}

// latest returns the ids of the matches imported last, at most limit.
func (s *Searcher) latest(ctx context.Context, c *compiled, e expr, limit int) ([]int64, error) {
	return s.latestWithin(ctx, c, e, store.Block{}, limit)
}

// latestWithin returns those among a row of ids.
func (s *Searcher) latestWithin(ctx context.Context, c *compiled, e expr, within store.Block, limit int) ([]int64, error) {
	q := store.MatchQuery{Expression: e.text, Missing: c.missing, Within: within, Limit: limit}
	if e.few(limit) {
		q.Forward, q.Limit = true, limit+1
		if ids, err := s.r.Matches(ctx, q); err != nil || len(ids) <= limit {
			return ids, err
		}
		q.Forward, q.Limit = false, limit // there are more after all
	}
	return s.r.Matches(ctx, q)
}

// candidatesAtATime is how many messages one of the queries reads at most that
// run at the same time, and candidatesApart how many are worth two of them.
const (
	candidatesAtATime = 128
	candidatesApart   = 64
)

// shares divides ids evenly among queries that run two at a time.
func shares(ids []int64) [][]int64 {
	n := (len(ids) + candidatesAtATime - 1) / candidatesAtATime
	if len(ids) >= candidatesApart {
		n += n % 2
	}
	if n == 0 {
		return nil
	}
	return slices.Collect(slices.Chunk(ids, (len(ids)+n-1)/n))
}

// candidates reads messages and leaves out those outside the period.
func (s *Searcher) candidates(ctx context.Context, ids []int64, p Range) ([]store.Candidate, error) {
	parts := shares(ids)
	lists := make([][]store.Candidate, len(parts))
	err := atOnce(ctx, len(parts), func(ctx context.Context, i int) (err error) {
		lists[i], err = s.r.Candidates(ctx, parts[i])
		return err
	})
	return slices.DeleteFunc(slices.Concat(lists...), func(x store.Candidate) bool { return !p.holds(x.Sort) }), err
}
