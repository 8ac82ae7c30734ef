package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// question is what figures are computed under, with the provenance of the
// record as a whole.
func (a *app) question(ctx context.Context, settings *config.Config, r *store.Reader, asOf string) (spam.Question, spam.Provenance, error) {
	rules, clocks, err := spamRules(settings)
	if err != nil {
		return spam.Question{}, spam.Provenance{}, err
	}
	at, err := spam.ParseAsOf(asOf, clocks, a.env.Now().UTC().Truncate(time.Second))
	if err != nil {
		return spam.Question{}, spam.Provenance{}, usage(fmt.Errorf("--as-of: %w", err))
	}
	q := spam.Question{Settings: rules.Settings(), Clocks: clocks, AsOf: at}
	p, err := spam.ReadProvenance(ctx, r, q, rules.Version())
	return q, p, err
}

// printStanding says under what a list stands.
func printStanding(w io.Writer, p spam.Provenance) {
	if p.Scanned {
		fmt.Fprintf(w, "As of %s; rules %s; address book %s.\n", p.AsOf, p.Ruleset, joinEnvs(p.Envs))
	}
	for _, note := range p.Notes {
		fmt.Fprintln(w, inert.Line(note))
	}
	if !p.Complete {
		fmt.Fprintln(w, "Not every source could be read, so figures are \"at least\":")
		for _, problem := range p.Problems {
			fmt.Fprintln(w, "  "+inert.Line(problem))
		}
	}
	if p.Degraded || p.Mixed {
		for _, l := range p.Limitations {
			if l.ID == "stranger_predicate" {
				fmt.Fprintln(w, l.Text)
			}
		}
	}
}

func newSpamSenders(a *app) *cobra.Command {
	var statuses []string
	var all, asJSON bool
	cmd := &cobra.Command{
		Use:   "senders",
		Short: "List the senders on the record",
		Long: `List the senders on the record: those on watch, because a message tripped a rule, and
those you track; --status and --all list others. IN and OUT are the messages found,
FLAGGED those that tripped a rule, AFTER those that came in after an opt-out; "evidence"
says which of them count.

` + spamNature,
		Example: `  msgbrowse spam senders
  msgbrowse spam senders --status tracked,ignored
  msgbrowse spam senders --all --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			q := record.SenderQuery{Statuses: []record.Status{record.Watch, record.Tracked}}
			if all {
				q.Statuses = nil
			}
			if cmd.Flags().Changed("status") {
				q.Statuses = nil
				for _, text := range statuses {
					s, err := oneOf("--status", text, record.Statuses)
					if err != nil {
						return err
					}
					q.Statuses = append(q.Statuses, s)
				}
			}
			return a.reading(cmd, func(ctx context.Context, settings *config.Config, r *store.Reader) error {
				_, p, err := a.question(ctx, settings, r, "")
				if err != nil {
					return err
				}
				list, err := r.SpamSenders(ctx, q)
				if err != nil {
					return err
				}
				sources, err := r.SpamSources(ctx, record.SenderIDs(list))
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(cmd, sendersListing(list, sources, p))
				}
				printStanding(cmd.ErrOrStderr(), p)
				if len(list) == 0 && p.Scanned {
					return nothing(errors.New("no sender has this status; --all lists every one"))
				}
				if len(list) == 0 {
					return nothing(errors.New("the record is empty"))
				}
				rows := [][]string{{"ID", "SENDER", "STATUS", "IN", "OUT", "FLAGGED", "AFTER", "FIRST", "LAST", "REASONS"}}
				for _, s := range list {
					n := s.Figures
					rows = append(rows, []string{fmt.Sprint(s.ID), senderName(s), string(s.Status), count(n.Inbound), count(n.Outbound), count(n.Candidates),
						count(n.AfterOptOut), shortTime(s.First), shortTime(s.Last), strings.Join(slices.Sorted(maps.Keys(n.Reasons)), ", ")})
				}
				return printTable(cmd.OutOrStdout(), rows)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&statuses, "status", nil, "only these `statuses`: "+strings.Join(vocabulary(record.Statuses), ", "))
	flags.BoolVar(&all, "all", false, "list senders of every status")
	flags.BoolVar(&asJSON, "json", false, "print a JSON object")
	complete(cmd, "status", vocabulary(record.Statuses)...)
	return cmd
}

// shortTime writes a time to the minute.
func shortTime(t msg.Time) string {
	if !t.Known {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04")
}

type sendersReport struct {
	spam.Provenance
	Senders []senderReport `json:"senders"`
}

// senderReport is a sender as JSON. The figures are those that the scan found,
// before duplicates and what else does not count are taken out.
type senderReport struct {
	ID              int64            `json:"sender_id"`
	Identifier      string           `json:"identifier"`
	Kind            string           `json:"kind"`
	Name            string           `json:"display_name,omitempty"`
	Sources         []string         `json:"sources"`
	Status          string           `json:"status"`
	SuspectedEntity string           `json:"suspected_entity"`
	Consent         string           `json:"consent_status"`
	In              int64            `json:"messages_in"`
	Out             int64            `json:"messages_out"`
	Flagged         int64            `json:"flagged"`
	After           int64            `json:"in_after_opt_out"`
	Reasons         map[string]int64 `json:"reasons"`
	First           string           `json:"first"`
	Last            string           `json:"last"`
}

func senderListing(s record.Sender, sources []msg.Source) senderReport {
	n := s.Figures
	return senderReport{
		s.ID, inert.Line(s.Identifier), string(s.Kind), inert.Line(s.Name), vocabulary(sources), string(s.Status), inert.Line(s.SuspectedEntity), string(s.Consent),
		n.Inbound, n.Outbound, n.Candidates, n.AfterOptOut, n.Reasons, s.First.String(), s.Last.String(),
	}
}

func sendersListing(list []record.Sender, sources map[int64][]msg.Source, p spam.Provenance) sendersReport {
	report := sendersReport{Provenance: p, Senders: []senderReport{}}
	for _, s := range list {
		report.Senders = append(report.Senders, senderListing(s, sources[s.ID]))
	}
	return report
}

func newSpamViolations(a *app) *cobra.Command {
	var asOf string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "violations",
		Short: "List who wrote after an opt-out",
		Long: `List who wrote after an opt-out, the most contacts first: entities, by what all their
senders got to hear, then senders by themselves. AFTER is the sum of CONFIRMATION (the
one reply that only confirms), IN GRACE and PAST GRACE (within and after the grace
period of the rules in force at the opt-out). TRAILING and WORST count all contacts in
twelve months.

Whether a contact was lawful is not said here.
` + spamNature,
		Example: `  msgbrowse spam violations
  msgbrowse spam violations --as-of 2026-06-30 --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.reading(cmd, func(ctx context.Context, settings *config.Config, r *store.Reader) error {
				q, p, err := a.question(ctx, settings, r, asOf)
				if err != nil {
					return err
				}
				list, err := spam.ContactsAfterOptOut(ctx, r, q)
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(cmd, violationsListing(list, p))
				}
				printStanding(cmd.ErrOrStderr(), p)
				if len(list) == 0 {
					return nothing(errors.New("no contact after an opt-out is on the record"))
				}
				return printViolations(cmd.OutOrStdout(), list)
			})
		},
	}
	cmd.Flags().StringVar(&asOf, "as-of", "", "the `moment` that figures stand for: a date or RFC 3339 (default: now)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

func printViolations(out io.Writer, list []spam.AfterContact) error {
	rows := [][]string{{"WHO", "NAME", "AFTER", "CONFIRMATION", "IN GRACE", "PAST GRACE", "TRAILING", "WORST", "WORST FROM", "WORST TO"}}
	for _, x := range list {
		who, name := fmt.Sprintf("id:%d", x.Sender.ID), senderName(x.Sender)
		if x.Entity.ID != 0 {
			who, name = fmt.Sprintf("entity:%d", x.Entity.ID), x.Entity.Name
		}
		c := x.Counts
		rows = append(rows, []string{who, name, c.Amount(c.After.Total), c.Amount(c.After.Confirmation), c.Amount(c.After.WithinGrace), c.Amount(c.After.AfterGrace),
			c.Amount(c.Trailing.Contacts), c.Amount(c.Worst.Contacts), c.Worst.First, c.Worst.Last})
	}
	return printTable(out, rows)
}

type violationsReport struct {
	spam.Provenance
	Violations []violationReport `json:"contacts_after_opt_out"`
}

type violationReport struct {
	SenderID   int64              `json:"sender_id,omitempty"`
	EntityID   int64              `json:"entity_id,omitempty"`
	Name       string             `json:"name"`
	Contacts   int                `json:"contacts"`
	After      spam.After         `json:"after_opt_out"`
	Trailing   spam.Window        `json:"trailing_twelve_months"`
	Worst      spam.Window        `json:"worst_twelve_months"`
	OptOuts    []spam.OptOutCount `json:"opt_outs"`
	Complete   bool               `json:"complete"`
	OwnerLines []spam.LineCount   `json:"owner_lines"`
}

func violationsListing(list []spam.AfterContact, p spam.Provenance) violationsReport {
	report := violationsReport{Provenance: p, Violations: []violationReport{}}
	for _, x := range list {
		c := x.Counts
		name := x.Sender.Identifier
		if x.Entity.ID != 0 {
			name = x.Entity.Name
		}
		report.Violations = append(report.Violations, violationReport{
			x.Sender.ID, x.Entity.ID, inert.Line(name), c.Contacts, c.After, c.Trailing, c.Worst, c.OptOuts, c.Complete, c.Lines,
		})
	}
	return report
}
