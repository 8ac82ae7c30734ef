package signal

import (
	"strings"
	"unicode"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// maxEmoji bounds a reaction's emoji, in bytes; the longest joined sequences
// in use have 35.
const maxEmoji = 64

// maxReactions bounds the list of a message's reactions, in bytes.
const maxReactions = 64 << 10

// cutReaction cuts "name: emoji" from the beginning of a list joined by ", ".
func cutReaction(list string) (name, emoji, rest string, ok bool) {
	item, rest, _ := strings.Cut(list, ", ")
	name, emoji, ok = strings.Cut(item, ":")
	// A transcript merged from an older one has two spaces here.
	emoji = strings.Trim(emoji, " ")
	return name, emoji, rest, ok && emoji != "" && len(emoji) <= maxEmoji && validName(name)
}

// validReactions reports whether list is one that the exporter writes. With
// picky set, which is for files in which a person can have typed it, each
// emoji must be one by its looks.
func validReactions(list string, picky bool) bool {
	if len(list) > maxReactions {
		return false
	}
	for list != "" {
		_, emoji, rest, ok := cutReaction(list)
		if !ok || picky && !looksLikeEmoji(emoji) {
			return false
		}
		list = rest
	}
	return true
}

// looksLikeEmoji reports whether s has no letter or space and something
// beyond ASCII.
func looksLikeEmoji(s string) bool {
	beyond := false
	for _, r := range s {
		if r == ' ' || unicode.IsLetter(r) {
			return false
		}
		beyond = beyond || r > unicode.MaxASCII
	}
	return beyond
}

// validName is strictName for a whole string.
func validName(name string) bool {
	if name == unknownName {
		return true
	}
	for _, r := range name {
		if !nameRune(r) {
			return false
		}
	}
	return name != ""
}

// react adds the reactions of list to m. What is in doubt is not the
// owner's.
func (c *chat) react(m *msg.Message, list string, to []msg.Reaction) []msg.Reaction {
	for list != "" {
		name, emoji, rest, _ := cutReaction(list)
		to = append(to, c.reaction(name, emoji, m.Suspect != ""))
		list = rest
	}
	return to
}

func (c *chat) reaction(name, emoji string, doubtful bool) msg.Reaction {
	p, _ := find(c, name)
	return msg.Reaction{
		Sender: p.handle,
		FromMe: p.role == owner && !doubtful && !c.ambiguous,
		Emoji:  emoji,
	}
}
