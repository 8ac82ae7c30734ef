package signal

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// build makes e the message of v.
func (r *rows) build(e *entry, v *row, at msg.Position) {
	m := &e.m
	*m = msg.Message{
		NativeID:    v.ID,
		Time:        v.when(r.last),
		Reactions:   m.Reactions[:0],
		Attachments: m.Attachments[:0],
		Position:    at,
	}
	e.reply = msg.Reply{}
	e.unit = mergeUnit(m.Time)
	body := strings.TrimSuffix(v.Body, spaces)
	e.reply.Quote, body = r.quote(v, e, body)
	if e.reply.Quote != "" {
		m.ReplyTo = &e.reply
	}
	p, _ := find(r.chat, v.sender())
	r.fill(m, v, body)
	empty := m.Body == "" && m.Kind == msg.Text && m.ReplyTo == nil && len(m.Reactions)+len(m.Attachments) == 0
	r.chat.attribute(m, p, empty)
	e.key(m, body)
	if len(m.Reactions) == 0 {
		m.Reactions = nil
	}
	if len(m.Attachments) == 0 {
		m.Attachments = nil
	}
}

// quote returns the quoted text and the body. A message that was read back
// from a transcript keeps the quote at the head of its body.
func (r *rows) quote(v *row, e *entry, body string) (quote, rest string) {
	if v.Quote != "" {
		if quote, _ := cutQuote(v.Quote); quote != "" {
			return quote, body
		}
		return strings.TrimSpace(v.Quote), body
	}
	if e.unit > 0 {
		return cutQuote(body)
	}
	return "", body
}

// fill sets kind, body and what came with the text.
func (r *rows) fill(m *msg.Message, v *row, body string) {
	for _, re := range v.Reactions {
		if re[1] == nil || *re[1] == "" {
			continue
		}
		name := nullName
		if re[0] != nil {
			name = *re[0]
		}
		m.Reactions = append(m.Reactions, r.chat.reaction(name, strings.TrimSpace(*re[1]), false))
	}
	r.attach(m, v)
	for _, ed := range v.Edits {
		m.Edits = append(m.Edits, msg.Edit{Body: strings.TrimSuffix(ed.Body, spaces), Time: isoTime(ed.Date, r.last)})
	}
	m.Edited = len(m.Edits) > 0
	if v.Vanishing {
		m.Details = append(m.Details, msg.Detail{Name: "disappearing", Value: "true"})
	}
	m.Body = body
	switch {
	case v.Deleted:
		m.Kind, m.Body = msg.Deleted, ""
	case v.Sticker.set && body == "":
		m.Kind = msg.Sticker
		if v.Sticker.Emoji != unnamedSticker {
			m.Body = v.Sticker.Emoji
		}
	case v.Call != nil && *v.Call, v.Call == nil && isCall(body):
		m.Kind = msg.Call
		if d := callDuration(body); d != "" {
			m.Details = append(m.Details, msg.Detail{Name: "duration", Value: d})
		}
		if v.Missed {
			m.Details = append(m.Details, msg.Detail{Name: "missed", Value: "true"})
		}
	}
	m.Links = append(m.Links, hiddenLinks(m.Body)...)
}

// attach adds attachments and the sticker's image.
func (r *rows) attach(m *msg.Message, v *row) {
	if v.Sticker.set && v.Sticker.Extension != "" {
		l := link{sticker: true, ref: stickerPrefix + v.Sticker.Pack + "/" + v.Sticker.ID + "." + v.Sticker.Extension}
		m.Attachments = append(m.Attachments, l.attachment(&r.shelf))
	}
	for _, a := range v.Attachments {
		l := link{label: a.Name}
		if a.Missing != nil {
			l.missing = *a.Missing + " not exported"
			m.Attachments = append(m.Attachments, l.attachment(&r.shelf))
			continue
		}
		var ok bool
		if l.ref, l.sticker, ok = isReference(a.Path); !ok {
			// Reading a transcript back takes every Markdown link in a text
			// for an attachment.
			if isWeb(a.Path) {
				m.Links = append(m.Links, a.Path)
			} else {
				m.Attachments = append(m.Attachments, msg.Attachment{Name: a.Name, Missing: missingUnsafe})
			}
			continue
		}
		l.exact = madeFrom(l.ref[strings.LastIndexByte(l.ref, '/')+1:], a.Name)
		m.Attachments = append(m.Attachments, l.attachment(&r.shelf))
	}
}
