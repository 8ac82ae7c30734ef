package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/inert"
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
	return cmd
}

func printSources(cmd *cobra.Command, list []store.RootSummary) error {
	table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "PATH\tSOURCE\tFORMAT\tFILES\tCONVERSATIONS\tMESSAGES\tME\tZONE")
	for _, s := range list {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", inert.Line(s.Path), s.Source, inert.Line(s.Format), count(s.Files), count(s.Conversations), count(s.Messages),
			orDash(strings.Join(s.Owner, ", ")), orDash(s.Zone))
	}
	return table.Flush()
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
}

func sourcesListing(list []store.RootSummary) map[string][]sourceReport {
	all := []sourceReport{}
	for _, s := range list {
		all = append(all, sourceReport{s.Path, string(s.Source), s.Format, s.Files, s.Conversations, s.Messages, append([]string{}, s.Owner...), s.Zone})
	}
	return map[string][]sourceReport{"sources": all}
}
