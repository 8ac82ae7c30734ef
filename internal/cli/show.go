package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

func newShow(a *app) *cobra.Command {
	var window int
	cmd := &cobra.Command{
		Use:   "show id|hash",
		Short: "Show a message, its neighbours and where it was read",
		Long: `Show a message with its neighbours and where it came from: the file, the line or
place in it, and the import that brought it. So any citation can be checked.

A message is named by its id or by its hash, of which eight digits are enough
when no other message's hash begins with them.`,
		Example: `  msgbrowse show 184233
  msgbrowse show 3f9a0c2e
  msgbrowse show 184233 --window 10`,
		Args: oneArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.reading(cmd, func(ctx context.Context, _ *config.Config, r *store.Reader) error {
				m, err := findMessage(ctx, r, args[0])
				if err != nil {
					return err
				}
				return showMessage(ctx, cmd.OutOrStdout(), r, m, window)
			})
		},
	}
	cmd.Flags().IntVarP(&window, "window", "w", 3, "how many `messages` to show on each side")
	return cmd
}

// findMessage resolves an id or a hash.
func findMessage(ctx context.Context, r *store.Reader, text string) (store.Message, error) {
	if id, err := strconv.ParseInt(text, 10, 64); err == nil {
		m, err := r.Message(ctx, id)
		if err == nil || !errors.Is(err, store.ErrNotFound) {
			return m, err
		}
	}
	digits, ok := msg.ParseHash(text)
	if !ok {
		return store.Message{}, nothing(fmt.Errorf("no message %s; give an id, or at least eight digits of a hash", text))
	}
	id, err := r.MessageID(ctx, digits)
	switch {
	case errors.Is(err, store.ErrAmbiguous):
		return store.Message{}, usage(fmt.Errorf("several hashes begin with %s; give more digits", text))
	case errors.Is(err, store.ErrNotFound):
		return store.Message{}, nothing(fmt.Errorf("no message %s in %s", text, r.Path()))
	case err != nil:
		return store.Message{}, err
	}
	return r.Message(ctx, id)
}

func showMessage(ctx context.Context, out io.Writer, r *store.Reader, m store.Message, window int) error {
	near, err := r.Around(ctx, m, max(0, window), max(0, window))
	if err != nil {
		return err
	}
	from, err := r.Provenance(ctx, m)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s (%s)\n\n", inert.Line(m.Conversation), m.Source)
	for _, x := range near {
		mark := "  "
		if x.ID == m.ID {
			mark = "> "
		}
		fmt.Fprintf(out, "%s%d  %s  %s\n", mark, x.ID, timeText(x.Time), senderText(x))
		for line := range strings.Lines(inert.Text(x.Body)) {
			fmt.Fprintf(out, "    %s\n", strings.TrimRight(line, "\n"))
		}
	}
	fmt.Fprintln(out)
	printFacts(out, m)
	printProvenance(out, m, from)
	return nil
}

func senderText(m store.Message) string {
	switch {
	case m.Sender != "":
	case m.Kind == msg.Text: // a suspect one in the owner's name
		return "(sender in doubt)"
	default:
		return "(" + m.Kind.String() + ")"
	}
	return inert.Line(m.Sender)
}

// timeText says a time and what kind of reading it is.
func timeText(t msg.Time) string {
	text := strings.Replace(strings.TrimSuffix(t.String(), "Z"), "T", " ", 1)
	if t.Known && t.Basis == msg.Instant {
		return text + " UTC"
	}
	return text
}

func printFacts(out io.Writer, m store.Message) {
	fact(out, "id", strconv.FormatInt(m.ID, 10))
	fact(out, "hash", m.Hash)
	basis := "a clock reading; its zone is not recorded"
	if m.Time.Basis == msg.Instant {
		basis = "an instant in UTC"
	}
	fact(out, "time", fmt.Sprintf("%s, %s, precise to the %s", timeText(m.Time), basis, m.Time.Precision))
	if m.Time.Raw != "" {
		fact(out, "as written", inert.Line(m.Time.Raw))
	}
	fact(out, "direction", m.Direction.String())
	if m.Kind != msg.Text {
		fact(out, "kind", m.Kind.String())
	}
	if m.ReplyTo != nil {
		text := inert.Line(m.ReplyTo.Quote)
		if m.ReplyTo.ID != 0 {
			text = strings.TrimSpace(fmt.Sprintf("%d %s", m.ReplyTo.ID, text))
		}
		fact(out, "replies to", text)
	}
	for _, x := range m.Reactions {
		fact(out, "reaction", strings.TrimSpace(inert.Line(x.Emoji)+" "+inert.Line(x.Sender)))
	}
	for _, x := range m.Attachments {
		text := fmt.Sprintf("%s %s", x.Kind, inert.Line(x.Name))
		if x.Path != "" {
			text += ", " + inert.Line(x.Path)
		}
		if x.Absent != "" {
			text += ", " + inert.Line(x.Absent)
		}
		fact(out, "attachment", text)
	}
	for i, x := range m.Edits {
		fact(out, fmt.Sprintf("version %d", i+1), inert.Line(x.Body))
	}
	if m.Edited && len(m.Edits) == 0 {
		fact(out, "edited", "yes; earlier versions are not in the export")
	}
	for _, x := range m.Details {
		fact(out, inert.Line(strings.ReplaceAll(x.Name, "_", " ")), inert.Line(x.Value))
	}
	if m.Suspect != "" {
		fact(out, "suspect", inert.Line(m.Suspect))
	}
}

func printProvenance(out io.Writer, m store.Message, from store.Provenance) {
	fact(out, "file", inert.Line(from.File.Path))
	if from.File.Member != "" {
		fact(out, "in the zip", inert.Line(from.File.Member))
	}
	if m.Position.Line > 0 {
		fact(out, "line", strconv.FormatInt(m.Position.Line, 10))
	}
	if m.Position.Line == 0 || m.Position.Offset > 0 {
		fact(out, "byte", strconv.FormatInt(m.Position.Offset, 10))
	}
	if m.Position.Pointer != "" {
		fact(out, "pointer", inert.Line(m.Position.Pointer))
	}
	fact(out, "format", inert.Line(from.File.Format))
	if len(from.File.SHA256) > 0 {
		fact(out, "sha-256", fmt.Sprintf("%x", from.File.SHA256))
	}
	if from.Root.Zone != "" && m.Time.Basis == msg.Wall {
		fact(out, "zone", from.Root.Zone+" (declared at import, not recorded in the export)")
	}
	fact(out, "import", fmt.Sprintf("%d, %s", from.Import.ID, from.Import.StartedAt.Format("2006-01-02 15:04:05 MST")))
	for _, f := range from.Also {
		also := inert.Line(f.Path)
		if f.Member != "" {
			also += ", " + inert.Line(f.Member)
		}
		fact(out, "also in", also)
	}
	if m.MissingSince != 0 {
		fact(out, "missing", fmt.Sprintf("no longer in its export since import %d", m.MissingSince))
	}
}

func fact(out io.Writer, name, value string) { fmt.Fprintf(out, "%-11s %s\n", name, value) }
