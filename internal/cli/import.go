package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/registry"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// importFlags are the flags of import.
type importFlags struct {
	dryRun, full, prune, yes, noIndex, quiet, asJSON bool
}

func newImport(a *app) *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import [path...]",
		Short: "Bring exports into the archive, or refresh it",
		Long: `Bring exports into the archive: any mix of files, folders and zips. Each file is
recognised by its content, whatever it is called; the plan is shown, then carried
out. Without a path everything imported before is looked at again, together with
archive_root, imessage_archive_root and whatsapp_archive_root of the
configuration, but what "msgbrowse sources forget" took off the list.

Exports are only read. What has not changed is not read again; messages keep
their ids for good. A message that its export no longer holds stays in the
archive, marked missing, until --prune removes it.

Some exports do not say which of the senders is you, or in which time zone their
clock readings were made: --me and --tz say so for the paths given, and are
remembered with them.

Formats: signal-export (chat.md, data.json), imessage-exporter (txt), WhatsApp
"Export chat" (txt or zip), WhatsApp-Chat-Exporter (result.json), Telegram
Desktop (result.json).

Exit status: 0 all was imported, 3 some files or records could not be, 4 nothing
was recognised.`,
		Example: `  msgbrowse import ~/Downloads/"WhatsApp Chat - Ana.zip" ~/signal-export
  msgbrowse import --dry-run ~/Downloads
  msgbrowse import --me "Robin Vale" --tz Europe/Berlin ~/whatsapp
  msgbrowse import`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return runImport(a, cmd, args, f) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.dryRun, "dry-run", false, "show the plan and change nothing")
	flags.BoolVar(&f.full, "full", false, "read files again that have not changed")
	flags.BoolVar(&f.prune, "prune", false, "afterwards delete the messages that are missing from their exports, for good")
	flags.BoolVarP(&f.yes, "yes", "y", false, "do not ask before --prune deletes")
	flags.BoolVar(&f.noIndex, "no-index", false, "leave the index for searches by meaning as it is")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "say nothing but errors")
	flags.BoolVar(&f.asJSON, "json", false, "print the plan and the summary as one JSON object")
	flags.StringSlice("me", nil, "your own `names` in these exports, separated by commas or repeated")
	flags.String("tz", "", "IANA time `zone` of clock readings in these exports, such as Europe/Berlin")
	bind(flags, "me", "me")
	bind(flags, "tz", "tz")
	return cmd
}

func runImport(a *app, cmd *cobra.Command, args []string, f importFlags) error {
	settings, err := a.settings(cmd)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	if f.dryRun {
		return a.dryRun(cmd, settings, args, f)
	}
	// A path that does not exist must not leave an empty archive behind.
	if err := pathsExist(args); err != nil {
		return err
	}
	if len(args) == 0 && len(configuredRoots(settings)) == 0 {
		if err := archiveExists(ctx, settings); err != nil {
			return err
		}
	}
	if done, err := a.nothingToImport(ctx, cmd, settings, args, f); done || err != nil {
		return err
	}
	lock, err := ingest.AcquireLock(settings.DataDir, a.env.Now())
	if err != nil {
		return lockError(err)
	}
	defer lock.Release()
	w, err := store.OpenWriter(ctx, settings.DataDir)
	if err != nil {
		return archiveError(err)
	}
	err = a.importWith(ctx, cmd, w, settings, args, f)
	if closeErr := w.Close(); closeErr != nil {
		err = errors.Join(err, fmt.Errorf("close archive in %s: %w", settings.DataDir, closeErr))
	}
	return err
}

// archiveExists refuses to make an archive where an import without a path
// would find nothing to import. An old one is there to be upgraded.
func archiveExists(ctx context.Context, settings *config.Config) error {
	r, err := store.OpenReader(ctx, settings.DataDir, store.ReaderOptions{})
	switch {
	case errors.Is(err, store.ErrOldSchema):
		return nil
	case err != nil:
		return archiveError(err)
	}
	return r.Close()
}

func lockError(err error) error {
	var busy *ingest.BusyError
	if errors.As(err, &busy) {
		return fmt.Errorf("%w; wait for it to finish", err)
	}
	return err
}

func (a *app) importWith(ctx context.Context, cmd *cobra.Command, w *store.Writer, settings *config.Config, args []string, f importFlags) error {
	earlier, err := w.Roots(ctx)
	if err != nil {
		return err
	}
	roots, err := chooseRoots(settings, args, earlier)
	if err != nil {
		return err
	}
	files, err := w.Files(ctx)
	if err != nil {
		return err
	}
	plan, err := ingest.MakePlan(ctx, roots, ingest.KnownFiles(files), f.full, registry.Best)
	if err != nil {
		return err
	}
	defer plan.Close()
	if !f.quiet && !f.asJSON {
		printPlan(cmd.ErrOrStderr(), plan, true)
		printKept(cmd.ErrOrStderr(), settings, roots)
	}
	summary, err := ingest.Run(ctx, w, plan, ingest.Options{
		Now: a.env.Now, Version: thisBuild().Version, Full: f.full, Progress: a.importProgress(f.quiet || f.asJSON),
	})
	if err != nil {
		return fmt.Errorf("import into %s: %w", settings.DataDir, err)
	}
	pruned := int64(0)
	if f.prune {
		if pruned, err = a.prune(ctx, cmd, w, f); err != nil {
			return err
		}
	}
	if f.asJSON {
		if err := writeJSON(cmd, importReport{planListing(plan), summaryListing(summary, pruned)}); err != nil {
			return err
		}
	} else if !f.quiet {
		printSummary(cmd.ErrOrStderr(), summary, pruned)
	}
	if !f.noIndex && settings.Embeddings.Provider != config.ProviderNone {
		if err := a.indexImported(ctx, w, settings, f); err != nil {
			return err
		}
	}
	return importStatus(plan, summary)
}

// indexImported brings the vector index up to date. What is wrong with it is
// said and is no failure of the import: the messages are there.
func (a *app) indexImported(ctx context.Context, w *store.Writer, settings *config.Config, f importFlags) error {
	r, err := w.Reader(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = a.updateVectors(ctx, settings, r, indexFlags{quiet: f.quiet || f.asJSON})
	if err != nil && ctx.Err() == nil {
		fmt.Fprintf(a.stderr, "Note: the index for searches by meaning is not up to date: %v\n", err)
		return nil
	}
	return err
}

// importStatus turns a finished run into the exit status.
func importStatus(plan *ingest.Plan, s ingest.Summary) error {
	switch {
	case plan.Recognised() == 0 && s.Errors == 0:
		return nothing(errors.New("no export was recognised; \"msgbrowse help import\" lists the formats"))
	case plan.Recognised() == 0:
		return errors.New("nothing could be read; see above")
	case s.Errors > 0 || s.Skipped > 0:
		var what []string
		if s.Errors > 0 {
			what = append(what, plural(s.Errors, "file", "files"))
		}
		if s.Skipped > 0 {
			what = append(what, plural(s.Skipped, "record", "records"))
		}
		return partly(fmt.Errorf("%s could not be imported; see above", strings.Join(what, " and ")))
	}
	return nil
}

// configuredRoots are the paths that the configuration names.
func configuredRoots(settings *config.Config) []string {
	return slices.Concat(settings.ArchiveRoot, settings.IMessageArchiveRoot, settings.WhatsAppArchiveRoot)
}

func pathsExist(paths []string) error {
	for _, path := range paths {
		if path == "" { // an unset variable of a shell, not the current folder
			return usage(errors.New("cannot import a path that is empty; the current folder is \".\""))
		}
		tree, err := ingest.OpenTree(path)
		if err != nil {
			return usage(fmt.Errorf("cannot import %s: %w", path, err))
		}
		if err := tree.Close(); err != nil {
			return err
		}
	}
	return nil
}

// chooseRoots turns paths into roots. What was said about a root before holds
// until the user says something else with a flag; other settings speak for
// roots of which nothing was said.
func chooseRoots(settings *config.Config, args []string, earlier []store.Root) ([]store.Root, error) {
	var roots []store.Root
	if len(args) == 0 {
		for _, root := range earlier {
			if !root.Forgotten {
				roots = append(roots, root)
			}
		}
		args = configuredRoots(settings)
	}
	for _, path := range args {
		root, err := ingest.RootFor(path)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(roots, func(r store.Root) bool { return r.Path == root.Path }) {
			continue
		}
		for _, e := range earlier {
			if e.Path == root.Path {
				root = e
			}
		}
		roots = append(roots, root)
	}
	told := func(key string) bool { return settings.Origin(key).Layer == config.CommandLine }
	for i := range roots {
		if len(settings.Me) > 0 && (told("me") || len(roots[i].Owner) == 0) {
			roots[i].Owner = settings.Me
		}
		if settings.TZ != "" && (told("tz") || roots[i].Zone == "") {
			roots[i].Zone = settings.TZ
		}
	}
	if len(roots) == 0 {
		return nil, usage(errors.New("nothing to import; name files or folders, as in \"msgbrowse import PATH\""))
	}
	return roots, nil
}

// nothingToImport ends a first import that recognises nothing with its plan,
// so that it leaves no empty archive behind.
func (a *app) nothingToImport(ctx context.Context, cmd *cobra.Command, settings *config.Config, args []string, f importFlags) (done bool, err error) {
	r, err := store.OpenReader(ctx, settings.DataDir, store.ReaderOptions{})
	if err == nil {
		return false, r.Close()
	}
	if !errors.Is(err, store.ErrNoArchive) {
		return false, nil // the writer upgrades it, or says what is wrong
	}
	roots, err := chooseRoots(settings, args, nil)
	if err != nil {
		return false, err
	}
	looking, stop := context.WithCancel(ctx)
	defer stop()
	found := false
	plan, err := ingest.MakePlan(looking, roots, nil, true, func(ctx context.Context, c source.Candidate) (source.Source, source.Recognition, error) {
		s, r, err := registry.Best(ctx, c)
		if s != nil && r.Confidence >= ingest.Sure {
			found = true
			stop()
		}
		return s, r, err
	})
	if found {
		if plan != nil {
			plan.Close()
		}
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer plan.Close()
	switch {
	case f.asJSON:
		err = writeJSON(cmd, importReport{Plan: planListing(plan)})
	case !f.quiet:
		printPlan(cmd.ErrOrStderr(), plan, true)
	}
	if err != nil {
		return true, err
	}
	failures := 0
	for _, root := range plan.Roots {
		failures += len(root.Failed)
	}
	return true, importStatus(plan, ingest.Summary{Tally: store.Tally{Errors: int64(failures)}})
}

// dryRun shows the plan without making or touching an archive.
func (a *app) dryRun(cmd *cobra.Command, settings *config.Config, args []string, f importFlags) error {
	ctx := cmd.Context()
	if err := pathsExist(args); err != nil {
		return err
	}
	var earlier []store.Root
	var files []store.SourceFile
	r, err := store.OpenReader(ctx, settings.DataDir, store.ReaderOptions{})
	switch {
	case errors.Is(err, store.ErrNoArchive):
	case err != nil:
		return archiveError(err)
	default:
		defer r.Close()
		if earlier, err = r.Roots(ctx); err != nil {
			return err
		}
		if files, err = r.Files(ctx); err != nil {
			return err
		}
	}
	roots, err := chooseRoots(settings, args, earlier)
	if err != nil {
		return err
	}
	plan, err := ingest.MakePlan(ctx, roots, ingest.KnownFiles(files), f.full, registry.Best)
	if err != nil {
		return err
	}
	defer plan.Close()
	if f.asJSON {
		if err := writeJSON(cmd, importReport{Plan: planListing(plan)}); err != nil {
			return err
		}
	} else {
		printPlan(cmd.OutOrStdout(), plan, false)
	}
	if plan.Recognised() == 0 {
		return nothing(errors.New("no export was recognised; \"msgbrowse help import\" lists the formats"))
	}
	return nil
}

// importProgress shows a run's phases.
func (a *app) importProgress(quiet bool) func(ingest.Progress) {
	bar := a.progress(quiet)
	phase := ingest.Phase("")
	return func(p ingest.Progress) {
		if p.Phase != phase {
			phase = p.Phase
			if p.Phase == ingest.PhaseRead {
				bar.begin("reading", bytes, p.BytesTotal)
			} else {
				bar.end()
				bar.begin("indexing", unit{"message", "messages"}, p.MessagesTotal)
			}
		}
		if p.Phase == ingest.PhaseRead {
			bar.set(p.Bytes)
		} else {
			bar.set(p.Messages)
		}
		if p.Phase == ingest.PhaseIndex && p.Messages >= p.MessagesTotal {
			bar.end()
		}
	}
}

// prune deletes the missing messages after asking.
func (a *app) prune(ctx context.Context, cmd *cobra.Command, w *store.Writer, f importFlags) (int64, error) {
	n, err := w.CountMissing(ctx)
	if err != nil || n == 0 {
		return 0, err
	}
	if !f.yes {
		fmt.Fprintf(cmd.ErrOrStderr(), "Delete %s for good that the exports no longer hold? [y/N] ", plural(n, "message", "messages"))
		answer, _ := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
		if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
			fmt.Fprintln(cmd.ErrOrStderr(), "Nothing was deleted.")
			return 0, nil
		}
	}
	return w.Prune(ctx)
}
