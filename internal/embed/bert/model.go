// Package bert computes sentence vectors with a small transformer of the
// BERT family, in the program itself, from a model that is part of it.
//
// The encoder is BERT's (Devlin et al., "BERT: Pre-training of Deep
// Bidirectional Transformers for Language Understanding", 2019): the sum of
// word and position vectors, normalised; then layers of self-attention
// (Vaswani et al., "Attention Is All You Need", 2017) and a feed-forward
// network with GELU (Hendrycks and Gimpel, 2016), each followed by adding its
// input and a layer norm (Ba et al., 2016). A text's vector is the mean of
// its tokens' (Reimers and Gurevych, "Sentence-BERT", 2019), or the first
// token's, as the model was trained, brought to length 1.
//
// Weights are 8-bit integers with a scale for each output, activations 8-bit
// integers with a scale and a zero point for each token, found while
// computing; sums are exact. That keeps vectors nearly parallel to those of
// the original weights: see TestGolden for how near. The matrices are stored
// in the order in which the kernels read them and used where they lie in the
// program, so that nothing is unpacked and the system may drop what is not
// in use.
//
// On amd64 the arithmetic is assembly for AVX2. Elsewhere it is Go, some
// fifty times slower; see [Model.Fast].
package bert

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"sync"

	"github.com/msgbrowse/msgbrowse/internal/embed"
	"github.com/msgbrowse/msgbrowse/internal/embed/wordpiece"
)

// DefaultMaxTokens is how many tokens of a text a model reads unless told
// otherwise, [CLS] and [SEP] included: about 100 English words, more than
// nearly every message has.
const DefaultMaxTokens = 128

// maxName leaves room in a fingerprint for the checksum and the limit.
const maxName = 40

// concurrency is how many batches of a model are computed at the same time,
// whoever asks for them.
const concurrency = 2

var _ embed.Embedder = (*Model)(nil)

// Model is a sentence encoder. It is safe for concurrent use.
type Model struct {
	parts     *parts
	tokenizer *wordpiece.Tokenizer
	kernels   *kernels
	fast      bool
	maxTokens int
	scratches pool
}

// all-MiniLM-L6-v2 of the sentence-transformers project, made for the
// similarity of English sentences; Apache License 2.0, see NOTICE.
//
//go:embed minilm-l6-v2.bin
var builtin []byte

// Builtin returns the model that is part of the program. The first call
// reads its vocabulary, which takes some milliseconds; all get the same.
var Builtin = sync.OnceValues(func() (*Model, error) { return Open(builtin) })

// Open returns the model in a file's bytes, which it goes on using and which
// must not change. It does not read all of them; see [Model.Verify].
func Open(file []byte) (*Model, error) {
	parts, err := parse(file)
	if err != nil {
		return nil, fmt.Errorf("open model: %w", err)
	}
	tokenizer, err := wordpiece.New(parts.vocabulary, wordpiece.Uncased())
	if err != nil {
		return nil, fmt.Errorf("open model %s: %w", parts.name, err)
	}
	parts.vocabulary = nil // the tokenizer has it
	parts.scaleQueries()
	m := &Model{
		parts: parts, tokenizer: tokenizer, kernels: &scalarKernels,
		maxTokens: min(DefaultMaxTokens, parts.shape.positions), scratches: newPool(concurrency),
	}
	if kernels, ok := fastKernels(); ok {
		m.kernels, m.fast = kernels, true
	}
	return m, nil
}

// scaleQueries builds attention's factor, one over the square root of the
// head's size, into the layers' queries.
func (p *parts) scaleQueries() {
	factor := float32(1 / math.Sqrt(float64(p.hidden/p.heads)))
	for i := range p.layerParts {
		queries := p.layerParts[i].qkv.panels[:p.hidden/panelWidth]
		for _, panel := range queries {
			for j := range panelWidth {
				panel.scales[j] *= factor
				panel.biases[j] *= factor
			}
		}
	}
}

// WithMaxTokens returns the same model reading at most n tokens of every
// text, [CLS] and [SEP] included, within what the model has positions for.
// It shares all memory with m.
func (m *Model) WithMaxTokens(n int) *Model {
	other := *m
	other.maxTokens = min(max(n, 3), m.parts.shape.positions)
	return &other
}

// Verify reads the whole file and returns an error if it is not as it was
// when it was made.
func (m *Model) Verify() error {
	if sum := sha256.Sum256(m.parts.checked); !bytes.Equal(sum[:], m.parts.checksum) {
		return fmt.Errorf("verify model %s: %w: its checksum differs", m.parts.name, ErrFile)
	}
	return nil
}

// Fast reports whether the machine has a vector unit that the model has
// assembly for. Without it a short message takes tens of milliseconds
// instead of less than one, so that callers do best to embed fewer.
func (m *Model) Fast() bool { return m.fast }

// Fingerprint implements [embed.Embedder]. It does not depend on the
// machine: vectors computed with and without assembly differ less than
// either does from exact ones.
func (m *Model) Fingerprint() string {
	return m.parts.name + "-" + hex.EncodeToString(m.parts.checksum[:6]) + "-" + strconv.Itoa(m.maxTokens)
}

// Dims implements [embed.Embedder].
func (m *Model) Dims() int { return m.parts.hidden }
