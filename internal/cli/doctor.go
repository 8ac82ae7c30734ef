package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

func newDoctor(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check the installation and the archive",
		Long: `Check the settings, the archive's soundness and permissions, whether the imported
files are still where they were, and what the latest import could not read.

Exit status: 0 all is well, 1 something needs attention.`,
		Example: `  msgbrowse doctor
  msgbrowse doctor --data-dir ~/archive`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			settings, err := a.settings(cmd)
			if err != nil {
				return err
			}
			d := &doctor{out: cmd.OutOrStdout()}
			if err := d.examine(cmd, settings); err != nil {
				return err
			}
			if d.faults > 0 {
				return fmt.Errorf("%s attention", plural(int64(d.faults), "thing needs", "things need"))
			}
			return nil
		},
	}
}

// doctor says what it finds, line by line.
type doctor struct {
	out     io.Writer
	faults  int
	damaged bool // the archive is; what it says may be missing
}

func (d *doctor) well(format string, args ...any) { fmt.Fprintf(d.out, "ok    "+format+"\n", args...) }

func (d *doctor) ill(format string, args ...any) {
	d.faults++
	fmt.Fprintf(d.out, "FAULT "+format+"\n", args...)
}

func (d *doctor) examine(cmd *cobra.Command, settings *config.Config) error {
	d.well("%s", thisBuild())
	if settings.File != "" {
		d.well("configuration %s", inert.Line(settings.File))
	}
	for _, v := range settings.Values() {
		if v.Key == "data_dir" {
			d.well("data folder %s (%s)", inert.Line(settings.DataDir), v.Origin)
		}
	}
	r, err := openReader(cmd.Context(), settings)
	if store.TroubleOf(err) == store.Damaged {
		d.illArchive(filepath.Join(settings.DataDir, store.FileName), err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close()
	d.permissions(settings.DataDir)
	for _, part := range []func(*cobra.Command, *store.Reader) error{d.archive, d.soundness, d.files, d.lastImport} {
		if err := part(cmd, r); store.TroubleOf(err) == store.Damaged {
			d.illArchive(r.Path(), err.Error())
		} else if err != nil {
			return err
		}
	}
	return nil
}

// illArchive says once that the archive is damaged, and where it shows.
func (d *doctor) illArchive(path string, shows ...string) {
	if !d.damaged {
		d.ill("%s: %s", inert.Line(path), remedies[store.Damaged])
	}
	d.damaged = true
	d.list(len(shows), func(i int) string { return inert.Line(shows[i]) })
}

// list adds lines to what was said, not too many.
func (d *doctor) list(n int, line func(i int) string) {
	for i := range n {
		if i == shownProblems {
			fmt.Fprintf(d.out, "      … and %d more\n", n-i)
			return
		}
		fmt.Fprintln(d.out, "      "+line(i))
	}
}

// permissions checks that nobody else can read the data folder. Windows keeps
// them elsewhere.
func (d *doctor) permissions(dir string) {
	for path, most := range map[string]fs.FileMode{dir: store.DirMode, filepath.Join(dir, store.FileName): store.FileMode} {
		info, err := os.Stat(path)
		if err != nil {
			d.ill("%s: %v", inert.Line(path), err)
			continue
		}
		if mode := info.Mode().Perm(); mode&^most != 0 && os.PathSeparator == '/' {
			d.ill("%s can be read by others (mode %04o); \"chmod %04o %s\" or the next import closes it", inert.Line(path), mode, most, inert.Line(path))
		}
	}
}

func (d *doctor) archive(cmd *cobra.Command, r *store.Reader) error {
	o, err := r.Overview(cmd.Context())
	if err != nil {
		return err
	}
	d.well("archive %s, %s, schema %d", inert.Line(r.Path()), size(o.Bytes), o.SchemaVersion)
	d.well("%s in %s from %s, %s, %s", plural(o.Messages, "message", "messages"), plural(o.Conversations, "conversation", "conversations"),
		plural(int64(len(o.Sources)), "source", "sources"), plural(o.Media, "media file", "media files"), plural(o.Links, "link", "links"))
	if o.Missing > 0 {
		d.well("%s no longer in their exports; kept, left out of lists and search", plural(o.Missing, "message is", "messages are"))
	}
	if o.Unindexed > 0 {
		d.ill("%s not searchable yet; \"msgbrowse import\" finishes the index", plural(o.Unindexed, "message is", "messages are"))
	}
	return nil
}

// soundness checks that the pages of the database agree with each other.
func (d *doctor) soundness(cmd *cobra.Command, r *store.Reader) error {
	found, err := r.Check(cmd.Context())
	switch {
	case err != nil:
		return err
	case len(found) > 0:
		d.illArchive(r.Path(), found...)
	case !d.damaged:
		d.well("database sound")
	}
	return nil
}

// files checks that citations can still be followed to their files.
func (d *doctor) files(cmd *cobra.Command, r *store.Reader) error {
	files, err := r.Files(cmd.Context())
	if err != nil {
		return err
	}
	roots, err := r.Roots(cmd.Context())
	if err != nil {
		return err
	}
	forgotten := map[int64]bool{}
	for _, root := range roots {
		forgotten[root.ID] = root.Forgotten
	}
	gone, changed, given, seen := 0, 0, int64(0), map[string]bool{}
	for _, f := range files {
		if seen[f.Path] {
			continue
		}
		seen[f.Path] = true
		info, err := os.Stat(f.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && forgotten[f.RootID]:
			given++
		case errors.Is(err, fs.ErrNotExist):
			if gone++; gone <= 3 {
				d.ill("%s is gone; citations to it cannot be checked; \"msgbrowse sources forget PATH\" says that it will not come back", inert.Line(f.Path))
			}
		case err != nil:
			d.ill("%s cannot be read: %v", inert.Line(f.Path), err)
		case info.Size() != f.Size || info.ModTime().UnixNano() != f.ModTime:
			changed++
		}
	}
	if gone > 3 {
		d.ill("%s gone", plural(int64(gone-3), "more file is", "more files are"))
	}
	if given > 0 {
		d.well("%s cannot be checked", plural(given, "file of a forgotten source is gone; citations to it", "files of forgotten sources are gone; citations to them"))
	}
	if changed > 0 {
		d.well("%s changed since the last import; \"msgbrowse import\" reads them", plural(int64(changed), "file has", "files have"))
	}
	d.well("%s looked at", plural(int64(len(seen)), "imported file", "imported files"))
	return nil
}

func (d *doctor) lastImport(cmd *cobra.Command, r *store.Reader) error {
	runs, err := r.Imports(cmd.Context(), 1)
	if err != nil || len(runs) == 0 {
		return err
	}
	run := runs[0]
	when := run.StartedAt.Format("2006-01-02 15:04 MST")
	switch run.Status {
	case store.ImportDone, store.ImportRunning:
		d.well("import %d, %s: %s", run.ID, when, run.Status)
	default:
		d.ill("import %d, %s: %s", run.ID, when, run.Status)
	}
	problems, err := r.Problems(cmd.Context(), run.ID, 0, 0)
	if err != nil {
		return err
	}
	d.list(len(problems), func(i int) string { return problemText(problems[i]) })
	return nil
}
