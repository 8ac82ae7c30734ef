package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// name is what a sender or a conversation is called, with its tag. The folded
// name has a space at both ends, so that whole words can be looked for.
type name struct {
	folded, tag string
	person      bool // it names one person, not a group
}

// nameList is every name of the archive, remembered until one changes.
type nameList struct {
	version int64
	known   bool
	list    []name
	words   map[string][]int // places in list by the words of the names
	labels  map[int64]string // of senders, by handle
}

// names returns the names of all senders and conversations.
func (s *Searcher) names(ctx context.Context) (nameList, error) {
	version, err := s.r.NamesVersion(ctx)
	if err != nil {
		return nameList{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.called.known && s.called.version == version {
		return s.called, nil
	}
	s.called, err = readNames(ctx, s.r)
	s.called.version, s.called.known = version, err == nil
	return s.called, err
}

func readNames(ctx context.Context, r *store.Reader) (nameList, error) {
	names := nameList{words: map[string][]int{}, labels: map[int64]string{}}
	people, err := r.People(ctx)
	if err != nil {
		return names, err
	}
	slices.SortFunc(people, func(a, b store.Person) int { return cmp.Compare(a.HandleID, b.HandleID) })
	for _, p := range people {
		names.labels[p.HandleID] = p.Label
		if folded := foldLabel(p.Label); folded != "" {
			names.add(name{" " + folded + " ", segment.SenderTag(p.HandleID), true})
		}
	}
	conversations, err := r.ConversationRefs(ctx)
	if err != nil {
		return names, err
	}
	slices.SortFunc(conversations, func(a, b store.ConversationRef) int { return cmp.Compare(a.ID, b.ID) })
	for _, c := range conversations {
		if folded := foldLabel(c.Name); folded != "" {
			names.add(name{" " + folded + " ", segment.ConversationTag(c.ID), c.Kind == msg.Direct})
		}
	}
	return names, nil
}

func (l *nameList) add(n name) {
	for _, word := range strings.Fields(n.folded) {
		if at := l.words[word]; len(at) == 0 || at[len(at)-1] != len(l.list) {
			l.words[word] = append(at, len(l.list))
		}
	}
	l.list = append(l.list, n)
}

// foldLabel returns the words of a name, and of one whose spaces an exporter
// took away the words it was made of as well.
func foldLabel(label string) string {
	return segment.Fold(label + divided(label))
}

// divided returns a name like AnaSilva as Ana Silva behind a space, and
// nothing for others.
func divided(label string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range label {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		last = r
	}
	if b.Len() == len(label) {
		return ""
	}
	return " " + b.String()
}

// maxNamed bounds how many names one word stands for.
const maxNamed = 200

// named returns the tags of senders and conversations whose name holds the
// tokens one after the other: their messages are found by the name as if it
// stood in them. With prefix the last token may go on. A word that stands in no
// message may be a name with the ending of the genitive, which many languages
// and fast fingers write without an apostrophe: annas is Anna.
func (c *compiler) named(tokens []string, prefix bool) ([]string, error) {
	tags, err := c.called(tokens, prefix, false)
	last := tokens[len(tokens)-1]
	if err != nil || len(tags) > 0 || prefix || len(last) <= 3 || !strings.HasSuffix(last, "s") {
		return tags, err
	}
	docs, err := c.s.r.TermDocs(c.ctx, []string{last})
	if err != nil || docs[last] > 0 {
		return nil, err
	}
	tokens = append(tokens[:len(tokens)-1:len(tokens)-1], strings.TrimSuffix(last, "s"))
	return c.called(tokens, false, true)
}

// called returns the tags of the names, or of those of persons alone, that
// hold the tokens as they are.
func (c *compiler) called(tokens []string, prefix, persons bool) ([]string, error) {
	names, err := c.s.names(c.ctx)
	if err != nil {
		return nil, err
	}
	text := " " + strings.Join(tokens, " ")
	if !prefix {
		text += " "
	}
	var tags []string
	found := 0
	look := func(n name) {
		if !strings.Contains(n.folded, text) || persons && !n.person {
			return
		}
		if found++; found <= maxNamed {
			tags = append(tags, n.tag)
		}
	}
	if len(tokens) == 1 && prefix {
		for _, n := range names.list {
			look(n)
		}
	} else {
		for _, at := range names.words[tokens[0]] {
			look(names.list[at])
		}
	}
	if found > maxNamed {
		c.notice(fmt.Sprintf("%d names of senders and conversations hold %q; messages of %d of them were searched", found, strings.Join(tokens, " "), maxNamed))
	}
	return tags, nil
}
