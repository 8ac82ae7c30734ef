package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/cases"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// nameError is a name that means nothing, or not one thing.
type nameError struct {
	problem, remedy string
	// names are what was meant, maybe.
	names []string
}

func (e *nameError) Error() string { return e.problem + "; " + e.remedy }

// NameError is a *SyntaxError about a filter whose value names nothing, or not
// one thing.
type NameError struct {
	Syntax *SyntaxError
	// Instead are whole queries in which it names one thing that may be meant.
	Instead []string

	names []string
}

func (e *NameError) Error() string { return e.Syntax.Error() }

// Unwrap returns the *SyntaxError.
func (e *NameError) Unwrap() error { return e.Syntax }

// fill makes Instead from the query that the error is about.
func (e *NameError) fill(query string) {
	at := e.Syntax.Position
	t, end, err := word(query, at)
	if err != nil || t.kind != filterToken {
		return
	}
	for _, name := range e.names {
		if !strings.ContainsFunc(name, isQuote) { // which a query cannot write
			e.Instead = append(e.Instead, query[:at]+t.text+`:"`+name+`"`+query[end:])
		}
	}
}

// suggestions is how many close names an error lists.
const suggestions = 5

// Conversation finds the one conversation that text names: by its id, its
// exact name or a part of the name that no other one has. Otherwise the error
// lists the candidates with their ids, or the closest names.
func Conversation(ctx context.Context, r *store.Reader, text string) (store.ConversationRef, error) {
	all, err := r.ConversationRefs(ctx)
	if err != nil {
		return store.ConversationRef{}, err
	}
	slices.SortFunc(all, func(a, b store.ConversationRef) int { return cmp.Compare(a.ID, b.ID) })
	text = strings.TrimSpace(text)
	if id, err := strconv.ParseUint(strings.TrimPrefix(text, "c"), 10, 63); err == nil {
		for _, c := range all {
			if c.ID == int64(id) {
				return c, nil
			}
		}
	}
	found := matchConversations(all, text)
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return store.ConversationRef{}, &nameError{
			fmt.Sprintf("%d conversations match %q: %s", len(found), text, describeConversations(found)), "pass the id of one", idsOf(found)}
	}
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	at := closest(text, names)
	close := make([]store.ConversationRef, len(at))
	for i, n := range at {
		close[i] = all[n]
	}
	if len(close) == 0 {
		return store.ConversationRef{}, &nameError{fmt.Sprintf("no conversation matches %q", text), "import messages first: the archive holds none", nil}
	}
	return store.ConversationRef{}, &nameError{fmt.Sprintf("no conversation matches %q", text), "the closest are " + describeConversations(close), idsOf(close)}
}

// matchConversations tries ever looser readings and stops at the first that
// finds anything: exact name or key, name without regard to case and accents,
// part of the name.
func matchConversations(all []store.ConversationRef, text string) []store.ConversationRef {
	folded := foldName(text)
	tests := []func(store.ConversationRef) bool{
		func(c store.ConversationRef) bool { return c.Name == text || c.Key == text },
		func(c store.ConversationRef) bool { return foldName(c.Name) == folded },
		func(c store.ConversationRef) bool { return folded != "" && strings.Contains(foldName(c.Name), folded) },
	}
	for _, test := range tests {
		var found []store.ConversationRef
		for _, c := range all {
			if test(c) {
				found = append(found, c)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// idsOf are the ids of conversations, the first few of them.
func idsOf(list []store.ConversationRef) []string {
	var ids []string
	for _, c := range list[:min(mostNamed, len(list))] {
		ids = append(ids, strconv.FormatInt(c.ID, 10))
	}
	return ids
}

func describeConversations(list []store.ConversationRef) string {
	parts := make([]string, 0, mostNamed)
	for i, c := range list {
		if i == mostNamed {
			parts = append(parts, fmt.Sprintf("and %d more", len(list)-mostNamed))
			break
		}
		parts = append(parts, fmt.Sprintf("%d %q (%s, %s)", c.ID, c.Name, c.Source, c.Kind))
	}
	return strings.Join(parts, ", ")
}

// foldName is how names compare: case and accents do not count.
func foldName(s string) string {
	if folded := segment.Fold(s); folded != "" {
		return folded
	}
	return cases.Fold().String(strings.TrimSpace(s))
}

// Senders finds the handles that text names: "me" for the owner, a handle or
// a telephone number as people write it, an exact name, or a part of names
// that belong to one person or are all the same.
func Senders(ctx context.Context, r *store.Reader, text string) (handles []int64, owner bool, err error) {
	text = strings.TrimSpace(text)
	if strings.EqualFold(text, store.Owner) {
		return nil, true, nil
	}
	people, err := r.People(ctx)
	if err != nil {
		return nil, false, err
	}
	slices.SortFunc(people, func(a, b store.Person) int { return cmp.Compare(a.HandleID, b.HandleID) })
	folded, number := foldName(text), digits(text)
	tests := []struct {
		test  func(store.Person) bool
		loose bool // may fit more people than are meant
	}{
		{func(p store.Person) bool { return p.Native == text || p.Label == text }, false},
		{func(p store.Person) bool { return foldName(p.Label) == folded || foldName(p.Native) == folded }, false},
		{func(p store.Person) bool { return number != "" && digits(p.Native) == number }, false},
		{func(p store.Person) bool { return number != "" && strings.HasSuffix(digits(p.Native), number) }, true},
		{func(p store.Person) bool { return folded != "" && strings.Contains(foldName(p.Label), folded) }, true},
	}
	for _, t := range tests {
		found := slices.DeleteFunc(slices.Clone(people), func(p store.Person) bool { return !t.test(p) })
		if len(found) == 0 {
			continue
		}
		if t.loose && !meansOne(found) {
			return nil, false, &nameError{fmt.Sprintf("%d senders match %q: %s", len(found), text, describePeople(found)), "use the whole name", labelsOf(found)}
		}
		handles, owner = withSamePerson(people, found)
		return handles, owner, nil
	}
	names := make([]string, len(people))
	for i, p := range people {
		names[i] = p.Label
	}
	var close []store.Person
	for _, n := range closest(text, names) {
		close = append(close, people[n])
	}
	if len(close) == 0 {
		return nil, false, &nameError{fmt.Sprintf("no sender matches %q", text), "import messages first: the archive holds none", nil}
	}
	return nil, false, &nameError{fmt.Sprintf("no sender matches %q", text), fmt.Sprintf("the closest are %s, and Me for the owner", describePeople(close)), labelsOf(close)}
}

// minDigits is how many digits a telephone number has at least.
const minDigits = 7

// digits returns the digits of a telephone number, or nothing when text is
// none.
func digits(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			b.WriteRune(r)
		case !strings.ContainsRune("+-()./ \u00a0\u2011", r):
			return ""
		}
	}
	if b.Len() < minDigits {
		return ""
	}
	return b.String()
}

// meansOne reports whether all handles belong to one person or are called the
// same.
func meansOne(found []store.Person) bool {
	same := true
	for _, p := range found {
		same = same && foldName(p.Label) == foldName(found[0].Label)
	}
	return same || !slices.ContainsFunc(found, func(p store.Person) bool { return p.PersonID != found[0].PersonID })
}

// withSamePerson returns all handles of the persons found, and whether the
// owner is among them.
func withSamePerson(people, found []store.Person) (handles []int64, owner bool) {
	persons := map[int64]bool{}
	for _, p := range found {
		persons[p.PersonID] = true
	}
	for _, p := range people {
		if persons[p.PersonID] {
			handles = append(handles, p.HandleID)
			owner = owner || p.Owner
		}
	}
	return handles, owner
}

// mostNamed is how many candidates an error lists.
const mostNamed = 10

// labelsOf are the different names of people, the first few of them.
func labelsOf(list []store.Person) []string {
	var names []string
	for _, p := range list {
		if len(names) < mostNamed && !slices.Contains(names, p.Label) {
			names = append(names, p.Label)
		}
	}
	return names
}

func describePeople(list []store.Person) string {
	names := labelsOf(list)
	for i, name := range names {
		names[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(names, ", ")
}

// Source checks a source's name.
func Source(ctx context.Context, r *store.Reader, text string) (msg.Source, error) {
	overview, err := r.ConversationRefs(ctx)
	if err != nil {
		return "", err
	}
	known := map[string]bool{}
	for _, c := range overview {
		if strings.EqualFold(string(c.Source), strings.TrimSpace(text)) {
			return c.Source, nil
		}
		known[string(c.Source)] = true
	}
	names := []string{}
	for name := range known {
		names = append(names, name)
	}
	slices.Sort(names)
	if len(names) == 0 {
		return "", &nameError{fmt.Sprintf("no source %q", text), "import messages first: the archive is empty", nil}
	}
	return "", &nameError{fmt.Sprintf("no source %q", text), "the archive has " + strings.Join(names, ", "), names}
}

// closest returns the indexes of the names most like text, best first.
func closest(text string, names []string) []int {
	folded := foldName(text)
	type scored struct {
		at    int
		score float64
	}
	list := make([]scored, 0, len(names))
	seen := map[string]bool{}
	for i, name := range names {
		if seen[name] {
			continue
		}
		seen[name] = true
		list = append(list, scored{i, likeness(folded, foldName(name))})
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	at := []int{}
	for _, s := range list[:min(suggestions, len(list))] {
		at = append(at, s.at)
	}
	return at
}

// likeness is the share of letter pairs two texts have in common (Dice), plus
// something for a common beginning.
func likeness(a, b string) float64 {
	if a == b {
		return 2
	}
	pairs := map[string]int{}
	count := func(s string) []string {
		runes := []rune(s)
		list := []string{}
		for i := 0; i+1 < len(runes); i++ {
			list = append(list, string(runes[i:i+2]))
		}
		return list
	}
	as, bs := count(a), count(b)
	for _, p := range as {
		pairs[p]++
	}
	common := 0
	for _, p := range bs {
		if pairs[p] > 0 {
			pairs[p]--
			common++
		}
	}
	score := 2 * float64(common) / float64(max(1, len(as)+len(bs)))
	if a != "" && b != "" && a[0] == b[0] {
		score += 0.1
	}
	return score
}
