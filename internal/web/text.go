package web

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/search"
)

// piece is a stretch of a message's text: plain, marked as what was searched
// for, or a link.
type piece struct {
	Text string
	Mark bool
	Href string // empty when it is no link
}

// proseOf cuts the text of a message into plain pieces and links.
func proseOf(body string) []piece { return linked(inert.Text(body), nil) }

// excerptOf cuts an excerpt of the search, in which matches stand between
// marks, into pieces.
func excerptOf(excerpt string) []piece {
	var pieces []piece
	parts := strings.Split(inert.Text(excerpt), search.Mark)
	for i, part := range parts {
		if part == "" {
			continue
		}
		// Marks come in pairs; one that is left over is the sender's own.
		if i%2 == 1 && i == len(parts)-1 {
			pieces = append(pieces, piece{Text: search.Mark + part})
			continue
		}
		pieces = append(pieces, piece{Text: part, Mark: i%2 == 1})
	}
	return pieces
}

// linked appends text to pieces with its web addresses as links.
func linked(text string, pieces []piece) []piece {
	for {
		start, end := nextLink(text)
		if start < 0 {
			break
		}
		if start > 0 {
			pieces = append(pieces, piece{Text: text[:start]})
		}
		pieces = append(pieces, piece{Text: text[start:end], Href: text[start:end]})
		text = text[end:]
	}
	if text != "" {
		pieces = append(pieces, piece{Text: text})
	}
	return pieces
}

// nextLink finds the first web address of a text; start is -1 when there is
// none.
func nextLink(text string) (start, end int) {
	for from := 0; ; {
		at := strings.Index(text[from:], "://")
		if at < 0 {
			return -1, 0
		}
		at += from
		start := at - len("http")
		if start > 0 && (text[start-1] == 'h' || text[start-1] == 'H') {
			start-- // https
		}
		if start >= 0 && isWeb(text[start:at]) {
			end := at + len("://") + addressLength(text[at+len("://"):])
			if isAddress(text[start:end]) {
				return start, end
			}
		}
		from = at + len("://")
	}
}

func isWeb(scheme string) bool {
	return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
}

// isAddress reports whether a text is an address of the web that can be
// followed without giving anything away: those that carry a name and a
// password, or look as if, are shown and not followed.
func isAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && isWeb(u.Scheme) && u.Host != "" && u.User == nil
}

// addressLength is how much of a text belongs to the address that it begins
// with: up to white space or a quotation mark, without the punctuation of the
// sentence around it.
func addressLength(text string) int {
	end := strings.IndexFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`"<>«»“”`, r) })
	if end < 0 {
		end = len(text)
	}
	for end > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:end])
		if !strings.ContainsRune(`.,;:!?'’…*_`, r) && !(r == ')' && strings.Count(text[:end], "(") < strings.Count(text[:end], ")")) {
			break
		}
		end -= n
	}
	return end
}

// cutText returns the beginning of a text, at most limit bytes and whole
// words where it can be, and whether anything is left out.
func cutText(text string, limit int) (string, bool) {
	if len(text) <= limit {
		return text, false
	}
	end := limit
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	if space := strings.LastIndexFunc(text[:end], unicode.IsSpace); space > end*3/4 {
		end = space
	}
	return text[:end], true
}

// oneLine is the beginning of a text on one line.
func oneLine(text string, limit int) string {
	short, cut := cutText(inert.Line(strings.TrimSpace(text)), limit)
	if cut {
		short += " …"
	}
	return short
}

// sentence makes a sentence of what other packages say without a capital
// letter and a full stop.
func sentence(text string) string {
	text = inert.Line(strings.TrimSpace(text))
	if text == "" {
		return ""
	}
	first, n := utf8.DecodeRuneInString(text)
	if word, _, _ := strings.Cut(text, " "); !strings.Contains(word, ":") { // names of operators and settings stay
		text = string(unicode.ToUpper(first)) + text[n:]
	}
	if !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return text
}
