package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

func newSpamEntity(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "entity",
		Short: "Group senders that you hold for one entity",
		Long: `Group senders that you hold for one entity, each with the reason why. The program
never groups by itself. Nothing is erased: a sender that is taken out stays in the
history with the reason.`,
		Example: `  msgbrowse spam entity add "Acme Roofing" 12 --basis "same callback number"
  msgbrowse spam entity list`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSpamEntityAdd(a), newSpamEntityRemove(a), newSpamEntityList(a), newSpamEntitySuggest(a))
	return cmd
}

// entityNamed returns the entity of a name or of "entity:" and an id.
func entityNamed(ctx context.Context, r *store.Reader, text string) (record.Entity, bool, error) {
	all, err := r.SpamEntities(ctx)
	if err != nil {
		return record.Entity{}, false, err
	}
	for _, e := range all {
		if strings.EqualFold(e.Name, strings.TrimSpace(text)) || text == fmt.Sprintf("entity:%d", e.ID) {
			return e, true, nil
		}
	}
	return record.Entity{}, false, nil
}

func twoArgs(cmd *cobra.Command, args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("%s takes the name of an entity and a sender; put a name with spaces in quotes", cmd.Name())
	}
	return nil
}

func newSpamEntityAdd(a *app) *cobra.Command {
	var basis, evidence, notes string
	cmd := &cobra.Command{
		Use:   "add entity sender",
		Short: "Put a sender into an entity",
		Long: `Put a sender into an entity, which is made when there is none of that name. The basis
says why you hold them for one; it stands in the dossier.

` + senderForms,
		Example: `  msgbrowse spam entity add "Acme Roofing" 12 --basis "same callback number"`,
		Args:    twoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			name := strings.TrimSpace(args[0])
			if name == "" || strings.TrimSpace(basis) == "" {
				return wrongLine(cmd, errors.New("an entity needs a name, and each of its senders a --basis"))
			}
			return a.judging(cmd, func(ctx context.Context, _ *config.Config, w *store.Recorder, r *store.Reader) error {
				sender, err := findSender(ctx, r, args[1])
				if err != nil {
					return err
				}
				entity, known, err := entityNamed(ctx, r, name)
				if err != nil {
					return err
				}
				if err := notMember(ctx, r, sender.ID); err != nil {
					return err
				}
				if !known {
					if strings.HasPrefix(name, "entity:") {
						return nothing(fmt.Errorf("there is no %s; \"msgbrowse spam entity list\" lists them", name))
					}
					if entity.ID, err = w.AddSpamEntity(ctx, name, notes, a.env.Now()); err != nil {
						return err
					}
					entity.Name = name
				}
				m := record.Member{SenderID: sender.ID, Basis: basis, Evidence: evidence, AddedAt: a.env.Now().UTC().UnixMicro()}
				if err := w.AddEntityMember(ctx, entity.ID, m); err != nil {
					return err
				}
				return printTable(cmd.OutOrStdout(), [][]string{{fmt.Sprintf("Sender %d, %s, is in entity %d, %s.", sender.ID, senderName(sender), entity.ID, entity.Name)}})
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&basis, "basis", "", "why, in your own `words`; required")
	flags.StringVar(&evidence, "evidence", "", "where the `proof` is: a message, a file")
	flags.StringVar(&notes, "notes", "", "`notes` on a new entity")
	return cmd
}

// notMember refuses a sender that is in an entity.
func notMember(ctx context.Context, r *store.Reader, sender int64) error {
	all, err := r.SpamEntities(ctx)
	if err != nil {
		return err
	}
	for _, e := range all {
		if slices.Contains(e.Current(), sender) {
			return usage(fmt.Errorf("the sender is in entity %d, %s; take it out first with \"msgbrowse spam entity remove\"", e.ID, e.Name))
		}
	}
	return nil
}

func newSpamEntityRemove(a *app) *cobra.Command {
	var why string
	cmd := &cobra.Command{
		Use:   "remove entity sender",
		Short: "Take a sender out of an entity",
		Long: `Take a sender out of an entity. That it was in, and why it was taken out, stays in
the history.`,
		Example: `  msgbrowse spam entity remove "Acme Roofing" 12 --why "another company of the same name"`,
		Args:    twoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.judging(cmd, func(ctx context.Context, _ *config.Config, w *store.Recorder, r *store.Reader) error {
				entity, known, err := entityNamed(ctx, r, args[0])
				if err != nil {
					return err
				}
				if !known {
					return nothing(fmt.Errorf("no entity is called %q; \"msgbrowse spam entity list\" lists them", args[0]))
				}
				sender, err := findSender(ctx, r, args[1])
				if err != nil {
					return err
				}
				err = w.RemoveEntityMember(ctx, entity.ID, sender.ID, why, a.env.Now())
				if errors.Is(err, record.ErrUnknownSender) {
					return usage(fmt.Errorf("sender %d is not in %s", sender.ID, entity.Name))
				}
				if err == nil {
					fmt.Fprintf(cmd.OutOrStdout(), "Took sender %d out of entity %d.\n", sender.ID, entity.ID)
				}
				return err
			})
		},
	}
	cmd.Flags().StringVar(&why, "why", "", "why, in your own `words`")
	return cmd
}

type entityReport struct {
	ID      int64          `json:"id"`
	Name    string         `json:"name"`
	Notes   string         `json:"notes,omitempty"`
	Made    string         `json:"recorded_at"`
	Members []memberReport `json:"members"`
}

type memberReport struct {
	SenderID   int64  `json:"sender_id"`
	Basis      string `json:"basis"`
	Evidence   string `json:"evidence,omitempty"`
	AddedAt    string `json:"added_at"`
	RemovedAt  string `json:"removed_at,omitempty"`
	RemovedWhy string `json:"removed_why,omitempty"`
}

func newSpamEntityList(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List entities with their senders",
		Long:    `List entities with the senders that are or were in them, and why.`,
		Example: `  msgbrowse spam entity list`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.reading(cmd, func(ctx context.Context, _ *config.Config, r *store.Reader) error {
				all, err := r.SpamEntities(ctx)
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(cmd, map[string]any{"entities": entityListing(all)})
				}
				if len(all) == 0 {
					return nothing(errors.New("no entity is on the record; \"msgbrowse spam entity add\" makes one"))
				}
				senders, err := r.SpamSenders(ctx, record.SenderQuery{})
				if err != nil {
					return err
				}
				return printEntities(cmd, all, senders)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

func entityListing(all []record.Entity) []entityReport {
	list := make([]entityReport, len(all))
	for i, e := range all {
		list[i] = entityReport{ID: e.ID, Name: e.Name, Notes: e.Notes, Made: microTime(e.RecordedAt), Members: []memberReport{}}
		for _, m := range e.Members {
			list[i].Members = append(list[i].Members, memberReport{m.SenderID, m.Basis, m.Evidence, microTime(m.AddedAt), microTime(m.RemovedAt), m.RemovedWhy})
		}
	}
	return list
}

func printEntities(cmd *cobra.Command, all []record.Entity, senders []record.Sender) error {
	names := map[int64]string{}
	for _, s := range senders {
		names[s.ID] = fmt.Sprintf("%d %s", s.ID, s.Identifier)
	}
	rows := [][]string{{"ENTITY", "NAME", "SENDER", "BASIS", "ADDED", "TAKEN OUT"}}
	for _, e := range all {
		if len(e.Members) == 0 {
			rows = append(rows, []string{fmt.Sprint(e.ID), e.Name})
		}
		for _, m := range e.Members {
			out := microTime(m.RemovedAt)
			if m.RemovedWhy != "" {
				out += ": " + m.RemovedWhy
			}
			rows = append(rows, []string{fmt.Sprint(e.ID), e.Name, names[m.SenderID], m.Basis, microTime(m.AddedAt), out})
		}
	}
	return printTable(cmd.OutOrStdout(), rows)
}

func newSpamEntitySuggest(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "suggest",
		Short: "Show what senders have in common",
		Long: `Show what several senders have in common: the domain of a link, the number to call, or
the text. These are leads to confirm; that two senders use one domain does not make
them one entity, and nothing is grouped until you say so with "entity add".`,
		Example: `  msgbrowse spam entity suggest`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.reading(cmd, func(ctx context.Context, _ *config.Config, r *store.Reader) error {
				senders, err := r.SpamSenders(ctx, record.SenderQuery{})
				if err != nil {
					return err
				}
				names := map[int64]string{}
				for _, s := range senders {
					names[s.ID] = fmt.Sprintf("%d %s", s.ID, s.Identifier)
				}
				leads, err := spam.FindLeads(ctx, r)
				if err != nil {
					return err
				}
				entities, err := r.SpamEntities(ctx)
				if err != nil {
					return err
				}
				list := leads.Suggest(entities)
				if asJSON {
					return writeJSON(cmd, map[string]any{"suggestions": append([]spam.Suggestion{}, list...)})
				}
				if len(list) == 0 {
					return nothing(errors.New("no two senders have a domain, a number or a text in common"))
				}
				rows := [][]string{{"IN COMMON", "WHAT", "SENDERS"}}
				for _, x := range list {
					who := make([]string, len(x.Senders))
					for i, id := range x.Senders {
						who[i] = names[id]
					}
					rows = append(rows, []string{x.Basis, spam.Defang(x.Value), strings.Join(who, ", ")})
				}
				return printTable(cmd.OutOrStdout(), rows)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}
