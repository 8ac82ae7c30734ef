// Package endpoint embeds text through an OpenAI-compatible endpoint.
package endpoint

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/embed"
	"github.com/msgbrowse/msgbrowse/internal/llm"
)

// Options say how text is sent.
type Options struct {
	// MaxChars bounds a text, in characters; what is longer is cut at the
	// end. 0 means 8000, about the 2048 tokens that common models take.
	MaxChars int
	// BatchTexts and BatchChars bound a request, in texts and in characters
	// together; 0 means 64 and 32,000.
	BatchTexts, BatchChars int
	// TextPrefix and QueryPrefix stand before every text and every query,
	// for models that were trained so, such as "search_document: ".
	TextPrefix, QueryPrefix string
	// Dims is how many components vectors have, when an index knows; 0 has
	// the first answer decide.
	Dims int
}

// Embedder is an embed.Embedder that asks an endpoint.
type Embedder struct {
	client  *llm.Client
	options Options

	mu   sync.Mutex
	dims int // 0 until the first answer
}

var _ embed.Embedder = (*Embedder)(nil)

// New makes an embedder without asking anything.
func New(client *llm.Client, o Options) *Embedder {
	if o.MaxChars <= 0 {
		o.MaxChars = 8000
	}
	if o.BatchTexts <= 0 {
		o.BatchTexts = 64
	}
	if o.BatchChars <= 0 {
		o.BatchChars = 32_000
	}
	return &Embedder{client: client, options: o, dims: o.Dims}
}

// Fingerprint is derived from the endpoint's host and path, the model, the
// dimensions asked for, and how texts are prepared. It is known before the
// endpoint is asked, so the dimensions that the model chooses itself are not
// part of it; the first answer is checked against them instead.
func (e *Embedder) Fingerprint() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{
		e.client.Endpoint(), e.client.Model(), strconv.Itoa(e.client.Dimensions()),
		strconv.Itoa(e.options.MaxChars), e.options.TextPrefix,
	}, "\x00")))
	return fmt.Sprintf("endpoint-%x", sum[:16])
}

// Dims returns 0 until an answer, Options.Dims or Probe has told.
func (e *Embedder) Dims() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.dims
}

// Probe finds out how many components vectors have by embedding a word that
// is nobody's. It retries as indexing does and has the endpoint load the
// model, which can take long.
func (e *Embedder) Probe(ctx context.Context) (int, error) {
	if _, err := e.Embed(ctx, []string{"hello"}); err != nil {
		return 0, err
	}
	return e.Dims(), nil
}

// EmbedQuery sends the query at once and without retrying. The context's
// deadline decides how long it waits; when the endpoint has kept failing the
// error is llm.ErrUnavailable and comes at once.
func (e *Embedder) EmbedQuery(ctx context.Context, query string) ([]float32, error) {
	if isBlank(query) {
		return make([]float32, e.Dims()), nil
	}
	vectors, err := e.client.EmbedNow(ctx, []string{e.options.QueryPrefix + clip(query, e.options.MaxChars)})
	if err != nil {
		return nil, err
	}
	if vectors[0] == nil {
		return nil, e.incomplete(1, 1)
	}
	if err := e.accept(vectors[0]); err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// accept checks a vector against those before it and gives it length 1.
func (e *Embedder) accept(v []float32) error {
	e.mu.Lock()
	if e.dims == 0 {
		e.dims = len(v)
	}
	dims := e.dims
	e.mu.Unlock()
	if len(v) != dims {
		return fmt.Errorf("embed with %s: the model %s gave a vector of %d components where others have %d; "+
			"if the model was changed, run msgbrowse index --rebuild", e.client.Endpoint(), e.client.Model(), len(v), dims)
	}
	embed.Normalise(v)
	return nil
}

func (e *Embedder) incomplete(missing, asked int) error {
	return fmt.Errorf("embed with %s: the answer had no vector for %d of %d texts, also when asked for those again; look into the server's own log",
		e.client.Endpoint(), missing, asked)
}

// isBlank reports whether nothing in a text could mean anything. Some
// services refuse such texts, and with them the whole request.
func isBlank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsSpace(r) && unicode.IsPrint(r) }) < 0
}

// clip cuts a text to at most most characters. Broken UTF-8 is mended: JSON
// could not carry it.
func clip(s string, most int) string { return embed.Clip(strings.ToValidUTF8(s, "\uFFFD"), most) }

// halve cuts a text in two, at white space when there is any near the middle.
func halve(s string) (string, string) {
	at := len(s) / 2
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	if space := strings.LastIndexFunc(s[:at], unicode.IsSpace); space > len(s)/4 {
		at = space
	}
	return s[:at], s[at:]
}

// tooLong reports whether an error says so of a text.
func tooLong(err error) bool { return errors.Is(err, llm.ErrTooLong) }
