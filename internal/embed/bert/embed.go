package bert

import (
	"context"
	"runtime"
	"slices"
	"sync"
)

// Embed implements [embed.Embedder]. A text that has no token the model
// knows gets the zero vector.
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := m.EmbedUntil(ctx, texts)
	if len(vectors) < len(texts) {
		return nil, ctx.Err()
	}
	return vectors, nil
}

// EmbedQuery implements [embed.Embedder]. It puts what the model was trained
// with before the query, if anything.
func (m *Model) EmbedQuery(ctx context.Context, query string) ([]float32, error) {
	vectors, err := m.Embed(ctx, []string{m.parts.queryPrefix + query})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// EmbedUntil embeds texts in their order until ctx ends, and returns the
// vectors of as many as were done, from the first on. It is for callers who
// would rather have fewer than wait: put first what matters most. When ctx
// ends it returns within the time of one layer of one batch, some
// milliseconds with assembly.
func (m *Model) EmbedUntil(ctx context.Context, texts []string) [][]float32 {
	work := &batches{model: m, texts: texts}
	workers := min(concurrency, runtime.GOMAXPROCS(0), len(texts))
	var running sync.WaitGroup
	for range workers - 1 {
		running.Go(func() { work.run(ctx) })
	}
	if workers > 0 {
		work.run(ctx)
	}
	running.Wait()
	return work.done()
}

// batches hands texts out to the goroutines that embed them.
type batches struct {
	model *Model
	texts []string

	mu      sync.Mutex
	next    int // the first text not handed out
	vectors [][]float32
}

// run embeds batches until there are no more or ctx ends.
func (b *batches) run(ctx context.Context) {
	for b.runOne(ctx) {
	}
}

// runOne embeds one batch and reports whether there may be more. It gives the
// scratch back in between, so that a query need not wait for the end of a
// long list.
func (b *batches) runOne(ctx context.Context) bool {
	s, err := b.model.scratches.take(ctx)
	if err != nil {
		return false
	}
	defer b.model.scratches.put(s)
	first, count := b.take(s)
	if count == 0 {
		return false
	}
	vectors, err := b.model.embedBatch(ctx, s, count)
	if err != nil {
		return false
	}
	b.put(first, vectors)
	return true
}

// take cuts the next texts into tokens, as many as make a batch. The lock is
// held meanwhile, since how many that are is known only afterwards; it takes
// a hundredth of the time that computing does.
func (b *batches) take(s *scratch) (first, count int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	first = b.next
	s.ids, s.starts = s.ids[:0], append(s.starts[:0], 0)
	target := b.target()
	for b.next < len(b.texts) && (count == 0 || len(s.ids) < target) {
		s.ids = b.model.tokenizer.Encode(s.ids, b.texts[b.next], b.model.maxTokens)
		s.starts = append(s.starts, len(s.ids))
		b.next++
		count++
	}
	return first, count
}

// target is how many tokens the next batch should have at least. Scalar code
// gains nothing by batches, and gets more done in time without.
func (b *batches) target() int {
	if b.model.fast {
		return batchTokens
	}
	return 1
}

// embedBatch computes the vectors of the count texts in the scratch.
func (m *Model) embedBatch(ctx context.Context, s *scratch, count int) ([][]float32, error) {
	vectors := make([][]float32, count)
	all := make([]float32, count*m.Dims())
	for i := range vectors {
		vectors[i], all = all[:m.Dims():m.Dims()], all[m.Dims():]
	}
	if err := m.forward(ctx, s, vectors); err != nil {
		return nil, err
	}
	for i, vector := range vectors {
		if !m.means(s.ids[s.starts[i]:s.starts[i+1]]) {
			clear(vector)
		}
	}
	return vectors, nil
}

// means reports whether any token between the first and the last is one that
// the model knows.
func (m *Model) means(ids []int32) bool {
	return slices.ContainsFunc(ids[1:len(ids)-1], func(id int32) bool { return id != m.tokenizer.Unknown() })
}

func (b *batches) put(first int, vectors [][]float32) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.vectors == nil {
		b.vectors = make([][]float32, len(b.texts))
	}
	copy(b.vectors[first:], vectors)
}

// done returns the vectors before the first that is missing.
func (b *batches) done() [][]float32 {
	if n := slices.IndexFunc(b.vectors, func(v []float32) bool { return v == nil }); n >= 0 {
		return b.vectors[:n]
	}
	return b.vectors
}
