package embed

import (
	"context"
	"fmt"

	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/vector"
)

// Status is how far the index of a model is.
type Status struct {
	Fingerprint string
	// Complete is set when a run has finished: searches use the index then.
	Complete bool
	// Vectors are those in use. Behind is how many messages came since the
	// last run that finished, Revised in how many days of conversations
	// others changed or went.
	Vectors, Behind, Revised int64
	// Running is set while a run is under way or after one was cut off.
	Running bool
	// Others are the models of other indexes in the folder.
	Others []string
}

// StatusOf tells how far the index of a model in folder dir is.
func StatusOf(ctx context.Context, r *store.Reader, dir string, model Embedder) (Status, error) {
	s := Status{Fingerprint: model.Fingerprint()}
	names, err := vector.Fingerprints(dir)
	if err != nil {
		return s, fmt.Errorf("list vector indexes: %w", err)
	}
	for _, name := range names {
		if name != s.Fingerprint {
			s.Others = append(s.Others, name)
		}
	}
	spec, err := specOf(ctx, r, model)
	if err != nil {
		return s, err
	}
	var m mark
	ix, err := vector.Open(dir, spec)
	switch {
	case absent(err):
	case err != nil:
		return s, fmt.Errorf("open vector index: %w", err)
	default:
		defer ix.Close()
		v := ix.View()
		defer v.Release()
		s.Vectors = int64(v.Live())
		if m, err = decodeMark(v.State()); err != nil {
			return s, err
		}
	}
	s.Complete, s.Running = m.complete.LastMessage > 0, m.resumes()
	if s.Behind, err = behind(ctx, r, m); err != nil {
		return s, fmt.Errorf("count messages: %w", err)
	}
	days, err := r.RevisedDays(ctx, m.complete.LastRevision)
	s.Revised = int64(len(days))
	return s, err
}

// behind counts the messages that came since the last run that finished.
// Before the first one that is all of them, which is known without counting.
func behind(ctx context.Context, r *store.Reader, m mark) (int64, error) {
	if m.complete.LastMessage == 0 {
		extent, err := r.Extent(ctx)
		return extent.Messages, err
	}
	return r.CountPending(ctx, m.complete.LastMessage, 1<<31)
}
