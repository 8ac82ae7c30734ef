package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

func newSpamRules(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "Print the rules in force and their version",
		Long: `Print the settings of the record as they are in force, with the version that they
amount to. The order of a list does not change the version, any value does; findings
of another version are examined again by the next scan.`,
		Example: `  msgbrowse spam rules
  msgbrowse spam rules --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := a.settings(cmd)
			if err != nil {
				return err
			}
			rules, clocks, err := spamRules(settings)
			if err != nil {
				return err
			}
			scanned, err := scannedVersion(cmd.Context(), settings)
			if err != nil {
				return err
			}
			if asJSON {
				report := rulesReport{Version: rules.Version(), Scanned: scanned, Clock: clocks.Name(), Settings: map[string]any{}}
				for _, v := range settings.Values() {
					if key, ok := strings.CutPrefix(v.Key, "spam."); ok {
						report.Settings[key] = jsonValue(v.Value)
					}
				}
				return writeJSON(cmd, report)
			}
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "Version %s\n", rules.Version())
			switch scanned {
			case "":
				fmt.Fprintln(out, "Nothing was scanned yet.")
			case rules.Version():
				fmt.Fprintln(out, "The record was made under this version.")
			default:
				fmt.Fprintf(out, "The record was made under version %s; the next \"msgbrowse spam scan\" examines everything again.\n", scanned)
			}
			fmt.Fprintf(out, "Days are counted by the clock of %s.\n\n", clocks.Name())
			rows := [][]string{{"SETTING", "VALUE", "FROM"}}
			for _, v := range settings.Values() {
				if strings.HasPrefix(v.Key, "spam.") {
					rows = append(rows, []string{v.Key, settingText(v.Value), v.Origin.String()})
				}
			}
			return printTable(out, rows)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

// rulesReport is the rules as JSON.
type rulesReport struct {
	Version string `json:"ruleset_version"`
	// Scanned is the version that the record was made under, empty before the
	// first scan.
	Scanned  string         `json:"scanned_ruleset_version"`
	Clock    string         `json:"clock"`
	Settings map[string]any `json:"settings"`
}

// scannedVersion is the version of the findings in the archive; empty when
// there is none, nor an archive.
func scannedVersion(ctx context.Context, settings *config.Config) (string, error) {
	r, err := store.OpenReader(ctx, settings.DataDir, store.ReaderOptions{})
	if errors.Is(err, store.ErrNoArchive) || errors.Is(err, store.ErrOldSchema) {
		return "", nil
	}
	if err != nil {
		return "", archiveError(err)
	}
	defer r.Close()
	state, err := r.SpamState(ctx)
	return state.Ruleset, err
}
