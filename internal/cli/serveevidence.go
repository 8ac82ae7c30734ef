package cli

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/contacts"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

// served is an archive that pages are made of.
type served struct {
	*store.Reader
	// recorder is nil for an archive that cannot be written to: the pages of
	// the record then only show.
	recorder *store.Recorder
}

// openServed opens the archive for the web interface. One that cannot be read
// as it is stays as it is.
func (a *app) openServed(ctx context.Context, settings *config.Config) (served, error) {
	r, err := openReader(ctx, settings)
	if err != nil {
		return served{}, err
	}
	// A reader that stands beside a writer is opened as one.
	if err := r.Close(); err != nil {
		return served{}, err
	}
	w, err := openRecorder(ctx, settings)
	if err != nil {
		a.log.Warn("serve: the archive cannot be written to, so nothing can be recorded", "err", err)
		r, err := openReader(ctx, settings)
		return served{Reader: r}, err
	}
	if r, err = w.Reader(ctx); err != nil {
		return served{}, errors.Join(archiveError(err), w.Close())
	}
	return served{r, w}, nil
}

func (s served) close() error {
	err := s.Reader.Close()
	if s.recorder != nil {
		err = errors.Join(err, s.recorder.Close())
	}
	return err
}

// webEvidence is what the pages of the record work with. The settings are read
// for every page unless they are fixed.
func (a *app) webEvidence(cmd *cobra.Command, settings *config.Config, s served, fixed bool) *web.Evidence {
	setup := func() (web.EvidenceSetup, error) {
		now := settings
		if !fixed {
			var err error
			if now, err = a.settings(cmd); err != nil {
				return web.EvidenceSetup{}, err
			}
		}
		rules, clocks, err := spamRules(now)
		books := func(ctx context.Context) (contacts.AddressBooks, error) { return a.addressBooks(ctx, now) }
		return web.EvidenceSetup{Rules: rules, Clocks: clocks, Books: books, ExportDir: exportDir(now)}, err
	}
	version := thisBuild().Version
	return &web.Evidence{Recorder: s.recorder, Setup: setup, Program: "msgbrowse " + version, Version: version, PID: os.Getpid()}
}
