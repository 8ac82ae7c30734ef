package search

import (
	"context"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// stretch is a row of ids in which a query is looked for with these filters.
type stretch struct {
	store.Block
	filters []expr
}

// stretches divides the archive for a query within one conversation. Nearly all
// ids of the conversation's block are its own: there the query is looked for
// alone, without going through all that the conversation holds to see what is
// of it. A few of other conversations may be found along with it.
func (s *Searcher) stretches(ctx context.Context, c *compiled) ([]stretch, error) {
	everywhere := []stretch{{filters: c.filters}}
	if len(c.conversations) != 1 || c.missing {
		return everywhere, nil
	}
	block, err := s.r.Block(ctx, c.conversations[0])
	if err != nil || block == (store.Block{}) {
		return everywhere, err
	}
	conversation := tagged(segment.ConversationTag(c.conversations[0]))
	inside := slices.DeleteFunc(slices.Clone(c.filters), func(e expr) bool { return e.text == conversation.text })
	list := []stretch{{block, inside}}
	for _, outside := range []store.Block{{Last: block.First - 1}, {First: block.Last + 1}} {
		if outside == (store.Block{}) {
			continue // the block begins with the first id of all
		}
		some, err := s.r.Matches(ctx, store.MatchQuery{Expression: conversation.text, Within: outside, Limit: 1, Forward: true})
		if err != nil {
			return nil, err
		}
		if len(some) > 0 {
			list = append(list, stretch{outside, c.filters})
		}
	}
	return list, nil
}
