package cli

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by release builds: -ldflags "-X …/internal/cli.version=v1.2.3".
var version string

// build describes the running program.
type build struct {
	// Version is the release, or what the Go toolchain recorded, or "devel".
	Version string `json:"version"`
	// Revision is the commit it was built from, empty if it was not recorded.
	Revision string `json:"revision,omitempty"`
	// Modified is set when the source differed from that commit.
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

func thisBuild() build {
	info, _ := debug.ReadBuildInfo()
	return describe(version, info)
}

// describe reads info, which may be nil; release wins over the version in it.
func describe(release string, info *debug.BuildInfo) build {
	b := build{Version: release, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	if info != nil {
		if b.Version == "" && info.Main.Version != "(devel)" {
			b.Version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Revision = s.Value
			case "vcs.modified":
				b.Modified = s.Value == "true"
			}
		}
	}
	if b.Version == "" {
		b.Version = "devel"
	}
	return b
}

func (b build) String() string {
	s := "msgbrowse " + b.Version
	if b.Revision != "" {
		s += " (" + b.Revision[:min(len(b.Revision), 12)]
		if b.Modified {
			s += ", modified"
		}
		s += ")"
	}
	return fmt.Sprintf("%s, %s, %s/%s", s, b.Go, b.OS, b.Arch)
}

func newVersion(*app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Say which version this is",
		Long: `Say which version of msgbrowse this is, the commit it was built from as far as it
is known, the Go version and the platform.`,
		Example: `  msgbrowse version
  msgbrowse version --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return writeJSON(cmd, thisBuild())
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), thisBuild())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

// writeJSON prints v on standard output, indented.
func writeJSON(cmd *cobra.Command, v any) error {
	e := json.NewEncoder(cmd.OutOrStdout())
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
