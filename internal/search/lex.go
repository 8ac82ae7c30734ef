package search

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SyntaxError is a query that cannot be read or asks for what there is not.
type SyntaxError struct {
	// Position is the byte offset of the fault in the query.
	Position int
	Problem  string
	Remedy   string

	query string
}

// unclosed is the problem of a quotation mark without another one.
const unclosed = "a quotation mark is never closed"

func faultAt(position int, problem, remedy string) *SyntaxError {
	return &SyntaxError{Position: position, Problem: problem, Remedy: remedy}
}

// Place is the number of the character of the query at which the fault is,
// counted from 1 as people count.
func (e *SyntaxError) Place() int {
	if e.Position > len(e.query) {
		return e.Position + 1
	}
	return utf8.RuneCountInString(e.query[:e.Position]) + 1
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("query, position %d: %s; %s", e.Place(), e.Problem, e.Remedy)
}

// located notes the query in which the fault is, so that its place can be
// told in characters, and queries that would do instead.
func located(err error, query string) error {
	var fault *SyntaxError
	if errors.As(err, &fault) {
		fault.query = query
	}
	var name *NameError
	if errors.As(err, &name) {
		name.fill(query)
	}
	return err
}

// operators are the filters of the language, with a value to show.
var operators = map[string]string{
	"from": "ana", "with": "ana", "in": `"Book club"`, "source": "signal", "has": "image", "is": "group",
	"before": "2024-03", "after": "2024", "on": "2024-03-01", "domain": "example.com",
}

// synonyms are words that people write in place of an operator. They are
// refused instead of being taken for text, which would find nothing and not
// say why. Any other word before a colon is text.
var synonyms = map[string]string{
	"sender": "from", "author": "from", "by": "from", "to": "with", "person": "with", "contact": "with",
	"conversation": "in", "chat": "in", "group": "in", "channel": "in", "service": "source", "app": "source",
	"type": "has", "kind": "has", "since": "after", "until": "before", "date": "on", "site": "domain", "url": "domain",
}

// token is a piece of a query.
type token struct {
	kind  kind
	text  string
	value string // of a filter
	at    int    // where it begins, in bytes
}

type kind byte

const (
	noToken kind = iota
	wordToken
	phraseToken
	filterToken
	orToken
	minusToken
	openToken
	closeToken
)

// lex cuts a query into tokens.
func lex(query string) ([]token, error) {
	var tokens []token
	fresh := true // a minus sign here excludes what follows it
	for i := 0; i < len(query); {
		r, n := utf8.DecodeRuneInString(query[i:])
		t := token{at: i}
		next := i + n
		var err error
		switch {
		case unicode.IsSpace(r):
			fresh, i = true, next
			continue
		case r == '(':
			t.kind = openToken
		case r == ')':
			t.kind = closeToken
		case isQuote(r):
			t.kind = phraseToken
			t.text, next, err = quoted(query, i)
		case r == '-' && fresh && excludes(query[next:]):
			t.kind = minusToken
		default:
			t, next, err = word(query, i)
		}
		if err != nil {
			return nil, err
		}
		if t.kind != noToken {
			tokens = append(tokens, t)
		}
		fresh, i = t.kind == openToken || t.kind == minusToken, next
	}
	return tokens, nil
}

func isQuote(r rune) bool {
	return r == '"' || r == '“' || r == '”' || r == '„' || r == '«' || r == '»'
}

// excludes reports whether a minus sign before rest is one, and not a dash.
func excludes(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest != "" && !unicode.IsSpace(r) && r != '-' && r != ')'
}

func quoted(query string, at int) (text string, next int, err error) {
	_, open := utf8.DecodeRuneInString(query[at:])
	start := at + open
	end := strings.IndexFunc(query[start:], isQuote)
	if end < 0 {
		return "", 0, faultAt(at, unclosed, `close the phrase with another " or leave it out`)
	}
	_, n := utf8.DecodeRuneInString(query[start+end:])
	return query[start : start+end], start + end + n, nil
}

// word reads a word, an operator with its value, OR, or AND, which is no token
// because all words must be found anyway.
func word(query string, at int) (token, int, error) {
	end := wordEnd(query, at)
	text := query[at:end]
	switch text {
	case "OR", "|", "||":
		return token{kind: orToken, at: at}, end, nil
	case "AND", "&", "&&":
		return token{}, end, nil
	}
	name, value, hasColon := cutColon(text)
	quotes := false
	if value == "" && hasColon && end < len(query) {
		r, _ := utf8.DecodeRuneInString(query[end:])
		quotes = isQuote(r)
	}
	if !hasColon || operators[name] == "" {
		if quotes || value != "" && !strings.HasPrefix(value, "//") {
			if meant := misspelled(name); meant != "" {
				return token{}, 0, faultAt(at, name+": is no operator", "write "+meant+":"+operators[meant]+", or quote it to find the words")
			}
		}
		return token{kind: wordToken, text: text, at: at}, end, nil
	}
	if quotes {
		var err error
		if value, end, err = quoted(query, end); err != nil {
			return token{}, 0, err
		}
	}
	if strings.TrimSpace(value) == "" {
		return token{}, 0, faultAt(at, name+": has no value", "write it without a space, as in "+name+":"+operators[name])
	}
	return token{kind: filterToken, text: name, value: value, at: at}, end, nil
}

// cutColon divides a word at its first colon, which may be the wide one of
// Chinese and Japanese keyboards when an operator stands before it.
func cutColon(text string) (name, value string, found bool) {
	name, value, found = strings.Cut(text, ":")
	if wide, after, isWide := strings.Cut(text, "："); isWide && len(wide) < len(name) && operators[strings.ToLower(wide)] != "" {
		name, value, found = wide, after, true
	}
	return strings.ToLower(name), value, found
}

// wordEnd returns where the word at a place ends. A quotation mark behind a
// number means inches and belongs to it, and so does a parenthesis to the eyes
// of a face.
func wordEnd(query string, at int) int {
	last := rune(0)
	for i, r := range query[at:] {
		switch {
		case unicode.IsSpace(r), isQuote(r) && !isInches(last, query[at+i+utf8.RuneLen(r):]):
			return at + i
		case (r == '(' || r == ')') && !isMouth(query[at:at+i], query[at+i+1:]):
			return at + i
		}
		last = r
	}
	return len(query)
}

// isMouth reports whether a parenthesis between two texts makes a face of
// the first, such as :) or ;-(.
func isMouth(eyes, rest string) bool {
	switch strings.TrimRight(eyes, "()") {
	case ":", ";", "=", ":-", ";-", "=-", ":'", ":'-":
	default:
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || unicode.IsSpace(r) || r == '(' || r == ')'
}

func isInches(before rune, rest string) bool {
	if before < '0' || before > '9' {
		return false
	}
	r, n := utf8.DecodeRuneInString(rest)
	switch {
	case rest == "", unicode.IsSpace(r), r == ')', unicode.IsPunct(r) && !isQuote(r):
		return true
	case r == 'x' || r == '×': // 5"x7"
		after, _ := utf8.DecodeRuneInString(rest[n:])
		return unicode.IsDigit(after)
	}
	return false
}

// misspelled returns the operator that a word before a colon was meant to be,
// or nothing.
func misspelled(name string) string {
	if meant := synonyms[name]; meant != "" {
		return meant
	}
	best := ""
	for operator := range operators {
		if len(operator) > 3 && (best == "" || operator < best) && within(name, operator, 1) {
			best = operator
		}
	}
	return best
}
