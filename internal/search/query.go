package search

import (
	"fmt"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/segment"
)

// node is a piece of a parsed query: andNode, orNode, notNode, textNode or
// filterNode.
type node interface{}

type (
	andNode struct{ kids []node }
	orNode  struct{ kids []node }
	notNode struct {
		kid node
		at  int
	}
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

// parse reads a query; it returns nil when it holds nothing to look for.
func parse(query string) (node, error) {
	root, err := parseTokens(query)
	return root, located(err, query)
}

func parseTokens(query string) (node, error) {
	tokens, err := lex(query)
	if err != nil {
		return nil, err
	}
	if err := checkLength(tokens); err != nil {
		return nil, err
	}
	p := parser{tokens: tokens}
	root, err := p.or(0)
	if err != nil {
		return nil, err
	}
	if p.pos < len(p.tokens) {
		return nil, faultAt(p.tokens[p.pos].at, "a parenthesis is closed that was never opened", "leave it out")
	}
	return root, nil
}

// maxWords bounds the words of a query, and the pairs of scripts without
// spaces: each is looked up by itself.
const maxWords = 500

func checkLength(tokens []token) error {
	words := 0
	for _, t := range tokens {
		for _, r := range runsOf(t.text) {
			words += len(r.Tokens())
		}
		if words > maxWords {
			return faultAt(t.at, fmt.Sprintf("the query is longer than %d words", maxWords), "leave out what is not needed to find the message")
		}
	}
	return nil
}

// maxDepth bounds nested parentheses.
const maxDepth = 20

type parser struct {
	tokens []token
	pos    int
}

func (p *parser) peek() kind {
	if p.pos < len(p.tokens) {
		return p.tokens[p.pos].kind
	}
	return noToken
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
		if p.peek() != orToken {
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
		if group, isAnd := kid.(andNode); isAnd { // its parentheses change nothing
			kids = append(kids, group.kids...)
		} else if kid != nil {
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
	case orToken, closeToken:
		return nil, false, nil
	case openToken:
		kid, err := p.group(t, depth)
		return kid, true, err
	case minusToken:
		return p.not(t, depth)
	case filterToken:
		p.pos++
		return filterNode{t.text, t.value, t.at}, true, nil
	}
	p.pos++
	return newText(t), true, nil
}

func (p *parser) group(open token, depth int) (node, error) {
	if depth >= maxDepth {
		return nil, faultAt(open.at, "parentheses are nested too deep", "use fewer")
	}
	p.pos++
	kid, err := p.or(depth + 1)
	if err != nil {
		return nil, err
	}
	if p.peek() != closeToken {
		return nil, faultAt(open.at, "a parenthesis is never closed", "close it with )")
	}
	p.pos++
	return kid, nil
}

func (p *parser) not(minus token, depth int) (kid node, ok bool, err error) {
	p.pos++
	kid, ok, err = p.item(depth)
	if err != nil || !ok || kid == nil {
		return nil, ok, err
	}
	if double, isNot := kid.(notNode); isNot {
		return double.kid, true, nil
	}
	return notNode{kid, minus.at}, true, nil
}

// newText makes a node of a word or phrase; nil when nothing in it can be
// searched for, such as a lone dash.
func newText(t token) node {
	if len(runsOf(t.text)) == 0 {
		return nil
	}
	n := textNode{text: t.text, phrase: t.kind == phraseToken, at: t.at}
	if t.kind == wordToken && strings.HasSuffix(t.text, "*") {
		n.text, n.prefix = strings.TrimRight(t.text, "*"), true
	}
	return n
}

func runsOf(text string) (runs []segment.Run) {
	segment.Runs(text, func(r segment.Run) bool { runs = append(runs, r); return true })
	return runs
}

// outermost returns the parts that a query joins.
func outermost(root node) []node {
	switch root := root.(type) {
	case nil:
		return nil
	case andNode:
		return root.kids
	}
	return []node{root}
}

// filtersOf returns the filters that narrow a query as a whole.
func filtersOf(root node) (list []filterNode) {
	for _, kid := range outermost(root) {
		if f, ok := kid.(filterNode); ok {
			list = append(list, f)
		}
	}
	return list
}

// textsOf returns the words and phrases of a query, and whether it holds
// nothing else but filters.
func textsOf(root node) (texts []textNode, plain bool) {
	for _, kid := range outermost(root) {
		switch kid := kid.(type) {
		case filterNode:
		case textNode:
			texts = append(texts, kid)
		default:
			return nil, false
		}
	}
	return texts, true
}

// negated returns the word that a query seems to exclude with NOT, as other
// programs have it. In a query that is all in capitals it is one word of many.
func negated(root node, query string) string {
	if query == strings.ToUpper(query) {
		return ""
	}
	kids := outermost(root)
	for i := range kids[:max(0, len(kids)-1)] {
		not, isText := kids[i].(textNode)
		if next, isWord := kids[i+1].(textNode); isText && isWord && not.text == "NOT" && !not.phrase && !next.phrase {
			return next.text
		}
	}
	return ""
}
