package telegram

import (
	"strconv"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// header is what an export says about a chat beside its messages.
type header struct {
	name string
	// typ is empty for the null of a chat Telegram Desktop itself cannot
	// name.
	typ            string
	id             int64
	hasType, hasID bool
}

// set takes a member of a chat object and reports whether it belongs to the
// header.
func (h *header) set(key string, raw []byte) bool {
	switch key {
	case "name":
		if h.name = ""; !isNull(raw) {
			h.name = decodeString(raw)
		}
	case "type":
		if h.typ, h.hasType = "", true; !isNull(raw) {
			h.typ = decodeString(raw)
		}
	case "id":
		h.id, h.hasID = integer(raw)
	default:
		return false
	}
	return true
}

// complete reports whether the header says enough to tell the chat from all
// others: ids of users, groups and channels overlap.
func (h *header) complete() bool { return h.hasType && h.hasID }

// chatType says what a chat's type means to us: which kind of peer its id
// belongs to, and whether it is a conversation of two.
type chatType struct {
	peer   string
	direct bool
}

// chatTypes are the types Telegram Desktop writes. A group that becomes
// public or private keeps its peer, so its key does not change.
var chatTypes = map[string]chatType{
	"saved_messages":     {"user", true},
	"replies":            {"user", true},
	"verify_codes":       {"user", true},
	"personal_chat":      {"user", true},
	"bot_chat":           {"user", true},
	"private_group":      {"chat", false},
	"private_supergroup": {"channel", false},
	"public_supergroup":  {"channel", false},
	"private_channel":    {"channel", false},
	"public_channel":     {"channel", false},
}

// chat is a chat that is being read.
type chat struct {
	header
	chatType
	pointer string
}

func newChat(h header, pointer string, oldIDs bool) chat {
	c := chat{header: h, chatType: chatTypes[h.typ], pointer: pointer}
	if c.peer == "" {
		c.peer = "chat"
	}
	if oldIDs {
		flag := int64(chatFlag)
		if c.peer == "user" {
			flag = userFlag
		}
		if c.id&^lowHalf == flag {
			c.id &= lowHalf
		}
	}
	return c
}

func (c *chat) inChannel() bool { return c.peer == "channel" }

// peerID is the chat's own id in the spelling of a from_id.
func (c *chat) peerID() string { return c.peer + strconv.FormatInt(c.id, 10) }

// conversation describes the chat as far as the export does. In a
// conversation of two the chat's id and name are the other person's.
func (c *chat) conversation() msg.Conversation {
	id := strconv.FormatInt(c.id, 10)
	out := msg.Conversation{Key: c.peer + ":" + id, Name: c.name, Kind: msg.Group}
	if c.direct {
		out.Kind = msg.Direct
	}
	switch {
	case c.typ == "saved_messages":
		out.Name = "Saved Messages"
	case c.typ == "replies":
		out.Name = "Replies"
	case c.typ == "verify_codes":
		out.Name = "Verification Codes"
	case c.direct:
		out.Participants = []msg.Handle{handle(c.peerID(), c.name)}
	}
	if out.Name == "" {
		out.Name = "Unnamed group (" + id + ")"
		if c.direct {
			out.Name = deletedAccount + " (" + id + ")"
		}
	}
	return out
}
