package spam

import (
	"slices"
	"strconv"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// standing is what a sender is to the owner.
type standing uint8

const (
	stranger standing = iota
	enrolled          // put on the record by hand, or judged by a person
	own
	allowed
	known
	unknown // nothing to compare with an address book
)

// strangers answers who is one, from the settings, the address book and what
// people said.
type strangers struct {
	env     record.ScanEnv
	book    AddressBook
	people  map[int64]store.Person   // by handle
	merged  map[int64][]store.Person // by person
	own     []string                 // numbers and addresses
	allowed []string                 // numbers, addresses and names
	byHand  map[string]bool          // sender keys
	exclude map[string]bool          // ids, keys and names of conversations
	cache   map[int64]standing
}

func newStrangers(s Settings, book AddressBook, people []store.Person, senders []record.Sender) *strangers {
	x := &strangers{
		env: book.Env(), book: book, people: map[int64]store.Person{}, merged: map[int64][]store.Person{}, own: s.MyNumbers,
		allowed: s.Allowlist, byHand: map[string]bool{}, exclude: map[string]bool{}, cache: map[int64]standing{},
	}
	for _, p := range people {
		x.people[p.HandleID] = p
		x.merged[p.PersonID] = append(x.merged[p.PersonID], p)
	}
	for _, handles := range x.merged {
		slices.SortFunc(handles, func(a, b store.Person) int { return int(a.HandleID - b.HandleID) })
	}
	for _, sender := range senders {
		if sender.Enrolled || sender.StatusByPerson {
			x.byHand[sender.Key] = true
		}
	}
	for _, c := range s.ExcludeConversations {
		x.exclude[strings.TrimSpace(c)] = true
	}
	return x
}

func (x *strangers) excluded(t record.Thread) bool {
	return x.exclude[strconv.FormatInt(t.ID, 10)] || x.exclude[t.Key] || x.exclude[t.Name]
}

// standing returns what the person behind a handle is to the owner.
func (x *strangers) standing(handle int64) standing {
	known, ok := x.cache[handle]
	if !ok {
		known = x.work(handle)
		x.cache[handle] = known
	}
	return known
}

func (x *strangers) work(handle int64) standing {
	p := x.people[handle]
	handles := x.merged[p.PersonID]
	who, comparable := Identify(p)
	if slices.ContainsFunc(handles, func(h store.Person) bool { return h.Owner || lists(x.own, h.Native) }) {
		return own
	}
	if slices.ContainsFunc(handles, func(h store.Person) bool { return lists(x.allowed, h.Native) || lists(x.allowed, h.Name) }) {
		return allowed
	}
	if x.byHand[who.Key] {
		return enrolled
	}
	if !x.env.Degraded() && x.book.Knows(handles) {
		return known
	}
	if !comparable || x.env.Degraded() && slices.ContainsFunc(handles, hasName) {
		return unknown
	}
	return stranger
}

// line returns the number or address by which a source names the owner, as
// the one who sent a message; empty where it gives a name.
func (x *strangers) line(handle int64) string {
	p := x.people[handle]
	if _, comparable := Identify(p); !p.Owner || !comparable {
		return ""
	}
	return p.Native
}

// lists reports whether a list of identifiers and names holds one.
func lists(list []string, one string) bool {
	return one != "" && slices.ContainsFunc(list, func(entry string) bool {
		return SameIdentifier(entry, one) || strings.EqualFold(strings.TrimSpace(entry), one)
	})
}

// hasName reports whether a source shows a name for a handle: without an
// address book, the only hint that the owner knows somebody.
func hasName(p store.Person) bool {
	_, _, bare := senderKey(p.Name)
	return p.Name != "" && p.Name != p.Native && !bare
}

// examines reports whether messages of a sender go on the record.
func (s standing) examines() bool { return s == stranger || s == enrolled }

// isTalk reports whether a message of the owner is part of a conversation:
// anything but an opt-out, a notice and what the program calls a candidate.
func (r *Rules) isTalk(m record.Message) bool {
	switch m.Kind {
	case msg.Text, msg.Poll, msg.Sticker, msg.Location, msg.Contact:
	default:
		return false
	}
	if isEcho(m.Body) || strings.TrimSpace(m.Body) == "" && m.Attachments == 0 {
		return false
	}
	kind, _ := r.OptOut(m.Body, "")
	return kind == record.NoOptOut
}
