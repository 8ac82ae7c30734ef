package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// openReader opens the archive of a command that only reads. It never makes
// one: a folder without an archive is a mistake in what the user gave.
func openReader(ctx context.Context, settings *config.Config) (*store.Reader, error) {
	r, err := store.OpenReader(ctx, settings.DataDir, store.ReaderOptions{})
	return r, archiveError(err)
}

// reading runs a command that only reads the archive, and closes that.
func (a *app) reading(cmd *cobra.Command, do func(context.Context, *config.Config, *store.Reader) error) error {
	settings, err := a.settings(cmd)
	if err != nil {
		return err
	}
	r, err := openReader(cmd.Context(), settings)
	if err != nil {
		return err
	}
	defer r.Close()
	return do(cmd.Context(), settings, r)
}

// openRecorder opens the archive of a command that writes what people decide
// and what is derived from messages. It never makes one.
func openRecorder(ctx context.Context, settings *config.Config) (*store.Recorder, error) {
	w, err := store.OpenRecorder(ctx, settings.DataDir)
	return w, archiveError(err)
}

// archiveError words what can be wrong with an archive and says what helps.
func archiveError(err error) error {
	var at *store.PathError
	if !errors.As(err, &at) {
		return err
	}
	switch {
	case errors.Is(err, store.ErrNoArchive):
		return usage(fmt.Errorf("no archive at %s; make one with \"msgbrowse import PATH\" or name its folder with --data-dir", at.Path))
	case errors.Is(err, store.ErrOldSchema):
		return usage(fmt.Errorf("the archive at %s was made by an older msgbrowse; run \"msgbrowse import\" to upgrade it", at.Path))
	case errors.Is(err, store.ErrNewSchema):
		return usage(fmt.Errorf("the archive at %s was made by a newer msgbrowse; install that version or a later one", at.Path))
	case errors.Is(err, store.ErrForeign):
		return usage(fmt.Errorf("%s is a database of another program; name another folder with --data-dir", at.Path))
	}
	return fmt.Errorf("open archive %s: %w", at.Path, at.Err)
}

// remedies say what helps against what keeps an archive from being used.
var remedies = map[store.Trouble]string{
	store.Damaged:    `the archive is damaged; put back a copy of it, or move it away and import the exports again`,
	store.DiskFull:   `the disk is full; make room and run it again: what was finished before is kept`,
	store.Unwritable: `the archive, its folder or its disk cannot be written to`,
	store.Busy:       `another program is writing to the archive; try again when it is done`,
}
