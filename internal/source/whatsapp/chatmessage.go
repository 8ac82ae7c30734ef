package whatsapp

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// flush hands over the open message.
func (r *chatReader) flush() error {
	if !r.open.set {
		return nil
	}
	r.open.set = false
	m := &r.message
	*m = msg.Message{Position: r.open.at, Time: r.time()}
	var body string
	m.Time.Raw, body = r.texts()
	r.fill(m, body)
	if r.open.reason != noSuspicion {
		r.suspects++
		m.Suspect = r.open.reason.String()
	}
	if err := r.sink.Message(m); err != nil {
		return err
	}
	if over := r.open.over; over.lines > 0 {
		r.sink.Skip(source.Skipped{Position: over.at, Reason: "the rest of a message longer than 4 MiB was left out", Excerpt: over.text})
	}
	return nil
}

// texts returns the date and time as they stood, and the body.
func (r *chatReader) texts() (raw, body string) {
	m := &r.open
	if utf8.Valid(m.text) {
		all := string(m.text)
		return all[:m.date], all[m.body:]
	}
	r.invalid++
	return validText(m.text[:m.date]), validText(m.text[m.body:])
}

func (r *chatReader) time() msg.Time {
	t := msg.Time{Micros: r.open.micros, Basis: msg.Wall, Precision: msg.Minute, Known: true}
	if r.open.header.seconds {
		t.Precision = msg.Second
	}
	if r.eras[otherEra] && r.open.header.year != yearShort {
		year, _, _ := r.open.header.date(r.order)
		t.Known = eraOf(year) != otherEra
	}
	return t
}

// fill finds out what the message is and whose.
func (r *chatReader) fill(m *msg.Message, body string) {
	if !r.open.authored {
		r.reading.notice(m, body)
		return
	}
	m.Sender = r.open.name
	if r.open.notice {
		m.Body, m.Kind = body, msg.Notice
	} else {
		r.reading.interpret(m, body)
	}
	if m.Kind == msg.Notice {
		// An iPhone writes notices in the name of the group or the contact
		// that the chat is called after; neither of them wrote anything.
		if r.open.author != nil && r.isTitle(r.open.author) {
			m.Sender = msg.Handle{}
		}
		return
	}
	m.Direction = msg.In
	if author := r.open.author; author != nil && author.owner && r.open.reason == noSuspicion {
		m.Direction = msg.Out
	}
}

// trimBreak cuts the carriage return of the line's break off, but not one at
// the end of a piece.
func trimBreak(line source.Line) []byte {
	if line.Partial {
		return line.Text
	}
	return bytes.TrimSuffix(line.Text, []byte("\r"))
}

// validText is b with the replacement character for what is not UTF-8.
func validText(b []byte) string { return strings.ToValidUTF8(string(b), "\ufffd") }

// runeStart returns the last index up to at where a rune of b begins.
func runeStart(b []byte, at int) int {
	for at > 0 && !utf8.RuneStart(b[at]) {
		at--
	}
	return at
}

func excerpt(b []byte) string {
	return source.Excerpt(validText(b[:min(len(b), 8*source.ExcerptSize)]))
}
