package whatsapp

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// Why an attachment is not there.
const (
	missingOmitted  = "not included in the export"
	missingNull     = `not included in the export, which says "null"`
	missingEmpty    = "view once, or of a kind that is not exported"
	missingViewOnce = "view once"
	missingFile     = "file not found beside the export"
	missingUnsafe   = "unsafe path"
)

// omitted says what an export without media holds in place of a file.
type omitted struct {
	attachment msg.AttachmentKind
	message    msg.Kind
}

var omittedThings = map[phrase]omitted{
	omittedMedia:    {msg.File, msg.Text},
	omittedImage:    {msg.Image, msg.Text},
	omittedVideo:    {msg.Video, msg.Text},
	omittedAudio:    {msg.Audio, msg.Text},
	omittedDocument: {msg.File, msg.Text},
	omittedSticker:  {msg.Image, msg.Sticker},
	omittedContact:  {msg.File, msg.Contact},
}

func takeMissing(m *msg.Message, kind msg.AttachmentKind, name, why string) {
	m.Attachments = append(m.Attachments, msg.Attachment{
		Kind: kind, Name: name, Missing: why, Sticker: m.Kind == msg.Sticker})
}

// takePlaceholder recognises a known text that stands for something else.
func (in *interpreter) takePlaceholder(m *msg.Message, text string, marked bool) bool {
	line, caption, _ := strings.Cut(text, "\n")
	if hasMark(line) {
		if name, ok := cutOmittedDocument(line); ok {
			m.Body = caption
			takeMissing(m, msg.File, name, missingOmitted)
			return true
		}
	} else if !strings.HasPrefix(line, "<") && !mayBePhrase(line) {
		return false
	}
	bare, bracketed := cutBrackets(line)
	if !bracketed && !marked && in.marks && in.shape != dashed {
		return false // WhatsApp would have marked it: somebody typed these words
	}
	meaning := phraseOf(bare)
	if thing, ok := omittedThings[meaning]; ok && (bracketed || marked || meaning != omittedMedia) {
		m.Body, m.Kind = caption, thing.message
		takeMissing(m, thing.attachment, "", missingOmitted)
		return true
	}
	return caption == "" && in.takeTombstone(m, bare, meaning)
}

// takeTombstone recognises the texts that come without a caption.
func (in *interpreter) takeTombstone(m *msg.Message, text string, meaning phrase) bool {
	switch meaning {
	case deletedMessage, deletedByOwner:
		m.Kind = msg.Deleted
	case liveLocation:
		m.Kind = msg.Location
	case unreadable:
		m.Kind = msg.Unparsed
	case viewOnce:
		m.Body = ""
		takeMissing(m, msg.File, "", missingViewOnce)
	case nullMedia:
		if text != "null" || in.shape != dashed {
			return false
		}
		m.Body = ""
		takeMissing(m, msg.File, "", missingNull)
	default:
		return false
	}
	return true
}

// cutBrackets cuts marks, spaces and a pair of angle brackets off both ends.
func cutBrackets(line string) (inner string, bracketed bool) {
	inner = trimMarks(line)
	if len(inner) > 2 && inner[0] == '<' && inner[len(inner)-1] == '>' {
		return trimMarks(inner[1 : len(inner)-1]), true
	}
	return inner, false
}

// trimMarks cuts spaces and invisible marks off both ends.
func trimMarks(s string) string { return strings.TrimFunc(s, invisible) }

func invisible(r rune) bool { return isMark(r) || plainRune(r) == ' ' }

// cutOmittedDocument reads "report.pdf • 2 pages document omitted", in which
// marks stand before the second and the third part.
func cutOmittedDocument(line string) (name string, ok bool) {
	at := strings.LastIndex(line, lrm)
	if at <= 0 || phraseOf(line[at:]) != omittedDocument {
		return "", false
	}
	name, _ = cutPages(line[:at])
	return trimMarks(name), trimMarks(name) != ""
}

// cutPages cuts " • 2 pages" off a document's name.
func cutPages(line string) (name, pages string) {
	line = trimMarks(line)
	at := strings.LastIndex(line, " • ")
	if at <= 0 {
		return line, ""
	}
	pages = trimMarks(line[at+len(" • "):])
	if pages == "" || pages[0] < '0' || pages[0] > '9' {
		return line, ""
	}
	return trimMarks(line[:at]), pages
}
