package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/embed"
	"github.com/msgbrowse/msgbrowse/internal/embed/endpoint"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/vector"
)

// indexFlags are the flags of index.
type indexFlags struct {
	rebuild, status, quiet, asJSON bool
	// progress, if set, is told how many of the messages are done.
	progress func(done, total int64)
}

func newIndex(a *app) *cobra.Command {
	var f indexFlags
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Bring the index for searches by meaning up to date",
		Long: `Bring the index for searches by meaning up to date with the archive. import does
this by itself unless told not to; this command goes on with a run that was cut
off, makes the index of another model after embeddings.provider was changed, and
makes all of it anew with --rebuild. Until a new model's index is complete the
one in the program goes on answering.

The index holds numbers made from messages, not their text, but it is as private
as the messages. It lies in the folder "vectors" of the data folder and can be
deleted at any time.

With an endpoint as the provider the text of messages is sent to it, but for the
conversations in privacy.exclude_conversations; how much is said before.`,
		Example: `  msgbrowse index
  msgbrowse index --status
  msgbrowse index --rebuild`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.reading(cmd, func(ctx context.Context, settings *config.Config, r *store.Reader) error {
				if f.status {
					return a.indexStatus(cmd, settings, r, f.asJSON)
				}
				summary, err := a.updateVectors(ctx, settings, r, f)
				if err != nil {
					return err
				}
				if f.asJSON {
					return writeJSON(cmd, indexReport{Messages: summary.Messages, Texts: summary.Texts, Deleted: summary.Deleted})
				}
				if !f.quiet {
					fmt.Fprintln(cmd.ErrOrStderr(), indexedText(summary))
				}
				return nil
			})
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.rebuild, "rebuild", false, "embed every message again")
	flags.BoolVar(&f.status, "status", false, "say how far the index is and change nothing")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show no progress")
	flags.BoolVar(&f.asJSON, "json", false, "print a JSON object")
	cmd.MarkFlagsMutuallyExclusive("rebuild", "status")
	return cmd
}

type indexReport struct {
	Messages int64 `json:"messages"`
	Texts    int64 `json:"texts"`
	Deleted  int64 `json:"deleted"`
}

func indexedText(s embed.Summary) string {
	if s.Texts == 0 && s.Deleted == 0 {
		return "The index for searches by meaning is up to date."
	}
	return fmt.Sprintf("Indexed for searches by meaning: %s in %s.", plural(s.Messages, "message", "messages"), plural(s.Texts, "vector", "vectors"))
}

// errNoModel is for commands that can do nothing without a model.
var errNoModel = usage(errors.New("embeddings.provider is none, so that messages are found by their words only; set it to builtin to find them by meaning"))

// updateVectors brings the vector index of the chosen model up to date and
// shows how far it is. Indexes of models that are in use no longer go.
func (a *app) updateVectors(ctx context.Context, settings *config.Config, r *store.Reader, f indexFlags) (embed.Summary, error) {
	model, err := a.model(settings)
	if err != nil {
		return embed.Summary{}, err
	}
	if model == nil {
		return embed.Summary{}, errNoModel
	}
	o := embed.UpdateOptions{Now: a.env.Now, Rebuild: f.rebuild}
	if remote, ok := model.(*endpoint.Embedder); ok {
		if o.Excluded, err = excludedConversations(ctx, settings, r); err != nil {
			return embed.Summary{}, err
		}
		if _, err := remote.Probe(ctx); err != nil {
			return embed.Summary{}, err
		}
		o.Announce = func(c embed.Cost) error {
			if !f.quiet && !f.asJSON && c.Texts > 0 {
				fmt.Fprintf(a.stderr, "Sending %s with %s to %s.\n", plural(c.Texts, "text", "texts"), plural(c.Runes, "character", "characters"), settings.LLM.BaseURL)
			}
			return nil
		}
	}
	bar := a.progress(f.quiet || f.asJSON)
	begun := false
	o.Progress = func(p embed.Progress) {
		if !begun {
			bar.begin("finding meanings", unit{"message", "messages"}, p.Total)
			begun = true
		}
		bar.set(p.Messages)
		if f.progress != nil {
			f.progress(p.Messages, p.Total)
		}
	}
	summary, err := embed.Update(ctx, r, vectorsDir(settings), model, o)
	bar.end()
	var locked *vector.LockedError
	if errors.As(err, &locked) {
		return summary, errors.New("another process is making the index; \"msgbrowse index --status\" tells how far it is")
	}
	if err != nil {
		return summary, fmt.Errorf("%w; \"msgbrowse index\" goes on from there", err)
	}
	return summary, dropOthers(settings, model)
}

// dropOthers deletes the indexes of models that are not the chosen one, which
// is complete by now.
func dropOthers(settings *config.Config, chosen embed.Embedder) error {
	names, err := vector.Fingerprints(vectorsDir(settings))
	if err != nil {
		return err
	}
	for _, name := range names {
		if name == chosen.Fingerprint() {
			continue
		}
		if err := vector.Remove(vectorsDir(settings), name); err != nil {
			return fmt.Errorf("delete index of model %s: %w", name, err)
		}
	}
	return nil
}

type indexStatusReport struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Complete bool   `json:"complete"`
	Running  bool   `json:"running_or_cut_off"`
	Vectors  int64  `json:"vectors"`
	Behind   int64  `json:"messages_not_indexed"`
	Revised  int64  `json:"days_changed"`
}

func (a *app) indexStatus(cmd *cobra.Command, settings *config.Config, r *store.Reader, asJSON bool) error {
	model, err := a.model(settings)
	if err != nil {
		return err
	}
	if model == nil {
		return errNoModel
	}
	s, err := embed.StatusOf(cmd.Context(), r, vectorsDir(settings), model)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(cmd, indexStatusReport{settings.Embeddings.Provider, s.Fingerprint, s.Complete, s.Running, s.Vectors, s.Behind, s.Revised})
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "Model: %s (%s)\n", s.Fingerprint, settings.Embeddings.Provider)
	fmt.Fprintln(out, "State: "+indexState(s))
	if s.Vectors > 0 {
		fmt.Fprintf(out, "Size: %s\n", plural(s.Vectors, "vector", "vectors"))
	}
	return nil
}

func indexState(s embed.Status) string {
	switch {
	case s.Running && s.Complete:
		return "complete as of the last run; another is under way or was cut off"
	case s.Running:
		return "not complete; a run is under way or was cut off: \"msgbrowse index\" goes on with it"
	case !s.Complete:
		return "there is none; \"msgbrowse index\" makes it"
	case s.Behind > 0 || s.Revised > 0:
		return fmt.Sprintf("%s to be indexed, %s of conversations to be looked at again; run \"msgbrowse index\"",
			plural(s.Behind, "new message", "new messages"), plural(s.Revised, "day", "days"))
	}
	return "up to date"
}
