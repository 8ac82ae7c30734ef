package web

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// maxName is how many bytes of a name are shown.
const maxName = 200

// unnamed stands for names that nobody can see.
const unnamed = "unnamed"

// nameOf cleans the name of a person, a conversation or a file.
func nameOf(s string) string {
	short, cut := cutText(inert.Line(strings.TrimSpace(s)), maxName)
	if !strings.ContainsFunc(short, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.IsMark(r) && r != 0x2800 }) {
		return unnamed
	}
	if cut {
		short += "…"
	}
	return short
}

// initialOf is the letter in a person's ring.
func initialOf(name string) string {
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return string(unicode.ToUpper(r))
		}
	}
	r, _ := utf8.DecodeRuneInString(name)
	return string(r)
}

// tints is how many colours rings have; see the stylesheet.
const tints = 8

func tintOf(id int64) int64 { return id % tints }

// sourceView is a service with its glyph: a shape, a colour and a letter.
type sourceView struct{ ID, Name, Letter string }

var sourceViews = map[msg.Source]sourceView{
	msg.Signal:   {"signal", "Signal", "S"},
	msg.IMessage: {"imessage", "iMessage", "i"},
	msg.WhatsApp: {"whatsapp", "WhatsApp", "W"},
	msg.Telegram: {"telegram", "Telegram", "T"},
}

func sourceOf(s msg.Source) sourceView {
	if v, ok := sourceViews[s]; ok {
		return v
	}
	return sourceView{"other", nameOf(string(s)), initialOf(string(s))}
}

// knownSource reports whether a name can be that of a source.
func knownSource(s msg.Source) bool {
	return s != "" && len(s) <= 40 && !strings.ContainsFunc(string(s), func(r rune) bool { return r < 'a' || r > 'z' })
}
