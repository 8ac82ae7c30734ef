package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/embed"
	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/llm"
	"github.com/msgbrowse/msgbrowse/internal/source/registry"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

// keyFile is where a key lies that was given on a page, beside the
// configuration file.
const keyFile = "llm-key"

// webSettings are what the pages of settings read and change. apply has the
// server follow them.
func (a *app) webSettings(cmd *cobra.Command, apply func(*config.Config) (web.Answering, error)) *web.Settings {
	s := &web.Settings{
		Read: func() (*config.Config, error) { return a.settings(cmd) },
		Change: func(values map[string]any) (*config.Config, func() error, error) {
			return a.changedSettings(cmd, values)
		},
		Apply: apply,
		CheckKey: func(key string) error {
			_, err := llm.NewKey(key)
			return err
		},
		Look:    lookAt,
		SaveKey: saveKey,
		KeyFrom: a.keyFrom,
		Try:     a.tryModel,
	}
	s.NewFile, _ = config.UsualFile(a.env.Host) // shown only
	s.KeyFile = func(c *config.Config) string {
		if c.File == "" {
			return filepath.Join(filepath.Dir(s.NewFile), keyFile)
		}
		return filepath.Join(filepath.Dir(c.File), keyFile)
	}
	return s
}

// changedSettings are the settings with values changed in the configuration
// file, with a function that saves it.
func (a *app) changedSettings(cmd *cobra.Command, values map[string]any) (*config.Config, func() error, error) {
	now, err := a.settings(cmd)
	if err != nil {
		return nil, nil, err
	}
	name := now.File
	var text []byte
	if name == "" {
		name, err = config.UsualFile(a.env.Host)
	} else {
		text, err = a.env.Host.ReadFile(name)
	}
	if err != nil {
		return nil, nil, err
	}
	edited, err := config.Edit(a.env.Host, name, text, values)
	if err != nil {
		return nil, nil, err
	}
	host := a.env.Host
	host.ReadFile = func(asked string) ([]byte, error) {
		if asked == name {
			return edited, nil
		}
		return a.env.Host.ReadFile(asked)
	}
	candidate, err := a.load(cmd, host)
	if err != nil {
		return nil, nil, err
	}
	return candidate, func() error {
		if string(edited) == string(text) {
			return nil
		}
		return config.Save(name, edited)
	}, nil
}

// lookAt returns why an import would find nothing at a path.
func lookAt(ctx context.Context, path string) error {
	root, err := ingest.RootFor(path)
	if err != nil {
		return err
	}
	plan, err := ingest.MakePlan(ctx, []store.Root{root}, nil, false, registry.Best)
	if err != nil {
		return err
	}
	defer plan.Close()
	if plan.Recognised() > 0 {
		return nil
	}
	for _, planned := range plan.Roots {
		for _, failure := range planned.Failed {
			return fmt.Errorf("%s cannot be read: %w", failure.Path, failure.Err)
		}
		for _, unknown := range planned.Unknown {
			if unknown.Guess != "" {
				return fmt.Errorf("no export is recognised there; %s is%s", unknown.Path, strings.TrimPrefix(guessText(unknown), ";"))
			}
		}
	}
	return errors.New("no export is recognised there; \"msgbrowse help import\" lists the formats")
}

// saveKey writes a key for its owner's eyes, or removes the file.
func saveKey(file, key string) error {
	if key != "" {
		return config.Save(file, []byte(key+"\n"))
	}
	if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// keyFrom says where the key of the endpoint comes from.
func (a *app) keyFrom(c *config.Config) string {
	switch {
	case c.LLM.APIKeyFile != "":
		return "Kept in " + c.LLM.APIKeyFile
	case a.env.Host.Getenv("MSGBROWSE_LLM_API_KEY") != "":
		return "Taken from MSGBROWSE_LLM_API_KEY"
	}
	return ""
}

// trialText is what a model is asked to embed when it is tried: a word that
// is nobody's.
const trialText = "hello"

// tryModel asks the model that the settings choose for one vector.
func (a *app) tryModel(ctx context.Context, c *config.Config, key string) web.Trial {
	model, err := a.triedModel(c, key)
	if err != nil {
		return failedTrial(err)
	}
	if model == nil {
		return web.Trial{}
	}
	name := "the model in msgbrowse"
	switch c.Embeddings.Provider {
	case config.ProviderEndpoint:
		name = c.LLM.EmbedModel + " at " + c.LLM.BaseURL
	case config.ProviderFolder:
		name = "the model in " + c.Embeddings.Folder
	}
	began := time.Now()
	vector, err := model.EmbedQuery(ctx, trialText)
	if err != nil {
		return failedTrial(err)
	}
	return web.Trial{Model: name, Dimensions: len(vector), Took: time.Since(began)}
}

func (a *app) triedModel(c *config.Config, key string) (embed.Embedder, error) {
	if key == "" || c.Embeddings.Provider != config.ProviderEndpoint {
		return a.model(c)
	}
	given, err := llm.NewKey(key)
	if err != nil {
		return nil, err
	}
	return endpointWith(c, given)
}

func failedTrial(err error) web.Trial {
	var told *llm.Error
	if errors.As(err, &told) {
		return web.Trial{Wrong: told.Endpoint + ": " + told.What, Remedy: told.Remedy}
	}
	return web.Trial{Wrong: err.Error()}
}
