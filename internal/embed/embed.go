// Package embed turns text into vectors whose angles say how near two texts
// are in meaning, cuts conversations into the chunks that get one, and keeps
// the vector index in step with the archive.
package embed

import "context"

// Embedder is a model that embeds text. Implementations are safe for
// concurrent use.
type Embedder interface {
	// Fingerprint names the model and everything else its vectors depend on;
	// vectors of different fingerprints cannot be compared. It consists of
	// at most 64 letters, digits, '-' and '.', so that it can name a file.
	Fingerprint() string
	// Dims is the number of components of every vector.
	Dims() int
	// Embed returns one vector of length 1 for each text, in their order; a
	// text that means nothing to the model gets the zero vector. It returns
	// all vectors or an error.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// EmbedQuery embeds what somebody looks for, which some models treat
	// differently from what is to be found.
	EmbedQuery(ctx context.Context, query string) ([]float32, error)
}

// Clip cuts a text to at most most characters.
func Clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n := 0
	for at := range s {
		if n == most {
			return s[:at]
		}
		n++
	}
	return s
}
