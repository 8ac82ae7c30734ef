package spam

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// view is a body as its writer wants it to be read, for finding links in it,
// with the way back to the body's own bytes.
type view struct {
	text string
	// at holds the offset in the body of every byte of text, and the body's
	// length behind them; nil when text is the body.
	at []int
}

// origin returns the bytes of the body that text[start:end] was read from.
func (v view) origin(body string, start, end int) string {
	if v.at == nil {
		return body[start:end]
	}
	last := v.at[end-1]
	_, n := utf8.DecodeRuneInString(body[last:])
	return body[v.at[start] : last+n]
}

// readable undoes what is done to links to get them past filters: invisible
// characters, full-width letters, dots in brackets or spelled out, spaces
// around dots and slashes, single letters with spaces between them.
func readable(body string) view {
	v := view{text: body}
	if !isASCII(body) {
		v = v.rewrite(plainRunes)
	}
	if strings.ContainsAny(v.text, "[({") {
		v = v.rewrite(bracketedSigns)
	}
	if strings.IndexByte(v.text, ' ') < 0 {
		return v
	}
	if spelled := strings.Contains(v.text, " . ") || strings.Contains(v.text, ": /") || strings.Contains(v.text, "t t p"); spelled {
		v = v.rewrite(spelledOut)
	}
	if strings.Contains(v.text, " dot ") || strings.Contains(v.text, " DOT ") {
		v = v.rewrite(dotWord)
	}
	if strings.Contains(v.text, " .") || strings.Contains(v.text, ". ") || strings.Contains(v.text, "// ") {
		v = v.rewrite(spacedSigns)
	}
	return v
}

// A reading looks at text from i on and, when it reads n bytes there as other
// ones, returns those and n; n is 0 when they stand for themselves.
type reading func(text string, i int) (as string, n int)

// rewrite applies a reading to the whole text.
func (v view) rewrite(read reading) view {
	var b strings.Builder
	var at []int
	copied := 0
	offset := func(i int) int {
		if v.at == nil {
			return i
		}
		return v.at[i]
	}
	for i := 0; i < len(v.text); {
		as, n := read(v.text, i)
		if n == 0 {
			i++
			continue
		}
		if at == nil {
			b.Grow(len(v.text))
			at = make([]int, 0, len(v.text)+1)
		}
		b.WriteString(v.text[copied:i])
		for ; copied < i; copied++ {
			at = append(at, offset(copied))
		}
		b.WriteString(as)
		for range len(as) {
			at = append(at, offset(i))
		}
		i += n
		copied = i
	}
	if at == nil {
		return v
	}
	b.WriteString(v.text[copied:])
	for ; copied < len(v.text); copied++ {
		at = append(at, offset(copied))
	}
	return view{b.String(), append(at, offset(len(v.text)-1)+1)}
}

// plainRunes drops invisible characters and reads compatibility forms of
// ASCII, and the full stops that take the place of dots in host names, as
// ASCII.
func plainRunes(text string, i int) (string, int) {
	if text[i] < utf8.RuneSelf {
		return "", 0
	}
	r, n := utf8.DecodeRuneInString(text[i:])
	switch {
	case r == utf8.RuneError:
		return "", 0
	case isInvisible(r):
		return "", n
	case r == '。', r == '｡', r == '．', r == '․':
		return ".", n
	case r == '⁄', r == '∕':
		return "/", n
	}
	if plain := norm.NFKC.String(text[i : i+n]); len(plain) < n && isASCII(plain) {
		return plain, n
	}
	return "", 0
}

var bracketed = map[string]string{".": ".", "dot": ".", ":": ":", "/": "/", "://": "://"}

// bracketedSigns reads "[.]", "(dot)" and their like, with the spaces around
// them.
func bracketedSigns(text string, i int) (string, int) {
	end := i
	if text[i] == ' ' && i > 0 && text[i-1] == ' ' {
		return "", 0 // the first of several spaces was asked
	}
	for end < len(text) && text[end] == ' ' {
		end++
	}
	if end == len(text) {
		return "", 0
	}
	closing := strings.IndexByte("[({", text[end])
	if closing < 0 {
		return "", 0
	}
	inner, _, ok := strings.Cut(text[end+1:min(len(text), end+8)], "])}"[closing:closing+1])
	sign, known := bracketed[strings.ToLower(strings.TrimSpace(inner))]
	if !ok || !known {
		return "", 0
	}
	end += len(inner) + 2
	for end < len(text) && text[end] == ' ' {
		end++
	}
	return sign, end - i
}

// leastSpelled is the number of single characters in a row that make a link
// spelled out; "I . e" is no link.
const leastSpelled = 6

// farthestSpelled is how far around a space its run is looked at, in bytes.
const farthestSpelled = 80

// spelledOut closes the gaps of "h t t p : / / b i t . l y / x". It is asked
// at a space that a single character follows and takes it away.
func spelledOut(text string, i int) (string, int) {
	if text[i] != ' ' || !inSpelling(text, i) {
		return "", 0
	}
	return "", 1
}

// inSpelling reports whether the space at i stands in a run of single
// characters, one of them a dot, that is long enough.
func inSpelling(text string, i int) bool {
	single := func(at int) bool { // a character between spaces or ends
		return at >= 0 && at < len(text) && text[at] != ' ' && text[at] < utf8.RuneSelf &&
			(at == 0 || text[at-1] == ' ') && (at+1 == len(text) || text[at+1] == ' ')
	}
	if !single(i-1) || !single(i+1) {
		return false
	}
	count, dots := 0, 0
	for at := i - 1; single(at) && i-at < farthestSpelled; at -= 2 {
		count++
		dots += strings.Count(text[at:at+1], ".")
	}
	for at := i + 1; single(at) && at-i < farthestSpelled; at += 2 {
		count++
		dots += strings.Count(text[at:at+1], ".")
	}
	return count >= leastSpelled && dots > 0
}

// dotWord reads "acme dot com" as a host when what follows ends hosts.
func dotWord(text string, i int) (string, int) {
	const length = len(" dot ")
	if i == 0 || text[i] != ' ' || len(text)-i <= length || !strings.EqualFold(text[i:i+length], " dot ") {
		return "", 0
	}
	if !isHostByte(text[i-1]) || !bareEndings[hostLabel(text[i+length:])] {
		return "", 0
	}
	return ".", length
}

// spacedSigns reads spaces that were put around a dot or behind a scheme:
// "acme . com", "acme .com", "bit. ly/x", "https:// acme.com". An ordinary
// full stop has a space behind it alone and no slash after the next word.
func spacedSigns(text string, i int) (string, int) {
	rest := text[i:]
	switch {
	case strings.HasPrefix(rest, "// ") && i > 0 && text[i-1] == ':':
		return "//", 3
	case i == 0 || !isHostByte(text[i-1]):
		return "", 0
	case strings.HasPrefix(rest, " . ") && endsHost(rest[3:]):
		return ".", 3
	case strings.HasPrefix(rest, " .") && endsHost(rest[2:]):
		return ".", 2
	case strings.HasPrefix(rest, ". "):
		if label := hostLabel(rest[2:]); label != "" && strings.HasPrefix(rest[2+len(label):], "/") {
			return ".", 2
		}
	}
	return "", 0
}

// endsHost reports whether text begins with the last label of a host.
func endsHost(text string) bool {
	label := hostLabel(text)
	return bareEndings[label] || label != "" && strings.HasPrefix(text[len(label):], "/")
}

// hostLabel returns the letters at the start of text in lower case.
func hostLabel(text string) string {
	n := 0
	for n < len(text) && (text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z') {
		n++
	}
	return strings.ToLower(text[:n])
}

func isHostByte(c byte) bool {
	return c >= utf8.RuneSelf || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '-' || c == '_'
}
