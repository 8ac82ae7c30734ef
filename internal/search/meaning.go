package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/embed"
)

// Meaning is what a Searcher needs to find messages by what they mean.
type Meaning struct {
	// Models are tried in their order; the first whose index is complete is
	// used.
	Models []Model
	// Judge, if any, compares a query with messages more exactly than models
	// do that have to embed all of them.
	Judge Judge
	// JudgeTime is how long after a query came Judge must be done; 0 means 122 ms.
	JudgeTime time.Duration
}

// Model embeds queries and finds messages by the vectors.
type Model struct {
	embed.Embedder
	Finder Finder
	// Judged says that Judge knows better than this model.
	Judged bool
	// Alike is the similarity from which on the model calls texts alike; what
	// has less is not shown among the messages that hold a query's words.
	Alike float64
}

// Finder finds messages by vectors; see embed.Finder.
type Finder interface {
	// Ready returns nil, or why nothing can be found: embed.ErrNoIndex when
	// the index is not complete yet.
	Ready(ctx context.Context) error
	Near(ctx context.Context, query []float32, scope embed.Scope, n int) ([]embed.Near, error)
}

// Judge embeds few texts well. When it fails to embed a query nothing is
// judged. EmbedUntil returns the vectors of as many
// texts, from the first on, as it can before ctx is done.
type Judge interface {
	EmbedQuery(ctx context.Context, query string) ([]float32, error)
	EmbedUntil(ctx context.Context, texts []string) [][]float32
}

// WithMeaning makes the searcher find messages by what they mean as well. It
// must be called before the first search.
func (s *Searcher) WithMeaning(m *Meaning) *Searcher {
	s.meaning = m
	return s
}

const (
	// queryDeadline is how long a query waits for its vector.
	queryDeadline = 300 * time.Millisecond
	// nearestAsked is how many messages are found by meaning for a question,
	// and nearestBeside for words, which they only follow.
	nearestAsked  = 125
	nearestBeside = 60
)

// near is what was found by meaning.
type near struct {
	list   []embed.Near
	judged bool    // see Model
	least  float64 // see Model.Alike
	// why says why nothing was looked for, when that was so.
	why string
	err error
}

// Reasons for searching by keywords alone.
const (
	noModel = "semantic search is unavailable: no embedding model is configured (embeddings.provider is none)"
	noIndex = "semantic search is unavailable: the messages are not indexed by meaning yet; \"msgbrowse index\" does it"
)

// nearest finds messages by meaning. An index or an endpoint that fails is
// told in why; err is for what ends the search as a whole.
func (s *Searcher) nearest(ctx context.Context, text string, scope embed.Scope, n int) near {
	if s.meaning == nil || len(s.meaning.Models) == 0 {
		return near{why: noModel}
	}
	found := near{why: noIndex}
	for _, m := range s.meaning.Models {
		list, err := m.near(ctx, text, scope, n)
		switch {
		case err == nil:
			return near{list: list, judged: m.Judged, least: m.Alike}
		case ctx.Err() != nil:
			return near{err: ctx.Err()}
		case !errors.Is(err, embed.ErrNoIndex):
			found.why = err.Error()
		}
	}
	return found
}

// WithoutMeaning says why searches go by words alone, or nothing when they do
// not. An endpoint is not asked whether it answers.
func (s *Searcher) WithoutMeaning(ctx context.Context) string {
	if s.meaning == nil || len(s.meaning.Models) == 0 {
		return noModel
	}
	why := noIndex
	for _, m := range s.meaning.Models {
		err := m.Finder.Ready(ctx)
		if err == nil {
			return ""
		}
		if !errors.Is(err, embed.ErrNoIndex) {
			why = err.Error()
		}
	}
	return why
}

func (m Model) near(ctx context.Context, text string, scope embed.Scope, n int) ([]embed.Near, error) {
	if err := m.Finder.Ready(ctx); err != nil {
		return nil, err
	}
	hurry, cancel := context.WithTimeout(ctx, queryDeadline)
	defer cancel()
	query, err := m.EmbedQuery(hurry, text)
	if err != nil {
		if hurry.Err() != nil && ctx.Err() == nil {
			return nil, fmt.Errorf("the embedding endpoint did not answer within %d ms", queryDeadline.Milliseconds())
		}
		return nil, err
	}
	if !slices.ContainsFunc(query, func(x float32) bool { return x != 0 }) {
		return nil, nil // it means nothing to the model
	}
	return m.Finder.Near(ctx, query, scope, n)
}
