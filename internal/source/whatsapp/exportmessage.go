package whatsapp

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// What the exporter writes in the place of things that are not text.
const (
	dataMissing  = "The media is missing"
	dataDeleted  = "Message deleted"
	dataLocation = "Location shared:"
	dataBinary   = "The message is binary data"
)

// fill finds out what the message is and who sent it.
func (v *exportReader) fill(m *msg.Message, c *exportChat, e *exportEntry) {
	v.address(m, c, e)
	data := breakLines(e.Data.text, c.device)
	m.Body = data
	switch {
	case strings.HasPrefix(data, vCardIntro) && e.Meta.value:
		m.Kind = msg.Contact
		m.Body, m.Attachments = v.files.vCards(data, c.mediaBase, e.MIME.text)
	case e.Media.value, e.Meta.value && data == dataMissing:
		v.fillMedia(m, c, e)
	case data == "":
		fillEmpty(m, c.device+" "+e.MessageType.text)
	case e.Meta.value:
		m.Kind = metaKind(data)
	default:
		m.Kind = textKind(c.device, e.MessageType.text)
	}
	if m.Kind == msg.Notice || m.Kind == msg.Unparsed && m.Direction == msg.In && m.Sender.IsZero() {
		m.Direction, m.Sender = msg.System, msg.Handle{}
	}
	if m.Kind == msg.Unparsed && e.MessageType.text != "" {
		m.Details = append(m.Details, msg.Detail{Name: "message_type", Value: e.MessageType.text})
	}
}

// address sets direction and sender. In a direct chat the exporter names no
// sender, because there is one; in a group, a message without one is
// somebody's whom it could not name.
func (v *exportReader) address(m *msg.Message, c *exportChat, e *exportEntry) {
	if e.FromMe.value {
		m.Direction = msg.Out
		return
	}
	m.Direction = msg.In
	name := e.Sender.text
	switch {
	case jidKind(c.jid) == msg.Direct && (strings.Contains(c.jid, "@") || name == ""):
		m.Sender = contactHandle(c.jid, c.name)
		if m.Sender.Name == "" {
			m.Sender.Name = name
		}
	case name != "":
		m.Sender = v.member(name)
		if len(v.senders) < 2 && !strings.Contains(c.jid, "@") {
			v.senders[name] = true
		}
	}
}

func (v *exportReader) member(name string) msg.Handle {
	h, internal := memberHandle(name)
	if internal {
		v.note("people shown as fourteen digits or more are taken for WhatsApp's internal numbers, not for telephone numbers")
	}
	return h
}

// fillMedia fills in a message with a file: the data is its path, the body
// its caption.
func (v *exportReader) fillMedia(m *msg.Message, c *exportChat, e *exportEntry) {
	m.Body = breakLines(e.Caption.text, c.device)
	mime := e.MIME.text
	if mime == "media" {
		mime = "" // the exporter's word for not knowing
	}
	kind := mediaKind(c.device, e.MessageType.text, mime, e.Data.text)
	var a msg.Attachment
	switch e.Data.text {
	case dataMissing:
		a = msg.Attachment{Kind: kind, MIME: mime, Missing: "missing when the export was made"}
	case "":
		a = msg.Attachment{Kind: kind, MIME: mime, Missing: missingOmitted}
	default:
		a = v.files.attachment(e.Data.text, c.mediaBase, mime, kind)
	}
	if e.Sticker.value {
		m.Kind = msg.Sticker
		a.Sticker = true
	}
	m.Attachments = []msg.Attachment{a}
}

// mediaKind tells what a file is by its type, its name or, where the file is
// missing, by the number of the message's type.
func mediaKind(device, messageType, mime, name string) msg.AttachmentKind {
	if mime != "" || name != dataMissing && name != "" {
		return source.KindOfMIME(mime, name)
	}
	switch device + " " + messageType {
	case "android 1", "ios 1", "android 20", "ios 15", "android 42":
		return msg.Image
	case "android 2", "ios 3":
		return msg.Audio
	case "android 3", "ios 2", "android 13", "ios 11", "android 43":
		return msg.Video
	}
	return msg.File
}

// fillEmpty fills in a message without data by the number of its type.
func fillEmpty(m *msg.Message, deviceType string) {
	switch deviceType {
	case "android 15", "ios 14":
		m.Kind = msg.Deleted
	case "android 42":
		takeMissing(m, msg.Image, "", missingViewOnce)
	case "android 43":
		takeMissing(m, msg.Video, "", missingViewOnce)
	default:
		m.Kind = msg.Unparsed
	}
}

// metaKind tells what a text of the exporter's own stands for.
func metaKind(data string) msg.Kind {
	switch {
	case data == dataDeleted:
		return msg.Deleted
	case strings.HasPrefix(data, dataLocation):
		return msg.Location
	case strings.HasPrefix(data, dataBinary):
		return msg.Unparsed
	case strings.Contains(data, "voice call") || strings.Contains(data, "video call"):
		return msg.Call
	}
	return msg.Notice
}

// textKind tells what kind a message with text is by the number of its type.
func textKind(device, messageType string) msg.Kind {
	switch device + " " + messageType {
	case "android 5", "android 16", "ios 5":
		return msg.Location
	case "android 66", "ios 46":
		return msg.Poll
	case "ios 6":
		return msg.Notice
	}
	return msg.Text
}

// react hands over the reactions. "You" is the owner; in a direct chat there
// is one other person, under whatever name.
func (v *exportReader) react(m *msg.Message, c *exportChat, e *exportEntry) {
	for _, r := range parseReactions(v.reactions, e.Reactions) {
		at := m.Position
		at.Pointer += "/reactions"
		if r.name != "" {
			at.Pointer += "/" + escapePointer(r.name)
		}
		if r.fault != "" {
			v.skip(at, r.fault, e.Reactions)
			continue
		}
		out := msg.Reaction{Emoji: r.emoji}
		switch {
		case r.name == "You":
			out.FromMe = true
		case jidKind(c.jid) == msg.Direct && strings.Contains(c.jid, "@"):
			out.Sender = contactHandle(c.jid, c.name)
			if out.Sender.Name == "" {
				out.Sender.Name = r.name
			}
		default:
			out.Sender = v.member(r.name)
		}
		m.Reactions = append(m.Reactions, out)
	}
}
