package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// impatient is a context that is cancelled when it has been asked n times
// whether it is: every point that asks is one at which a run may be cut off.
type impatient struct {
	context.Context
	mu     sync.Mutex
	left   int
	cancel context.CancelFunc
}

func newImpatient(n int) *impatient {
	ctx, cancel := context.WithCancel(context.Background())
	return &impatient{Context: ctx, left: n, cancel: cancel}
}

func (c *impatient) ask() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left == 0 {
		c.cancel()
	}
}

func (c *impatient) Err() error {
	c.ask()
	return c.Context.Err()
}

func (c *impatient) Done() <-chan struct{} {
	c.ask()
	return c.Context.Done()
}

func (c *impatient) Deadline() (time.Time, bool) { return time.Time{}, false }

// TestCancelledImports cancels imports at moments spread over all the points
// that look for it. Each leaves a sound archive, and the next import makes of
// it what an undisturbed one would have made.
func TestCancelledImports(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.generate()
	d.options.sizes = &small
	whole := d.beside()
	asked := newImpatient(1 << 30)
	if _, err := whole.tryImport(asked); err != nil {
		t.Fatal(err)
	}
	want := whole.dump()
	total := 1<<30 - asked.left
	if total < 500 {
		t.Fatalf("an import asks %d times only whether to go on", total)
	}
	cuts := rounds(16, 3)
	for i := range cuts {
		at := 1 + i*(total-1)/(cuts-1)
		t.Run(fmt.Sprintf("at %d of %d", i, cuts), func(t *testing.T) {
			t.Parallel()
			d := d.beside()
			d.t = t
			summary, err := d.tryImport(newImpatient(at))
			if i < cuts-1 && !errors.Is(err, context.Canceled) {
				t.Errorf("error %v, want %v", err, context.Canceled)
			}
			if summary.ImportID != 0 && err != nil && summary.Status != store.ImportInterrupted {
				t.Errorf("status %q, want %q", summary.Status, store.ImportInterrupted)
			}
			if _, err := d.tryImport(t.Context()); err != nil {
				t.Fatal(err)
			}
			same(t, "after the cut against undisturbed", want, d.dump())
			d.checkSound()
		})
	}
}

// TestCancelledBetweenBatches cancels a run when its batch has been committed
// and the next one is to begin.
func TestCancelledBetweenBatches(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	if err := d.withWriter(t.Context(), func(w *store.Writer) error {
		tx, err := beginTransaction(t.Context(), w, 0)
		if err != nil {
			return err
		}
		for n := 1; ; n++ {
			ctx := newImpatient(n)
			err := tx.commitIfLarge(ctx)
			if rollbackErr := tx.Rollback(t.Context()); rollbackErr != nil {
				t.Errorf("cancelled at question %d: rollback: %v", n, rollbackErr)
			}
			if err == nil {
				return nil
			}
			if !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled at question %d: error %v", n, err)
			}
			if tx, err = beginTransaction(t.Context(), w, 0); err != nil {
				return err
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
}

func TestCancelledPlan(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.put("a.fake", lines(chat("k", five()...)...))
	d.put("x.zip", zipOf(t, zipEntry{name: "b.fake", text: lines(chat("k", five()...)...)}))
	for n := 1; ; n++ {
		plan, err := MakePlan(newImpatient(n), d.roots, nil, false, d.find)
		if err == nil {
			if got := len(d.names(plan)); got != 2 {
				t.Errorf("cancelled too late at question %d: %d files, %v", n, got, failures(plan))
			}
			plan.Close()
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at question %d: error %v", n, err)
		}
	}
}

// TestIndexGoesOn cuts the index run off between its transactions and within
// one, and changes messages in between.
func TestIndexGoesOn(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.options.sizes = &small
	var messages []msg.Message
	size := rounds(1000, 500) // more than makes a load large
	for i := range size {
		messages = append(messages, numbered(fmt.Sprint(i), "a", "2024-05-01 10:00", fmt.Sprintf("word%d", i)))
	}
	d.put("a.fake", lines(chat("k", messages...)...))
	whole := d.beside()
	whole.run(store.Tally{Added: int64(size)})
	want := whole.dump()

	// The import is cut off when the first messages are indexed.
	ctx, cancel := context.WithCancel(t.Context())
	d.options.Progress = func(p Progress) {
		if p.Phase == PhaseIndex {
			cancel()
		}
	}
	if _, err := d.tryImport(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want %v", err, context.Canceled)
	}
	d.options.Progress = nil
	unindexed := func() int64 {
		r := d.reader()
		defer r.Close()
		o, err := r.Overview(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return o.Unindexed
	}
	left := unindexed()
	if left == 0 {
		t.Fatal("everything is indexed already")
	}
	bulk := func(w *store.Writer) bool {
		on, err := w.IndexesInBulk(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return on
	}
	for done := int64(0); left > 0; {
		ctx, cancel := context.WithCancel(t.Context())
		if err := d.withWriter(t.Context(), func(w *store.Writer) error {
			if !bulk(w) {
				t.Error("the index is no longer set up for a large load")
			}
			err := index(ctx, w, small, func(n int64) {
				done = n
				if n > int64(small.chunk*small.commitChunks) { // within the second transaction
					cancel()
				}
			})
			if (err == nil) != (ctx.Err() == nil) {
				t.Errorf("error %v although the context says %v", err, ctx.Err())
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		cancel()
		now := unindexed()
		if now >= left || done == 0 {
			t.Fatalf("%d messages were left to be indexed, now %d, %d were done", left, now, done)
		}
		left = now
	}
	if err := d.withWriter(t.Context(), func(w *store.Writer) error {
		if bulk(w) {
			t.Error("the index is still set up for a large load")
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	same(t, "index in pieces against whole", want, d.dump())

	// Messages that change are taken out at once and put in anew.
	messages[10].Body, messages[size-10].Body = "fresh", "fresh"
	d.put("a.fake", lines(chat("k", messages...)...))
	d.run(store.Tally{Changed: 2})
	d.checkFresh(t)
}

// TestCancelledHashing gives up a file that would take hours to read.
func TestCancelledHashing(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "huge")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, 1<<42); err != nil {
		t.Skipf("no file with holes can be made here: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	done := make(chan error, 1)
	go func() {
		_, err := hashFile(ctx, name)
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want %v", err, context.Canceled)
		}
	case <-time.After(time.Minute):
		t.Fatal("the file is still being read")
	}
}
