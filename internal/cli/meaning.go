package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/embed"
	"github.com/msgbrowse/msgbrowse/internal/embed/bert"
	"github.com/msgbrowse/msgbrowse/internal/embed/endpoint"
	"github.com/msgbrowse/msgbrowse/internal/embed/folder"
	"github.com/msgbrowse/msgbrowse/internal/embed/static"
	"github.com/msgbrowse/msgbrowse/internal/llm"
	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// vectorsDir is where the vector indexes of a data folder lie. They can be
// deleted at any time: "msgbrowse index" makes them again.
func vectorsDir(settings *config.Config) string { return filepath.Join(settings.DataDir, "vectors") }

// model returns the embedding model that the settings choose, or nil for
// none.
func (a *app) model(settings *config.Config) (embed.Embedder, error) {
	switch settings.Embeddings.Provider {
	case config.ProviderNone:
		return nil, nil
	case config.ProviderFolder:
		m, err := folder.Open(settings.Embeddings.Folder)
		if err != nil {
			return nil, usage(fmt.Errorf("embeddings.folder: %w", err))
		}
		return m, nil
	case config.ProviderEndpoint:
		key, err := llm.ReadKey(settings.LLM.APIKeyFile, a.env.Host.Getenv("MSGBROWSE_LLM_API_KEY"), os.ReadFile)
		if err != nil {
			return nil, usage(err)
		}
		return endpointWith(settings, key)
	}
	return static.Builtin(), nil
}

// endpointWith asks the endpoint of the settings with a key.
func endpointWith(settings *config.Config, key llm.Key) (*endpoint.Embedder, error) {
	o := settings.LLM
	client, err := llm.New(llm.Options{
		BaseURL: o.BaseURL, Model: o.EmbedModel, Key: key, Dimensions: o.Dimensions, MaxConcurrency: o.MaxConcurrency, Timeout: o.Timeout,
	})
	if err != nil {
		return nil, usage(err)
	}
	return endpoint.New(client, endpoint.Options{MaxChars: o.MaxChars, TextPrefix: o.TextPrefix, QueryPrefix: o.QueryPrefix, Dims: o.Dimensions}), nil
}

// From these similarities on texts are alike to models that add up the vectors
// of words, and to models that read sentences, which find all texts more alike.
const (
	alikeWords = 0.42
	alikeTexts = 0.6
)

// meaning returns what searches by meaning need, nil when they are off, and
// what releases it. Until the index of the chosen model is complete, that of
// the one in the program is used, if there is one.
func (a *app) meaning(settings *config.Config, r *store.Reader) (*search.Meaning, func() error, error) {
	chosen, err := a.model(settings)
	if err != nil || chosen == nil {
		return nil, func() error { return nil }, err
	}
	builtin := static.Builtin()
	models := []embed.Embedder{chosen}
	if chosen.Fingerprint() != builtin.Fingerprint() {
		models = append(models, builtin)
	}
	m := &search.Meaning{Judge: judge{}}
	var close []func() error
	for _, model := range models {
		f := embed.NewFinder(r, vectorsDir(settings), model)
		close = append(close, f.Close)
		known := search.Model{Embedder: model, Finder: f, Judged: model == embed.Embedder(builtin), Alike: alikeWords}
		if _, remote := model.(*endpoint.Embedder); remote {
			known.Alike = alikeTexts
		}
		m.Models = append(m.Models, known)
	}
	return m, func() error {
		var err error
		for _, c := range close {
			err = errors.Join(err, c())
		}
		return err
	}, nil
}

// searcher returns what answers queries, as the settings say, and what
// releases it.
func (a *app) searcher(settings *config.Config, r *store.Reader) (*search.Searcher, func() error, error) {
	m, release, err := a.meaning(settings, r)
	if err != nil {
		return nil, nil, err
	}
	return search.New(r, a.env.Now).WithMeaning(m), release, nil
}

// excludedConversations resolves privacy.exclude_conversations. A name that
// fits no conversation yet is fine, one that fits several excludes them all:
// what is to stay here stays here.
func excludedConversations(ctx context.Context, settings *config.Config, r *store.Reader) ([]int64, error) {
	if len(settings.Privacy.ExcludeConversations) == 0 {
		return nil, nil
	}
	all, err := r.ConversationRefs(ctx)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, name := range settings.Privacy.ExcludeConversations {
		for _, c := range all {
			if strings.EqualFold(strings.TrimSpace(c.Name), strings.TrimSpace(name)) || strconv.FormatInt(c.ID, 10) == name {
				ids = append(ids, c.ID)
			}
		}
	}
	return ids, nil
}

// judge is the transformer in the program. It is loaded by the first question,
// not at each start, and does not judge where it would be too slow.
type judge struct{}

var errSlow = errors.New("the processor lacks what the judge needs to be in time")

func (judge) EmbedQuery(ctx context.Context, query string) ([]float32, error) {
	m, err := bert.Builtin()
	if err == nil && !m.Fast() {
		err = errSlow
	}
	if err != nil {
		return nil, err
	}
	return m.EmbedQuery(ctx, query)
}

func (judge) EmbedUntil(ctx context.Context, texts []string) [][]float32 {
	m, err := bert.Builtin()
	if err != nil {
		return nil
	}
	return m.EmbedUntil(ctx, texts)
}
