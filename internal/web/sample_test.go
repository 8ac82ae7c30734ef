package web_test

import (
	"context"
	"path/filepath"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/demo"
	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/source/registry"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// now is the clock of all tests: a day on which the sample has something to
// remember.
var now = time.Date(2026, 6, 15, 9, 0, 0, 0, time.UTC)

func clock() time.Time { return now }

// importSample imports the bundled sample into the data folder; dir is for the
// exports.
func importSample(ctx context.Context, dir, data string) error {
	exports := filepath.Join(dir, "exports")
	if err := demo.Extract(exports); err != nil {
		return err
	}
	return importExports(ctx, exports, data, demo.Me)
}

func importExports(ctx context.Context, exports, data string, owner ...string) (err error) {
	w, err := store.OpenWriter(ctx, data)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := w.Close(); err == nil {
			err = closeErr
		}
	}()
	root, err := ingest.RootFor(exports)
	if err != nil {
		return err
	}
	root.Owner = owner
	plan, err := ingest.MakePlan(ctx, []store.Root{root}, nil, false, registry.Best)
	if err != nil {
		return err
	}
	defer plan.Close()
	_, err = ingest.Run(ctx, w, plan, ingest.Options{Now: clock, Version: "test"})
	return err
}
