package whatsapp

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// plan is what a survey decides for the file as a whole.
type plan struct {
	*survey
	title title
	kind  msg.ConversationKind

	order order
	basis basis
	// mixed is set when dates of several styles are all WhatsApp's.
	mixed bool
	// crlfOnly is set when headers follow CR LF, and LF stands in messages.
	crlfOnly bool

	// members are the senders taken for real, in the order they appear.
	members []*sender
	// flags are the lines out of place in time, by line.
	flags []flag

	ownerNote string
	needOwner bool
}

// makePlan draws the conclusions of a survey.
func makePlan(s *survey, c source.Candidate, o source.Options) *plan {
	p := &plan{survey: s, title: chatTitle(c, s.noticeAuthor)}
	p.decideDates()
	p.reading.trusted = s.texts < fewTexts || s.markedNotices*5 <= s.texts*3
	p.reading.marks = s.marked > 0 && p.reading.trusted
	s.senders.resolveColons(func(name string) bool {
		return source.SameName(name, p.title.text) || o.IsOwner(source.NameHandle(name))
	})
	p.count()
	p.settleMembers()
	p.settleOwner(o)
	return p
}

// fewTexts is a file too short to say how often WhatsApp marks texts.
const fewTexts = 20

func (p *plan) decideDates() {
	evidence := &p.evidence
	if p.main.year == yearFirst {
		evidence = &p.otherEvidence
	}
	p.order, p.basis = evidence.decide()
	// One other style is a paste from somebody's phone. Three in one file,
	// with WhatsApp's mark among them, are how the file was made.
	p.mixed = len(p.others) >= 2 && p.otherMarked
	p.crlfOnly = p.afterCRLF >= 3 && p.afterLF*4 <= p.afterCRLF
	p.flags = p.times[p.order].flags
	slices.SortStableFunc(p.flags, func(a, b flag) int { return cmp.Compare(a.line, b.line) })
}

// count counts each sender's messages without those out of place.
func (p *plan) count() {
	for _, s := range p.senders.list {
		s.count = s.main[p.order]
		if p.mixed {
			s.count += s.other[p.order]
		}
		if !p.reading.trusted {
			s.count += s.notices
		}
	}
	for _, f := range p.flags {
		if f.sender != noSender && p.senders.list[f.sender].count > 0 {
			p.senders.list[f.sender].count--
		}
	}
}

// settleMembers finds out who writes in the chat and whether it is a group.
func (p *plan) settleMembers() {
	for _, s := range p.senders.list {
		if s.count > 0 {
			p.members = append(p.members, s)
		}
	}
	if strangers := p.strangers(); len(strangers) > 0 {
		for _, s := range strangers {
			s.lone = true
		}
		p.members = slices.DeleteFunc(p.members, func(s *sender) bool { return s.lone })
	}
	// An iPhone writes a group's notices in the group's name.
	titleOnly := len(p.members) >= 2 && !slices.ContainsFunc(p.members, p.isTitle) &&
		slices.ContainsFunc(p.senders.list, func(s *sender) bool { return s.notices > 0 && p.isTitle(s) })
	if len(p.members) > 2 || p.groupNotice || titleOnly || p.senders.full {
		p.kind = msg.Group
	}
}

// strangers are those in whose names a line or two stand in a chat of two
// people: one that bears the name of one of those who write most, and in
// which nothing speaks of a group.
func (p *plan) strangers() []*sender {
	if len(p.members) < 3 || !p.title.sure || p.groupNotice {
		return nil
	}
	byCount := p.membersByCount()
	pair, rest := byCount[:2], byCount[2:]
	var total, strange int64
	for i, s := range byCount {
		total += s.count
		if i >= 2 {
			strange += s.count
		}
	}
	if !slices.ContainsFunc(pair, p.isTitle) || strange > max(2, total/50) || rest[0].count == pair[1].count {
		return nil
	}
	return rest
}

func (p *plan) membersByCount() []*sender {
	sorted := slices.Clone(p.members)
	slices.SortStableFunc(sorted, func(a, b *sender) int { return cmp.Compare(b.count, a.count) })
	return sorted
}

func (p *plan) isTitle(s *sender) bool { return source.SameName(s.handle.ID, p.title.text) }

// settleOwner finds the owner's names: those the user gave or, in a chat of
// two that bears the name of one of them, the other one. Nothing else is
// good enough.
func (p *plan) settleOwner(o source.Options) {
	found := false
	for _, s := range p.senders.list {
		s.owner = o.IsOwner(s.handle)
		found = found || s.owner && s.count > 0
	}
	if found || len(p.members) == 0 {
		return
	}
	if p.kind == msg.Direct && len(p.members) == 2 {
		contact, other := p.members[0], p.members[1]
		if p.isTitle(other) {
			contact, other = other, contact
		}
		if p.isTitle(contact) && !p.isTitle(other) {
			other.owner = true
			p.ownerNote = fmt.Sprintf("the chat is called %q and has two senders, so the other one, %q, is taken for you",
				p.title.text, other.handle.ID)
			return
		}
	}
	p.needOwner = true
	p.ownerNote = "nobody is taken for you: " + ownerUnknown
	if len(o.Me) > 0 {
		p.ownerNote = "none of the names given as yours writes in this chat; all messages count as received"
	}
}

const ownerUnknown = "the file does not say whose phone it came from, so all messages count as received"
