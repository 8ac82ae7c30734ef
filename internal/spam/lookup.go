package spam

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/cases"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// Directory is what names of senders and entities are looked up in.
// store.Reader implements it.
type Directory interface {
	SpamSenders(ctx context.Context, q record.SenderQuery) ([]record.Sender, error)
	SpamEntities(ctx context.Context) ([]record.Entity, error)
	People(ctx context.Context) ([]store.Person, error)
	ConversationRefs(ctx context.Context) ([]store.ConversationRef, error)
	ThreadSenders(ctx context.Context, conversation int64) ([]int64, error)
}

// Named is what a person meant by a text: a sender or an entity.
type Named struct {
	// Sender has ID 0 when an entity was meant, Entity when a sender was.
	Sender record.Sender
	Entity record.Entity
}

// Label says which one it is, for lists to choose from.
func (n Named) Label() string {
	if n.Entity.ID != 0 {
		return fmt.Sprintf("entity:%d %s", n.Entity.ID, n.Entity.Name)
	}
	label := fmt.Sprintf("id:%d %s", n.Sender.ID, n.Sender.Identifier)
	if n.Sender.Name != "" && n.Sender.Name != n.Sender.Identifier {
		label += " (" + n.Sender.Name + ")"
	}
	return label
}

// UnknownNameError is returned for a text that names nobody on the record.
type UnknownNameError struct {
	Text string
	// Known are the identifiers and names there are, for suggestions.
	Known []string
}

func (e *UnknownNameError) Error() string {
	return fmt.Sprintf("no sender or entity matches %q", e.Text)
}

// Unwrap makes it a record.ErrUnknownSender.
func (e *UnknownNameError) Unwrap() error { return record.ErrUnknownSender }

// AmbiguousNameError is returned for a text that names several.
type AmbiguousNameError struct {
	Text  string
	Found []Named
}

func (e *AmbiguousNameError) Error() string {
	labels := make([]string, len(e.Found))
	for i, n := range e.Found {
		labels[i] = n.Label()
	}
	return fmt.Sprintf("%q fits several: %s; name one by its id", e.Text, strings.Join(labels, ", "))
}

// Lookup finds the sender or entity that a text names: an id, a number or
// address in any spelling, the display name of a sender, the name of an
// entity or of a thread. The prefixes "id:", "entity:" and "code:" say which
// of these is meant. It is an *UnknownNameError or an *AmbiguousNameError when
// that is not exactly one.
func Lookup(ctx context.Context, d Directory, text string) (Named, error) {
	l := lookup{text: strings.TrimSpace(text)}
	var err error
	if l.senders, err = d.SpamSenders(ctx, record.SenderQuery{}); err != nil {
		return Named{}, fmt.Errorf("list senders: %w", err)
	}
	if l.entities, err = d.SpamEntities(ctx); err != nil {
		return Named{}, fmt.Errorf("list entities: %w", err)
	}
	found := l.direct()
	if len(found) == 0 {
		if found, err = l.threads(ctx, d); err != nil {
			return Named{}, err
		}
	}
	switch len(found) {
	case 0:
		return Named{}, &UnknownNameError{text, l.known()}
	case 1:
		return found[0], nil
	}
	return Named{}, &AmbiguousNameError{text, found}
}

// Resembling lists the senders and entities, at most limit, whose identifier
// or name holds a text, with regard neither to case nor to how numbers are
// written. It is for people who remember a part.
func Resembling(ctx context.Context, d Directory, text string, limit int) ([]Named, error) {
	senders, err := d.SpamSenders(ctx, record.SenderQuery{})
	if err != nil {
		return nil, fmt.Errorf("list senders: %w", err)
	}
	entities, err := d.SpamEntities(ctx)
	if err != nil {
		return nil, fmt.Errorf("list entities: %w", err)
	}
	name, number := folded(text), digitsOf(text)
	var found []Named
	for _, e := range entities {
		if name != "" && strings.Contains(folded(e.Name), name) && len(found) < limit {
			found = append(found, Named{Entity: e})
		}
	}
	for _, s := range senders {
		if len(found) == limit {
			break
		}
		if name != "" && (strings.Contains(folded(s.Name), name) || strings.Contains(folded(s.Identifier), name)) ||
			number != "" && strings.Contains(digitsOf(s.Identifier), number) {
			found = append(found, Named{Sender: s})
		}
	}
	return found, nil
}

// digitsOf are the digits of a number, or of a part of one, as people write
// it; empty for anything else.
func digitsOf(text string) string {
	var digits strings.Builder
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits.WriteRune(r)
		case !strings.ContainsRune("+-()./ \u00a0\u2011", r):
			return ""
		}
	}
	return digits.String()
}

type lookup struct {
	text     string
	senders  []record.Sender
	entities []record.Entity
}

// direct looks at what the record itself says of senders and entities.
func (l lookup) direct() []Named {
	if rest, ok := strings.CutPrefix(l.text, "entity:"); ok {
		return l.entitiesNamed(rest, true)
	}
	if rest, ok := strings.CutPrefix(l.text, "id:"); ok {
		return l.sendersWhere(func(s record.Sender) bool { return strconv.FormatInt(s.ID, 10) == strings.TrimSpace(rest) })
	}
	key := MatchKey(l.text)
	name := folded(l.text)
	found := l.sendersWhere(func(s record.Sender) bool {
		switch {
		case strconv.FormatInt(s.ID, 10) == l.text, s.Key == l.text:
			return true
		case key != "":
			return MatchKey(s.Identifier) == key
		}
		return name != "" && (folded(s.Name) == name || folded(s.Identifier) == name)
	})
	return append(found, l.entitiesNamed(l.text, false)...)
}

func (l lookup) sendersWhere(is func(record.Sender) bool) []Named {
	var found []Named
	for _, s := range l.senders {
		if is(s) {
			found = append(found, Named{Sender: s})
		}
	}
	return found
}

func (l lookup) entitiesNamed(text string, byID bool) []Named {
	var found []Named
	text = strings.TrimSpace(text)
	for _, e := range l.entities {
		if byID && strconv.FormatInt(e.ID, 10) == text || folded(e.Name) == folded(text) {
			found = append(found, Named{Entity: e})
		}
	}
	return found
}

// threads looks for the senders that write in a thread of that name.
func (l lookup) threads(ctx context.Context, d Directory) ([]Named, error) {
	people, err := ThreadPeople(ctx, d, l.text)
	if err != nil {
		return nil, err
	}
	keys := map[string]bool{}
	for _, p := range people {
		who, _ := Identify(p)
		keys[who.Key] = true
	}
	return l.sendersWhere(func(s record.Sender) bool { return keys[s.Key] }), nil
}

func (l lookup) known() []string {
	var names []string
	for _, s := range l.senders {
		names = append(names, s.Identifier)
		if s.Name != "" && s.Name != s.Identifier {
			names = append(names, s.Name)
		}
	}
	for _, e := range l.entities {
		names = append(names, e.Name)
	}
	return names
}

// ThreadPeople returns the handles with inbound messages in the threads of a
// name, by id.
func ThreadPeople(ctx context.Context, d Directory, name string) ([]store.Person, error) {
	refs, err := d.ConversationRefs(ctx)
	if err != nil {
		return nil, fmt.Errorf("list threads: %w", err)
	}
	writers := map[int64]bool{}
	for _, c := range refs {
		if folded(c.Name) != folded(name) || folded(name) == "" {
			continue
		}
		handles, err := d.ThreadSenders(ctx, c.ID)
		if err != nil {
			return nil, err
		}
		for _, h := range handles {
			writers[h] = true
		}
	}
	people, err := d.People(ctx)
	if err != nil {
		return nil, fmt.Errorf("list people: %w", err)
	}
	people = slices.DeleteFunc(people, func(p store.Person) bool { return !writers[p.HandleID] })
	slices.SortFunc(people, func(a, b store.Person) int { return int(a.HandleID - b.HandleID) })
	return people, nil
}

func folded(s string) string { return cases.Fold().String(strings.Join(strings.Fields(s), " ")) }
