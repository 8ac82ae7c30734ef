package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

func newSources(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "sources",
		Short: "List what was imported, from where",
		Long: `List the files and folders that were imported, what each of them gave, and what
was said about them: your own names there and the declared time zone.`,
		Example: `  msgbrowse sources
  msgbrowse sources --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.reading(cmd, func(ctx context.Context, _ *config.Config, r *store.Reader) error {
				list, err := r.RootSummaries(ctx)
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(cmd, sourcesListing(list))
				}
				if len(list) == 0 {
					return nothing(errors.New("nothing was imported yet; \"msgbrowse import PATH\" does"))
				}
				return printSources(cmd, list)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	cmd.AddCommand(newSourcesForget(a))
	return cmd
}

func newSourcesForget(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "forget path...",
		Short: "Look no longer at files and folders that were imported",
		Long: `Take files and folders off the list that an import without a path looks at. What
came from there stays in the archive. Importing one of them by its path puts it
back on the list.`,
		Example: `  msgbrowse sources forget ~/exports/old-phone`,
		Args:    someArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			settings, err := a.settings(cmd)
			if err != nil {
				return err
			}
			w, err := openRecorder(cmd.Context(), settings)
			if err != nil {
				return err
			}
			return errors.Join(a.forgetRoots(cmd, settings, w, args), w.Close())
		},
	}
}

func (a *app) forgetRoots(cmd *cobra.Command, settings *config.Config, w *store.Recorder, paths []string) error {
	ctx := cmd.Context()
	r, err := w.Reader(ctx)
	if err != nil {
		return archiveError(err)
	}
	defer r.Close()
	known, err := r.Roots(ctx)
	if err != nil {
		return err
	}
	for _, path := range paths {
		root, err := ingest.RootFor(path)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(known, func(k store.Root) bool { return k.Path == root.Path })
		if at < 0 {
			return usage(fmt.Errorf("nothing was imported from %s; \"msgbrowse sources\" lists what was", inert.Line(root.Path)))
		}
		if slices.Contains(configuredRoots(settings), root.Path) {
			return usage(fmt.Errorf("the configuration names %s; take it out there, or imports look at it all the same", inert.Line(root.Path)))
		}
		if err := w.ForgetRoot(ctx, known[at].ID, true); err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "Imports no longer look at %s; what came from there stays.\n", inert.Line(root.Path))
	}
	return nil
}

func printSources(cmd *cobra.Command, list []store.RootSummary) error {
	table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "PATH\tSOURCE\tFORMAT\tFILES\tCONVERSATIONS\tMESSAGES\tME\tZONE\tLAST READ")
	for _, s := range list {
		read := orDash(readAt(s))
		if s.Forgotten {
			read += " (forgotten)"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", inert.Line(s.Path), s.Source, inert.Line(s.Format), count(s.Files), count(s.Conversations), count(s.Messages),
			orDash(strings.Join(s.Owner, ", ")), orDash(s.Zone), read)
	}
	return table.Flush()
}

// readAt is when the import began that last read a file of a root; empty when
// none did.
func readAt(s store.RootSummary) string {
	if s.ReadAt.IsZero() {
		return ""
	}
	return s.ReadAt.Format(time.RFC3339)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return inert.Line(s)
}

type sourceReport struct {
	Path          string   `json:"path"`
	Source        string   `json:"source"`
	Format        string   `json:"format"`
	Files         int64    `json:"files"`
	Conversations int64    `json:"conversations"`
	Messages      int64    `json:"messages"`
	Me            []string `json:"me"`
	Zone          string   `json:"tz"`
	ReadAt        string   `json:"last_read,omitempty"`
	Forgotten     bool     `json:"forgotten,omitempty"`
}

func sourcesListing(list []store.RootSummary) map[string][]sourceReport {
	all := []sourceReport{}
	for _, s := range list {
		all = append(all, sourceReport{s.Path, string(s.Source), s.Format, s.Files, s.Conversations, s.Messages, append([]string{}, s.Owner...), s.Zone, readAt(s), s.Forgotten})
	}
	return map[string][]sourceReport{"sources": all}
}
