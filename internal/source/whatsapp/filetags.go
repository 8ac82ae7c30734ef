package whatsapp

import (
	"path"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// takeFiles finds the file a text refers to: on Android "name (label)" as the
// first line with the caption below, on iPhones "<label: name>" at the end of
// the first or the last line with the caption around it. Labels are
// localised; what counts is that the file is there, WhatsApp's mark, a known
// label, or a name as only WhatsApp gives it.
func (in *interpreter) takeFiles(m *msg.Message, text string) bool {
	first, rest, many := strings.Cut(text, "\n")
	if name, label, ok := cutLabel(first); ok {
		if a, ok := in.attachment(name, phraseOf(label) == attachedLabel); ok {
			m.Body = rest
			takeAttachment(m, a)
			return true
		}
	}
	if before, a, ok := in.cutTag(m, first); ok {
		m.Body = joinLines(before, rest)
		takeAttachment(m, a)
		return true
	}
	if !many {
		return false
	}
	at := strings.LastIndexByte(text, '\n')
	if before, a, ok := in.cutTag(m, text[at+1:]); ok {
		m.Body = joinLines(text[:at], before)
		takeAttachment(m, a)
		return true
	}
	return false
}

func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

func takeAttachment(m *msg.Message, a msg.Attachment) {
	name := strings.ToUpper(a.Name)
	switch {
	case strings.HasSuffix(name, ".VCF"):
		m.Kind = msg.Contact
	case strings.HasPrefix(name, "STK-"), strings.Contains(name, "-STICKER-") && isAppName(a.Name):
		m.Kind = msg.Sticker
		a.Sticker = true
	}
	m.Attachments = append(m.Attachments, a)
}

// cutLabel reads "name.ext (label)" and the older "name.ext <label>".
func cutLabel(line string) (name, label string, ok bool) {
	line = strings.TrimRight(line, " ")
	opening := " ("
	switch {
	case strings.HasSuffix(line, ")"):
	case strings.HasSuffix(line, ">"):
		opening = " <"
	default:
		return "", "", false
	}
	at := strings.LastIndex(line, opening)
	if at <= 0 {
		return "", "", false
	}
	if label = line[at+len(opening) : len(line)-1]; !isLabel(label) {
		return "", "", false
	}
	name = trimMarks(line[:at])
	return name, label, hasExtension(name)
}

// cutTag reads "text <label: name>" and, for documents, the name and number
// of pages that WhatsApp writes before the tag.
func (in *interpreter) cutTag(m *msg.Message, line string) (before string, a msg.Attachment, ok bool) {
	line = strings.TrimRight(line, " ")
	if !strings.HasSuffix(line, ">") {
		return "", a, false
	}
	at := strings.LastIndexByte(line, '<')
	if at < 0 {
		return "", a, false
	}
	inner := line[at+1 : len(line)-1]
	colon := strings.IndexAny(inner, ":：")
	if colon < 0 || !isLabel(inner[:colon]) {
		return "", a, false
	}
	label, name := inner[:colon], trimMarks(strings.TrimLeft(inner[colon:], ":："))
	marked := in.trusted && strings.HasSuffix(line[:at], lrm)
	if a, ok = in.attachment(name, marked && hasExtension(name) || phraseOf(label) == attachedLabel); !ok {
		return "", a, false
	}
	before = trimMarks(line[:at])
	if title, pages := cutPages(before); pages != "" && strings.EqualFold(path.Ext(title), path.Ext(a.Name)) {
		a.Name, before = title, ""
		m.Details = append(m.Details, msg.Detail{Name: "pages", Value: pages})
	}
	return before, a, true
}

// attachment builds the attachment that ref names. Unless sure, it must exist
// or have a name as WhatsApp gives it.
func (in *interpreter) attachment(ref string, sure bool) (a msg.Attachment, ok bool) {
	file, why := in.files.find(ref)
	if file == "" && !sure && !isAppName(ref) {
		return a, false
	}
	name := path.Base(strings.ReplaceAll(ref, `\`, "/"))
	return msg.Attachment{Kind: source.KindOfName(name), Name: name, Path: file, Missing: why}, true
}

// hasExtension reports whether name ends like a file's.
func hasExtension(name string) bool {
	extension := path.Ext(name)
	if len(extension) < 2 || len(extension) > 9 {
		return false
	}
	for _, b := range []byte(extension[1:]) {
		if (b < '0' || b > '9') && (b|0x20 < 'a' || b|0x20 > 'z') {
			return false
		}
	}
	return true
}

// isAppName recognises names that WhatsApp gives to files: "IMG-20240131-WA0007.jpg"
// on Android and "00000042-PHOTO-2024-01-31-10-20-30.jpg" on iPhones.
func isAppName(name string) bool {
	if !hasExtension(name) {
		return false
	}
	if len(name) > 9 && name[8] == '-' && allDigits(name[:8]) {
		return true
	}
	prefix, rest, ok := strings.Cut(name, "-")
	return ok && len(prefix) == 3 && strings.ToUpper(prefix) == prefix &&
		len(rest) > 11 && allDigits(rest[:8]) && rest[8:11] == "-WA"
}

func allDigits(s string) bool {
	for _, b := range []byte(s) {
		if b < '0' || b > '9' {
			return false
		}
	}
	return s != ""
}
