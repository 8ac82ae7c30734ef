package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// month returns the beginning of the month of a time.
func month(micros int64) time.Time {
	at := time.UnixMicro(micros).UTC()
	return time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// maxMonths bounds a walk over an archive with absurd dates.
const maxMonths = 12 * 500

// months returns the months that touch a period, oldest first.
func months(first, last int64) []time.Time {
	var list []time.Time
	for at := month(first); at.UnixMicro() <= last && len(list) < maxMonths; at = at.AddDate(0, 1, 0) {
		list = append(list, at)
	}
	return list
}

func monthTags(months []time.Time) expr {
	tags := make([]string, len(months))
	for i, m := range months {
		tags[i] = segment.MonthTag(m)
	}
	return tagged(tags...)
}

// overlap returns the first and the last instant of a period in which the
// archive has messages; first is after last when there is none.
func (p Range) overlap(extent store.Extent) (first, last int64) {
	first, last = extent.First, extent.Last
	if p.Start != nil {
		first = max(first, *p.Start)
	}
	if p.End != nil {
		last = min(last, *p.End-1)
	}
	return first, last
}

// holds reports whether a time lies in the period.
func (p Range) holds(at int64) bool {
	return (p.Start == nil || at >= *p.Start) && (p.End == nil || at < *p.End)
}

// monthFilter narrows an expression to the months of a period: by naming
// them, or those outside when they are fewer. The caller checks the exact
// bounds.
func monthFilter(p Range, extent store.Extent) string {
	from, to := p.overlap(extent)
	if from > to {
		return " AND " + tagged(segment.MonthTag(time.Time{})).text
	}
	inside, all := months(from, to), months(extent.First, extent.Last)
	if len(inside) <= len(all)/2 {
		return " AND " + monthTags(inside).text
	}
	named := make(map[time.Time]bool, len(inside))
	for _, m := range inside {
		named[m] = true
	}
	var outside []time.Time
	for _, m := range all {
		if !named[m] {
			outside = append(outside, m)
		}
	}
	if len(outside) == 0 {
		return ""
	}
	return " NOT " + monthTags(outside).text
}

// newest gathers matches of the latest months, going back until there are
// enough; only the oldest of these months may be left incomplete.
func (s *Searcher) newest(ctx context.Context, c *compiled, e expr, total int64, extent store.Extent) (gathered, error) {
	p := c.period
	from, to := p.overlap(extent)
	all := months(from, to)
	most := e.most
	if most == unbounded {
		most = 0
	}
	g := gathered{total: total, counted: total <= countLimit && p.wholeMonths()}
	end, cut := len(all), false
	// The first step takes as many months as are likely to be enough, each
	// further one twice as many, so that a word spread thin costs few queries.
	for step := max(1, int(newestPool*int64(len(all))/max(total, most)*3/4)); end > 0 && len(g.list) < newestPool; {
		start := max(0, end-step)
		part := all[start:end]
		limit := newestPool - len(g.list)
		if len(part) == 1 && !p.covers(part[0]) {
			limit = countLimit // many of its matches may lie outside
		}
		ids, err := s.latest(ctx, c, allOf([]expr{e, monthTags(part)}, nil).text, limit)
		if err != nil {
			return g, err
		}
		if len(ids) == limit && len(part) > 1 {
			step = len(part) / 2
			continue
		}
		list, err := s.candidates(ctx, ids, p)
		if err != nil {
			return g, err
		}
		slices.SortFunc(list, func(a, b store.Candidate) int { return cmp.Or(cmp.Compare(b.Sort, a.Sort), cmp.Compare(b.ID, a.ID)) })
		g.list = append(g.list, list...)
		cut = cut || len(ids) == limit
		end, step = start, 2*step
	}
	if end == 0 && !cut && len(g.list) <= newestPool {
		return gathered{list: g.list, total: int64(len(g.list)), counted: true}, nil
	}
	g.list = g.list[:min(newestPool, len(g.list))]
	g.notices = []string{fmt.Sprintf("very many messages match; %d of the newest, back to %s, were ranked: narrow by date, sender or conversation to reach the others",
		len(g.list), all[end].Format("2006-01"))}
	return g, nil
}

// wholeMonths reports whether the period begins and ends with a month.
func (p Range) wholeMonths() bool {
	whole := func(at *int64) bool { return at == nil || month(*at).UnixMicro() == *at }
	return whole(p.Start) && whole(p.End)
}

// covers reports whether all of a month lies in the period.
func (p Range) covers(month time.Time) bool {
	return p.holds(month.UnixMicro()) && p.holds(month.AddDate(0, 1, 0).UnixMicro()-1)
}
