package ingest

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// answers are what the user said about the roots: who the owner is and which
// zone clock readings are in. Of nested roots the nearest one's hold, whichever
// of them an import was asked for.
type answers struct {
	roots []store.Root
	zones map[string]*time.Location
	// stale are the ids of files that were read with other answers.
	stale map[int64]bool
}

// of returns the root whose answers hold for a file or zip that was found
// below the given root.
func (a *answers) of(path string, below store.Root) store.Root { return nearest(a.roots, path, below) }

// nearest returns the root that a path lies in most closely. Where a root is a
// link, that is none, and below is taken.
func nearest(roots []store.Root, path string, below store.Root) store.Root {
	var found store.Root
	for _, root := range roots {
		within := path == root.Path || strings.HasPrefix(path, strings.TrimSuffix(root.Path, string(filepath.Separator))+string(filepath.Separator))
		if within && len(root.Path) > len(found.Path) {
			found = root
		}
	}
	if found.Path == "" {
		return below
	}
	return found
}

func byID(roots []store.Root, id int64) store.Root {
	for _, root := range roots {
		if root.ID == id {
			return root
		}
	}
	return store.Root{}
}

// zone returns the declared zone of a root, or nil.
func (a *answers) zone(root store.Root) (*time.Location, error) {
	if root.Zone == "" {
		return nil, nil
	}
	if zone := a.zones[root.Zone]; zone != nil {
		return zone, nil
	}
	zone, err := time.LoadLocation(root.Zone)
	if err != nil {
		return nil, fmt.Errorf("time zone %q is not known; use a name such as Europe/Berlin", root.Zone)
	}
	a.zones[root.Zone] = zone
	return zone, nil
}

// gatherAnswers joins what was said of the planned roots with what was said of
// others before.
func gatherAnswers(ctx context.Context, w *store.Writer, plan *Plan) (*answers, error) {
	earlier, err := w.Roots(ctx)
	if err != nil {
		return nil, err
	}
	a := &answers{roots: earlier, zones: map[string]*time.Location{}, stale: map[int64]bool{}}
	for _, planned := range plan.Roots {
		if _, err := a.zone(planned.Root); err != nil {
			return nil, err
		}
		a.roots = slices.DeleteFunc(slices.Clone(a.roots), func(root store.Root) bool { return root.Path == planned.Root.Path })
		a.roots = append(a.roots, planned.Root)
	}
	files, err := w.Files(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		before, after := nearest(earlier, f.Path, byID(earlier, f.RootID)), a.of(f.Path, byID(a.roots, f.RootID))
		if before.Zone != after.Zone || !slices.Equal(before.Owner, after.Owner) {
			a.stale[f.ID] = true
		}
	}
	return a, nil
}

// save records the planned roots that hold something. Files that were read
// with other answers count as unread from the same moment, so that a run that
// is cut off leaves them to the next one.
func (a *answers) save(ctx context.Context, w *store.Writer, plan *Plan, now time.Time) error {
	b, err := w.Begin(ctx)
	if err != nil {
		return err
	}
	defer b.Rollback(context.WithoutCancel(ctx))
	for _, planned := range plan.Roots {
		if len(planned.Files) == 0 {
			continue
		}
		if planned.Root.AddedAt.IsZero() {
			planned.Root.AddedAt = now
		}
		if planned.Root.ID, err = b.SaveRoot(ctx, planned.Root); err != nil {
			return err
		}
	}
	for id := range a.stale {
		if err := b.ForgetReading(ctx, id); err != nil {
			return err
		}
	}
	return b.Commit(ctx)
}
