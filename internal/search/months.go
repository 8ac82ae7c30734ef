package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
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

// A walk back through the months reads them in steps.
const (
	// stepMatches is how many matches a step reads at most. A step that holds
	// more is read again in halves, which takes longer than to read some that
	// are not ranked.
	stepMatches = 4 * newestPool
	// stepSpare is how many times the messages a step should need it takes,
	// since some months hold fewer matches than others.
	stepSpare = 1.3
)

// newest gathers matches of the latest months, going back until there are
// enough; only the oldest of these months may be left incomplete.
func (s *Searcher) newest(ctx context.Context, c *compiled, e expr, total int64, extent store.Extent) (gathered, error) {
	p := c.period
	from, to := p.overlap(extent)
	all := months(from, to)
	g := gathered{total: total, counted: total <= countLimit && p.wholeMonths()}
	if total > countLimit && e.most != unbounded {
		total = max(total, e.most)
	}
	// Matches are as dense in a short period as in all of the archive.
	share := float64(len(all)) / float64(len(months(extent.First, extent.Last)))
	density := min(1, float64(total)/math.Max(1, float64(extent.Messages)*share))
	sizes, err := s.monthSizes(ctx)
	if err != nil {
		return g, err
	}
	end, cut, most, read := len(all), false, len(all), int64(0)
	for end > 0 && len(g.list) < newestPool {
		start, size := monthsBack(all[:end], sizes, int64(stepSpare*float64(newestPool-len(g.list))/density), most)
		part := all[start:end]
		limit := stepMatches
		if len(part) == 1 && !p.covers(part[0]) {
			limit = countLimit // many of its matches may lie outside
		}
		within := allOf([]expr{e, monthTags(part)}, nil)
		within.most = int64(limit) // as the step was measured
		ids, err := s.latest(ctx, c, within, limit)
		if err != nil {
			return g, err
		}
		if len(ids) == limit && len(part) > 1 {
			most = len(part) / 2
			continue
		}
		list, err := s.candidates(ctx, ids, p)
		if err != nil {
			return g, err
		}
		slices.SortFunc(list, func(a, b store.Candidate) int { return cmp.Or(cmp.Compare(b.Sort, a.Sort), cmp.Compare(b.ID, a.ID)) })
		g.list = append(g.list, list...)
		cut = cut || len(ids) == limit
		end, most, read = start, len(all), read+size
		density = math.Max(float64(len(g.list)), 1) / math.Max(float64(read), 1) // as found so far
	}
	if end == 0 && !cut && len(g.list) <= newestPool {
		return gathered{list: g.list, total: int64(len(g.list)), counted: true}, nil
	}
	g.list = g.list[:min(newestPool, len(g.list))]
	back := all[end]
	if len(g.list) > 0 {
		back = month(g.list[len(g.list)-1].Sort)
	}
	g.notices = []string{fmt.Sprintf("very many messages match; %d of the newest, back to %s, were ranked: narrow by date, sender or conversation to reach the others",
		len(g.list), back.Format("2006-01"))}
	return g, nil
}

// monthsBack returns from where on the last of the months hold the wanted
// number of messages, at least one of them and not more than most, and how
// many messages these hold.
func monthsBack(all []time.Time, sizes map[store.Month]int64, wanted int64, most int) (start int, size int64) {
	for start = len(all); start > 0 && len(all)-start < most && (size < wanted || start == len(all)); start-- {
		size += sizes[store.MonthOf(all[start-1].UnixMicro())]
	}
	return start, size
}

// monthSizes returns how many messages there are of each month.
func (s *Searcher) monthSizes(ctx context.Context) (map[store.Month]int64, error) {
	months, err := s.r.Months(ctx)
	if err != nil {
		return nil, err
	}
	sizes := make(map[store.Month]int64, len(months))
	for _, m := range months {
		sizes[m.Month] += m.Messages
	}
	return sizes, nil
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
