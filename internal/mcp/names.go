package mcp

import (
	"cmp"
	"context"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// maxName is how many bytes of a name are shown.
const maxName = 200

// unnamed stands for names that nobody can see.
const unnamed = "unnamed"

// sender is what a message's sender is called: Owner for the owner and for
// nobody else, empty for notices of nobody.
func (r *renderer) sender(ctx context.Context, m store.Message) string {
	switch {
	case m.Direction == msg.Out:
		return store.Owner
	case m.Sender == "":
		return ""
	}
	if clean := name(m.Sender); clean == "" || looksLikeOwner(clean) {
		if p, err := r.reader.Person(ctx, m.SenderID); err == nil {
			return person(m.Source, p.Native)
		}
	}
	return person(m.Source, m.Sender)
}

// person is what somebody is called of whom only a name is known: Owner stays
// what it is, and a name that would pass for it is marked by its source.
func person(s msg.Source, label string) string {
	if label == store.Owner || label == "" {
		return label
	}
	clean := name(label)
	if clean == "" || looksLikeOwner(clean) {
		return string(s) + ":" + cmp.Or(clean, unnamed)
	}
	return clean
}

// title is what a conversation is called.
func title(s string) string { return cmp.Or(name(s), unnamed) }

// name cleans a name; it is empty when nothing of it can be seen.
func name(s string) string {
	s = inert.Line(strings.TrimSpace(s))
	if !strings.ContainsFunc(s, func(r rune) bool { return !isBlank(r) }) {
		return ""
	}
	return cut(s, maxName)
}

// isBlank reports whether a rune is drawn as nothing: U+2800 is the braille
// pattern without dots.
func isBlank(r rune) bool { return unicode.IsSpace(r) || r == 0x2800 || unicode.IsMark(r) }

// ownerLetters are the letters of other scripts that are drawn like those of
// Owner: Cyrillic and Greek.
var ownerLetters = strings.NewReplacer("М", "m", "м", "m", "Μ", "m", "Е", "e", "е", "e", "Ε", "e")

// looksLikeOwner reports whether a reader would take a name for Owner.
func looksLikeOwner(name string) bool {
	letters := strings.Map(func(r rune) rune {
		if isBlank(r) || unicode.IsPunct(r) || unicode.IsSymbol(r) {
			return -1
		}
		return r
	}, norm.NFKC.String(name))
	return strings.EqualFold(ownerLetters.Replace(letters), store.Owner)
}

// quoted puts a name into a line of text: as it is, or in quotation marks
// when it holds anything that gives such lines their structure. Inside,
// quotation marks, backslashes and braces have a backslash before them.
func quoted(s string) string {
	return quotedIf(s, `:;,"\()[]{}`)
}

// quotedIf quotes s when it holds one of the characters, or space at an end.
func quotedIf(s, special string) string {
	if s == strings.TrimSpace(s) && !strings.ContainsAny(s, special) {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `{`, `\{`, `}`, `\}`).Replace(s) + `"`
}

func quotedAll(names []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = quoted(name)
	}
	return strings.Join(list, ", ")
}
