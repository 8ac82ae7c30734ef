package imessage

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// tapback is one line of a reaction block.
type tapback struct {
	emoji, who string
	// file is the path of a sticker.
	file string
}

// maxEmoji is the longest reaction in bytes: a word, or an emoji of several
// code points.
const maxEmoji = 64

// parseTapback reads "Loved by Ana", "☕️ by Ana" and the forms of a sticker:
// "Sticker from Ana: path from Ana", "Outline Sticker from Ana: path (App:
// Memoji)", "Sticker from Ana not found!".
func parseTapback(s string) (tapback, bool) {
	if emoji, who, ok := strings.Cut(s, " by "); ok && emoji != "" && who != "" &&
		len(emoji) <= maxEmoji && len(who) <= maxSender && !strings.Contains(emoji, " ") {
		return tapback{emoji: emoji, who: who}, true
	}
	_, rest, ok := cutSticker(s)
	if !ok {
		return tapback{}, false
	}
	if who, missing := strings.CutSuffix(rest, " not found!"); missing && who != "" {
		return tapback{emoji: stickerWord, who: who}, true
	}
	if who, path, ok := strings.Cut(rest, ": "); ok && who != "" && path != "" {
		return tapback{stickerWord, who, strings.TrimSuffix(path, " from "+who)}, true
	}
	return tapback{}, false
}

// stickerWord is the exporter's word for a sticker.
const stickerWord = "Sticker"

// cutSticker cuts "Sticker from " off s, with the word for an effect that may
// stand before it.
func cutSticker(s string) (effect, rest string, ok bool) {
	effect, rest, ok = strings.Cut(s, stickerWord+" from ")
	if !ok || effect != "" && (strings.Count(effect, " ") != 1 || !strings.HasSuffix(effect, " ")) {
		return "", "", false
	}
	return strings.TrimSuffix(effect, " "), rest, true
}

// tapbacks reads the block under a title line. Version 4 indents the lines;
// before it they stand at the margin and an empty line ends the block.
func (p *parser) tapbacks() bool {
	c := p.cursor
	first, ok := c.peek(0)
	if !ok {
		return false
	}
	indented := strings.HasPrefix(first, indent)
	if !indented && p.survey.indented > p.survey.plain {
		return false
	}
	var found []tapback
	ended := false
	for !c.done() {
		l, _ := c.peek(0)
		text, deeper := strings.CutPrefix(l, indent)
		if deeper != indented {
			ended = indented || l == ""
			break
		}
		t, ok := parseTapback(text)
		if !ok {
			ended = indented || l == ""
			break
		}
		found = append(found, t)
		c.next()
	}
	if len(found) == 0 || !ended && !c.done() {
		return false
	}
	if !indented {
		c.skipEmpty()
	}
	p.cursor = c
	for _, t := range found {
		who := p.cast.person(t.who)
		p.m.Reactions = append(p.m.Reactions, msg.Reaction{Sender: who.handle, FromMe: who.owner, Emoji: t.emoji})
		if t.file != "" {
			p.detail("sticker_reaction", t.file)
		}
	}
	return true
}
