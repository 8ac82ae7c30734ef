package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// compiled is a query in the language of the index, with what the ranking and
// the excerpts need to know of it.
type compiled struct {
	words   expr     // empty when only filters narrow
	parts   []part   // of the words of a question, as far as nothing else must be found
	names   []string // tags of those a question names: their messages come first
	filters []expr   // every hit meets all of them
	period  Range
	missing bool   // only what newer exports no longer hold is found, not all but that
	terms   []term // what is looked for, without what is excluded
	notices []string
	// allows are the filters as far as a message that the index did not find
	// can be tried by itself; opaque is set when one of them cannot.
	allows []func(store.Candidate) bool
	opaque bool
	// conjoined is set when every hit holds all of the terms.
	conjoined bool
	// What the filters say by ids; nil conversations are all.
	conversations []int64
	senders       []int64
	fromMe        bool
}

// expression joins words and filters.
func (c *compiled) expression() expr {
	if c.words.text == "" {
		return allOf(c.filters, nil)
	}
	return allOf(append([]expr{c.words}, c.filters...), nil)
}

// within narrows the period of the query; false means that nothing is left.
func (c *compiled) within(r Range) bool {
	if r.Start != nil && (c.period.Start == nil || *r.Start > *c.period.Start) {
		c.period.Start = r.Start
	}
	if r.End != nil && (c.period.End == nil || *r.End < *c.period.End) {
		c.period.End = r.End
	}
	return c.period.Start == nil || c.period.End == nil || *c.period.Start < *c.period.End
}

// compiler turns a parsed query into a compiled one.
type compiler struct {
	ctx context.Context
	s   *Searcher
	now time.Time
	out *compiled
	// excluded is set while a part after a minus sign is compiled.
	excluded bool
	// dialled counts the telephone numbers that were looked for.
	dialled int
}

func (c *compiler) notice(text string) { c.out.notices = append(c.out.notices, text) }

// compile compiles a query; filters of its outermost level narrow it as a
// whole.
func (c *compiler) compile(root node) error {
	if err := c.narrowAll(root); err != nil {
		return err
	}
	var words []node
	for _, kid := range outermost(root) {
		if _, isFilter := kid.(filterNode); !isFilter {
			words = append(words, kid)
		}
	}
	_, c.out.conjoined = textsOf(root)
	if len(words) == 0 {
		return c.periodAlone()
	}
	var err error
	c.out.words, err = c.and(words, true)
	return err
}

// periodAlone makes a query that holds nothing but a period find everything
// in it.
func (c *compiler) periodAlone() error {
	if len(c.out.filters) > 0 {
		return nil
	}
	all, err := c.everything()
	c.out.words = all
	return err
}

// everything finds all messages.
func (c *compiler) everything() (expr, error) {
	tags, err := c.chatTags("direct", "group")
	return tagged(tags...), err
}

func (c *compiler) node(n node) (expr, error) {
	switch n := n.(type) {
	case andNode:
		return c.and(n.kids, false)
	case orNode:
		parts := make([]expr, 0, len(n.kids))
		for _, kid := range n.kids {
			part, err := c.node(kid)
			if err != nil {
				return expr{}, err
			}
			parts = append(parts, part)
		}
		return anyOf(parts), nil
	case notNode:
		return expr{}, onlyExcluded(n)
	case filterNode:
		return c.tag(n)
	case textNode:
		if number, found, err := c.number([]node{n}); found > 0 || err != nil {
			return number, err
		}
		return c.text(n)
	}
	return expr{}, fmt.Errorf("query: unexpected part %T", n)
}

func onlyExcluded(n notNode) error {
	return faultAt(n.at, "a part that is only excluded finds nothing", "add a word to look for beside it")
}

// and joins what must hold and takes off what must not. outermost says that
// the query's filters hold as well.
func (c *compiler) and(kids []node, outermost bool) (expr, error) {
	var wanted, unwanted []expr
	var not notNode
	dates := dateSpellings(plainTexts(kids))
	for at := 0; at < len(kids); at++ {
		number, n, err := c.number(kids[at:])
		if err != nil {
			return expr{}, err
		}
		if n > 0 {
			wanted, at = append(wanted, number), at+n-1
			continue
		}
		kid, into := kids[at], &wanted
		if n, isNot := kid.(notNode); isNot {
			not, kid, into = n, n.kid, &unwanted
		}
		part, err := c.part(kid, into == &unwanted)
		if err != nil {
			return expr{}, err
		}
		others, err := c.known(dates[at])
		if err != nil {
			return expr{}, err
		}
		*into = append(*into, c.either(part, others))
	}
	if len(wanted) > 0 {
		return allOf(wanted, unwanted), nil
	}
	if !outermost || len(c.out.filters) == 0 && c.out.period == (Range{}) && !c.out.missing {
		return expr{}, onlyExcluded(not)
	}
	// What is excluded is taken from all that the filters find.
	if len(c.out.filters) > 0 {
		return allOf(c.out.filters, unwanted), nil
	}
	all, err := c.everything()
	return allOf([]expr{all}, unwanted), err
}

// part compiles a part that is looked for, or one that is excluded, whose
// words are neither ranked nor highlighted.
func (c *compiler) part(n node, excluded bool) (expr, error) {
	was := c.excluded
	c.excluded = was != excluded
	defer func() { c.excluded = was }()
	return c.node(n)
}

// number compiles the telephone number that parts begin with, in whichever
// groups it stands in a text, and returns of how many parts it is; 0 when it
// is none, or stands nowhere in other groups.
func (c *compiler) number(kids []node) (e expr, n int, err error) {
	words := plainTexts(kids)
	if end := slices.Index(words, ""); end >= 0 {
		words = words[:end]
	}
	n, number, abroad := dialled(words)
	if n == 0 {
		return expr{}, 0, nil
	}
	typed := make([]expr, n)
	for i, kid := range kids[:n] {
		if typed[i], err = c.text(kid.(textNode)); err != nil {
			return expr{}, 0, err
		}
	}
	ways, err := c.numbers(number, abroad)
	return c.either(allOf(typed, nil), ways), n, err
}

// plainTexts are the words among the parts of a query, each at its place, and
// nothing for what is no plain word.
func plainTexts(kids []node) []string {
	words := make([]string, len(kids))
	for i, kid := range kids {
		if t, isText := kid.(textNode); isText && !t.phrase && !t.prefix {
			words[i] = t.text
		}
	}
	return words
}

// known compiles words as they are, as far as the archive has them.
func (c *compiler) known(words []string) ([]sought, error) {
	var list []sought
	for _, word := range words {
		t, e, err := c.look(runsOf(word), true, false)
		if err != nil {
			return nil, err
		}
		if list, err = c.standing(list, sought{t, e}); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// either finds what was typed or one of its other spellings.
func (c *compiler) either(typed expr, others []sought) expr {
	list := []expr{typed}
	for _, x := range others {
		c.want(x.term)
		list = append(list, x.expr)
		if len(x.named) > 0 {
			list = append(list, tagged(x.named...))
		}
	}
	return anyOf(list)
}

// spelled compiles the other spellings of a word that stand in the archive.
func (c *compiler) spelled(text string) ([]sought, error) {
	var list []sought
	for _, other := range otherSpellings(text) {
		t, e, err := c.look(runsOf(other), false, false)
		if err != nil {
			return nil, err
		}
		if list, err = c.standing(list, sought{t, e}); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// text compiles a word or phrase. A word that punctuation or a change of
// script divides must be found in one piece.
func (c *compiler) text(n textNode) (expr, error) {
	runs := runsOf(n.text)
	if !n.phrase {
		runs = unattached(n.text, runs)
	}
	t, e, err := c.look(runs, n.phrase, n.prefix)
	if err != nil {
		return e, err
	}
	c.want(t)
	if len(t.named) > 0 {
		e = anyOf([]expr{e, tagged(t.named...)})
	}
	if n.phrase || n.prefix {
		return e, nil
	}
	others, err := c.spelled(n.text)
	return c.either(e, others), err
}

// want adds a term to what is ranked and highlighted.
func (c *compiler) want(t term) {
	if !c.excluded {
		c.out.terms = append(c.out.terms, t)
	}
}

// unattached makes Anna's Anna, because both are the same person, and
// l'appartement appartement.
func unattached(text string, runs []segment.Run) []segment.Run {
	if len(runs) != 2 || runs[0].Class != segment.Word || !strings.ContainsAny(text[runs[0].End:runs[1].Start], "'’") {
		return runs
	}
	switch first, second := runs[0].Text, runs[1].Text; {
	case second == "s":
		return runs[:1]
	case len(second) >= minElided && (first == "l" || first == "d" || first == "j" || first == "qu"):
		return runs[1:]
	}
	return runs
}

// minElided is how many letters a French or Italian word has at least for the
// article before it to be taken off.
const minElided = 3
