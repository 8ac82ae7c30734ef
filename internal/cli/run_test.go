package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/msgbrowse/msgbrowse/internal/config"
)

// testEnv is a machine without configuration and terminal.
func testEnv() Env {
	return Env{
		Host:     config.Host{GOOS: "linux", Home: "/home/ana", Dir: "/work", ReadFile: func(string) ([]byte, error) { return nil, io.EOF }},
		Now:      func() time.Time { return time.Unix(0, 0) },
		Terminal: func(io.Writer) (int, bool) { return 0, false },
	}
}

// command builds a command named "do" that runs f.
func command(f func(ctx context.Context) error) []func(*app) *cobra.Command {
	return []func(*app) *cobra.Command{func(*app) *cobra.Command {
		return &cobra.Command{Use: "do", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error { return f(cmd.Context()) }}
	}}
}

func TestExitStatus(t *testing.T) {
	t.Parallel()
	live := context.Background()
	cancelled, cancel := context.WithCancel(live)
	cancel()
	broken := errors.New("broken")
	for _, tt := range []struct {
		name string
		ctx  context.Context
		err  error
		want int
	}{
		{"done", live, nil, exitDone},
		{"done although cancelled", cancelled, nil, exitDone},
		{"failed", live, broken, exitFailed},
		{"usage", live, usage(broken), exitUsage},
		{"partly, wrapped", live, fmt.Errorf("import: %w", partly(broken)), exitPartly},
		{"nothing", live, nothing(broken), exitNothing},
		{"interrupted", cancelled, fmt.Errorf("import: %w", context.Canceled), exitInterrupted},
		{"interrupted while partly done", cancelled, partly(context.Canceled), exitInterrupted},
		{"failed while cancelled", cancelled, broken, exitFailed},
		{"something else was cancelled", live, context.Canceled, exitFailed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out, errs strings.Builder
			got := run(tt.ctx, command(func(context.Context) error { return tt.err }), []string{"do"}, strings.NewReader(""), &out, &errs, testEnv())
			if got != tt.want {
				t.Errorf("exit status %d, want %d (stderr %q)", got, tt.want, errs.String())
			}
			if (errs.String() == "") != (tt.want == exitDone) {
				t.Errorf("exit status %d with stderr %q", got, errs.String())
			}
			if out.String() != "" {
				t.Errorf("stdout %q, want nothing", out.String())
			}
		})
	}
}

// A mistake in flag rules is reported by cobra after the arguments' check
// and must not end up as a plain failure.
func TestFlagRules(t *testing.T) {
	t.Parallel()
	build := func(*app) *cobra.Command {
		cmd := &cobra.Command{Use: "do", Args: noArgs, RunE: func(*cobra.Command, []string) error { return nil }}
		cmd.Flags().Bool("needed", false, "")
		cmd.Flags().Bool("a", false, "")
		cmd.Flags().Bool("b", false, "")
		if err := cmd.MarkFlagRequired("needed"); err != nil {
			t.Fatal(err)
		}
		cmd.MarkFlagsMutuallyExclusive("a", "b")
		return cmd
	}
	for _, tt := range []struct {
		name string
		args []string
		want int
	}{
		{"all right", []string{"do", "--needed", "--a"}, exitDone},
		{"required flag missing", []string{"do"}, exitUsage},
		{"flags exclude each other", []string{"do", "--needed", "--a", "--b"}, exitUsage},
		{"value of the wrong type", []string{"do", "--needed=maybe"}, exitUsage},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var errs strings.Builder
			got := run(context.Background(), []func(*app) *cobra.Command{build}, tt.args, nil, io.Discard, &errs, testEnv())
			if got != tt.want {
				t.Errorf("exit status %d, want %d (stderr %q)", got, tt.want, errs.String())
			}
		})
	}
}

// A nil argument list is an empty one, not that of the process.
func TestNoArguments(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if got := Main(nil, nil, &out, io.Discard, testEnv()); got != exitDone {
		t.Errorf("exit status %d, want %d", got, exitDone)
	}
	if !strings.Contains(out.String(), "Usage:") {
		t.Errorf("stdout %q, want the help", out.String())
	}
}

// A list flag hands over each of its values as it is.
func TestBoundListFlag(t *testing.T) {
	t.Parallel()
	var got []string
	build := func(a *app) *cobra.Command {
		cmd := &cobra.Command{Use: "do", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := a.settings(cmd)
			if err == nil {
				got = settings.Me
			}
			return err
		}}
		cmd.Flags().StringArray("me", nil, "")
		bind(cmd.Flags(), "me", "me")
		return cmd
	}
	env := testEnv()
	env.Host.Home = "" // no usual file is looked for
	args := []string{"do", "--data-dir", "/d", "--me", "Doe, Jo", "--me", "jo"}
	var errs strings.Builder
	if status := run(context.Background(), []func(*app) *cobra.Command{build}, args, nil, io.Discard, &errs, env); status != exitDone {
		t.Fatalf("exit status %d, stderr %q", status, errs.String())
	}
	if len(got) != 2 || got[0] != "Doe, Jo" || got[1] != "jo" {
		t.Errorf("me = %q, want the two values", got)
	}
}

// The help is the manual, so no command may be without one.
func TestManual(t *testing.T) {
	t.Parallel()
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		if cmd.Short == "" || cmd.Long == "" || cmd.Example == "" {
			t.Errorf("%s: no short text, no long text or no example", cmd.CommandPath())
		}
		if !strings.Contains(cmd.Example, "msgbrowse") {
			t.Errorf("%s: the example does not show the command", cmd.CommandPath())
		}
		for line := range strings.Lines(cmd.Long + "\n" + cmd.Example) {
			if len([]rune(line)) > 90 {
				t.Errorf("%s: line too long for a terminal: %q", cmd.CommandPath(), line)
			}
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s: --%s is not documented", cmd.CommandPath(), f.Name)
			}
		})
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(newRoot(&app{}, commands))
}
