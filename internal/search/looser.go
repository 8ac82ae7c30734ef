package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Looser is a query that asks for less than another one.
type Looser struct {
	Query string
	// Says what became of the query, in words that can stand before a figure.
	Says string
}

// LooserThan returns queries that ask for less than the one given, to try when
// it finds nothing: the nearest to it first. A query that cannot be read has
// none.
func LooserThan(query string) []Looser {
	parts, ok := partsOf(query)
	if !ok {
		return nil
	}
	var list []Looser
	add := func(says string, query string) {
		if query = strings.TrimSpace(query); query != "" && query != strings.TrimSpace(joined(parts)) {
			list = append(list, Looser{query, says})
		}
	}
	var words []queryPart
	for _, p := range parts {
		if p.excluded || p.kind != wordToken && p.kind != phraseToken {
			continue
		}
		words = append(words, p)
	}
	if len(words) == 0 { // filters alone
		for i, p := range parts {
			if len(parts) > 1 {
				add("without "+p.source, joined(leaving(parts, i)))
			}
		}
		return list
	}
	for i, p := range parts {
		if p.excluded {
			add("without "+p.source, joined(leaving(parts, i)))
		}
	}
	if slices.ContainsFunc(words, queryPart.isPhrase) {
		loose := make([]queryPart, len(parts))
		for i, p := range parts {
			if p.kind == phraseToken && !p.excluded {
				p.source = p.text
			}
			loose[i] = p
		}
		add("the words in any order", joined(loose))
	}
	for i, p := range parts {
		if p.kind == filterToken && !p.excluded {
			add("without "+p.source, joined(leaving(parts, i)))
		}
	}
	if len(words) > 1 {
		alternatives := make([]string, len(words))
		for i, w := range words {
			alternatives[i] = w.source
		}
		rest := make([]queryPart, 0, len(parts))
		for _, p := range parts {
			if p.excluded || p.kind == filterToken {
				rest = append(rest, p)
			}
		}
		any := strings.Join(alternatives, " OR ")
		if len(rest) > 0 {
			any = "(" + any + ") " + joined(rest)
		}
		add("any of the words", any)
	} else if w := words[0]; w.kind == wordToken && isPlain(w.text) {
		begun := make([]queryPart, len(parts))
		for i, p := range parts {
			if p == w {
				p.source += "*"
			}
			begun[i] = p
		}
		add("words that begin with "+w.text, joined(begun))
	}
	return list
}

// queryPart is a token of a query as it was written, with its minus sign.
type queryPart struct {
	kind     kind
	text     string // of a word or phrase, without quotation marks
	source   string
	excluded bool
}

// partsOf cuts a query without alternatives and parentheses into parts.
func partsOf(query string) ([]queryPart, bool) {
	tokens, err := lex(query)
	if err != nil {
		return nil, false
	}
	var parts []queryPart
	minus := false
	for _, t := range tokens {
		if t.kind == minusToken {
			minus = true
			continue
		}
		if t.kind != wordToken && t.kind != phraseToken && t.kind != filterToken {
			return nil, false
		}
		source := t.written()
		if minus {
			source = "-" + source
		}
		parts = append(parts, queryPart{t.kind, t.text, source, minus})
		minus = false
	}
	return parts, true
}

// isPhrase reports whether several words must stand in their order.
func (p queryPart) isPhrase() bool {
	return p.kind == phraseToken && strings.Contains(strings.TrimSpace(p.text), " ")
}

func leaving(parts []queryPart, at int) []queryPart {
	return slices.Delete(slices.Clone(parts), at, at+1)
}

func joined(parts []queryPart) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.source
	}
	return strings.Join(texts, " ")
}

// written is a word, a phrase or a filter as it stands in a query.
func (t token) written() string {
	switch t.kind {
	case phraseToken:
		return `"` + t.text + `"`
	case filterToken:
		if strings.ContainsFunc(t.value, func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == ')' }) {
			return t.text + `:"` + t.value + `"`
		}
		return t.text + ":" + t.value
	}
	return t.text
}

// isPlain reports whether a word can be the beginning of others.
func isPlain(word string) bool {
	return utf8.RuneCountInString(word) > 2 && !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
