package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/embed"
	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/source/registry"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

// webJobs are what the web interface can start: an import of what is known
// already, and the index for searches by meaning.
func (a *app) webJobs(cmd *cobra.Command, s served) *web.Jobs {
	if s.recorder == nil {
		return nil
	}
	jobs := &web.Jobs{List: []web.Job{{
		Name: "import", Label: "Import what is new", Doc: "Looks at the folders and files below again, as \"msgbrowse import\" does without a path.",
		Run: func(ctx context.Context, progress func(web.Progress)) (string, error) {
			now, err := a.settings(cmd)
			if err != nil {
				return "", err
			}
			return a.refresh(ctx, now, progress)
		},
	}}}
	index := func(rebuild bool) func(context.Context, func(web.Progress)) (string, error) {
		return func(ctx context.Context, progress func(web.Progress)) (string, error) {
			now, err := a.settings(cmd)
			if err != nil {
				return "", err
			}
			summary, err := a.updateVectors(ctx, now, s.Reader, indexFlags{quiet: true, rebuild: rebuild, progress: func(done, total int64) { progress(web.Progress{Done: done, Total: total}) }})
			if err != nil {
				return "", err
			}
			return indexedText(summary), nil
		}
	}
	describe := func(doc, sent string) func() string {
		return func() string {
			now, err := a.settings(cmd)
			switch {
			case err != nil, now.Embeddings.Provider == config.ProviderNone:
				return ""
			case now.Embeddings.Provider == config.ProviderEndpoint:
				return doc + " " + sent + " " + now.LLM.BaseURL + "."
			}
			return doc + " Nothing leaves this machine."
		}
	}
	jobs.List = append(jobs.List,
		web.Job{Name: "index", Label: "Index for searches by meaning", Run: index(false),
			Describe: describe("Makes messages found by meaning, as \"msgbrowse index\" does.", "The text of new messages is sent to")},
		web.Job{Name: "reindex", Label: "Make this index anew", Run: index(true), Asks: true,
			Describe: describe("Finds the meaning of every message again, as \"msgbrowse index --rebuild\" does. It is seldom needed, and takes as long as the first time; until it is done, searches use the index there is.",
				"The text of every message is sent to")})
	return jobs
}

// webIndex tells how far the index for searches by meaning is. The settings
// are read each time unless they are fixed.
func (a *app) webIndex(cmd *cobra.Command, settings *config.Config, r *store.Reader, fixed bool) func(context.Context) (web.IndexState, error) {
	return func(ctx context.Context) (web.IndexState, error) {
		now := settings
		if !fixed {
			var err error
			if now, err = a.settings(cmd); err != nil {
				return web.IndexState{}, err
			}
		}
		model, err := a.model(now)
		if err != nil || model == nil {
			return web.IndexState{}, err
		}
		s, err := embed.StatusOf(ctx, r, vectorsDir(now), model)
		return web.IndexState{Provider: now.Embeddings.Provider, Complete: s.Complete, Behind: s.Behind, Text: indexState(s)}, err
	}
}

// refresh imports what is new where imports looked before and where the
// configuration says, and says what came of it.
func (a *app) refresh(ctx context.Context, settings *config.Config, progress func(web.Progress)) (said string, err error) {
	lock, err := ingest.AcquireLock(settings.DataDir, a.env.Now())
	if err != nil {
		return "", lockError(err)
	}
	defer lock.Release()
	w, err := store.OpenWriter(ctx, settings.DataDir)
	if err != nil {
		return "", archiveError(err)
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	earlier, err := w.Roots(ctx)
	if err != nil {
		return "", err
	}
	roots, err := chooseRoots(settings, nil, earlier)
	if err != nil {
		return "", err
	}
	files, err := w.Files(ctx)
	if err != nil {
		return "", err
	}
	plan, err := ingest.MakePlan(ctx, roots, ingest.KnownFiles(files), false, registry.Best)
	if err != nil {
		return "", err
	}
	defer plan.Close()
	summary, err := ingest.Run(ctx, w, plan, ingest.Options{Now: a.env.Now, Version: thisBuild().Version, Progress: func(p ingest.Progress) {
		if p.Phase == ingest.PhaseRead {
			progress(web.Progress{Done: p.Bytes, Total: p.BytesTotal, Bytes: true})
		} else {
			progress(web.Progress{Done: p.Messages, Total: p.MessagesTotal})
		}
	}})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("Imported: %s new, %s changed, %s missing.", plural(summary.Added, "message", "messages"), count(summary.Changed), count(summary.Missing)), nil
}
