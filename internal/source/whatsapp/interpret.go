package whatsapp

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// interpreter finds out what the text of a message is: words, or what
// WhatsApp writes in place of something else.
type interpreter struct {
	files attachmentFiles
	shape shape
	// marks is set when the file marks WhatsApp's own texts at all, trusted
	// when such marks are rare enough to mean that and nothing else.
	marks, trusted bool
}

// interpret fills in m from the text that follows its header. It reports
// whether the text is a notice: WhatsApp's own words about the chat.
func (in *interpreter) interpret(m *msg.Message, text string) (notice bool) {
	m.Body = text
	if text == "" {
		takeMissing(m, msg.File, "", missingEmpty)
		return false
	}
	marked := in.trusted && strings.HasPrefix(text, lrm)
	if !marked && plainText(text) {
		return false
	}
	text, m.Edited = cutEdited(text)
	m.Body = text
	switch {
	case in.takeFiles(m, text), in.takePlaceholder(m, text, marked):
	case isPoll(text, marked):
		m.Kind = msg.Poll
	case isLocation(text, marked):
		m.Kind = msg.Location
	case marked && takeCall(m, text):
	case marked && in.shape != dashed && !strings.Contains(text, "\n") && !strings.HasSuffix(text, ":"):
		m.Kind = msg.Notice
		return true
	}
	return false
}

// notice fills in m from a text without an author.
func (in *interpreter) notice(m *msg.Message, text string) {
	m.Body = text
	if !takeCall(m, text) {
		m.Kind = msg.Notice
	}
}

// plainText is the quick way out for most messages: it reports whether text
// cannot be anything but words.
func plainText(text string) bool {
	first, last := text[0], text[len(text)-1]
	if first == '<' || last == '>' {
		return false
	}
	at := strings.IndexByte(text, '\n')
	if at < 0 {
		return last != ')' && !hasMark(text) && !mayBePhrase(text) &&
			(strings.IndexByte(text, ':') < 0 || !strings.Contains(text, mapLink))
	}
	line := strings.TrimRight(text[:at], " ")
	return !strings.HasSuffix(line, ")") && !strings.HasSuffix(line, ":") &&
		(strings.IndexByte(text, '>') < 0 || !strings.Contains(text, ">\n")) && !hasMark(line)
}

// hasMark reports whether text holds a left-to-right mark.
func hasMark(text string) bool {
	return strings.IndexByte(text, lrm[0]) >= 0 && strings.Contains(text, lrm)
}

// cutEdited cuts the mark of an edited message off the end of text: a known
// text in angle brackets, or any that WhatsApp marked as its own.
func cutEdited(text string) (rest string, edited bool) {
	at := strings.LastIndexByte(text, '<')
	if at <= 0 || text[len(text)-1] != '>' {
		return text, false
	}
	inner, before := text[at+1:len(text)-1], text[:at]
	if len(inner) > longestPhrase || strings.ContainsAny(inner, ":：\n") {
		return text, false
	}
	rest, marked := strings.CutSuffix(before, lrm)
	meaning := phraseOf(inner)
	if meaning == editedMessage || meaning == noPhrase && marked && rest != "" {
		return strings.TrimSuffix(rest, " "), true
	}
	return text, false
}
