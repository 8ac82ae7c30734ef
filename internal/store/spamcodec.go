package store

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// The traits of a finding share bits 0 to 8 and 17 with those of a message
// (traits.go). Bits 9 to 11 are its own.
const (
	findingBystander traits = 1 << 9
	findingCandidate traits = 1 << 10
	findingGroup     traits = 1 << 11 // its thread is a group
)

func findingTraits(f *record.Finding) traits {
	t := traits(f.Kind)&15 | traits(f.Time.Precision)&7<<5
	set := func(bit traits, ok bool) {
		if ok {
			t |= bit
		}
	}
	set(traitInstant, f.Time.Basis == msg.Instant)
	set(traitKnown, f.Time.Known)
	set(traitBare, f.Time.Raw == "")
	set(findingBystander, f.Bystander)
	set(findingCandidate, f.Candidate)
	set(findingGroup, f.Thread == msg.Group)
	return t
}

// marks are what only some findings have. The names are part of the schema.
type marks struct {
	Reasons     []string         `json:"reasons,omitempty"`
	Fields      *record.Fields   `json:"fields,omitempty"`
	Category    *record.Category `json:"category,omitempty"`
	OptOut      record.OptOut    `json:"opt_out,omitempty"`
	Reply       record.Reply     `json:"reply,omitempty"`
	Attachments int64            `json:"attachments,omitempty"`
	SentAt      int64            `json:"sent_at,omitempty"`
}

// encodeMarks returns the marks of a finding, nil when it has none.
func encodeMarks(f *record.Finding) (any, error) {
	m := marks{Reasons: f.Reasons, OptOut: f.OptOut, Reply: f.Reply, Attachments: f.Attachments, SentAt: f.SentAt}
	x := &f.Fields
	if len(x.URLs)+len(x.Callbacks)+len(x.Emails)+len(x.Names)+len(x.Entities) > 0 {
		m.Fields = x
	}
	if f.Category != (record.Category{}) {
		m.Category = &f.Category
	}
	if m.Fields == nil && m.Category == nil && len(m.Reasons) == 0 && m.OptOut == "" && m.Reply == "" && m.Attachments == 0 && m.SentAt == 0 {
		return nil, nil
	}
	text, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode finding: %w", err)
	}
	return string(text), nil
}

func decodeMarks(text string, f *record.Finding) error {
	if text == "" {
		return nil
	}
	var m marks
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return fmt.Errorf("decode finding: %w", err)
	}
	f.Reasons, f.OptOut, f.Reply, f.Attachments, f.SentAt = m.Reasons, m.OptOut, m.Reply, m.Attachments, m.SentAt
	if m.Fields != nil {
		f.Fields = *m.Fields
	}
	if m.Category != nil {
		f.Category = *m.Category
	}
	return nil
}

// storedTime is a msg.Time as JSON. The order of its fields is part of the
// schema: equal times are equal texts.
type storedTime struct {
	Micros    int64         `json:"micros"`
	Basis     msg.Basis     `json:"basis"`
	Precision msg.Precision `json:"precision"`
	Raw       string        `json:"raw"`
	Known     bool          `json:"known"`
}

func encodeTime(t msg.Time) (string, error) {
	text, err := json.Marshal(storedTime{t.Micros, t.Basis, t.Precision, t.Raw, t.Known})
	return string(text), err
}

// decodeTime reads a time; an empty text is the zero time.
func decodeTime(text string) (msg.Time, error) {
	if text == "" {
		return msg.Time{}, nil
	}
	var t storedTime
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return msg.Time{}, fmt.Errorf("decode time: %w", err)
	}
	return msg.Time{Micros: t.Micros, Basis: t.Basis, Precision: t.Precision, Raw: t.Raw, Known: t.Known}, nil
}

// digits decodes hex text of the record into bytes, nil for none.
func digits(text string) (any, error) {
	if text == "" {
		return nil, nil
	}
	raw, err := hex.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("decode digits: %w", err)
	}
	return raw, nil
}
