//go:build unix

package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSignals sends the signals to this very process: each is to cancel the
// command, whose status says so. It does not run in parallel since signals
// are the process's.
func TestSignals(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			ctx, stop := interruptible()
			defer stop()
			wait := command(func(ctx context.Context) error {
				if err := syscall.Kill(syscall.Getpid(), sig); err != nil {
					return err
				}
				select {
				case <-ctx.Done():
					return ctx.Err()
				case <-time.After(10 * time.Second):
					return errors.New("the signal did not cancel the command")
				}
			})
			var errs strings.Builder
			if got := run(ctx, wait, []string{"do"}, nil, io.Discard, &errs, testEnv()); got != exitInterrupted {
				t.Errorf("exit status %d, want %d (stderr %q)", got, exitInterrupted, errs.String())
			}
		})
	}
}

// stuck is a program whose command does not heed its context and gets signals
// until one ends it. Exit status 1 means that none did.
func stuck() {
	ctx, stop := interruptible()
	defer stop()
	ignore := command(func(context.Context) error {
		for range 1000 {
			if err := syscall.Kill(syscall.Getpid(), syscall.SIGINT); err != nil {
				return err
			}
			time.Sleep(10 * time.Millisecond)
		}
		return errors.New("no signal ended the process")
	})
	os.Exit(run(ctx, ignore, []string{"do"}, os.Stdin, os.Stdout, os.Stderr, testEnv()))
}
