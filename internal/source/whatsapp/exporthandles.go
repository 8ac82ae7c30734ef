package whatsapp

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// jidKind is the conversation kind that a JID's server stands for.
func jidKind(jid string) msg.ConversationKind {
	_, server, _ := strings.Cut(jid, "@")
	switch server {
	case "g.us", "broadcast", "newsletter":
		return msg.Group
	}
	return msg.Direct
}

// longestNumber is the most digits a telephone number is believed to have.
// WhatsApp's internal numbers ("LID") have fourteen or more.
const longestNumber = 13

// contactHandle is the other person of a direct chat.
func contactHandle(jid, name string) msg.Handle {
	user, server, ok := strings.Cut(jid, "@")
	switch {
	case !ok && name == "":
		return msg.Handle{ID: jid, Name: jid, Kind: msg.HandleName}
	case !ok:
		return source.NameHandle(name)
	case server == "s.whatsapp.net" && isNumber(user):
		return msg.Handle{ID: "+" + user, Name: name, Kind: msg.HandlePhone}
	}
	return msg.Handle{ID: jid, Name: name, Kind: msg.HandleAccount}
}

// memberHandle is a sender or reactor in a group: a display name, or the
// digits of a telephone number or of an internal number. internal reports
// which of the two was assumed.
func memberHandle(name string) (h msg.Handle, internal bool) {
	switch {
	case !allDigits(name) || len(name) < 5:
		return source.NameHandle(name), false
	case len(name) > longestNumber:
		return msg.Handle{ID: name + "@lid", Name: name, Kind: msg.HandleAccount}, true
	case isNumber(name):
		return msg.Handle{ID: "+" + name, Name: "+" + name, Kind: msg.HandlePhone}, false
	}
	return source.NameHandle(name), false
}

// isNumber reports whether s is an international telephone number without
// its plus.
func isNumber(s string) bool {
	return len(s) >= 5 && len(s) <= 15 && allDigits(s) && s[0] != '0'
}

// nativeID is a message's id inside its chat. WhatsApp gives a message and
// its copy in the sender's own chat one key, so the direction is part of it.
func nativeID(key string, fromMe bool) string {
	if fromMe {
		return key + "/out"
	}
	return key + "/in"
}
