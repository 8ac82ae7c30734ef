package telegram

import (
	"errors"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// survey is what a walk over an export finds out without reading its texts.
type survey struct {
	// headersOnly leaves the messages out.
	headersOnly bool
	// full and single say which shape was seen: the export of an account, or
	// of one chat.
	full, single bool
	// telegram is set when the file speaks of Telegram in words, habits counts
	// the members that accompany an account's chats.
	telegram bool
	habits   int
	// complete is set when the walk came to the end of the file.
	complete bool
	// owner is the exporting account's id, 0 if not stated.
	owner int64
	// chats holds the chats' headers by the JSON pointer of the chat.
	chats map[string]header
	// order lists the pointers in file order.
	order []string
	// messages counts the messages, bytes their text.
	messages, bytes int64
	// typical counts the messages that look like Telegram's, wall those
	// whose time is a local clock reading.
	typical, wall int64
	// foreign counts the messages whose instant is a bare number. Telegram
	// writes it in quotes; WhatsApp-Chat-Exporter, which can write its chats
	// in Telegram's shape, does not.
	foreign     int64
	first, last msg.Time
	// senders are the first few people who write, in order.
	senders []msg.Handle
}

// maxSenders bounds survey.senders.
const maxSenders = 12

// takeSurvey walks over s as far as it goes. What is found before an error
// stands.
func takeSurvey(s *stream, headersOnly bool) *survey {
	v := &survey{chats: map[string]header{}, headersOnly: headersOnly}
	v.complete = walkExport(s, v) == nil
	return v
}

// account implements visitor.
func (v *survey) account(raw []byte) error {
	v.owner = accountID(raw)
	return nil
}

// about implements visitor.
func (v *survey) about(text string) { v.telegram = v.telegram || strings.Contains(text, "Telegram") }

// member implements visitor.
func (v *survey) member(key string) {
	switch key {
	case "chats", "left_chats":
		v.full = true
	case "personal_information", "profile_pictures", "contacts", "frequent_contacts", "sessions", "stories":
		v.habits++
	case "messages":
		v.single = true
	}
}

// chatMember implements visitor.
func (v *survey) chatMember(pointer, key string, raw []byte) {
	h, known := v.chats[pointer]
	if !known {
		v.order = append(v.order, pointer)
	}
	h.set(key, raw)
	v.chats[pointer] = h
}

// messageList implements visitor: it walks over the array the stream stands
// at.
func (v *survey) messageList(s *stream, pointer string) error {
	if v.headersOnly {
		return s.skip()
	}
	return eachElement(s, func(int) error {
		raw, err := s.raw(maxRecord)
		if errors.Is(err, errTooLong) {
			return nil
		}
		if err != nil {
			return err
		}
		v.message(raw, v.chats[pointer])
		return nil
	})
}

// stray implements visitor.
func (v *survey) stray(s *stream, _, _ string) error { return s.skip() }

func (v *survey) message(raw []byte, h header) {
	v.messages++
	v.bytes += int64(len(raw))
	var m record
	if m.parse(raw) != nil {
		return
	}
	if m.hasID && (m.typ == "message" || m.typ == "service" || m.typ == "unsupported") {
		v.typical++
	}
	if len(m.dateUnix) > 0 && m.dateUnix[0] != '"' {
		v.foreign++
	}
	t := m.time()
	if t.Known {
		if t.Basis == msg.Wall {
			v.wall++
		}
		if !v.first.Known || t.Micros < v.first.Micros {
			v.first = t
		}
		if t.Micros > v.last.Micros || !v.last.Known {
			v.last = t
		}
	}
	if len(v.senders) < maxSenders && m.typ == "message" {
		c := newChat(h, "", false)
		v.addSender(handle(peerID(m.fromID, c.inChannel()), m.from))
	}
}

func (v *survey) addSender(h msg.Handle) {
	for _, known := range v.senders {
		if known.ID == h.ID {
			return
		}
	}
	if !h.IsZero() {
		v.senders = append(v.senders, h)
	}
}

// accountID reads the id out of the member personal_information.
func accountID(raw []byte) int64 {
	var id int64
	_ = fields(raw, func(key string, value []byte) error {
		if key == "user_id" {
			id, _ = integer(value)
		}
		return nil
	})
	return id
}
