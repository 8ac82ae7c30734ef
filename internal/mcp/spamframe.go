package mcp

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// Evidence says under which settings the record of unsolicited contact is
// read.
type Evidence struct {
	Rules  *spam.Rules
	Clocks spam.Clocks
}

// spamNature stands in the description of every tool of the record: it is the
// one documentation that models read reliably.
const spamNature = "Reads a derived evidence record about identifiable people: not a spam score, not a verdict, not legal advice. " +
	"Pass its limitations and its degraded, mixed and complete flags on with any statement made from it. Status, suspected_entity and consent_status are the owner's own judgment. "

// spamInstructions follow the server's instructions when the record is read.
const spamInstructions = `

The spam tools read a derived record of unsolicited contact. It is evidence about identifiable people, with limits that every result states; it is not legal advice. Survey with list_spam_senders, get_spam_sender and list_spam_violations, which hold no message text; get_spam_dossier returns the messages. Nothing here writes: judgments, events and scans are the owner's.`

// spamDefinitions are the tools of the record, registered only when the owner
// says so.
func (t *tools) spamDefinitions() []ToolDef {
	return []ToolDef{t.listSpamSenders(), t.getSpamSender(), t.listSpamViolations(), t.getSpamDossier()}
}

// spamFrame is the frame of every answer from the record.
type spamFrame struct {
	listing
	spam.Provenance
}

// openRecord returns what figures are computed under, and the frame of an
// answer from the record as a whole. Further pages keep to the moment of the
// first.
func (t *tools) openRecord(ctx context.Context, asOf string, page *cursor) (spam.Question, spamFrame, error) {
	at, err := spam.ParseAsOf(asOf, t.evidence.Clocks, t.now().UTC().Truncate(time.Second))
	if err != nil {
		return spam.Question{}, spamFrame{}, fmt.Errorf("as_of: %w", err)
	}
	if page != nil {
		at = time.UnixMicro(page.Sort).UTC()
	}
	q := spam.Question{Settings: t.evidence.Rules.Settings(), Clocks: t.evidence.Clocks, AsOf: at}
	p, err := spam.ReadProvenance(ctx, t.r, q, t.evidence.Rules.Version())
	return q, spamFrame{listing: listing{Notice: untrusted}, Provenance: p}, err
}

// recordPage is openRecord for a list of several pages, whose figures are those
// of one moment. It also says where to go on, nil for the beginning.
func (t *tools) recordPage(ctx context.Context, from, query, asOf string) (*cursor, spam.Question, spamFrame, error) {
	after, err := decodeCursor(from, query)
	if err != nil {
		return nil, spam.Question{}, spamFrame{}, err
	}
	q, frame, err := t.openRecord(ctx, asOf, after)
	return after, q, frame, err
}

// spamSubject is what answers about one sender or entity have in common.
type spamSubject struct {
	spamFrame
	Subject   spam.Subject           `json:"subject" jsonschema:"who it is, with the owner's judgments"`
	Figures   spamFigures            `json:"counts"`
	Events    []spam.DossierEvent    `json:"events" jsonschema:"opt-outs found and what the owner recorded; corrected ones name what supersedes them; of a dossier, on the first page"`
	Judgments []spam.DossierJudgment `json:"judgments" jsonschema:"history of what the owner said; of a dossier, on the first page"`
}

// tell fills in who it is and the figures.
func (s *spamSubject) tell(who spam.Subject, c spam.Counts) {
	s.Subject, s.Figures, s.Provenance = who, figuresOf(c), s.Provenance.For(c)
}

// body writes the facts as lines.
func (s *spamSubject) body(b *strings.Builder) {
	writeSubject(b, s.Subject)
	writeFigures(b, s.Figures)
	writeEvents(b, s.Events)
	writeJudgments(b, s.Judgments)
}

// named finds the sender or entity that an argument names. ok is false when
// there is nobody because nothing was scanned, which is no error.
func (t *tools) named(ctx context.Context, text string, f spamFrame) (found spam.Named, ok bool, err error) {
	found, err = spam.Lookup(ctx, t.r, text)
	var unknown *spam.UnknownNameError
	switch {
	case err == nil && found.Entity.ID != 0 && len(found.Entity.Current()) == 0:
		return found, false, fmt.Errorf("entity %d %s has no senders", found.Entity.ID, quoted(name(found.Entity.Name)))
	case err == nil:
		return found, true, nil
	case errors.As(err, &unknown) && !f.Scanned:
		return found, false, nil
	case errors.As(err, &unknown) && len(unknown.Known) > 0:
		return found, false, fmt.Errorf("no sender or entity matches %s; the closest are %s (list_spam_senders lists all)",
			excerpt(text), quotedAll(closest(text, unknown.Known, 5)))
	}
	return found, false, err
}

// text puts the frame's facts into lines around a body.
func (f *spamFrame) text(what, body string) string {
	var b strings.Builder
	for _, note := range f.Provenance.Notes {
		b.WriteString("Explanation: " + inert.Line(note) + "\n")
	}
	fmt.Fprintf(&b, "Derived evidence record, not legal advice. as_of %s by the clock of %s; ruleset_version %s; scan_env %s; degraded %t; mixed %t; complete %t\n",
		f.AsOf, f.Clock, orNone(f.Ruleset), orNone(joined(f.Envs)), f.Degraded, f.Mixed, f.Complete)
	if f.Run.ID != 0 {
		fmt.Fprintf(&b, "scan_run %d, %s to %s, %s\n", f.Run.ID, f.Run.StartedAt, f.Run.FinishedAt, f.Run.Env)
	}
	for _, problem := range f.Problems {
		b.WriteString("Not read, so figures are at least: " + inert.Line(problem) + "\n")
	}
	b.WriteString(body)
	b.WriteString("Limitations:\n")
	for _, l := range f.Limitations {
		fmt.Fprintf(&b, "- %s: %s\n", l.ID, inert.Line(l.Text))
	}
	return f.listing.text(what, b.String())
}

func joined[T ~string](list []T) string {
	texts := make([]string, len(list))
	for i, x := range list {
		texts[i] = string(x)
	}
	return strings.Join(texts, ", ")
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// timeItem is a time with what kind of reading it is.
type timeItem struct {
	At    string `json:"at" jsonschema:"RFC 3339 with Z, or a wall clock reading without offset, see basis"`
	Basis string `json:"basis" jsonschema:"instant, or wall: what a clock showed, in which zone is not recorded"`
}

func timeOf(t msg.Time) timeItem { return timeItem{t.String(), t.Basis.String()} }

func (t timeItem) String() string { return t.At + " (" + t.Basis + ")" }

// manyLines are the fields whose texts keep their line breaks; all other
// texts are one line.
var manyLines = map[string]bool{
	"Body": true, "Quote": true, "Earlier": true, "Details": true, "Evidence": true, "Notes": true, "ConsentNotes": true, "Old": true, "New": true,
}

// clean makes every text below v harmless to show and every list at least
// empty. v points to a result made of values from the record, which are as
// strangers wrote them.
func clean(v any) { cleanValue(reflect.ValueOf(v).Elem(), "") }

func cleanValue(v reflect.Value, field string) {
	switch v.Kind() {
	case reflect.String:
		if manyLines[field] {
			v.SetString(inert.Text(v.String()))
		} else {
			v.SetString(inert.Line(v.String()))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			cleanValue(v.Elem(), field)
		}
	case reflect.Slice:
		if v.IsNil() && v.CanSet() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		for i := range v.Len() {
			cleanValue(v.Index(i), field)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() || v.Type().Field(i).Anonymous {
				cleanValue(v.Field(i), v.Type().Field(i).Name)
			}
		}
	}
}

// statusesOf reads the argument status.
func statusesOf(names []string) []record.Status {
	list := make([]record.Status, len(names))
	for i, name := range names {
		list[i] = record.Status(name)
	}
	return list
}
