package search

import (
	"context"
	"fmt"
	"slices"
)

// order is a ranking that was shown in part. What a judge makes of a query
// depends on the time it had, so that later pages are cut from the ranking
// of the first one.
type order struct {
	key     string
	list    []ranked
	terms   []term
	results Results // without hits
}

// keptOrders is how many rankings are kept for their further pages.
const keptOrders = 16

// orderKey names a query and the archive it was asked of.
func (s *Searcher) orderKey(ctx context.Context, q Query) (string, error) {
	version, err := s.r.Changes(ctx)
	if err != nil {
		return "", err
	}
	q.After, q.Limit = nil, 0
	period := func(at *int64) string {
		if at == nil {
			return "-"
		}
		return fmt.Sprint(*at)
	}
	return fmt.Sprintf("%d %q %d %v %t %q %s %s %q %q", version, q.Text, q.Conversation, q.Senders, q.FromMe, q.Source,
		period(q.Period.Start), period(q.Period.End), q.Has, q.Mode), nil
}

func (s *Searcher) keepOrder(o order) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.orders = slices.DeleteFunc(s.orders, func(kept order) bool { return kept.key == o.key })
	s.orders = append([]order{o}, s.orders[:min(len(s.orders), keptOrders-1)]...)
}

func (s *Searcher) orderOf(key string) (order, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, kept := range s.orders {
		if kept.key == key {
			return kept, true
		}
	}
	return order{}, false
}

// ranked notes what a reading came to, for further pages.
func (p *pursuit) ranked(list []ranked, terms []term, results Results) {
	p.ranking = order{list: list, terms: terms, results: results}
}
