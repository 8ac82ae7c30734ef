package spam

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Entry is one line of the chronology: a message or an event.
type Entry struct {
	At, Local, Basis, Precision string
	Exhibit                     int    // 0 for an event
	Sender, Direction, What     string // Sender is the other side, of the owner's messages, too
	After                       bool
	Counted                     string // yes, no with the reason, or empty
	Reasons, Category           string
	Text, SHA256, Thread        string
}

// Chronology lists messages and events by time. An event that a message shows
// stands at that message.
func (d *Dossier) Chronology() []Entry {
	type placedEntry struct {
		sort  int64
		event bool
		Entry
	}
	identifiers := map[int64]string{}
	for _, s := range d.Subject.Senders {
		identifiers[s.ID] = s.Identifier
	}
	list := make([]placedEntry, 0, len(d.Exhibits)+len(d.Events))
	sorts := map[int]int64{}
	for _, x := range d.Exhibits {
		sorts[x.Number] = x.sort
		list = append(list, placedEntry{x.sort, false, x.entry()})
	}
	for _, e := range d.Events {
		at := e.order
		if e.Exhibit > 0 {
			at = sorts[e.Exhibit]
		}
		list = append(list, placedEntry{at, true, e.entry(identifiers[e.SenderID])})
	}
	slices.SortStableFunc(list, func(a, b placedEntry) int { return cmp.Compare(a.sort, b.sort) })
	entries := make([]Entry, len(list))
	for i, e := range list {
		entries[i] = e.Entry
	}
	return entries
}

func (x DossierExhibit) entry() Entry {
	e := Entry{At: x.At, Local: x.Local, Basis: x.Basis, Precision: x.Precision, Exhibit: x.Number, Sender: x.Sender, Direction: x.Direction, What: "message",
		After: x.After, Reasons: strings.Join(x.Reasons, "; "), Category: x.category(), Text: x.Body, SHA256: x.BodySHA256, Thread: x.Thread}
	if x.Direction == "in" {
		e.Counted = "yes"
		if !x.Counted {
			e.Counted = "no: " + x.WhyNot
		}
	}
	if x.Gap {
		e.What = "gap: the archive no longer holds this message"
	}
	return e
}

func (x DossierExhibit) category() string {
	switch {
	case x.Confirmed != "":
		return string(x.Confirmed) + " (by a person)"
	case x.Category.Name != "":
		return string(x.Category.Name) + " (suggested)"
	}
	return ""
}

func (e DossierEvent) entry(sender string) Entry {
	what := "event: " + string(e.Type) + " (" + string(e.Origin) + ")"
	if e.SupersededBy != 0 {
		what += fmt.Sprintf(", corrected by event %d", e.SupersededBy)
	}
	text := strings.Join(slices.DeleteFunc([]string{e.Details, e.Evidence}, func(s string) bool { return s == "" }), "; ")
	if e.Exhibit > 0 {
		text = strings.TrimSuffix(fmt.Sprintf("shown by exhibit %d; %s", e.Exhibit, text), "; ")
	}
	basis := ""
	if e.Exhibit == 0 {
		basis = "as a person stated it"
	}
	return Entry{At: e.At, Local: e.Local, Basis: basis, Precision: e.Precision, Sender: sender, What: what, Text: text}
}

var csvHeader = []string{"row", "at", "local", "time_basis", "time_precision", "exhibit", "counterparty", "direction", "what", "after_opt_out", "counted",
	"rules", "category", "text", "body_sha256", "thread"}

// CSV renders the chronology for spreadsheets, with the figures and the
// limitations below it. No cell is read as a formula.
func (d *Dossier) CSV() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	rows := [][]string{csvHeader}
	for _, e := range d.Chronology() {
		exhibit, after := "", ""
		if e.Exhibit > 0 {
			exhibit, after = strconv.Itoa(e.Exhibit), yesNo(e.After)
		}
		rows = append(rows, []string{"entry", e.At, e.Local, e.Basis, e.Precision, exhibit, e.Sender, e.Direction, e.What, after, e.Counted, e.Reasons, e.Category, e.Text, e.SHA256, e.Thread})
	}
	row := func(kind, what, text string) {
		cells := make([]string, len(csvHeader))
		cells[0], cells[8], cells[13] = kind, what, text
		rows = append(rows, cells)
	}
	row("record", "subject", d.Subject.Title)
	row("record", "ruleset_version", d.Ruleset)
	row("record", "generated_at", d.GeneratedAt)
	if r := d.Redaction; r != nil {
		row("record", "redacted copy of", r.Root)
		row("record", "redacted because", r.Reason)
	}
	for _, f := range d.Counts.Figures() {
		row("figure", f.Label, strings.TrimSuffix(f.Value+" ("+f.Note+")", " ()"))
	}
	for _, l := range d.Limitations {
		row("limitation", l.ID, l.Text)
	}
	for _, cells := range rows {
		for i := range cells {
			cells[i] = cell(cells[i])
		}
		if err := w.Write(cells); err != nil {
			return nil, fmt.Errorf("write chronology: %w", err)
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return nil, fmt.Errorf("write chronology: %w", err)
	}
	return b.Bytes(), nil
}

// cell makes a text safe in a spreadsheet: an apostrophe in front of what
// would be read as a formula, as spreadsheets themselves write it.
func cell(text string) string {
	text = Shown(text)
	if start := strings.TrimLeft(text, " \t\n"); start != "" && strings.ContainsRune("=+-@|%＝＋－＠", []rune(start)[0]) || strings.HasPrefix(text, "\t") {
		return "'" + text
	}
	return text
}
