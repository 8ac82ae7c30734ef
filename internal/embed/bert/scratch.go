package bert

import "context"

// Sizes of what is computed at once. A batch is large enough for the weights
// to be used while they are in the nearest cache, and small enough to end
// soon when its time is over. The inner layer of the feed-forward network,
// the widest, is computed for so many rows of it at a time.
const (
	batchTokens = 96
	chunkRows   = 8 * blockRows
)

// scratch is the memory of one forward pass. It grows to the size of the
// largest batch and is used again.
type scratch struct {
	ids    []int32
	starts []int // of each text in ids, and the end of the last

	x, qkv, attended []float32 // rows of all tokens
	y, inner         []float32 // rows of one chunk
	quantized        []uint8
	rowScales        []float32
	rowZeros         []int32

	keys, scores []float32 // of one head and text
}

// reset prepares for texts that have been appended to ids.
func (s *scratch) reset(p *parts) {
	rows := roundUp(len(s.ids), blockRows)
	longest := 0
	for i := range s.starts[1:] {
		longest = max(longest, s.starts[i+1]-s.starts[i])
	}
	padded := roundUp(longest, laneWidth)
	s.x = grow(s.x, rows*p.hidden)
	s.qkv = grow(s.qkv, rows*3*p.hidden)
	s.attended = grow(s.attended, rows*p.hidden)
	s.y = grow(s.y, chunkRows*p.hidden)
	s.inner = grow(s.inner, chunkRows*p.ffn)
	s.quantized = grow(s.quantized, max(rows*p.hidden, chunkRows*p.ffn))
	s.rowScales = grow(s.rowScales, max(rows, chunkRows))
	s.rowZeros = grow(s.rowZeros, max(rows, chunkRows))
	s.keys = grow(s.keys, p.hidden/p.heads*padded)
	s.scores = grow(s.scores, padded)
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// pool lends out at most as many scratches as computations may run at once,
// by which it bounds both memory and load.
type pool chan *scratch

func newPool(size int) pool {
	p := make(pool, size)
	for range size {
		p <- &scratch{}
	}
	return p
}

func (p pool) take(ctx context.Context) (*scratch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case s := <-p:
		return s, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p pool) put(s *scratch) { p <- s }
