package imessage

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// ownerName is how the exporter writes the owner, unknownName a sender it has
// no handle for.
const (
	ownerName   = "Me"
	unknownName = "Unknown"
)

// cast is who takes part in a conversation.
type cast struct {
	conversation msg.Conversation
	people       map[string]person
	// owned is set when somebody in it is the owner.
	owned bool
	me    source.Options
}

// person is what a sender line stands for.
type person struct {
	handle  msg.Handle
	owner   bool
	verdict verdict
	reason  string
}

const namedNowhere = "its sender is named nowhere else in this conversation: may be text inside the message before it"

func newCast(t title, s *survey, o source.Options) *cast {
	c := &cast{people: make(map[string]person, len(s.order)), me: o}
	for _, name := range s.order {
		p := c.describe(name)
		c.people[name] = p
		c.owned = c.owned || p.owner
	}
	c.conversation = msg.Conversation{Key: t.stem, Name: t.name}
	if c.isGroup(t, s) {
		c.conversation.Kind = msg.Group
		for _, member := range t.members {
			c.conversation.Participants = append(c.conversation.Participants, source.NameHandle(member))
		}
		c.judgeGroup(t, s)
		return c
	}
	c.conversation.Name = t.stem
	c.judgeDirect(t, s)
	return c
}

func (c *cast) describe(name string) person {
	if name == unknownName {
		return person{}
	}
	h := source.NameHandle(name)
	return person{handle: h, owner: name == ownerName || c.me.IsOwner(h)}
}

// person returns who a sender line or a name in a reaction stands for.
func (c *cast) person(name string) person {
	if p, ok := c.people[name]; ok {
		return p
	}
	return c.describe(name)
}

// others are the senders who are neither the owner nor unknown.
func (c *cast) others(s *survey) []string {
	var names []string
	for _, name := range s.order {
		if p := c.people[name]; !p.owner && !p.handle.IsZero() {
			names = append(names, name)
		}
	}
	return names
}

func (c *cast) isGroup(t title, s *survey) bool {
	others := c.others(s)
	for _, name := range others {
		if names(t.stem, name) {
			return false
		}
	}
	return t.group || !t.handle && len(others) > 1
}

// judgeDirect settles who can write in a conversation of two: the contact,
// the owner, and the owner's own numbers in an export with caller ids.
func (c *cast) judgeDirect(t title, s *survey) {
	others := c.others(s)
	contact := ""
	for _, name := range others {
		if names(t.stem, name) {
			contact = name
		}
	}
	if contact == "" {
		contact = mostFrequent(others, s, "")
	}
	c.conversation.Participants = []msg.Handle{source.NameHandle(t.stem)}
	if contact != "" {
		c.conversation.Participants[0] = c.people[contact].handle
	}
	alias := ""
	if !c.owned {
		alias = mostFrequent(others, s, contact)
	}
	for _, name := range others {
		p := c.people[name]
		once := s.count(name) == 1
		switch {
		case name == contact, name == alias:
			continue
		case p.handle.Kind != msg.HandleName && !once:
			continue
		case p.handle.Kind == msg.HandleName && once:
			p.verdict = verdictText
		default:
			p.verdict, p.reason = verdictSuspect, namedNowhere
		}
		c.people[name] = p
	}
}

// judgeGroup settles who can write in a group. Its file name lists everybody,
// somebody or nobody, and members come and go.
func (c *cast) judgeGroup(t title, s *survey) {
	for _, name := range c.others(s) {
		p := c.people[name]
		switch {
		case s.count(name) > 1 || t.isMember(name):
			continue
		case isSentence(name):
			p.verdict = verdictText
		case t.all:
			p.verdict, p.reason = verdictSuspect, namedNowhere
		}
		c.people[name] = p
	}
}

func mostFrequent(names []string, s *survey, but string) string {
	best := ""
	for _, name := range names {
		if name != but && (best == "" || s.count(name) > s.count(best)) {
			best = name
		}
	}
	return best
}

// isSentence says whether a line reads like prose rather than a name.
func isSentence(s string) bool {
	words := len(strings.Fields(s))
	return words > 6 || words > 3 && strings.ContainsAny(s[len(s)-1:], ".,:;?!")
}
