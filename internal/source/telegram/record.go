package telegram

import "errors"

// record is a message's JSON, taken apart but not yet understood. Its slices
// point into the message's text.
type record struct {
	id    int64
	hasID bool
	typ   string
	// from and fromID stand for actor and actor_id in a service message.
	from   string
	fromID []byte

	date, dateUnix     []byte
	edited, editedUnix []byte

	text, entities               []byte
	replyTo, replyPeer           []byte
	photo, file, thumbnail       []byte
	vcard                        []byte
	fileName, mime, stickerEmoji []byte
	photoSize, fileSize          int64
	mediaType                    string
	contact, location, poll      []byte
	reactions, buttons           []byte
	action                       string

	// rest are the members that become Details as they are, in file order.
	rest []member
}

// errMerged is returned for a record with two ids: damage has eaten the
// border between two messages.
var errMerged = errors.New("record has two different ids")

type member struct {
	key   string
	value []byte
}

// get returns the raw value of a member among the rest, or nil.
func (m *record) get(key string) []byte {
	for _, r := range m.rest {
		if r.key == key {
			return r.value
		}
	}
	return nil
}

// say returns what a member among the rest says, as text.
func (m *record) say(key string) string { return plain(m.get(key)) }

// parse takes the object raw apart. Of a member that is there twice the last
// one counts.
func (m *record) parse(raw []byte) error {
	*m = record{rest: m.rest[:0]}
	return fields(raw, m.set)
}

func (m *record) set(key string, value []byte) error {
	switch key {
	case "id":
		before, twice := m.id, m.hasID
		if m.id, m.hasID = integer(value); twice && m.id != before {
			return errMerged
		}
	case "type":
		m.typ = knownWord(value)
	case "date":
		m.date = value
	case "date_unixtime":
		m.dateUnix = value
	case "edited":
		m.edited = value
	case "edited_unixtime":
		m.editedUnix = value
	case "from", "actor":
		if m.from = ""; !isNull(value) {
			m.from = decodeString(value)
		}
	case "from_id", "actor_id":
		m.fromID = value
	case "text":
		m.text = value
	case "text_entities":
		m.entities = value
	case "reply_to_message_id":
		m.replyTo = value
	case "reply_to_peer_id":
		m.replyPeer = value
	case "reactions":
		m.reactions = value
	case "inline_bot_buttons":
		m.buttons = value
	case "contact_information":
		m.contact = value
	case "location_information":
		m.location = value
	case "poll":
		m.poll = value
	case "action":
		m.action = decodeString(value)
		m.rest = append(m.rest, member{key, value})
	default:
		m.setMedia(key, value)
	}
	return nil
}

func (m *record) setMedia(key string, value []byte) {
	switch key {
	case "photo":
		m.photo = value
	case "photo_file_size":
		m.photoSize, _ = integer(value)
	case "file":
		m.file = value
	case "file_name":
		m.fileName = value
	case "file_size":
		m.fileSize, _ = integer(value)
	case "thumbnail":
		m.thumbnail = value
	case "thumbnail_file_size":
		// of the preview, not of anything that was sent
	case "contact_vcard":
		m.vcard = value
	case "contact_vcard_file_size":
		m.fileSize, _ = integer(value)
	case "mime_type":
		m.mime = value
	case "sticker_emoji":
		m.stickerEmoji = value
	case "media_type":
		m.mediaType = decodeString(value)
		m.rest = append(m.rest, member{key, value})
	default:
		m.rest = append(m.rest, member{key, value})
	}
}

// words are the strings that stand in every message, so that reading one
// costs no memory.
var words = func() map[string]string {
	known := map[string]string{}
	for _, w := range []string{
		"id", "type", "date", "date_unixtime", "edited", "edited_unixtime", "from", "from_id", "actor", "actor_id",
		"action", "text", "text_entities", "reply_to_message_id", "reactions", "photo", "photo_file_size", "width",
		"height", "file", "file_name", "file_size", "thumbnail", "thumbnail_file_size", "mime_type", "media_type",
		"duration_seconds", "sticker_emoji", "forwarded_from", "forwarded_from_id", "title", "members", "href",
		"user_id", "document_id", "emoji", "count", "recent",
		"message", "service", "plain", "link", "text_link", "mention", "mention_name", "hashtag", "bold", "italic",
		"code", "pre", "custom_emoji", "spoiler", "blockquote", "phone", "email", "bot_command",
	} {
		known[`"`+w+`"`] = w
	}
	return known
}()

// knownWord decodes a string that probably is one of words.
func knownWord(raw []byte) string {
	if w, ok := words[string(raw)]; ok {
		return w
	}
	return decodeString(raw)
}
