// Package search finds messages. It owns the query language, the ranking and
// the excerpts, and asks the store; every door gets the same answer from the
// same Search.
package search

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/segment"
)

// node is a piece of a parsed query.
type node interface{}

type (
	andNode struct{ kids []node }
	orNode  struct{ kids []node }
	notNode struct{ kid node }
	// textNode is a word, a phrase or a run of a script without spaces.
	textNode struct {
		text   string
		phrase bool
		prefix bool
		at     int
	}
	// filterNode is an operator with its value.
	filterNode struct {
		name, value string
		at          int
	}
)

// SyntaxError is a query that cannot be read.
type SyntaxError struct {
	// Position is the byte offset of the fault in the query.
	Position int
	Problem  string
	Remedy   string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("query, position %d: %s; %s", e.Position+1, e.Problem, e.Remedy)
}

// operators are the filters of the language. Any other word before a colon is
// text.
var operators = map[string]bool{
	"from": true, "with": true, "in": true, "source": true, "has": true, "is": true, "before": true, "after": true, "on": true, "domain": true,
}

type token struct {
	kind  byte // 'w' word, 'p' phrase, 'f' filter, 'o' OR, 'n' minus, '(' , ')'
	text  string
	value string
	at    int
}

// lex cuts a query into tokens.
func lex(query string) ([]token, error) {
	var tokens []token
	for i := 0; i < len(query); {
		r, n := utf8.DecodeRuneInString(query[i:])
		switch {
		case unicode.IsSpace(r):
			i += n
		case r == '(' || r == ')':
			tokens = append(tokens, token{kind: byte(r), at: i})
			i += n
		case isQuote(r):
			text, next, err := quoted(query, i)
			if err != nil {
				return nil, err
			}
			tokens = append(tokens, token{kind: 'p', text: text, at: i})
			i = next
		case r == '-' && i+1 < len(query) && startsWord(query[i+1:]) && (i == 0 || query[i-1] == ' ' || query[i-1] == '('):
			tokens = append(tokens, token{kind: 'n', at: i})
			i += n
		default:
			t, next, err := word(query, i)
			if err != nil {
				return nil, err
			}
			tokens = append(tokens, t)
			i = next
		}
	}
	return tokens, nil
}

func isQuote(r rune) bool {
	return r == '"' || r == '“' || r == '”' || r == '„' || r == '«' || r == '»'
}

func startsWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isQuote(r) || r == '(' || !unicode.IsSpace(r) && r != '-'
}

func quoted(query string, at int) (text string, next int, err error) {
	_, open := utf8.DecodeRuneInString(query[at:])
	start := at + open
	end := strings.IndexFunc(query[start:], isQuote)
	if end < 0 {
		return "", 0, &SyntaxError{at, "a quotation mark is never closed", `close the phrase with another " or leave it out`}
	}
	_, n := utf8.DecodeRuneInString(query[start+end:])
	return query[start : start+end], start + end + n, nil
}

func word(query string, at int) (token, int, error) {
	end := strings.IndexFunc(query[at:], func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == ')' || isQuote(r) })
	if end < 0 {
		end = len(query) - at
	}
	text := query[at : at+end]
	if text == "OR" || text == "|" {
		return token{kind: 'o', at: at}, at + end, nil
	}
	name, value, isFilter := strings.Cut(text, ":")
	if !isFilter || !operators[strings.ToLower(name)] {
		return token{kind: 'w', text: text, at: at}, at + end, nil
	}
	next := at + end
	if value == "" && next < len(query) {
		if r, _ := utf8.DecodeRuneInString(query[next:]); isQuote(r) {
			phrase, after, err := quoted(query, next)
			if err != nil {
				return token{}, 0, err
			}
			value, next = phrase, after
		}
	}
	if strings.TrimSpace(value) == "" {
		return token{}, 0, &SyntaxError{at, name + ": has no value", "write it without a space, as in " + name + ":" + examples[strings.ToLower(name)]}
	}
	return token{kind: 'f', text: strings.ToLower(name), value: value, at: at}, next, nil
}

var examples = map[string]string{
	"from": "ana", "with": "ana", "in": `"Book club"`, "source": "signal", "has": "image", "is": "group", "before": "2024-03", "after": "2024", "on": "2024-03-01", "domain": "example.com",
}

// parse reads a query.
func parse(query string) (node, error) {
	tokens, err := lex(query)
	if err != nil {
		return nil, err
	}
	p := parser{tokens: tokens, length: len(query)}
	root, err := p.or(0)
	if err != nil {
		return nil, err
	}
	if p.pos < len(p.tokens) {
		return nil, &SyntaxError{p.tokens[p.pos].at, "a parenthesis is closed that was never opened", "leave it out"}
	}
	return root, nil
}

// maxDepth bounds nested parentheses.
const maxDepth = 20

type parser struct {
	tokens []token
	pos    int
	length int
}

func (p *parser) peek() byte {
	if p.pos < len(p.tokens) {
		return p.tokens[p.pos].kind
	}
	return 0
}

func (p *parser) or(depth int) (node, error) {
	var kids []node
	for {
		kid, err := p.and(depth)
		if err != nil {
			return nil, err
		}
		if kid != nil {
			kids = append(kids, kid)
		}
		if p.peek() != 'o' {
			break
		}
		p.pos++ // an OR at either end, or two in a row, joins nothing
	}
	switch len(kids) {
	case 0:
		return nil, nil
	case 1:
		return kids[0], nil
	}
	return orNode{kids}, nil
}

func (p *parser) and(depth int) (node, error) {
	var kids []node
	for {
		kid, ok, err := p.item(depth)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		if kid != nil {
			kids = append(kids, kid)
		}
	}
	switch len(kids) {
	case 0:
		return nil, nil
	case 1:
		return kids[0], nil
	}
	return andNode{kids}, nil
}

func (p *parser) item(depth int) (kid node, ok bool, err error) {
	if p.pos >= len(p.tokens) {
		return nil, false, nil
	}
	t := p.tokens[p.pos]
	switch t.kind {
	case 'o', ')':
		return nil, false, nil
	case '(':
		if depth >= maxDepth {
			return nil, false, &SyntaxError{t.at, "parentheses are nested too deep", "use fewer"}
		}
		p.pos++
		kid, err := p.or(depth + 1)
		if err != nil {
			return nil, false, err
		}
		if p.peek() != ')' {
			return nil, false, &SyntaxError{t.at, "a parenthesis is never closed", "close it with )"}
		}
		p.pos++
		return kid, true, nil
	case 'n':
		p.pos++
		kid, ok, err := p.item(depth)
		if err != nil || !ok || kid == nil {
			return nil, ok, err
		}
		if double, isNot := kid.(notNode); isNot {
			return double.kid, true, nil
		}
		return notNode{kid}, true, nil
	case 'f':
		p.pos++
		return filterNode{t.text, t.value, t.at}, true, nil
	}
	p.pos++
	return newText(t), true, nil
}

// newText makes a node of a word or phrase; nil when nothing in it can be
// searched for, such as a lone dash.
func newText(t token) node {
	searchable := false
	segment.Runs(t.text, func(segment.Run) bool { searchable = true; return false })
	if !searchable {
		return nil
	}
	n := textNode{text: t.text, phrase: t.kind == 'p', at: t.at}
	if t.kind == 'w' && strings.HasSuffix(t.text, "*") {
		n.text, n.prefix = strings.TrimRight(t.text, "*"), true
	}
	return n
}
