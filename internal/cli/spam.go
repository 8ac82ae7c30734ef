package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// The archive is all that the record needs to know of where it is kept.
var (
	_ spam.Messages  = (*store.Reader)(nil)
	_ spam.Record    = (*store.Reader)(nil)
	_ spam.Directory = (*store.Reader)(nil)
	_ spam.Recorder  = (*store.Recorder)(nil)
	_ spam.Judge     = (*store.Recorder)(nil)
)

// spamNature stands in the manual of every command of the record.
const spamNature = `It reads and reports only, opens no connection to any network, and is no legal advice.`

// senderForms says how a sender is named.
const senderForms = `A sender is named by its id, its number or address in any spelling, or the name of
its thread; "id:12" and "code:12345" tell an id from a short code.`

func newSpam(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "spam",
		Short: "Keep an honest record of unsolicited texts",
		Long: `Keep a record of unsolicited contact: which strangers wrote, what each message
tripped, when they were told to stop, what arrived afterwards, and how many contacts
fall into any twelve months. scan makes the record, senders, violations and evidence
read it, sender-set, event, entity and category put your own words on it.

` + spamNature + `
It sends nothing, answers nobody, files no complaint, opens no link and asks no
carrier. What it cannot show stands in every dossier.`,
		Example: `  msgbrowse spam scan
  msgbrowse spam senders
  msgbrowse spam evidence "+1 212 555 0142"`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSpamScan(a), newSpamSenders(a), newSpamViolations(a), newSpamEvidence(a), newSpamSenderSet(a), newSpamEvent(a),
		newSpamEntity(a), newSpamCategory(a), newSpamRuns(a), newSpamRules(a), newSpamVerify(a))
	return cmd
}

// spamRules makes the rules of the settings, and the clock they declare.
func spamRules(settings *config.Config) (*spam.Rules, spam.Clocks, error) {
	var clocks spam.Clocks
	s := settings.Spam
	made := spam.Settings{RuleSettings: s.RuleSettings}
	for _, place := range s.Places {
		day, zone, _ := strings.Cut(place, " ")
		made.Places = append(made.Places, spam.Place{From: day, Zone: zone})
	}
	for _, line := range s.Lines {
		space := strings.LastIndexByte(line, ' ')
		made.Lines = append(made.Lines, spam.Line{Number: strings.TrimSpace(line[:space]), RegisteredOn: line[space+1:]})
	}
	rules, err := spam.NewRules(made)
	if err != nil {
		return nil, clocks, usage(err)
	}
	if settings.TZ != "" {
		if clocks.Zone, err = time.LoadLocation(settings.TZ); err != nil {
			return nil, clocks, usage(err)
		}
	}
	return rules, clocks, nil
}

// judging runs a command that puts a person's words on the record.
func (a *app) judging(cmd *cobra.Command, do func(context.Context, *config.Config, *store.Recorder, *store.Reader) error) error {
	settings, err := a.settings(cmd)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	w, err := openRecorder(ctx, settings)
	if err != nil {
		return err
	}
	r, err := w.Reader(ctx)
	if err != nil {
		return errors.Join(archiveError(err), w.Close())
	}
	return errors.Join(do(ctx, settings, w, r), r.Close(), w.Close())
}

// findNamed finds the sender or entity of a text.
func findNamed(ctx context.Context, d spam.Directory, text string) (spam.Named, error) {
	found, err := spam.Lookup(ctx, d, text)
	var unknown *spam.UnknownNameError
	var several *spam.AmbiguousNameError
	switch {
	case errors.As(err, &unknown) && len(unknown.Known) == 0:
		return found, nothing(fmt.Errorf("%w; the record is empty, \"msgbrowse spam scan\" makes it", err))
	case errors.As(err, &unknown):
		return found, nothing(fmt.Errorf("%w; the nearest is %q, and \"msgbrowse spam senders --all\" lists them", err, config.Nearest(text, unknown.Known)))
	case errors.As(err, &several):
		return found, usage(err)
	}
	return found, err
}

// findSender finds the one sender of a text.
func findSender(ctx context.Context, d spam.Directory, text string) (record.Sender, error) {
	found, err := findNamed(ctx, d, text)
	if err == nil && found.Sender.ID == 0 {
		err = usage(fmt.Errorf("%q is an entity, not a sender; name one of its senders", text))
	}
	return found.Sender, err
}

// senderName writes a sender for people.
func senderName(s record.Sender) string {
	if s.Name != "" && s.Name != s.Identifier {
		return inert.Line(s.Identifier + " (" + s.Name + ")")
	}
	return inert.Line(s.Identifier)
}

// oneOf reads a value of a fixed vocabulary.
func oneOf[T ~string](flag, text string, known []T) (T, error) {
	names := make([]string, len(known))
	for i, k := range known {
		if text == string(k) {
			return k, nil
		}
		names[i] = string(k)
	}
	return "", usage(fmt.Errorf("%s %q is not known; use %s", flag, text, strings.Join(names, ", ")))
}

// vocabulary lists the words of a fixed vocabulary for a flag's help.
func vocabulary[T ~string](known []T) []string {
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = string(k)
	}
	return names
}

// senderArgument lets a sender be given as the argument or as --identifier.
func senderArgument(cmd *cobra.Command) func() string {
	identifier := cmd.Flags().String("identifier", "", "the `sender`, instead of the argument")
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args)+len(*identifier) == 0 {
			return fmt.Errorf("%s takes a sender: its id, its number or address, or the name of its thread", cmd.Name())
		}
		if len(args) > 1 || len(args) == 1 && *identifier != "" {
			return fmt.Errorf("%s takes one sender; put a name with spaces in quotes", cmd.Name())
		}
		if len(args) == 1 {
			*identifier = args[0]
		}
		return nil
	}
	return func() string { return *identifier }
}

func microTime(micros int64) string {
	if micros == 0 {
		return ""
	}
	return time.UnixMicro(micros).UTC().Format(time.RFC3339)
}
