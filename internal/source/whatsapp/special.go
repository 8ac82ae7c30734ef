package whatsapp

import (
	"strings"
	"unicode"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// mapLink is what all shared positions have in their link.
const mapLink = "://maps.google.com/"

// isLocation recognises a shared position: a label in whatever language and
// a map link with coordinates, or a place that WhatsApp named and linked.
func isLocation(text string, marked bool) bool {
	if strings.Contains(text, "\n") {
		return false
	}
	at := strings.LastIndex(text, ": https://")
	if at < 0 {
		return false
	}
	link := text[at+len(": "):]
	if marked && (strings.HasPrefix(link, "https://foursquare.com/v/") || strings.HasPrefix(link, "https"+mapLink)) {
		return true
	}
	coordinates, ok := strings.CutPrefix(link, "https"+mapLink+"?q=")
	return ok && strings.Trim(coordinates, "0123456789.,-") == "" && isLabel(text[:at])
}

// isLabel reports whether s is a word or two, as an app writes before a colon.
func isLabel(s string) bool {
	letters := 0
	for _, r := range s {
		switch {
		case unicode.IsLetter(r), unicode.Is(unicode.M, r):
			letters++
		case isMark(r), plainRune(r) == ' ':
		default:
			return false
		}
	}
	return letters > 0 && letters <= 24
}

// isPoll recognises a poll in any language: a label in capitals ("POLL:"),
// the question, and options that each have a label and a number of votes. A
// text that nobody marked needs two options.
func isPoll(text string, marked bool) bool {
	line, rest, many := strings.Cut(text, "\n")
	label, ok := strings.CutSuffix(trimMarks(line), ":")
	if !many || !ok || !isLabel(label) || strings.ToUpper(label) != label {
		return false
	}
	options, optionLabel := 0, ""
	for line := range strings.SplitSeq(rest, "\n") {
		line = trimMarks(line)
		label, option, ok := strings.Cut(line, ": ")
		if !ok || !isLabel(label) || strings.ToUpper(label) != label || !endsWithVotes(option) {
			continue
		}
		if optionLabel != "" && label != optionLabel {
			continue
		}
		optionLabel = label
		options++
	}
	return options >= 2 || marked && options == 1
}

// endsWithVotes reports whether s ends like "(2 votes)".
func endsWithVotes(s string) bool {
	at := strings.LastIndexByte(s, '(')
	if at < 0 || !strings.HasSuffix(s, ")") {
		return false
	}
	return strings.ContainsFunc(s[at:], func(r rune) bool { return r >= '0' && r <= '9' || unicode.IsDigit(r) })
}

// takeCall recognises a call by its first words: "Video call, 5 min",
// "Missed voice call at 10:02". In a language that is not known, a comma with
// a marked number after it tells.
func takeCall(m *msg.Message, text string) bool {
	head, tail := text, ""
	if at := strings.IndexAny(text, ",.、，(;"); at > 0 {
		head, tail = text[:at], text[at:]
	}
	length := trimMarks(strings.TrimLeft(tail, ",.、， "))
	timed := length != "" && length[0] >= '0' && length[0] <= '9' && len(length) <= 40
	switch phraseOf(head) {
	case missedCall:
	case anyCall:
		if timed {
			m.Details = append(m.Details, msg.Detail{Name: "duration", Value: length})
		}
	case noPhrase:
		known := phraseOf(cutLastWords(head)) == missedCall
		marked := timed && isLabel(head) && strings.Contains(tail, " "+lrm+length)
		if !known && !marked {
			return false
		}
		if marked {
			m.Details = append(m.Details, msg.Detail{Name: "duration", Value: length})
		}
	default:
		return false
	}
	m.Kind = msg.Call
	return true
}

// cutLastWords cuts " at 10:02" and the like off a text: a word, and a time.
func cutLastWords(s string) string {
	for range 2 {
		if at := strings.LastIndexByte(s, ' '); at > 0 {
			s = s[:at]
		}
	}
	return s
}
