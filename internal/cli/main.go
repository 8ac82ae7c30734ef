// Package cli is the door for terminals: flags in, one call, words out. Each
// command is one file that builds a cobra.Command; root.go lists them,
// words.go holds the rules for everything said to people, exit.go the exit
// statuses.
package cli

import (
	"context"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/msgbrowse/msgbrowse/internal/config"
)

// Env is the part of the machine that commands depend on besides the three
// streams. Commands ask it instead of the process, so tests decide.
type Env struct {
	// Host is what settings depend on.
	Host config.Host
	// Now is the clock.
	Now func() time.Time
	// Terminal returns the width of the terminal behind w in columns, and
	// false when w is something else.
	Terminal func(w io.Writer) (width int, ok bool)
}

// Machine returns the Env of the running process. A home or current folder
// that cannot be found is left empty; whoever needs it says so.
func Machine() Env {
	home, _ := os.UserHomeDir()
	dir, _ := os.Getwd()
	return Env{
		Host:     config.Host{GOOS: runtime.GOOS, Home: home, Dir: dir, Environ: os.Environ(), ReadFile: os.ReadFile},
		Now:      time.Now,
		Terminal: terminalWidth,
	}
}

func terminalWidth(w io.Writer) (int, bool) {
	file, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	width, _, err := term.GetSize(int(file.Fd()))
	return width, err == nil
}

// Main runs the command that args name, without the program's own name, and
// returns the exit status. Everything a command produces goes to stdout,
// everything about the run to stderr. SIGINT and SIGTERM cancel the command;
// a second one ends the process at once.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, env Env) int {
	ctx, stop := interruptible()
	defer stop()
	return run(ctx, commands, args, stdin, stdout, stderr, env)
}

// interruptible returns a context that the first SIGINT or SIGTERM cancels;
// from then on signals have their usual effect again.
func interruptible() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

func run(ctx context.Context, commands []func(*app) *cobra.Command, args []string,
	stdin io.Reader, stdout, stderr io.Writer, env Env) int {
	a := &app{env: env, stderr: stderr}
	a.level.Set(slog.LevelWarn)
	a.log = slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: &a.level}))
	root := newRoot(a, commands)
	root.SetArgs(append([]string{}, args...)) // nil would mean the process's own
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	status := exitStatus(ctx, err)
	report(stderr, status, err)
	return status
}
