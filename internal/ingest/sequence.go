package ingest

import (
	"context"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// inLine is a message where its file has it; id is 0 while it is new.
type inLine struct {
	record *store.Record
	id     int64
}

// arrange makes the messages of each minute stand as the file has them, where
// some of them were there before and ids say nothing of their order. The new
// ones were given consecutive ids from first on.
func (r *reconciler) arrange(ctx context.Context, first int64) error {
	if r.current.fresh {
		return nil // ids are in the order of the file
	}
	for i := range r.line {
		x := &r.line[i]
		isNew := x.id == 0
		if isNew {
			x.id, first = first, first+1
		}
		if s := r.current.minute; s == nil || s.Sort != x.record.Sort {
			if err := r.putInOrder(ctx); err != nil {
				return err
			}
			r.current.minute = nil
			if !x.record.Message.Time.Coarse() {
				continue
			}
			r.current.minute = &store.Sequence{Conversation: r.current.id, Sort: x.record.Sort}
		}
		if s := r.current.minute; len(s.IDs) <= store.MaxSequence {
			s.IDs = append(s.IDs, x.id)
			if isNew && s.New == nil {
				s.New = map[int64]bool{}
			}
			if isNew {
				s.New[x.id] = true
			}
		}
	}
	// The minute may go on in the next parcel, which may never come.
	return r.putInOrder(ctx)
}

// putInOrder puts the minute at hand in order.
func (r *reconciler) putInOrder(ctx context.Context) error {
	s := r.current.minute
	if s == nil || len(s.New) == 0 || len(s.New) == len(s.IDs) || len(s.IDs) > store.MaxSequence {
		return nil
	}
	moved, err := r.batch.PutInOrder(ctx, *s)
	r.batch.written += moved
	r.current.changed = r.current.changed || moved > 0
	return err
}
