package signal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// row is one line of data.json, version 2.0 to 3.9 and what has been added
// since.
type row struct {
	Date        string          `json:"date"`
	Sender      *string         `json:"sender"`
	Body        string          `json:"body"`
	Quote       string          `json:"quote"`
	Sticker     rowSticker      `json:"sticker"`
	Reactions   []rowReaction   `json:"reactions"`
	Attachments []rowAttachment `json:"attachments"`
	Deleted     bool            `json:"deleted"`
	Call        *bool           `json:"call"`
	Missed      bool            `json:"missed"`
	ID          string          `json:"id"`
	Edits       []rowEdit       `json:"edits"`
	Vanishing   bool            `json:"disappearing"`
}

// rowSticker is an object since 2026 and was the emoji, or empty, before.
type rowSticker struct {
	ID        string `json:"id"`
	Pack      string `json:"packId"`
	Emoji     string `json:"emoji"`
	Extension string `json:"extension"`
	set       bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *rowSticker) UnmarshalJSON(b []byte) error {
	switch b[0] {
	case 'n':
		return nil
	case '"':
		err := json.Unmarshal(b, &s.Emoji)
		s.set = s.Emoji != ""
		return err
	}
	type plain rowSticker
	if err := json.Unmarshal(b, (*plain)(s)); err != nil {
		return fmt.Errorf("parse sticker: %w", err)
	}
	s.set = true
	return nil
}

// rowReaction is a pair of name and emoji.
type rowReaction [2]*string

type rowAttachment struct {
	Name    string  `json:"name"`
	Path    string  `json:"path"`
	Missing *string `json:"missing_kind"`
}

type rowEdit struct {
	Date string `json:"date"`
	Body string `json:"body"`
}

// sender is the row's sender as a transcript writes it.
func (r *row) sender() string {
	if r.Sender == nil {
		return nullName
	}
	return *r.Sender
}

// when is the row's time; last is the message's before it.
func (r *row) when(last reading) msg.Time { return isoTime(r.Date, last) }

// isoTime reads what Python's isoformat writes: 2022-08-10T19:33:38.284000,
// without a fraction when that is zero. With an offset it is an instant.
func isoTime(s string, last reading) msg.Time {
	unknown := msg.Time{Micros: int64(last), Raw: s}
	const plain = "2022-08-10T19:33:38"
	if len(s) < len(plain) || s[10] != 'T' && s[10] != ' ' || s[16] != ':' {
		return unknown
	}
	days, ok := scanDate(s)
	if !ok {
		return unknown
	}
	clock, ok := scanMinutes(s, 11)
	seconds := two(s, 17)
	if !ok || seconds < 0 || seconds > 59 {
		return unknown
	}
	at := days*day + clock + int64(seconds)*second
	if len(s) == len(plain) {
		return reading(at).wall(msg.Second, s, last)
	}
	if f, ok := fraction(s[len(plain):]); ok {
		return reading(at+f).wall(msg.Millisecond, s, last)
	}
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return msg.InstantTime(t, msg.Millisecond, s)
	}
	return unknown
}

// fraction reads ".284000" as microseconds.
func fraction(s string) (int64, bool) {
	if len(s) < 2 || len(s) > 7 || s[0] != '.' {
		return 0, false
	}
	n := int64(0)
	for i := 1; i < 7; i++ {
		n *= 10
		if i < len(s) {
			if s[i] < '0' || s[i] > '9' {
				return 0, false
			}
			n += int64(s[i] - '0')
		}
	}
	return n, true
}

// firstRow reads the first line of a data.json by its beginning.
func firstRow(head []byte) (r row, ok bool) {
	r, known := readRow(head)
	return r, known >= rowFields
}

// rowFields is how many of its own fields make an object a line of this
// format.
const rowFields = 3

// readRow reads as much of the first line as head holds, a date and a sender
// at least. known counts the fields seen that only this format has; it is 0
// when the line is no row at all.
func readRow(head []byte) (r row, known int) {
	fields, cut := objectFields(bytes.TrimPrefix(head, byteOrderMark))
	if json.Unmarshal(fields["date"], &r.Date) != nil || json.Unmarshal(fields["sender"], &r.Sender) != nil {
		return row{}, 0
	}
	if _, hasBody := fields["body"]; !hasBody || !dated(r.Date) {
		return row{}, 0
	}
	if cut && len(fields) == rowFields {
		return r, rowFields // a long text fills the rest of head
	}
	known = 1
	for _, name := range []string{"quote", "sticker", "reactions", "attachments"} {
		if _, has := fields[name]; has {
			known++
		}
	}
	return r, known
}

// dated reports whether s has the shape of a row's date.
func dated(s string) bool {
	const template = "0000-00-00T00:00:00"
	return len(s) >= len(template) && fits([]byte(s[:len(template)]), template)
}

// objectFields reads the fields of the JSON object at the beginning of b;
// cut is set when b ends inside it. A field's value is empty where b ends in
// it.
func objectFields(b []byte) (fields map[string]json.RawMessage, cut bool) {
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	fields = map[string]json.RawMessage{}
	for d.More() {
		key, err := d.Token()
		name, isName := key.(string)
		if err != nil || !isName {
			return nil, false
		}
		var value json.RawMessage
		err = d.Decode(&value)
		fields[name] = value
		if err != nil {
			cut = errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
			return fields, cut
		}
	}
	return fields, false
}
