package cli

import (
	"context"
	"errors"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// The exit statuses, for scripts. The manual repeats them in root.go and
// docs/configuration.md.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2   // command line, configuration or environment is wrong; nothing was done
	exitPartly      = 3   // some files or records could not be imported
	exitNothing     = 4   // nothing was found, or nothing was recognised
	exitInterrupted = 130 // as shells report SIGINT
)

// statusError is an error that decides the exit status.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string { return e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

// usage marks err as a mistake in what the user gave.
func usage(err error) error { return &statusError{exitUsage, err} }

// partly marks err as the summary of a run that did some of its work.
func partly(err error) error { return &statusError{exitPartly, err} }

// nothing marks err as the outcome that there was nothing to find.
func nothing(err error) error { return &statusError{exitNothing, err} }

// exitStatus returns the status for a command's error. A cancelled command
// was interrupted only if the whole run was. What is wrong with the archive is
// no mistake in what the user gave.
func exitStatus(ctx context.Context, err error) int {
	var marked *statusError
	switch {
	case err == nil:
		return exitDone
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return exitInterrupted
	case store.TroubleOf(err) != "":
		return exitFailed
	case errors.As(err, &marked):
		return marked.status
	default:
		return exitFailed
	}
}
