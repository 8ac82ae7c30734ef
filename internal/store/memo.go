package store

import (
	"context"
	"sync"
)

// memo remembers what was read from the archive as a whole until the archive
// changes.
type memo[T any] struct {
	mu      sync.Mutex
	known   bool
	version int64
	value   T
}

// Changes counts the changes there have been: what was read while it is the
// same still holds.
func (r *Reader) Changes(ctx context.Context) (int64, error) { return r.setting(ctx, "changes") }

// get returns what load read of the archive as it is now. Callers share the
// value and do not change it. While one of them loads it, others wait.
func (m *memo[T]) get(ctx context.Context, r *Reader, load func(context.Context) (T, error)) (T, error) {
	version, err := r.Changes(ctx)
	if err != nil {
		var none T
		return none, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known && m.version == version {
		return m.value, nil
	}
	value, err := load(ctx)
	if err != nil {
		return value, err
	}
	m.known, m.version, m.value = true, version, value
	return value, nil
}
