package store

import (
	"context"
	"sync"
	"testing"
	"time"
)

// TestFewConnections has more callers than connections: a method that needs a
// second connection while it holds one would wait for good.
func TestFewConnections(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 60)
	for _, connections := range []int{1, 2} {
		r := openReader(t, x.dir, ReaderOptions{Connections: connections})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var callers sync.WaitGroup
		for range 6 {
			callers.Go(func() {
				if err := readEverything(ctx, r, x); err != nil {
					t.Error(err)
				}
			})
		}
		callers.Wait()
	}
}

// TestManyStatements asks more different questions than a reader remembers
// the statements of.
func TestManyStatements(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 20)
	r := openReader(t, x.dir, ReaderOptions{})
	all := x.kept(Filter{})
	for n := 1; n < 2*keptStatements; n++ {
		senders := make([]int64, n)
		for _, h := range x.handles {
			senders[n-1] = h.id
		}
		if err := only(r.CountMessages(t.Context(), Filter{Senders: senders})); err != nil {
			t.Fatal(err)
		}
	}
	if len(r.stmts) > keptStatements {
		t.Errorf("%d statements are kept, want at most %d", len(r.stmts), keptStatements)
	}
	got, err := r.CountMessages(t.Context(), Filter{})
	if err != nil || got != int64(len(all)) {
		t.Errorf("counted %d, %v, want %d", got, err, len(all))
	}
}
