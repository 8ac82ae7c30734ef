package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// dossierFormat is a rendering of a dossier.
type dossierFormat string

const (
	formatMarkdown dossierFormat = "md"
	formatJSON     dossierFormat = "json"
	formatCSV      dossierFormat = "csv"
	formatHTML     dossierFormat = "html"
)

var dossierFormats = []dossierFormat{formatMarkdown, formatJSON, formatCSV, formatHTML}

// evidenceFlags are the flags of spam evidence.
type evidenceFlags struct {
	format, out, asOf, generatedAt string
	redact                         []string
	reason                         string
}

func newSpamEvidence(a *app) *cobra.Command {
	var f evidenceFlags
	cmd := &cobra.Command{
		Use:   "evidence sender|entity",
		Short: "Write the dossier of a sender or an entity",
		Long: `Write everything the record holds about a sender or an entity: the figures, every
event, your judgments, every message word for word with where it was read, and what
the record does not show. Without --format it is written as Markdown, JSON, CSV and a
page to print, with a manifest of digests, into a folder of its own below
spam.export_dir or --out; "msgbrowse spam verify" checks such a folder. With --format
one of them goes to standard output, or to the file that --out names.

--redact takes a name, number or other text out of a second copy, which has a digest
of its own and names that of the whole one; numbers are found in any spelling.

The same archive, record and moment give the same bytes but for the time of writing,
which --generated-at sets.

` + senderForms + `
` + spamNature,
		Example: `  msgbrowse spam evidence "+1 212 555 0142"
  msgbrowse spam evidence "Acme Roofing" --as-of 2026-06-30
  msgbrowse spam evidence 12 --format csv --out chronology.csv
  msgbrowse spam evidence 12 --redact "+1 917 555 0120" --reason "my own number"`,
	}
	name := senderArgument(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return a.reading(cmd, func(ctx context.Context, settings *config.Config, r *store.Reader) error {
			return a.evidence(ctx, cmd, settings, r, name(), f)
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", "", "only this `rendering`: md, json, csv (the chronology) or html")
	flags.StringVarP(&f.out, "out", "o", "", "`folder` for the export, or file for one rendering")
	flags.StringVar(&f.asOf, "as-of", "", "the `moment` that figures stand for: a date or RFC 3339 (default: now)")
	flags.StringVar(&f.generatedAt, "generated-at", "", "the `time` of writing, RFC 3339 (default: now)")
	flags.StringArrayVar(&f.redact, "redact", nil, "a `text` to take out of a redacted copy (repeatable)")
	flags.StringVar(&f.reason, "reason", "", "`why` it was taken out, for the redacted copy")
	complete(cmd, "format", vocabulary(dossierFormats)...)
	return cmd
}

func (a *app) evidence(ctx context.Context, cmd *cobra.Command, settings *config.Config, r *store.Reader, name string, f evidenceFlags) error {
	var format dossierFormat
	if f.format != "" {
		var err error
		if format, err = oneOf("--format", f.format, dossierFormats); err != nil {
			return err
		}
	}
	d, err := a.dossier(ctx, settings, r, name, f)
	if err != nil {
		return err
	}
	redacted := d
	if len(f.redact) > 0 {
		if redacted, err = d.Redact(f.redact, f.reason); err != nil {
			return usage(fmt.Errorf("--redact: %w", err))
		}
	}
	if format == "" {
		if err := export(cmd, settings, d, f.out); err != nil || redacted == d {
			return err
		}
		return export(cmd, settings, redacted, f.out)
	}
	d = redacted
	content, err := render(d, format)
	if err != nil {
		return err
	}
	if f.out == "" {
		_, err := cmd.OutOrStdout().Write(content)
		return err
	}
	if err := writePrivately(f.out, content); err != nil {
		return exportError(filepath.Dir(f.out), err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "Wrote %s.\n", f.out)
	return nil
}

// dossier builds the dossier of a name.
func (a *app) dossier(ctx context.Context, settings *config.Config, r *store.Reader, name string, f evidenceFlags) (*spam.Dossier, error) {
	q, p, err := a.question(ctx, settings, r, f.asOf)
	if err != nil {
		return nil, err
	}
	found, err := findNamed(ctx, r, name)
	if err != nil {
		return nil, err
	}
	generated := a.env.Now()
	if f.generatedAt != "" {
		if generated, err = time.Parse(time.RFC3339, f.generatedAt); err != nil {
			return nil, usage(fmt.Errorf("--generated-at %q is not RFC 3339, such as 2026-11-30T12:00:00Z", f.generatedAt))
		}
	}
	for _, note := range p.Notes {
		fmt.Fprintln(a.stderr, "Note: "+inert.Line(note))
	}
	if e := found.Entity; e.ID != 0 && len(e.Current()) == 0 {
		return nil, nothing(fmt.Errorf("entity %d, %s, has no senders; put one in with \"msgbrowse spam entity add\"", e.ID, e.Name))
	}
	return spam.BuildDossier(ctx, r, spam.About{Sender: found.Sender.ID, Entity: found.Entity.ID},
		spam.DossierQuestion{Question: q, GeneratedAt: generated, Program: "msgbrowse " + thisBuild().Version})
}

func render(d *spam.Dossier, format dossierFormat) ([]byte, error) {
	switch format {
	case formatJSON:
		return d.JSON()
	case formatCSV:
		return d.CSV()
	case formatHTML:
		return d.HTML("")
	default:
		return d.Markdown(), nil
	}
}

// export writes every rendering below a folder.
func export(cmd *cobra.Command, settings *config.Config, d *spam.Dossier, out string) error {
	dir := exportDir(settings)
	if out != "" {
		dir = out
	}
	written, err := spam.Export(dir, d)
	if err != nil {
		return exportError(dir, err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "Wrote %s\nRoot digest %s\n", written.Dir, written.Root)
	fmt.Fprintln(cmd.ErrOrStderr(), "Keep the digest somewhere else as well; \"msgbrowse spam verify\" checks the folder against it.")
	return nil
}

// exportDir is where dossiers are written.
func exportDir(settings *config.Config) string {
	if settings.Spam.ExportDir != "" {
		return settings.Spam.ExportDir
	}
	return filepath.Join(settings.DataDir, "spam-exports")
}

// exportError says what to do about a folder that cannot be written to.
func exportError(dir string, err error) error {
	var changed *spam.ChangedError
	var at *fs.PathError
	switch {
	case errors.As(err, &changed):
		return fmt.Errorf("%w; move it away and export again", err)
	case errors.As(err, &at):
		return usage(fmt.Errorf("cannot write to %s: %w; name another folder with --out or spam.export_dir", dir, at.Err))
	}
	return err
}

// writePrivately writes a file for its owner's eyes, all of it or nothing.
func writePrivately(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".writing-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(content)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func newSpamVerify(*app) *cobra.Command {
	return &cobra.Command{
		Use:   "verify folder [digest]",
		Short: "Check that an exported dossier is what was written",
		Long: `Check every file of an exported dossier against its manifest, and the manifest against
the root digest: the one that lies beside it, or better the one you kept elsewhere.
What changed is named. It shows that the files are unchanged since they were written,
not that what they quote was genuine.`,
		Example: `  msgbrowse spam verify ~/dossiers/sender-12-2026-06-30-0f3a
  msgbrowse spam verify ~/dossiers/sender-12-2026-06-30-0f3a 0f3a...`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 2 {
				return errors.New("verify takes the folder of an export, and the root digest if you have it")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root, err := spam.Verify(args[0])
			var changed *spam.ChangedError
			switch {
			case errors.As(err, &changed):
				return err
			case err != nil:
				return usage(err)
			case len(args) == 2 && !strings.EqualFold(args[1], root):
				return fmt.Errorf("the files agree with each other, but their root digest is %s, not %s", root, args[1])
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Unchanged: every file is the one that was written.\nRoot digest %s\n", root)
			return nil
		},
	}
}
