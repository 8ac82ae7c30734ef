package web_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/llm"
	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/source/registry"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

// settingsDesk is a desk whose settings can be changed.
type settingsDesk struct {
	*recordDesk
	settings *web.Settings
	file     string
	log      *strings.Builder
	applied  []string // the providers that searches were told to follow
}

const someSettings = "# mine\nllm:\n  timeout: 20s # slow\n\nmcp:\n  listen: 127.0.0.1:9\n"

// newSettingsDesk serves an archive with a configuration file.
func newSettingsDesk(t *testing.T, text string, environ ...string) *settingsDesk {
	t.Helper()
	return newSettingsDeskWith(t, web.Options{}, text, environ...)
}

func newSettingsDeskWith(t *testing.T, o web.Options, text string, environ ...string) *settingsDesk {
	t.Helper()
	d := &settingsDesk{file: filepath.Join(t.TempDir(), "config.yaml"), log: &strings.Builder{}}
	if err := os.WriteFile(d.file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(d.file)
	host := config.Host{GOOS: runtime.GOOS, Home: dir, Dir: dir, Environ: environ, ReadFile: os.ReadFile}
	load := func(h config.Host) (*config.Config, error) { return config.Load(h, config.Options{File: d.file}) }
	d.settings = &web.Settings{
		Read: func() (*config.Config, error) { return load(host) },
		Change: func(values map[string]any) (*config.Config, func() error, error) {
			candidate, save, err := changed(host, d.file, values)
			if err != nil {
				return nil, nil, err
			}
			c, err := load(candidate)
			return c, save, err
		},
		Look: func(_ context.Context, path string) error {
			plan, err := ingest.MakePlan(t.Context(), []store.Root{{Path: path}}, nil, false, registry.Best)
			if err != nil {
				return err
			}
			defer plan.Close()
			if plan.Recognised() == 0 {
				return errors.New("no export is recognised there")
			}
			return nil
		},
		Apply: func(c *config.Config) (web.Answering, error) {
			d.applied = append(d.applied, c.Embeddings.Provider)
			return web.Answering{Searcher: search.New(d.reader, clock)}, nil
		},
		KeyFile: func(*config.Config) string { return filepath.Join(dir, "llm-key") },
		CheckKey: func(key string) error {
			_, err := llm.NewKey(key)
			return err
		},
		SaveKey: func(file, key string) error {
			if key == "" {
				return os.Remove(file)
			}
			return config.Save(file, []byte(key))
		},
		KeyFrom: func(c *config.Config) string { return c.LLM.APIKeyFile },
		Try: func(ctx context.Context, c *config.Config, key string) web.Trial {
			k, err := llm.NewKey(key)
			if err != nil {
				return web.Trial{Wrong: err.Error()}
			}
			client, err := llm.New(llm.Options{BaseURL: c.LLM.BaseURL, Model: c.LLM.EmbedModel, Key: k, Timeout: c.LLM.Timeout})
			if err != nil {
				return web.Trial{Wrong: err.Error()}
			}
			began := time.Now()
			vectors, err := client.EmbedNow(ctx, []string{"hello"})
			if told, ok := err.(*llm.Error); ok {
				return web.Trial{Wrong: told.What, Remedy: told.Remedy}
			}
			return web.Trial{Model: c.LLM.EmbedModel, Dimensions: len(vectors[0]), Took: time.Since(began)}
		},
	}
	o.Settings, o.Logger = d.settings, slog.New(slog.NewTextHandler(d.log, nil))
	d.recordDesk = newRecordDesk(t, o)
	return d
}

func (d *settingsDesk) text() string {
	d.t.Helper()
	text, err := os.ReadFile(d.file)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}
