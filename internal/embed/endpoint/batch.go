package endpoint

import (
	"context"
	"sync"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/embed"
)

// Embed implements embed.Embedder. It sends as many requests at once as the
// client allows, gives up all of them at the first error, and embeds a text
// that is too long for the model in parts, whose vectors it averages.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	prepared := make([]string, len(texts))
	var batches [][]int
	chars := 0
	for i, text := range texts {
		if isBlank(text) {
			continue
		}
		prepared[i] = e.options.TextPrefix + clip(text, e.options.MaxChars)
		n := utf8.RuneCountInString(prepared[i])
		last := len(batches) - 1
		if last < 0 || len(batches[last]) == e.options.BatchTexts || chars+n > e.options.BatchChars {
			batches, chars = append(batches, nil), 0
			last++
		}
		batches[last] = append(batches[last], i)
		chars += n
	}
	if err := e.run(ctx, batches, prepared, vectors); err != nil {
		return nil, err
	}
	for i, v := range vectors {
		if v == nil {
			vectors[i] = make([]float32, e.Dims())
		}
	}
	return vectors, nil
}

// run embeds the batches, each a list of places in texts and vectors.
func (e *Embedder) run(ctx context.Context, batches [][]int, texts []string, vectors [][]float32) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	work := make(chan []int)
	var group sync.WaitGroup
	for range min(e.client.MaxConcurrency(), len(batches)) {
		group.Go(func() {
			for batch := range work {
				if err := e.batch(ctx, batch, texts, vectors); err != nil {
					stop(err)
				}
			}
		})
	}
	for _, batch := range batches {
		select {
		case work <- batch:
		case <-ctx.Done():
		}
	}
	close(work)
	group.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// asks is how often the texts that an answer left out are asked for.
const asks = 3

// batch embeds the texts at the given places and puts the vectors there.
func (e *Embedder) batch(ctx context.Context, places []int, texts []string, vectors [][]float32) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	missing := places
	for range asks {
		input := make([]string, len(missing))
		for i, place := range missing {
			input[i] = texts[place]
		}
		got, err := e.client.Embed(ctx, input)
		if tooLong(err) {
			return e.inParts(ctx, missing, texts, vectors, err)
		}
		if err != nil {
			return err
		}
		var still []int
		for i, place := range missing {
			if got[i] == nil {
				still = append(still, place)
				continue
			}
			if err := e.accept(got[i]); err != nil {
				return err
			}
			vectors[place] = got[i]
		}
		if missing = still; len(missing) == 0 {
			return nil
		}
	}
	return e.incomplete(len(missing), len(places))
}

// inParts embeds texts that are too long together one half after the other,
// and one that is too long alone in two parts.
func (e *Embedder) inParts(ctx context.Context, places []int, texts []string, vectors [][]float32, cause error) error {
	if half := len(places) / 2; half > 0 {
		if err := e.batch(ctx, places[:half], texts, vectors); err != nil {
			return err
		}
		return e.batch(ctx, places[half:], texts, vectors)
	}
	v, err := e.split(ctx, texts[places[0]], cause)
	vectors[places[0]] = v
	return err
}

// leastPart is the length in bytes below which a text is not cut further:
// an endpoint that calls that too long means something else.
const leastPart = 64

// split embeds the halves of a text and returns their mean, each weighing as
// much as it is long.
func (e *Embedder) split(ctx context.Context, text string, cause error) ([]float32, error) {
	if len(text) < 2*leastPart {
		return nil, cause
	}
	first, second := halve(text)
	halves, vectors := []string{first, second}, make([][]float32, 2)
	for i := range halves {
		if isBlank(halves[i]) {
			continue
		}
		if err := e.batch(ctx, []int{i}, halves, vectors); err != nil {
			return nil, err
		}
	}
	mean := make([]float32, e.Dims())
	for i, v := range vectors {
		for d := range v {
			mean[d] += v[d] * float32(len(halves[i]))
		}
	}
	embed.Normalise(mean)
	return mean, nil
}
