package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/source/registry"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

// webJobs are what the web interface can start: an import of what is known
// already, and the index for searches by meaning.
func (a *app) webJobs(cmd *cobra.Command, settings *config.Config, s served) *web.Jobs {
	if s.recorder == nil {
		return nil
	}
	jobs := &web.Jobs{List: []web.Job{{
		Name: "import", Label: "Import what is new", Doc: "Looks at the folders and files below again, as \"msgbrowse import\" does without a path.",
		Run: func(ctx context.Context, progress func(done, total int64)) (string, error) {
			now, err := a.settings(cmd)
			if err != nil {
				return "", err
			}
			return a.refresh(ctx, now, progress)
		},
	}}}
	if settings.Embeddings.Provider == config.ProviderNone {
		return jobs
	}
	doc := "Makes messages found by meaning, as \"msgbrowse index\" does; on this machine."
	if settings.Embeddings.Provider == config.ProviderEndpoint {
		doc = "Makes messages found by meaning, as \"msgbrowse index\" does. The text of new messages is sent to " + settings.LLM.BaseURL + "."
	}
	jobs.List = append(jobs.List, web.Job{Name: "index", Label: "Index for searches by meaning", Doc: doc,
		Run: func(ctx context.Context, progress func(done, total int64)) (string, error) {
			summary, err := a.updateVectors(ctx, settings, s.Reader, indexFlags{quiet: true, progress: progress})
			if err != nil {
				return "", err
			}
			return indexedText(summary), nil
		}})
	return jobs
}

// refresh imports what is new where imports looked before and where the
// configuration says, and says what came of it.
func (a *app) refresh(ctx context.Context, settings *config.Config, progress func(done, total int64)) (said string, err error) {
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
			progress(p.Bytes, p.BytesTotal)
		} else {
			progress(p.Messages, p.MessagesTotal)
		}
	}})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("Imported: %s new, %s changed, %s missing.", plural(summary.Added, "message", "messages"), count(summary.Changed), count(summary.Missing)), nil
}
