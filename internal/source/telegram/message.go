package telegram

import (
	"strings"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// fill makes m what the record says. raw is the record's text. What does not
// have the shape it should have is kept as a Detail, or as the body.
func (r *reader) fill(m *msg.Message, rec *record, raw []byte) {
	c := &r.chat
	*m = msg.Message{
		Sender:    handle(peerID(rec.fromID, c.inChannel()), rec.from),
		Direction: msg.In,
		Time:      r.place(rec.time()),
	}
	if rec.hasID {
		var again bool
		if m.NativeID, again = r.ids.native(rec.id); again {
			m.Suspect = "another message of this chat has the same id"
		}
	}
	if rec.typ != "message" && rec.typ != "service" {
		r.setUnparsed(m, raw)
		return
	}
	if at := rec.editedAt(); at != "" {
		m.Edited = true
		m.Details = append(m.Details, msg.Detail{Name: "edited_at", Value: at})
	}
	if err := setText(rec, m); err != nil {
		r.setUnparsed(m, raw)
		return
	}
	r.setReply(rec, m)
	addRest(rec, m)
	r.addMedia(rec, m)
	keepOdd(m, "inline_bot_buttons", rec.buttons, addButtons(rec.buttons, m))
	keepOdd(m, "reactions", rec.reactions, r.addReactions(rec.reactions, m, c.inChannel()))
	if rec.typ == "service" {
		r.setService(rec, m)
		return
	}
	if r.owner.is(m.Sender) {
		m.Direction = msg.Out
	}
	if err := addCards(rec, m); err != nil {
		keepOdd(m, "poll", rec.poll, err)
		keepOdd(m, "location_information", rec.location, err)
		keepOdd(m, "contact_information", rec.contact, err)
	}
	if rec.mediaType == "sticker" {
		setSticker(rec, m)
	} else if len(rec.stickerEmoji) > 0 {
		m.Details = append(m.Details, msg.Detail{Name: "sticker_emoji", Value: plain(rec.stickerEmoji)})
	}
}

// place gives a message without a time the place of the one before it.
func (r *reader) place(t msg.Time) msg.Time {
	if t.Known {
		r.micros = t.Micros
	} else {
		t.Micros = r.micros
	}
	return t
}

// maxUnparsed bounds the body of a message that is kept as it stood.
const maxUnparsed = 4 << 10

// setUnparsed keeps a record of an unknown type as its text.
func (r *reader) setUnparsed(m *msg.Message, raw []byte) {
	m.Kind = msg.Unparsed
	switch {
	case m.Sender.IsZero():
		m.Direction = msg.System
	case r.owner.is(m.Sender):
		m.Direction = msg.Out
	}
	m.Links, m.Details = nil, nil
	m.Body = compact(raw)
	if len(m.Body) > maxUnparsed {
		cut := maxUnparsed
		for !utf8.RuneStart(m.Body[cut]) {
			cut--
		}
		m.Body = m.Body[:cut]
	}
}

// setText sets the body. The list of formatted parts stands in for a text
// that is missing.
func setText(rec *record, m *msg.Message) (err error) {
	if m.Body, err = readText(rec.text, m); err == nil && m.Body == "" && len(rec.entities) > 0 {
		m.Body, err = readText(rec.entities, m)
	}
	return err
}

// setReply links a message to the one it answers. An answer to a message of
// another chat keeps both ids as Details.
func (r *reader) setReply(rec *record, m *msg.Message) {
	peer := peerID(rec.replyPeer, r.chat.inChannel())
	id, ok := integer(rec.replyTo)
	if ok && (peer == "" || peer == r.chat.peerID()) {
		m.ReplyTo = &msg.Reply{NativeID: r.ids.ref(id)}
		return
	}
	if len(rec.replyTo) > 0 {
		m.Details = append(m.Details, msg.Detail{Name: "reply_to_message_id", Value: plain(rec.replyTo)})
	}
	if peer != "" {
		m.Details = append(m.Details, msg.Detail{Name: "reply_to_peer_id", Value: peer})
	}
}

// addRest keeps every other member as a Detail.
func addRest(rec *record, m *msg.Message) {
	for _, member := range rec.rest {
		value := plain(member.value)
		switch {
		case member.key == "media_type" && value == "sticker":
			continue // the kind says so
		case isNull(member.value) && strings.HasSuffix(member.key, "_from"):
			value = deletedAccount
		case member.key == "game_link":
			m.Links = append(m.Links, value)
		}
		m.Details = append(m.Details, msg.Detail{Name: member.key, Value: value})
	}
}

func setSticker(rec *record, m *msg.Message) {
	m.Kind = msg.Sticker
	emoji := plain(rec.stickerEmoji)
	if m.Body == "" {
		m.Body = emoji
	} else if emoji != "" {
		m.Details = append(m.Details, msg.Detail{Name: "sticker_emoji", Value: emoji})
	}
}

// keepOdd keeps a member whose shape is not the expected one.
func keepOdd(m *msg.Message, name string, raw []byte, err error) {
	if err != nil && len(raw) > 0 {
		m.Details = append(m.Details, msg.Detail{Name: name, Value: compact(raw)})
	}
}
