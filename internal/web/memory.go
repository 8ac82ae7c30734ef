package web

import (
	"context"
	"sync"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// memories are answers that take longer than a page may and change only with
// the archive or the day.
type memories struct {
	mu       sync.Mutex
	overview remembered[store.Overview]
	onThis   remembered[[]anniversary]
	people   remembered[[]personView]
	top      remembered[[]personView]
}

// remembered is an answer with what it depends on.
type remembered[T any] struct {
	known   bool
	changes int64
	names   int64 // who is who
	day     string
	value   T
}

// recall returns what load answers, and the same answer until the archive
// changes or another day begins.
func recall[T any](ctx context.Context, s *site, kept *remembered[T], load func(context.Context) (T, error)) (T, error) {
	now := remembered[T]{known: true, day: s.now().UTC().Format(time.DateOnly)}
	var err error
	if now.changes, err = s.r.Changes(ctx); err != nil {
		return now.value, err
	}
	if now.names, err = s.r.NamesVersion(ctx); err != nil {
		return now.value, err
	}
	s.memories.mu.Lock()
	defer s.memories.mu.Unlock()
	if kept.known && kept.changes == now.changes && kept.names == now.names && kept.day == now.day {
		return kept.value, nil
	}
	if now.value, err = load(ctx); err != nil {
		return now.value, err
	}
	*kept = now
	return now.value, nil
}

// overview is what the archive holds as a whole.
func (s *site) overview(ctx context.Context) (store.Overview, error) {
	return recall(ctx, s, &s.memories.overview, s.r.Overview)
}

// peopleByMessages lists everybody but the owner, who wrote most first. The
// list is shared: the caller does not change it.
func (s *site) peopleByMessages(ctx context.Context) ([]personView, error) {
	return recall(ctx, s, &s.memories.people, s.loadPeople)
}

// sources are the services that the archive holds messages of.
func (s *site) sources(ctx context.Context) ([]sourceView, error) {
	o, err := s.overview(ctx)
	if err != nil {
		return nil, err
	}
	views := make([]sourceView, len(o.Sources))
	for i, source := range o.Sources {
		views[i] = sourceOf(source.Source)
	}
	return views, nil
}
