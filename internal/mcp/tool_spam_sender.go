package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/spam"
)

// asOfInput is the moment that tools with figures are asked for.
type asOfInput struct {
	AsOf string `json:"as_of,omitempty" jsonschema:"the moment that figures stand for, now without it: YYYY-MM-DD (the day included) or RFC 3339"`
}

type getSpamSenderInput struct {
	Sender IntOrText `json:"sender" jsonschema:"sender_id, number or address in any spelling, name of the thread, or name of an entity; id:12, code:12345 and entity:3 tell them apart"`
	asOfInput
}

// spamFigures are the figures of a sender or an entity, as every door has
// them.
type spamFigures struct {
	Contacts     int                  `json:"contacts" jsonschema:"messages that came in and count"`
	Flagged      int                  `json:"flagged" jsonschema:"of these, those that tripped a rule"`
	Sent         int                  `json:"sent" jsonschema:"messages of the owner"`
	First        string               `json:"first,omitempty"`
	Last         string               `json:"last,omitempty"`
	Trailing     spam.Window          `json:"trailing_twelve_months"`
	Worst        spam.Window          `json:"worst_twelve_months" jsonschema:"the twelve months with the most contacts"`
	NearBoundary int                  `json:"near_boundary"`
	After        spam.After           `json:"after_opt_out" jsonschema:"total = confirmation + within_grace + after_grace"`
	OptOuts      []spam.OptOutCount   `json:"opt_outs"`
	Attempted    int                  `json:"attempted_opt_outs" jsonschema:"opt-outs that could not be sent"`
	AfterAttempt int                  `json:"contacts_after_attempt"`
	Unconfirmed  int                  `json:"unconfirmed_opt_outs" jsonschema:"messages of the owner that a person must confirm"`
	AfterInquiry int                  `json:"contacts_after_own_message"`
	NotCounted   int                  `json:"not_counted"`
	Categories   []spam.CategoryCount `json:"categories"`
	Lines        []spam.LineCount     `json:"owner_lines"`
	Quiet        spam.QuietHours      `json:"quiet_hours"`
	Senders      []spam.SenderCount   `json:"senders" jsonschema:"each sender of an entity on its own"`
	// Lines of the figures with what they mean.
	Explained []spam.Figure `json:"explained" jsonschema:"the same figures with what each is made of"`
}

func figuresOf(c spam.Counts) spamFigures {
	return spamFigures{
		c.Contacts, c.Candidates, c.Sent, c.First, c.Last, c.Trailing, c.Worst, c.NearBoundary, c.After, c.OptOuts, c.Attempted, c.AfterAttempt,
		c.Unconfirmed, c.AfterInquiry, len(c.Uncounted), c.Categories, c.Lines, c.Quiet, c.Senders, c.Figures(),
	}
}

type getSpamSenderOutput struct{ spamSubject }

func (t *tools) getSpamSender() ToolDef {
	return ToolDef{
		Name: "get_spam_sender", Title: "Get an unsolicited sender",
		Description: "Get one sender of unsolicited texts, or an entity the owner grouped senders into: judgments, figures (contacts in any twelve months, contacts after an opt-out) and events. " +
			"Holds no message text. " + spamNature,
		Input: SchemaOf[getSpamSenderInput](), Output: SchemaOf[getSpamSenderOutput](),
		Handler: handler("get_spam_sender", t.runGetSpamSender),
	}
}

func (t *tools) runGetSpamSender(ctx context.Context, in getSpamSenderInput, _ string) (any, string, error) {
	q, frame, err := t.openRecord(ctx, in.AsOf, nil)
	if err != nil {
		return nil, "", err
	}
	out := getSpamSenderOutput{spamSubject{spamFrame: frame}}
	found, ok, err := t.named(ctx, string(in.Sender), frame)
	if err != nil {
		return nil, "", err
	}
	if !ok {
		clean(&out)
		return out, out.spamFrame.text("events", ""), nil
	}
	s, err := spam.Summarize(ctx, t.r, spam.About{Sender: found.Sender.ID, Entity: found.Entity.ID}, q)
	if err != nil {
		return nil, "", err
	}
	out.tell(s.Subject, s.Counts)
	out.Events, out.Judgments = s.Events, s.Judgments
	total := int64(len(s.Events))
	out.Shown, out.Total = len(s.Events), &total
	clean(&out)
	var b strings.Builder
	out.body(&b)
	return out, out.spamFrame.text("events", b.String()), nil
}

func writeSubject(b *strings.Builder, s spam.Subject) {
	fmt.Fprintf(b, "Subject: %s\n", quoted(s.Title))
	if e := s.Entity; e != nil {
		fmt.Fprintf(b, "entity %d %s, grouped by the owner%s\n", e.ID, quoted(e.Name), tail("; notes", e.Notes))
		for _, m := range e.Members {
			fmt.Fprintf(b, "member sender_id %d %s, added %s, basis %s%s", m.SenderID, quoted(m.Identifier), m.Added, quoted(oneLine(m.Basis)), tail(", evidence", m.Evidence))
			if m.Removed != "" {
				fmt.Fprintf(b, ", taken out %s%s", m.Removed, tail(" because", m.RemovedWhy))
			}
			b.WriteString("\n")
		}
	}
	for _, x := range s.Senders {
		fmt.Fprintf(b, "sender_id %d %s (%s)%s: status %s, consent_status %s%s%s%s\n", x.ID, quoted(x.Identifier), x.Kind, tail(" display_name", x.Name), x.Status, x.Consent,
			tail(", suspected_entity", x.SuspectedEntity), tail(", consent_notes", x.ConsentNotes), tail(", notes", x.Notes))
	}
}

// tail writes an optional part of a line.
func tail(label, text string) string {
	if text == "" {
		return ""
	}
	return label + " " + quoted(oneLine(text))
}

func oneLine(text string) string { return inert.Line(strings.Join(strings.Fields(text), " ")) }

func writeFigures(b *strings.Builder, f spamFigures) {
	for _, x := range f.Explained {
		fmt.Fprintf(b, "%s: %s%s\n", oneLine(x.Label), oneLine(x.Value), note(x.Note))
	}
	fmt.Fprintf(b, "trailing_twelve_months: %s\nworst_twelve_months: %s\n", windowText(f.Trailing), windowText(f.Worst))
	if !f.Quiet.Computed {
		fmt.Fprintf(b, "quiet_hours: %s\n", oneLine(f.Quiet.Why))
	}
	for _, o := range f.OptOuts {
		b.WriteString(optOutText(o) + "\n")
	}
	for _, s := range f.Senders {
		fmt.Fprintf(b, "sender_id %d %s alone: contacts %d, worst twelve months %d, opt-outs %d, after an opt-out %d\n", s.SenderID, quoted(s.Identifier), s.Contacts, s.Worst, s.OptOuts, s.After.Total)
	}
}

func windowText(w spam.Window) string {
	if w.Contacts == 0 {
		return "0"
	}
	return fmt.Sprintf("%d, %s to %s, over at %s", w.Contacts, w.First, w.Last, w.Ends)
}

func optOutText(o spam.OptOutCount) string {
	text := fmt.Sprintf("opt-out event %d of sender_id %d: %s %s%s at %s (%s)%s, rule %s, last day of grace %s", o.EventID, o.SenderID, o.Type, o.Origin, tail(" tier", string(o.Tier)),
		oneLine(o.At), o.Precision, tail(", message", o.Message), oneLine(o.Rule.Name), o.LastDay)
	if o.Reopened != "" {
		text += ", taken back " + o.Reopened
	}
	a := o.After
	return fmt.Sprintf("%s; after it %d = %d confirmation + %d within grace + %d after grace", text, a.Total, a.Confirmation, a.WithinGrace, a.AfterGrace)
}

func note(text string) string {
	if text == "" {
		return ""
	}
	return " (" + oneLine(text) + ")"
}

func writeEvents(b *strings.Builder, events []spam.DossierEvent) {
	for _, e := range events {
		fmt.Fprintf(b, "event %d of sender_id %d: %s at %s (%s), %s%s%s%s", e.ID, e.SenderID, e.Type, oneLine(e.At), e.Precision, e.Origin,
			tail(", tier", string(e.Tier)), tail(", details", e.Details), tail(", evidence", e.Evidence))
		if e.Exhibit != 0 {
			fmt.Fprintf(b, ", exhibit %d", e.Exhibit)
		}
		if e.SupersededBy != 0 {
			fmt.Fprintf(b, ", corrected by event %d", e.SupersededBy)
		}
		fmt.Fprintf(b, ", recorded %s\n", e.RecordedAt)
	}
}

func writeJudgments(b *strings.Builder, list []spam.DossierJudgment) {
	for _, j := range list {
		fmt.Fprintf(b, "judgment of sender_id %d, %s: %s from %s to %s\n", j.SenderID, j.RecordedAt, j.Field, quoted(oneLine(j.Old)), quoted(oneLine(j.New)))
	}
}
