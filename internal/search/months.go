package search

import (
	"context"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// months returns the tags of the months that touch a period, oldest first.
func months(first, last int64) []string {
	at := time.UnixMicro(first).UTC()
	at = time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
	end := time.UnixMicro(last)
	var tags []string
	for ; !at.After(end) && len(tags) < maxMonths; at = at.AddDate(0, 1, 0) {
		tags = append(tags, segment.MonthTag(at))
	}
	return tags
}

// maxMonths bounds a walk over an archive with absurd dates.
const maxMonths = 12 * 500

// monthFilter narrows an expression to the months of a period: by naming
// them, or those outside when they are fewer. The caller checks the exact
// bounds.
func monthFilter(p Range, extent store.Extent) string {
	from, to := extent.First, extent.Last
	if p.Start != nil {
		from = max(from, *p.Start)
	}
	if p.End != nil {
		to = min(to, *p.End-1)
	}
	if from > to {
		return " AND " + tagExpression(segment.MonthTag(time.Time{}))
	}
	inside := months(from, to)
	all := months(extent.First, extent.Last)
	if len(inside) <= len(all)/2 {
		return " AND " + tagExpression(inside...)
	}
	named := make(map[string]bool, len(inside))
	for _, m := range inside {
		named[m] = true
	}
	var outside []string
	for _, m := range all {
		if !named[m] {
			outside = append(outside, m)
		}
	}
	if len(outside) == 0 {
		return ""
	}
	return " NOT " + tagExpression(outside...)
}

// newest gathers about pool matches of the latest months, going back until
// there are enough. since is the first day of the oldest month looked at.
func (s *Searcher) newest(ctx context.Context, expression string, p Range, extent store.Extent) (found []store.Match, since string, err error) {
	to := extent.Last
	if p.End != nil {
		to = min(to, *p.End-1)
	}
	from := extent.First
	if p.Start != nil {
		from = max(from, *p.Start)
	}
	all := months(from, to)
	// Each step takes twice as many months as the last, so that a word spread
	// thin costs few queries.
	for step, end := 1, len(all); end > 0 && len(found) < pool; step *= 2 {
		start := max(0, end-step)
		part, err := s.r.Match(ctx, store.MatchQuery{
			Expression: "(" + expression + ") AND " + tagExpression(all[start:end]...), Limit: pool - len(found),
		})
		if err != nil {
			return nil, "", err
		}
		found = append(found, part...)
		end = start
		since = monthStart(all[start])
	}
	return found, since, nil
}

// monthStart words a month tag as its first day.
func monthStart(tag string) string {
	digits := tag[len(tag)-6:]
	return digits[:4] + "-" + digits[4:]
}
