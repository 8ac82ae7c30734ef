package spam

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/inert"
)

// visible returns a text that shows what hides in it: control and format
// characters, directional overrides and broken bytes are named, line breaks
// stay. Nothing in it acts any more.
func visible(text string) string {
	if inert.Text(text) == text {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, "⟨byte %02X⟩", text[i])
		case r == '\r' && strings.HasPrefix(text[i+1:], "\n"):
		case r == '\n', r == '\t':
			b.WriteRune(r)
		case acts(r):
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return inert.Text(b.String())
}

// acts reports whether a character by itself is more than its ink.
func acts(r rune) bool {
	return inert.Line(string(r)) != string(r)
}

// oneLine is visible on one line, for cells and headings.
func oneLine(text string) string { return inert.Line(Defang(visible(text))) }

// shown is how a message's text is printed: visible, with links that nothing
// can be made to follow.
func shown(text string) string { return Defang(visible(text)) }

// Defang returns a text in which no program finds a link to follow: the
// schemes of its links and the dots of their hosts are written differently,
// all else is unchanged.
func Defang(text string) string {
	if !mayHoldLink(text) {
		return text
	}
	var b strings.Builder
	done := 0
	for start := 0; start < len(text); {
		end := start
		for end < len(text) && text[end] > ' ' {
			end++
		}
		if end-start > longestWord {
			b.WriteString(neutral(text[done:start]))
			b.WriteString(neutral(defangHost(text[start:end])))
			done, start = end, end
		}
		for at := start; at < end; {
			found, ok := linkIn(text, at, end)
			if !ok {
				break
			}
			b.WriteString(neutral(text[done:found.start]))
			b.WriteString(defangLink(text[found.start:found.end]))
			at, done = found.end, found.end
		}
		start = end + 1
	}
	b.WriteString(neutral(text[done:]))
	return b.String()
}

// longestWord is how many bytes without a space are searched for links;
// beyond, every dot is taken for one of a host.
const longestWord = 4096

// neutral takes the effect from schemes that are none of a web link's, and
// leaves those alone that have none.
func neutral(text string) string {
	parts := strings.Split(text, "://")
	for i, part := range parts[:len(parts)-1] {
		if end := strings.ToLower(part[max(0, len(part)-5):]); strings.HasSuffix(end, "hxxp") || end == "hxxps" {
			parts[i] += "://"
		} else {
			parts[i] += "[:]//"
		}
	}
	return strings.Join(parts, "")
}

// defangHost writes the dots of a host differently, those that are so already
// not once more.
func defangHost(host string) string {
	return strings.ReplaceAll(strings.ReplaceAll(host, "[.]", "."), ".", "[.]")
}

func defangLink(link string) string {
	scheme, rest, ok := strings.Cut(link, "://")
	if !ok {
		scheme, rest = "", link
	} else {
		scheme = strings.NewReplacer("tt", "xx", "TT", "XX", "tT", "xX", "Tt", "Xx").Replace(scheme) + "://"
	}
	host := len(rest)
	if i := strings.IndexAny(rest, "/?#\\"); i >= 0 {
		host = i
	}
	return scheme + defangHost(rest[:host]) + Defang(rest[host:])
}
