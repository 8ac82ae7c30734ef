package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/text/cases"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/contacts"
	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

func newContacts(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "contacts [text]",
		Short: "List people, their handles and what the address books say",
		Long: `List the people of the archive with their handles, that is the numbers, addresses
and accounts they write from, and what the address books call them. A text keeps
those whose names or handles contain it.

Address books are vCard files (contacts.vcard), exports of Google Contacts
(contacts.google_csv) and, on a Mac, that of the system. They are only read.

Equal numbers and addresses are one person without being told. What the exports
cannot tell is for you to say: merge makes several people one, split gives
handles to a person of their own, undo takes either back. Imports keep to it.`,
		Example: `  msgbrowse contacts harper
  msgbrowse contacts merge 12 31 --reason "her new number"
  msgbrowse contacts split 40`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.reading(cmd, func(ctx context.Context, settings *config.Config, r *store.Reader) error {
				books, err := a.addressBooks(ctx, settings)
				if err != nil {
					return err
				}
				list, err := listPeople(ctx, r, books, strings.Join(args, " "))
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(cmd, contactsListing(list, books))
				}
				printAddressBooks(cmd.ErrOrStderr(), books)
				if len(list) == 0 {
					return nothing(errors.New("nobody matches"))
				}
				return printPeople(cmd, list)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	cmd.AddCommand(newContactsMerge(a), newContactsSplit(a), newContactsUndo(a), newContactsLog(a))
	return cmd
}

// knownPerson is a person with what the address books say.
type knownPerson struct {
	id      int64
	name    string
	owner   bool
	handles []store.Person
	cards   []contacts.Card
}

// listPeople gathers the people whose names or handles contain text, by name.
func listPeople(ctx context.Context, r *store.Reader, books contacts.AddressBooks, text string) ([]knownPerson, error) {
	handles, err := r.People(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(handles, func(x, y store.Person) int { return cmp.Compare(x.HandleID, y.HandleID) })
	byID := map[int64]*knownPerson{}
	for _, h := range handles {
		p := byID[h.PersonID]
		if p == nil {
			p = &knownPerson{id: h.PersonID}
			byID[h.PersonID] = p
		}
		p.handles = append(p.handles, h)
		p.owner = p.owner || h.Owner
		if card, ok := books.Find(msg.Handle{ID: h.Native, Name: h.Name, Kind: h.Kind}); ok &&
			!slices.ContainsFunc(p.cards, func(c contacts.Card) bool { return c.Name() == card.Name() && c.Provider == card.Provider }) {
			p.cards = append(p.cards, card)
		}
	}
	fold := cases.Fold()
	text = fold.String(text)
	var list []knownPerson
	for _, p := range byID {
		p.name = p.handles[0].Label
		for _, h := range p.handles {
			if h.Name != "" && h.Name != h.Native {
				p.name = h.Label
				break
			}
		}
		if p.matches(text, fold) {
			list = append(list, *p)
		}
	}
	slices.SortFunc(list, func(x, y knownPerson) int {
		return cmp.Or(cmp.Compare(fold.String(x.name), fold.String(y.name)), cmp.Compare(x.id, y.id))
	})
	return list, nil
}

func (p knownPerson) matches(text string, fold cases.Caser) bool {
	texts := p.bookNames()
	for _, h := range p.handles {
		texts = append(texts, h.Name, h.Native)
	}
	return slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(fold.String(s), text) })
}

func (p knownPerson) bookNames() []string {
	var names []string
	for _, c := range p.cards {
		if !slices.Contains(names, c.Name()) {
			names = append(names, c.Name())
		}
	}
	return names
}

func printPeople(cmd *cobra.Command, list []knownPerson) error {
	table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tNAME\tADDRESS BOOK\tHANDLE\tSOURCE\tIDENTIFIER")
	for _, p := range list {
		name, book := inert.Line(p.name), cmp.Or(inert.Line(strings.Join(p.bookNames(), ", ")), "-")
		if p.owner {
			name += " (you)"
		}
		id := strconv.FormatInt(p.id, 10)
		for _, h := range p.handles {
			fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%s\t%s\n", id, name, book, h.HandleID, h.Source, inert.Line(h.Native))
			id, name, book = "", "", ""
		}
	}
	return table.Flush()
}

type contactsReport struct {
	AddressBooks []addressBookReport `json:"address_books"`
	People       []personReport      `json:"people"`
}

type addressBookReport struct {
	Provider     string `json:"provider"`
	Path         string `json:"path"`
	Availability string `json:"availability"`
	Entries      int    `json:"entries"`
	Problem      string `json:"problem,omitempty"`
}

type personReport struct {
	ID          int64          `json:"id"`
	Name        string         `json:"name"`
	You         bool           `json:"you,omitempty"`
	AddressBook []string       `json:"address_book"`
	Handles     []handleReport `json:"handles"`
}

type handleReport struct {
	ID         int64  `json:"id"`
	Source     string `json:"source"`
	Identifier string `json:"identifier"`
	Name       string `json:"name,omitempty"`
}

func contactsListing(list []knownPerson, books contacts.AddressBooks) contactsReport {
	report := contactsReport{AddressBooks: []addressBookReport{}, People: []personReport{}}
	for _, s := range books.Sources {
		report.AddressBooks = append(report.AddressBooks, addressBookReport{s.Provider, s.Path, string(s.Availability), s.Cards, s.Problem})
	}
	for _, p := range list {
		person := personReport{ID: p.id, Name: inert.Line(p.name), You: p.owner, AddressBook: []string{}, Handles: []handleReport{}}
		for _, name := range p.bookNames() {
			person.AddressBook = append(person.AddressBook, inert.Line(name))
		}
		for _, h := range p.handles {
			person.Handles = append(person.Handles, handleReport{h.HandleID, string(h.Source), inert.Line(h.Native), inert.Line(h.Name)})
		}
		report.People = append(report.People, person)
	}
	return report
}

// decide runs one decision about who is who.
func (a *app) decide(cmd *cobra.Command, args []string, do func(w *store.Recorder, ids []int64) error) error {
	ids := make([]int64, len(args))
	for i, arg := range args {
		id, err := strconv.ParseInt(arg, 10, 64)
		if err != nil || id < 1 {
			return wrongLine(cmd, fmt.Errorf("%q is no id; \"msgbrowse contacts\" lists them", arg))
		}
		ids[i] = id
	}
	settings, err := a.settings(cmd)
	if err != nil {
		return err
	}
	w, err := openRecorder(cmd.Context(), settings)
	if err != nil {
		return err
	}
	var stale *store.StaleDecisionError
	switch err := errors.Join(do(w, ids), w.Close()); {
	case errors.Is(err, store.ErrNotFound):
		return usage(fmt.Errorf("%w; \"msgbrowse contacts\" lists people and handles", err))
	case errors.Is(err, store.ErrNoDecision):
		return nothing(errors.New("there is no such decision to undo; \"msgbrowse contacts log\" lists them"))
	case errors.As(err, &stale):
		return usage(fmt.Errorf("%w; undo the later decision first (\"msgbrowse contacts log\" lists them)", err))
	default:
		return err
	}
}

func newContactsMerge(a *app) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:   "merge id id...",
		Short: "Say that several people are one",
		Long: `Say that several people of the archive are one: all their handles become those of
the first. "msgbrowse contacts undo" takes it back.`,
		Example: `  msgbrowse contacts merge 12 31 --reason "her new number"`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return errors.New("merge takes the ids of at least two people")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.decide(cmd, args, func(w *store.Recorder, ids []int64) error {
				n, err := w.MergePeople(cmd.Context(), ids, reason, a.env.Now())
				if err == nil {
					fmt.Fprintf(cmd.OutOrStdout(), "Merged %d people into %d; decision %d.\n", len(ids), ids[0], n)
				}
				return err
			})
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, in your own `words`; kept in the log")
	return cmd
}

func newContactsSplit(a *app) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:   "split handle...",
		Short: "Give handles to a person of their own",
		Long: `Say that handles are not those of the person they are listed under: all that are
named become one new person's. "msgbrowse contacts undo" takes it back.`,
		Example: `  msgbrowse contacts split 40 --reason "the family's shared phone"`,
		Args:    someArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.decide(cmd, args, func(w *store.Recorder, ids []int64) error {
				n, err := w.SplitPeople(cmd.Context(), ids, reason, a.env.Now())
				if err == nil {
					fmt.Fprintf(cmd.OutOrStdout(), "Gave %s to a new person; decision %d.\n", plural(int64(len(ids)), "handle", "handles"), n)
				}
				return err
			})
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, in your own `words`; kept in the log")
	return cmd
}

func newContactsUndo(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "undo [decision]",
		Short: "Take a merge or a split back",
		Long: `Take back the decision with a number, or the newest one. Handles that a later
decision moved again stay; take that one back first.`,
		Example: `  msgbrowse contacts undo
  msgbrowse contacts undo 3`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.decide(cmd, args, func(w *store.Recorder, ids []int64) error {
				n, err := w.UndoPeople(cmd.Context(), append(ids, 0)[0], a.env.Now())
				if err == nil {
					fmt.Fprintf(cmd.OutOrStdout(), "Took decision %d back.\n", n)
				}
				return err
			})
		},
	}
}

func newContactsLog(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "log",
		Short:   "List what was merged and split",
		Long:    `List every decision about who is who, the newest first.`,
		Example: `  msgbrowse contacts log`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.reading(cmd, func(ctx context.Context, _ *config.Config, r *store.Reader) error {
				log, err := r.PersonLog(ctx)
				if err != nil {
					return err
				}
				if len(log) == 0 {
					return nothing(errors.New("nobody was merged or split"))
				}
				table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
				fmt.Fprintln(table, "DECISION\tWHEN\tWHAT\tHANDLES\tREASON")
				for _, d := range log {
					fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\n", d.ID, d.At.Format(time.DateTime), decisionText(d), movesText(d.Moves), inert.Line(d.Reason))
				}
				return table.Flush()
			})
		},
	}
}

func decisionText(d store.PersonDecision) string {
	switch {
	case d.Undoes != 0:
		return fmt.Sprintf("undo %d", d.Undoes)
	case d.Undone != 0:
		return d.Action + " (undone)"
	default:
		return d.Action
	}
}

func movesText(moves []store.PersonMove) string {
	texts := make([]string, len(moves))
	for i, m := range moves {
		texts[i] = fmt.Sprintf("%d: %d>%d", m.Handle, m.From, m.To)
	}
	return strings.Join(texts, ", ")
}
