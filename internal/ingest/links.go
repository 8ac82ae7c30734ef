package ingest

import (
	"net/url"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/domain"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// maxLinks bounds the links kept of one message.
const maxLinks = 100

// links returns the URLs of a text, in order and each once, followed by those
// of extra that the text does not show.
func links(text string, extra []string, into []store.Link) []store.Link {
	into = into[:0]
	for rest := text; len(into) < maxLinks; {
		at := linkStart(rest)
		if at < 0 {
			break
		}
		end := at + linkLength(rest[at:])
		into = addLink(into, rest[at:end])
		rest = rest[end:]
	}
	for _, target := range extra {
		if len(into) < maxLinks && linkStart(target) == 0 {
			into = addLink(into, target)
		}
	}
	return into
}

// linkStart finds the next "http://", "https://" or "www." that does not
// stand in the middle of a word.
func linkStart(s string) int {
	if strings.IndexByte(s, '.') < 0 && !strings.Contains(s, "://") {
		return -1 // as most texts
	}
	for from := 0; from < len(s); {
		at := strings.IndexAny(s[from:], "hHwW")
		if at < 0 {
			return -1
		}
		at += from
		if (at == 0 || !isWordByte(s[at-1])) && hasLinkPrefix(s[at:]) {
			return at
		}
		from = at + 1
	}
	return -1
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}

func hasLinkPrefix(s string) bool {
	for _, prefix := range []string{"http://", "https://", "www."} {
		if len(s) > len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
			return true
		}
	}
	return false
}

// linkLength tells how far a URL goes: up to white space, a quote, an angle
// bracket or punctuation that is not ASCII, without closing punctuation that
// belongs to the sentence.
func linkLength(s string) int {
	end := strings.IndexFunc(s, func(r rune) bool {
		return r <= ' ' || r == 0x7F || r == 0xA0 || r >= 0x2000 && r <= 0x206F || strings.ContainsRune("<>\"`"+endMarks, r)
	})
	if end < 0 {
		end = len(s)
	}
	return trimClosing(s[:end])
}

// trimClosing returns the length of a URL without the marks and the brackets
// behind it that were not opened in it.
func trimClosing(s string) int {
	const brackets = "()[]{}"
	var surplus [len(brackets) / 2]int // how many more are closed than opened
	for i := range len(s) {
		if at := strings.IndexByte(brackets, s[i]); at >= 0 {
			surplus[at/2] += 2*(at%2) - 1
		}
	}
	for end := len(s); end > 0; end-- {
		c := s[end-1]
		if strings.IndexByte(".,;:!?'*~|", c) >= 0 {
			continue
		}
		at := strings.IndexByte(brackets, c)
		if at < 0 || at%2 == 0 || surplus[at/2] <= 0 {
			return end
		}
		surplus[at/2]--
	}
	return 0
}

// endMarks are quotes, brackets and marks of scripts that put no space between
// a sentence and its punctuation, or none before it.
const endMarks = "«»\u3000、。〈〉《》「」『』【】〔〕！（），：；？［］｛｝｡､｢｣،؛؟।"

func addLink(list []store.Link, raw string) []store.Link {
	full, dots := raw, 0
	if strings.EqualFold(raw[:min(4, len(raw))], "www.") {
		full, dots = "http://"+raw, 2
	}
	parsed, err := url.Parse(full)
	if err != nil || strings.Trim(parsed.Hostname(), ".") == "" || strings.Count(parsed.Hostname(), ".") < dots {
		return list
	}
	for _, known := range list {
		if known.URL == raw {
			return list
		}
	}
	owner := domain.Registrable(parsed.Hostname())
	if owner == "" {
		return list
	}
	return append(list, store.Link{URL: raw, Domain: owner})
}
