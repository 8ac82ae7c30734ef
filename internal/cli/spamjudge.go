package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

func newSpamSenderSet(a *app) *cobra.Command {
	var status, entity, consent, consentNotes, notes string
	var enrol bool
	cmd := &cobra.Command{
		Use:   "sender-set sender",
		Short: "Put your own judgment of a sender on the record",
		Long: `Put your own judgment of a sender on the record. Only the fields given are written;
what stood there before stays in the history. No scan changes what you set, and no
program but this command does.

--enrol puts a sender on the record that no scan takes for a stranger: one known by a
name only, or one you have talked with. The next scan then examines its threads.

` + senderForms + `
` + spamNature,
		Example: `  msgbrowse spam sender-set "+1 212 555 0142" --status tracked --entity "Acme Roofing"
  msgbrowse spam sender-set 12 --consent consent_revoked --consent-notes "by phone"
  msgbrowse spam sender-set "Deals 4 U" --enrol --status tracked`,
	}
	name := senderArgument(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		var c record.SenderChange
		flags := cmd.Flags()
		given := func(flag string, value *string) *string {
			if !flags.Changed(flag) {
				return nil
			}
			return value
		}
		if flags.Changed("status") {
			s, err := oneOf("--status", status, record.Statuses)
			if err != nil {
				return err
			}
			c.Status = &s
		}
		if flags.Changed("consent") {
			s, err := oneOf("--consent", consent, record.Consents)
			if err != nil {
				return err
			}
			c.Consent = &s
		}
		c.SuspectedEntity, c.ConsentNotes, c.Notes = given("entity", &entity), given("consent-notes", &consentNotes), given("notes", &notes)
		if c == (record.SenderChange{}) && !enrol {
			return wrongLine(cmd, errors.New("nothing to set; give --status, --entity, --consent, --consent-notes, --notes or --enrol"))
		}
		return a.judging(cmd, func(ctx context.Context, _ *config.Config, w *store.Recorder, r *store.Reader) error {
			if enrol {
				if err := a.enrol(ctx, w, r, name()); err != nil {
					return err
				}
			}
			sender, err := findSender(ctx, r, name())
			if err != nil {
				return err
			}
			if err := w.JudgeSpamSender(ctx, sender.ID, c, a.env.Now()); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Recorded for sender %d, %s.\n", sender.ID, senderName(sender))
			return nil
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&status, "status", "", "the `status`: "+strings.Join(vocabulary(record.Statuses), ", "))
	flags.StringVar(&entity, "entity", "", "who you suspect is behind it, in your own `words`")
	flags.StringVar(&consent, "consent", "", "the `consent`: "+strings.Join(vocabulary(record.Consents), ", "))
	flags.StringVar(&consentNotes, "consent-notes", "", "`notes` on consent")
	flags.StringVar(&notes, "notes", "", "further `notes`")
	flags.BoolVar(&enrol, "enrol", false, "put a sender on the record that no scan takes for a stranger")
	complete(cmd, "status", vocabulary(record.Statuses)...)
	complete(cmd, "consent", vocabulary(record.Consents)...)
	return cmd
}

// enrol puts the one person that a text names on the record, unless it is
// there.
func (a *app) enrol(ctx context.Context, w *store.Recorder, r *store.Reader, text string) error {
	people, err := r.People(ctx)
	if err != nil {
		return err
	}
	writers, err := spam.ThreadPeople(ctx, r, text)
	if err != nil {
		return err
	}
	key := spam.MatchKey(text)
	for _, p := range people {
		if key != "" && spam.MatchKey(p.Native) == key {
			writers = append(writers, p)
		}
	}
	found := map[string]record.SenderIdentity{}
	var labels []string
	for _, p := range writers {
		if p.Owner {
			continue
		}
		who, _ := spam.Identify(p)
		if _, seen := found[who.Key]; !seen {
			labels = append(labels, who.Identifier)
		}
		found[who.Key] = who
	}
	switch len(found) {
	case 0:
		return nothing(fmt.Errorf("nobody in the archive writes as %q; \"msgbrowse contacts\" lists who does", text))
	case 1:
		for _, who := range found {
			_, err = w.EnrolSpamSender(ctx, who, a.env.Now())
		}
		return err
	}
	return usage(fmt.Errorf("%q fits several: %s; name one of them", text, strings.Join(labels, ", ")))
}

func newSpamEvent(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "event",
		Short: "Record what happened, or list it",
		Long: `Record what no export shows, such as a complaint you filed or a call in which you
said stop, or list every event. Events are only ever added: a correction supersedes an
event and leaves it in place.`,
		Example: `  msgbrowse spam event add 12 --type reported_7726 --at 2026-03-02
  msgbrowse spam event list`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSpamEventAdd(a), newSpamEventList(a))
	return cmd
}

func newSpamEventAdd(a *app) *cobra.Command {
	var kind, at, details, evidence, message string
	var supersedes int64
	cmd := &cobra.Command{
		Use:   "add sender",
		Short: "Record that something happened",
		Long: `Record that something happened between you and a sender. --at takes a date
(2026-03-02), a time without offset as your clock showed it (2026-03-02T10:05), or
RFC 3339 (2026-03-02T10:05:00-05:00); without it the event happened now. A date counts
to the end of its day. --message confirms a message of yours as the opt-out it may be.

` + senderForms + `
` + spamNature,
		Example: `  msgbrowse spam event add 12 --type stop_sent --at 2026-03-02 --details "by phone"
  msgbrowse spam event add 12 --type fcc_complaint_filed --evidence "ticket 123"
  msgbrowse spam event add 12 --type stop_sent --at 2026-03-03 --supersedes 4`,
	}
	name := senderArgument(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		event := record.Event{Origin: record.Manual, Details: details, Evidence: evidence, Supersedes: supersedes}
		var err error
		if event.Type, err = oneOf("--type", kind, record.EventTypes); err != nil {
			return err
		}
		now := a.env.Now()
		event.RecordedAt = now.UTC().UnixMicro()
		if event.Time, err = spam.ParseEventTime(at, now); err != nil {
			return usage(fmt.Errorf("--at: %w", err))
		}
		return a.judging(cmd, func(ctx context.Context, settings *config.Config, w *store.Recorder, r *store.Reader) error {
			_, clocks, err := spamRules(settings)
			if err != nil {
				return err
			}
			sender, err := findSender(ctx, r, name())
			if err != nil {
				return err
			}
			event.SenderID = sender.ID
			if message != "" {
				if err := confirmed(ctx, r, message, at != "", sender, &event); err != nil {
					return err
				}
			}
			id, err := w.AddSpamEvent(ctx, event)
			if errors.Is(err, record.ErrUnknownEvent) {
				return usage(fmt.Errorf("there is no event %d of this sender to supersede; \"msgbrowse spam event list\" lists them", supersedes))
			}
			if err != nil {
				return err
			}
			if err := spam.UpdateOptOuts(ctx, r, w, clocks); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Event %d: %s, %s, for sender %d, %s.\n", id, event.Type, inert.Line(spam.EventTime(event)), sender.ID, senderName(sender))
			return nil
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&kind, "type", "", "what happened, a `type`: "+strings.Join(vocabulary(record.EventTypes), ", "))
	flags.StringVar(&at, "at", "", "`when`: a date, or a time with or without offset")
	flags.StringVar(&details, "details", "", "what else there is to say, in your own `words`")
	flags.StringVar(&evidence, "evidence", "", "where the `proof` is: a file, a ticket number")
	flags.StringVar(&message, "message", "", "the `hash` of the message of yours that shows it")
	flags.Int64Var(&supersedes, "supersedes", 0, "the `event` that this one corrects")
	if err := cmd.MarkFlagRequired("type"); err != nil {
		panic(err) // the flag was defined above
	}
	complete(cmd, "type", vocabulary(record.EventTypes)...)
	return cmd
}

// confirmed ties an event to the owner's message that shows it, and takes its
// time from there unless another was given.
func confirmed(ctx context.Context, r *store.Reader, hash string, timed bool, sender record.Sender, event *record.Event) error {
	m, f, err := findFinding(ctx, r, hash)
	switch {
	case err != nil:
		return err
	case m.Direction != msg.Out:
		return usage(fmt.Errorf("message %s is not one of yours", hash))
	case f.SenderID != sender.ID:
		return usage(fmt.Errorf("message %s went to sender %d, not to sender %d", hash, f.SenderID, sender.ID))
	}
	event.Hash = m.Hash
	if !timed {
		event.Time = m.Time
	}
	return nil
}

// findFinding resolves the id or hash of a message on the record.
func findFinding(ctx context.Context, r *store.Reader, text string) (store.Message, record.Finding, error) {
	m, err := findMessage(ctx, r, text)
	if err != nil {
		return m, record.Finding{}, err
	}
	f, ok, err := r.SpamFinding(ctx, m.ConversationID, m.Hash)
	if err == nil && !ok {
		err = nothing(fmt.Errorf("message %s is not on the record; \"msgbrowse spam scan\" says what it leaves out", text))
	}
	return m, f, err
}

func newSpamCategory(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "category message category",
		Short: "Say what kind of message one is",
		Long: `Say what kind of message one is: confirm the category that a scan suggests, or give
another. The suggestion and what you said before stay in the history, and no message
leaves the record or the figures for it; the figures tell what you confirmed from what
is suggested. A message is named by its id or its hash, as in "msgbrowse show".

Categories: ` + strings.Join(vocabulary(record.Categories[:7]), ", ") + `,
` + strings.Join(vocabulary(record.Categories[7:]), ", ") + `.

` + spamNature,
		Example: `  msgbrowse spam category 7ba75d74 promo`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errors.New("category takes a message, and what it is")
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) != 1 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return vocabulary(record.Categories), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			category, err := oneOf("category", args[1], record.Categories)
			if err != nil {
				return err
			}
			return a.judging(cmd, func(ctx context.Context, _ *config.Config, w *store.Recorder, r *store.Reader) error {
				m, f, err := findFinding(ctx, r, args[0])
				if err != nil {
					return err
				}
				if m.Direction != msg.In {
					return usage(fmt.Errorf("message %s did not come in, so it has no category", args[0]))
				}
				if err := w.JudgeCategory(ctx, record.CategoryJudgment{Hash: f.Hash, Category: category, RecordedAt: a.env.Now().UnixMicro()}); err != nil {
					return err
				}
				suggested := "nothing suggested"
				if f.Category.Name != "" {
					suggested = "suggested " + string(f.Category.Name)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "Recorded for message %s of sender %d: %s (%s).\n", f.Hash[:12], f.SenderID, category, suggested)
				return nil
			})
		},
	}
}

func newSpamEventList(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [sender]",
		Short: "List events",
		Long: `List every event, or those of a sender: opt-outs that a scan found and what was
recorded by hand. Corrected ones stay in the list, marked.`,
		Example: `  msgbrowse spam event list
  msgbrowse spam event list "+1 212 555 0142" --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.reading(cmd, func(ctx context.Context, _ *config.Config, r *store.Reader) error {
				var of []int64
				for _, text := range args {
					sender, err := findSender(ctx, r, text)
					if err != nil {
						return err
					}
					of = []int64{sender.ID}
				}
				events, err := r.SpamEvents(ctx, of)
				if err != nil {
					return err
				}
				if asJSON {
					all := make([]eventReport, len(events))
					for i, e := range events {
						all[i] = eventListing(e)
					}
					return writeJSON(cmd, map[string]any{"events": all})
				}
				if len(events) == 0 {
					return nothing(errors.New("no event is on the record"))
				}
				senders, err := r.SpamSenders(ctx, record.SenderQuery{})
				if err != nil {
					return err
				}
				return printEvents(cmd, events, senders)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

func printEvents(cmd *cobra.Command, events []record.Event, senders []record.Sender) error {
	names := map[int64]string{}
	for _, s := range senders {
		names[s.ID] = s.Identifier
	}
	rows := [][]string{{"EVENT", "SENDER", "TYPE", "WHEN", "ORIGIN", "DETAILS", "EVIDENCE"}}
	for _, e := range events {
		origin := string(e.Origin)
		if !e.InForce() {
			origin += fmt.Sprintf(", corrected by %d", e.SupersededBy)
		}
		details := e.Details
		if e.Text != "" {
			details = strings.TrimSpace(fmt.Sprintf("%q %s", e.Text, details))
		}
		rows = append(rows, []string{fmt.Sprint(e.ID), names[e.SenderID], string(e.Type), inert.Line(spam.EventTime(e)), origin, details, e.Evidence})
	}
	return printTable(cmd.OutOrStdout(), rows)
}
