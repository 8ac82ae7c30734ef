package vector

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
)

// TestCancelled ends searches, compaction and verification early. What is
// compacted half stays as it was, and the writer goes on.
func TestCancelled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	small(t, dir)
	w := mustWriter(t, dir, smallSpec)
	defer w.Close()
	ix := mustOpen(t, dir, smallSpec)
	defer ix.Close()
	v := ix.View()
	defer v.Release()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		name string
		do   func() error
	}{
		{"search", func() error {
			_, err := v.Search(ctx, randomUnit(rand.New(rand.NewPCG(1, 1)), smallSpec.Dims), 3, Options{})
			return err
		}},
		{"search with few candidates", func() error {
			_, err := v.Search(ctx, randomUnit(rand.New(rand.NewPCG(1, 1)), smallSpec.Dims), 1, Options{Candidates: 1})
			return err
		}},
		{"compact", func() error { return w.Compact(ctx) }},
		{"verify", func() error { return v.Verify(ctx) }},
	} {
		if err := test.do(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	if err := w.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w.Len() != 24 || w.DeadShare() != 0 {
		t.Errorf("%d slots, %g of them deleted", w.Len(), w.DeadShare())
	}
	indexFiles(t, dir)
}
