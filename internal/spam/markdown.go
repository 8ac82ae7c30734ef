package spam

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// Markdown renders the dossier for reading.
func (d *Dossier) Markdown() []byte {
	m := &markdown{}
	m.line("# Record of contact: " + md(d.Subject.Title))
	m.line(d.Notice)
	if r := d.Redaction; r != nil {
		m.line("**Redacted copy** of the record with root digest " + r.Root + ". " + md(r.Reason))
	}
	m.line(fmt.Sprintf("Made at %s by %s. Rules %s. Last scan: run %d, %s to %s, %s.", md(d.GeneratedAt), md(d.Program), md(d.Ruleset),
		d.Run.ID, md(d.Run.StartedAt), md(d.Run.FinishedAt), md(string(d.Run.Env))))
	m.line("Links are printed defanged (hxxp, [.]) and characters that do not show are named (⟨U+200B⟩); the JSON rendering holds every text unchanged.")
	m.subject(d)
	m.figures(d)
	m.line("## Limitations")
	for _, l := range d.Limitations {
		m.item(md(l.Text))
	}
	m.end()
	m.eventLists(d)
	m.chronology(d)
	m.line("## Exhibits")
	for _, x := range d.Exhibits {
		m.exhibit(x)
	}
	return m.Bytes()
}

type markdown struct{ bytes.Buffer }

func (m *markdown) line(text string) { m.WriteString(text + "\n\n") }
func (m *markdown) item(text string) { m.WriteString("- " + text + "\n") }
func (m *markdown) end()             { m.WriteByte('\n') }

// fact is an item that is left out without a value.
func (m *markdown) fact(label, value string) {
	if value != "" {
		m.item(label + ": " + md(value))
	}
}

func (m *markdown) row(cells ...string) {
	for i := range cells {
		cells[i] = md(cells[i])
	}
	m.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

func (m *markdown) header(cells ...string) {
	m.row(cells...)
	m.WriteString("|" + strings.Repeat("---|", len(cells)) + "\n")
}

func (m *markdown) subject(d *Dossier) {
	m.line("## Senders")
	if e := d.Subject.Entity; e != nil {
		m.line("The senders are grouped under one name by a person: " + md(e.Name) + ". " + md(e.Notes))
		m.header("sender", "basis", "evidence", "added", "removed", "because")
		for _, x := range e.Members {
			m.row(x.Identifier, x.Basis, x.Evidence, x.Added, x.Removed, x.RemovedWhy)
		}
		m.end()
	}
	m.header("id", "sender", "kind", "display name", "status", "suspected entity", "consent", "consent notes", "notes")
	for _, s := range d.Subject.Senders {
		m.row(strconv.FormatInt(s.ID, 10), s.Identifier, s.Kind.Words(), s.Name, string(s.Status), s.SuspectedEntity, string(s.Consent), s.ConsentNotes, s.Notes)
	}
	m.end()
}

func (m *markdown) figures(d *Dossier) {
	m.line("## Figures")
	m.header("figure", "value", "note")
	for _, f := range d.Counts.Figures() {
		m.row(f.Label, f.Value, f.Note)
	}
	m.end()
	if len(d.Counts.Senders) > 0 {
		m.header("sender", "contacts", "worst twelve months", "opt-outs sent to it", "after these", "more than 15 days after")
		for _, s := range d.Counts.Senders {
			m.row(s.Identifier, d.Counts.Amount(s.Contacts), strconv.Itoa(s.Worst), strconv.Itoa(s.OptOuts), strconv.Itoa(s.After.Total), strconv.Itoa(s.After.AfterDays))
		}
		m.end()
	}
	if len(d.Counts.OptOuts) > 0 {
		m.line("### Opt-outs")
		m.header("event", "at", "origin", "taken back", "rule", "last day of grace", "after it: total", "confirmation", "within", "after", "remark")
		for _, o := range d.Counts.OptOuts {
			m.row(strconv.FormatInt(o.EventID, 10), o.At, string(o.Origin), o.Reopened, o.Rule.Name, o.LastDay, strconv.Itoa(o.After.Total),
				strconv.Itoa(o.After.Confirmation), strconv.Itoa(o.After.WithinGrace), strconv.Itoa(o.After.AfterGrace), o.Remark())
		}
		m.end()
	}
	for _, rule := range d.rules() {
		m.item(md(fmt.Sprintf("%s: %s; checked on %s. %s", rule.Name, rule.Source, rule.CheckedOn, rule.Note)))
	}
	m.end()
}

// Remark says what is particular about an opt-out, possibly nothing.
func (o OptOutCount) Remark() string {
	var list []string
	if o.Origin == "manual" && o.Message == "" {
		list = append(list, "the owner's statement; no message shows it")
	}
	if o.Informational {
		list = append(list, "answers an informational message: what it covers depends on the date")
	}
	return strings.Join(list, "; ")
}

// rules are the rules that the opt-outs were counted by, each once.
func (d *Dossier) rules() []GraceRule {
	var list []GraceRule
	seen := map[string]bool{}
	for _, o := range d.Counts.OptOuts {
		if o.Rule.Name != "" && !seen[o.Rule.Name] {
			seen[o.Rule.Name] = true
			list = append(list, o.Rule)
		}
	}
	return list
}

func (m *markdown) eventLists(d *Dossier) {
	m.line("## Events")
	m.header("id", "at", "precision", "type", "origin", "matched", "exhibit", "details", "evidence", "recorded", "corrected by")
	for _, e := range d.Events {
		m.row(strconv.FormatInt(e.ID, 10), e.At, e.Precision, string(e.Type), string(e.Origin), e.Text, number(e.Exhibit), e.Details, e.Evidence, e.RecordedAt, number(int(e.SupersededBy)))
	}
	m.end()
	m.line("## What a person said, and when")
	m.header("sender", "field", "before", "after", "recorded")
	for _, j := range d.Judgments {
		m.row(strconv.FormatInt(j.SenderID, 10), j.Field, j.Old, j.New, j.RecordedAt)
	}
	m.end()
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func (m *markdown) chronology(d *Dossier) {
	m.line("## Chronology")
	m.header("at", "local", "exhibit", "counterparty", "direction", "what", "after an opt-out", "counted", "rules")
	for _, e := range d.Chronology() {
		m.row(e.At, e.Local, number(e.Exhibit), e.Sender, e.Direction, e.What, map[bool]string{true: "yes"}[e.After], e.Counted, e.Reasons)
	}
	m.end()
}

func (m *markdown) exhibit(x DossierExhibit) {
	m.line(fmt.Sprintf("### Exhibit %d", x.Number))
	for _, f := range x.Facts() {
		m.fact(f.Label, f.Value)
	}
	m.end()
	if x.Gap {
		m.line("**Gap.** The archive no longer holds this message; nothing but the facts above is left of it.")
		return
	}
	m.fence(x.Body)
	for i, earlier := range x.Earlier {
		m.line(fmt.Sprintf("Earlier version %d:", i+1))
		m.fence(earlier)
	}
}

// fence prints a text in a block that nothing in it can end.
func (m *markdown) fence(text string) {
	text = Shown(text)
	marks := "```"
	for strings.Contains(text, marks) {
		marks += "`"
	}
	m.line(marks + "text\n" + text + "\n" + marks)
}

// Facts lists what is known of an exhibit besides its text.
func (x DossierExhibit) Facts() []Figure {
	var links, attachments []string
	for _, l := range x.Links {
		link := l.Target + " (domain " + l.Domain
		for _, extra := range []struct {
			text string
			is   bool
		}{{"shown as " + l.Unicode, l.Unicode != ""}, {"shortener", l.Shortener}, {"disguised", l.Obfuscated}, {"mixed scripts", l.Mixed}} {
			if extra.is {
				link += ", " + extra.text
			}
		}
		links = append(links, link+")")
	}
	for _, a := range x.Attachments {
		attachments = append(attachments, a.Kind+" "+a.Name)
	}
	status := map[bool]string{true: "yes"}
	list := []Figure{
		{"Time", x.At, ""}, {"Local", x.Local, ""}, {"Basis of the time", x.Basis + ", precision " + x.Precision, ""},
		{"Direction", x.Direction, ""}, {"Kind", x.Kind, ""}, {x.party(), x.Sender, ""}, {"Thread", x.Thread, ""}, {"Group", status[x.Group], ""},
		{"Line of the owner", x.OwnerLine, ""}, {"Service", x.Service, ""},
		{"Counted", x.entry().Counted, ""}, {"After an opt-out", status[x.After], ""}, {"Rules", strings.Join(x.Reasons, "; "), ""},
		{"Category", x.category(), ""}, {"Reason of the suggestion", x.Category.Reason, ""}, {"Opt-out", x.OptOut.Words(), ""}, {"Shows event", number(int(x.Event)), ""}, {"Answer to an opt-out", string(x.Reply), ""},
		{"Links", strings.Join(links, "; "), ""}, {"Numbers", strings.Join(x.Callbacks, ", "), ""}, {"Addresses", strings.Join(x.Emails, ", "), ""},
		{"Names", strings.Join(x.Names, ", "), ""}, {"Entity leads, to confirm", strings.Join(x.EntityLead, ", "), ""},
		{"Attachments", strings.Join(attachments, "; "), ""}, {"Answers the text", x.Quote, ""},
		{"SHA-256 of the text", x.BodySHA256, ""}, {"Changed since the scan", status[x.Changed], ""}, {"Missing since import", number(int(x.Missing)), ""},
		{"Read from", x.Origin.where(), ""}, {"Native id", x.Origin.NativeID, ""}, {"Message", x.Source + " " + x.Hash, ""},
	}
	kept := list[:0]
	for _, f := range list {
		if f.Value != "" {
			kept = append(kept, f)
		}
	}
	return kept
}

// party says what the identifier of the other side is to a message.
func (x DossierExhibit) party() string {
	switch x.Direction {
	case msg.In.String():
		return "From"
	case msg.Out.String():
		return "To"
	}
	return "With"
}

func (o Origin) where() string {
	var parts []string
	add := func(format string, value any, ok bool) {
		if ok {
			parts = append(parts, fmt.Sprintf(format, value))
		}
	}
	add("%s", o.File, o.File != "")
	add("in it %s", o.Member, o.Member != "")
	add("%s", o.Format, o.Format != "")
	add("line %d", o.Line, o.Line != 0)
	add("byte %d", o.Offset, o.Offset != 0)
	add("pointer %s", o.Pointer, o.Pointer != "")
	add("SHA-256 of the file %s", o.SHA256, o.SHA256 != "")
	add("and %d further files", o.Also, o.Also != 0)
	return strings.Join(parts, ", ")
}

// mdEscapes are the characters that mean something to a reader of Markdown
// or of the HTML in it.
var mdEscapes = func() *strings.Replacer {
	var pairs []string
	for _, c := range "\\`*_{}[]()#+!|~$^" {
		pairs = append(pairs, string(c), "\\"+string(c))
	}
	return strings.NewReplacer(append(pairs, "<", "&lt;", ">", "&gt;", "&", "&amp;", "@", "&#64;")...)
}()

// md is a text on one line that Markdown shows and does not act on.
func md(text string) string { return mdEscapes.Replace(ShownLine(text)) }
