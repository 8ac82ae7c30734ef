package search

import (
	"context"

	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// name is what a sender or a conversation is called, with its tag.
type name struct{ folded, tag string }

// nameList is every name of the archive, remembered until one changes.
type nameList struct {
	version int64
	known   bool
	list    []name
}

// names returns the names of all senders and conversations.
func (s *Searcher) names(ctx context.Context) ([]name, error) {
	version, err := s.r.NamesVersion(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.called.known && s.called.version == version {
		return s.called.list, nil
	}
	list, err := readNames(ctx, s.r)
	if err != nil {
		return nil, err
	}
	s.called = nameList{version, true, list}
	return list, nil
}

func readNames(ctx context.Context, r *store.Reader) ([]name, error) {
	people, err := r.People(ctx)
	if err != nil {
		return nil, err
	}
	var list []name
	for _, p := range people {
		if folded := segment.Fold(p.Label); folded != "" {
			list = append(list, name{folded, segment.SenderTag(p.HandleID)})
		}
	}
	conversations, err := r.ConversationRefs(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range conversations {
		if folded := segment.Fold(c.Name); folded != "" {
			list = append(list, name{folded, segment.ConversationTag(c.ID)})
		}
	}
	return list, nil
}
