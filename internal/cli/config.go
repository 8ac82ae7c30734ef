package cli

import (
	"fmt"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/inert"
)

func newConfig(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show every setting in force and where it comes from",
		Long: `Show every setting in force and where its value comes from: the default, a line
of the configuration file, an environment variable or a flag.

A setting's variable is MSGBROWSE_ and its key in capitals, with underscores for
dots: mcp.listen is MSGBROWSE_MCP_LISTEN. The configuration file is YAML; a dot
in a key is a block in the file. Unknown keys and variables are errors.`,
		Example: `  msgbrowse config
  msgbrowse config --json
  MSGBROWSE_LOG_LEVEL=info msgbrowse config --data-dir ~/archive`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := a.settings(cmd)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd, listing(settings))
			}
			return printSettings(cmd, a.env.Host, settings)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

func printSettings(cmd *cobra.Command, host config.Host, settings *config.Config) error {
	out := cmd.OutOrStdout()
	fmt.Fprintln(out, fileLine(host, settings.File))
	fmt.Fprintln(out)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "SETTING\tVALUE\tFROM")
	for _, v := range settings.Values() {
		fmt.Fprintf(table, "%s\t%s\t%s\n", v.Key, settingText(v.Value), v.Origin)
	}
	return table.Flush()
}

func fileLine(host config.Host, file string) string {
	if file != "" {
		return "Configuration file: " + file
	}
	usual, err := config.UsualFile(host)
	if err != nil {
		return "Configuration file: none"
	}
	return "Configuration file: none (it would be " + usual + ")"
}

// settingText writes a value as people would; what is empty is "none".
func settingText(value any) string {
	var s string
	switch v := value.(type) {
	case []string:
		s = strings.Join(v, ", ")
	case slog.Level:
		s = strings.ToLower(v.String())
	default:
		s = fmt.Sprint(v)
	}
	if s == "" {
		return "none"
	}
	return inert.Line(s)
}

type settingsListing struct {
	// File is the configuration file that was read, empty if none.
	File     string           `json:"file"`
	Settings []settingListing `json:"settings"`
}

type settingListing struct {
	Key      string `json:"key"`
	Variable string `json:"variable"`
	// Value is text, a list of texts or a boolean.
	Value  any    `json:"value"`
	Origin string `json:"origin"`
	Doc    string `json:"doc"`
}

func listing(settings *config.Config) settingsListing {
	all := settingsListing{File: settings.File}
	for _, v := range settings.Values() {
		all.Settings = append(all.Settings, settingListing{
			Key: v.Key, Variable: v.Variable, Value: jsonValue(v.Value), Origin: v.Origin.String(), Doc: v.Doc,
		})
	}
	return all
}

func jsonValue(value any) any {
	switch v := value.(type) {
	case []string:
		return append([]string{}, v...) // an empty list, not null
	case slog.Level:
		return strings.ToLower(v.String())
	case time.Duration:
		return v.String()
	default:
		return v
	}
}
