package signal

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// message hands over the message with header h that fills chunk.
func (r *transcript) message(h mark, chunk []byte, doubt string) error {
	if limit := h.bodyFrom + maxBody; len(chunk) > limit {
		for limit > h.bodyFrom+maxBody-utf8.UTFMax && !utf8.RuneStart(chunk[limit]) {
			limit--
		}
		chunk = chunk[:limit]
	}
	text := string(chunk)
	p, _ := find(r.chat, chunk[h.sender:h.colon])
	m := &r.m
	*m = msg.Message{
		Time:     h.time.wall(h.precision(), text[1:h.rawEnd], r.times.last),
		Suspect:  doubt,
		Position: msg.Position{Line: r.line, Offset: h.at},
	}
	r.parts.split(r.text(text[h.bodyFrom:]), r.spaced)
	r.parts.kindOf(m)
	r.chat.attribute(m, p, m.Body == "" && m.Kind == msg.Text && r.parts.quote == "" && !r.parts.added())
	r.attach(m)
	return r.sink.Message(m)
}

func (h header) precision() msg.Precision {
	if h.shape&withSeconds != 0 {
		return msg.Second
	}
	return msg.Minute
}

// text undoes what stands after every message and, in a file written on
// Windows, what was done to its line feeds.
func (r *transcript) text(text string) string {
	if r.crlf {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	if !r.spaced {
		return strings.TrimRight(text, "\n")
	}
	text = strings.TrimSuffix(text, "\n")
	if r.blank {
		text = strings.TrimSuffix(text, "\n")
	}
	return text
}

// attach adds what stands around the text to m.
func (r *transcript) attach(m *msg.Message) {
	if r.parts.quote != "" {
		r.reply = msg.Reply{Quote: r.parts.quote}
		m.ReplyTo = &r.reply
	}
	if r.parts.reactions != "" {
		r.reactions = r.chat.react(m, r.parts.reactions, r.reactions[:0])
		m.Reactions = r.reactions
	}
	if len(r.parts.links) > 0 {
		r.attachments = r.attachments[:0]
		for _, l := range slices.Backward(r.parts.links) {
			r.attachments = append(r.attachments, l.attachment(&r.shelf))
		}
		m.Attachments = r.attachments
	}
	if m.Kind == msg.Call {
		if d := callDuration(m.Body); d != "" {
			m.Details = []msg.Detail{{Name: "duration", Value: d}}
		}
	}
	m.Links = hiddenLinks(m.Body)
}
