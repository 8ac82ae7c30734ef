package ingest

import (
	"context"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// transaction is the batch under way. It ends between conversations, once
// enough was written for the cost of a commit not to matter: readers see a
// conversation as it was before the import or as it is after, and a run that
// is cut off loses at most one batch, which the next run reads again.
type transaction struct {
	*store.Batch
	w       *store.Writer
	large   int // how many written messages make it large
	written int // messages written since it began
}

func beginTransaction(ctx context.Context, w *store.Writer, large int) (*transaction, error) {
	batch, err := w.Begin(ctx)
	return &transaction{Batch: batch, w: w, large: large}, err
}

// commitIfLarge commits a large batch and begins the next one.
func (t *transaction) commitIfLarge(ctx context.Context) error {
	if t.written < t.large {
		return nil
	}
	if err := t.Commit(ctx); err != nil {
		return err
	}
	next, err := t.w.Begin(ctx)
	if err != nil {
		return err // what was committed stays, nothing is left to undo
	}
	t.Batch, t.written = next, 0
	return nil
}
