package spam

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// maxLinks bounds what is kept of one body.
const maxLinks = 100

// span is a stretch of a view's text that a link or an address takes up.
type span struct{ start, end int }

// findLinks returns the links of a body, each once, sorted by target, and
// their places in the view.
func findLinks(body string, v view, shorteners map[string]bool) ([]record.URL, []span) {
	if !mayHoldLink(v.text) {
		return nil, nil
	}
	var links []record.URL
	var spans []span
	for start := 0; start < len(v.text) && len(links) < maxLinks; {
		for start < len(v.text) && v.text[start] <= ' ' {
			start++
		}
		end := start
		for end < len(v.text) && v.text[end] > ' ' && !strings.ContainsRune("<>\"|`", rune(v.text[end])) {
			end++
		}
		for at := start; at < end; {
			found, ok := linkIn(v.text, at, end)
			if !ok {
				break
			}
			link := describe(found, shorteners)
			link.Written = v.origin(body, found.start, found.end)
			link.Obfuscated = link.Written != v.text[found.start:found.end] || found.defanged
			links = append(links, link)
			spans = append(spans, found.span)
			at = found.end
		}
		start = end + 1
	}
	slices.SortStableFunc(links, func(a, b record.URL) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), cmp.Compare(a.Written, b.Written))
	})
	return slices.CompactFunc(links, func(a, b record.URL) bool { return a.Target == b.Target && a.Written == b.Written }), spans
}

func mayHoldLink(text string) bool {
	return strings.IndexByte(text, '.') >= 0 || strings.Contains(text, "://")
}

// foundLink is a link in a view: the scheme it was meant to have, its host in
// punycode, and what stands behind the host.
type foundLink struct {
	span
	scheme, host, rest string
	defanged           bool
}

// linkIn finds the first link in text[start:end], which holds no space.
func linkIn(text string, start, end int) (foundLink, bool) {
	if at := strings.Index(text[start:end], "://"); at >= 0 {
		if link, ok := schemed(text, start, start+at, end); ok {
			// A bare host may stand before the scheme.
			if bare, ok := bareHost(text, start, link.start); ok {
				return bare, true
			}
			return link, true
		}
	}
	return bareHost(text, start, end)
}

// schemes are the schemes of links, with the spellings that keep a program
// from following them.
var schemes = map[string]string{
	"http": "http", "hxxp": "http", "htxp": "http", "hxtp": "http", "h**p": "http",
	"https": "https", "hxxps": "https", "htxps": "https", "hxtps": "https", "h**ps": "https",
}

func schemed(text string, start, colon, end int) (foundLink, bool) {
	first := colon
	for first > start && (isLetter(text[first-1]) || text[first-1] == '*') {
		first--
	}
	written := strings.ToLower(text[first:colon])
	scheme, known := schemes[written]
	if !known {
		return foundLink{}, false
	}
	host := colon + len("://")
	stop := host
	for stop < end && !strings.ContainsRune("/?#\\", rune(text[stop])) {
		stop++
	}
	authority := text[host:stop]
	if at := strings.LastIndexByte(authority, '@'); at >= 0 { // a name that poses as the host
		host += at + 1
	}
	stop = host + hostLength(text[host:stop])
	canonical, ok := canonicalHost(text[host:stop])
	if !ok {
		return foundLink{}, false
	}
	last := trimEnd(text, stop, end)
	return foundLink{span{first, last}, scheme, canonical, text[min(stop, last):last], written != scheme}, true
}

// bareHost finds a host without scheme: one that has a path behind it, starts
// with www, or ends as hosts do.
func bareHost(text string, start, end int) (foundLink, bool) {
	for at := start; at < end; {
		if !isHostByte(text[at]) {
			at++
			continue
		}
		stop := at + hostLength(text[at:end])
		at += wwwIn(text[at:stop])
		host := withoutSentence(strings.TrimRight(text[at:stop], ".-"))
		address := at > 0 && text[at-1] == '@' || stop < end && text[stop] == '@'
		if !address && strings.IndexByte(host, '.') > 0 && looksLikeHost(host, text[at+len(host):end]) {
			if canonical, ok := canonicalHost(host); ok && hasKnownEnding(canonical) {
				last := trimEnd(text, at+len(host), end)
				return foundLink{span{at, last}, "http", canonical, text[at+len(host) : last], false}, true
			}
		}
		at = max(stop, at+1)
	}
	return foundLink{}, false
}

// wwwIn returns where a host that says so begins in text: "details.www.a.com"
// is the end of a sentence with a host behind it. It is 0 when text does not.
func wwwIn(text string) int {
	if i := strings.Index(text, ".www."); i >= 0 {
		return i + 1
	}
	return 0
}

// withoutSentence cuts off the words behind a host that says it is one, when
// they end no host: "www.acme.com.Terms apply".
func withoutSentence(host string) string {
	if !saysHost(host) || len(host) > longestHost {
		return host
	}
	for cut := host; strings.Count(cut, ".") > 1; cut = cut[:strings.LastIndexByte(cut, '.')] {
		if canonical, ok := canonicalHost(cut); ok && hasKnownEnding(canonical) {
			return cut
		}
	}
	return host
}

func saysHost(host string) bool { return len(host) > 4 && strings.EqualFold(host[:4], "www.") }

func looksLikeHost(host, behind string) bool {
	label := strings.ToLower(host[strings.LastIndexByte(host, '.')+1:])
	if strings.ContainsFunc(label, func(r rune) bool { return r >= '0' && r <= '9' }) && !strings.HasPrefix(label, "xn--") {
		return false
	}
	hasPath := strings.HasPrefix(behind, "/") && len(behind) > 1
	return hasPath || bareEndings[label] || saysHost(host)
}

// hostLength returns how many bytes at the start of text may belong to a
// host.
func hostLength(text string) int {
	for i, r := range text {
		if r < utf8.RuneSelf && !isHostByte(byte(r)) && r != '.' || r >= utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) {
			return i
		}
	}
	return len(text)
}

// trimEnd moves end back over the punctuation of the sentence around a link
// whose host ends at host.
func trimEnd(text string, host, end int) int {
	if host < end && !strings.ContainsRune("/?#:\\", rune(text[host])) {
		return host
	}
	unopened := strings.Count(text[host:end], ")") - strings.Count(text[host:end], "(")
	for end > host {
		r, n := utf8.DecodeLastRuneInString(text[host:end])
		switch {
		case r == ')' && unopened <= 0:
			return end
		case r == ')':
			unopened--
			end -= n
		case r == utf8.RuneError, strings.ContainsRune(".,;:!?'\"’”»]}*_~…", r):
			end -= n
		default:
			return end
		}
	}
	return end
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func describe(found foundLink, shorteners map[string]bool) record.URL {
	link := record.URL{
		Target: found.scheme + "://" + found.host + found.rest,
		Host:   found.host,
		Domain: registrable(found.host),
	}
	link.Unicode = inOwnLetters(link.Domain)
	if own := inOwnLetters(found.host); own != "" {
		link.Mixed = mixesScripts(own)
	}
	link.Shortener = inDomains(found.host, shorteners)
	return link
}

// findEmails returns the e-mail addresses of a text in lower case, sorted,
// each once, and their places.
func findEmails(text string) ([]string, []span) {
	var list []string
	var spans []span
	for from := 0; len(list) < maxLinks; {
		at := strings.IndexByte(text[from:], '@')
		if at < 0 {
			break
		}
		at += from
		from = at + 1
		start := at
		for start > 0 && (isHostByte(text[start-1]) && text[start-1] < utf8.RuneSelf || strings.IndexByte(".+%", text[start-1]) >= 0) {
			start--
		}
		for start < at && text[start] == '.' {
			start++
		}
		host := strings.TrimRight(text[at+1:at+1+hostLength(text[at+1:])], ".-_")
		canonical, ok := canonicalHost(host)
		if start == at || !ok || strings.IndexByte(host, '.') <= 0 || !hasKnownEnding(canonical) {
			continue
		}
		list = append(list, strings.ToLower(text[start:at])+"@"+canonical)
		spans = append(spans, span{start, at + 1 + len(host)})
	}
	slices.Sort(list)
	return slices.Compact(list), spans
}
