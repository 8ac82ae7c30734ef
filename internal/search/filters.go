package search

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/domain"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// Has are the things has: and the has argument know.
var Has = []string{"link", "image", "video", "audio", "file", "reaction", "reply"}

// states are what is: knows beside the kinds of conversation.
var states = []string{"me", "edited", "call"}

// narrowAll applies the query's own filters and those of its outermost level.
func (c *compiler) narrowAll(root node) error {
	for _, f := range filtersOf(root) {
		if err := c.narrow(f); err != nil {
			return err
		}
	}
	return nil
}

// arguments applies the filters that came beside the text.
func (c *compiler) arguments(q Query) error {
	c.out.period = q.Period
	if q.Conversation != 0 {
		c.out.among([]int64{q.Conversation})
		c.filter(tagged(segment.ConversationTag(q.Conversation)), anyMessage)
	}
	if len(q.Senders) > 0 || q.FromMe {
		c.out.senders, c.out.fromMe = q.Senders, q.FromMe
		c.filter(sentBy(q.Senders, q.FromMe))
	}
	if q.Source != "" {
		if err := c.amongChats(func(r store.ConversationRef) bool { return r.Source == q.Source }); err != nil {
			return err
		}
		c.filter(tagged(sourceTags(q.Source)...), anyMessage)
	}
	if q.Has != "" {
		has, err := hasTag(q.Has)
		if err != nil {
			return err
		}
		c.filter(has, nil)
	}
	return nil
}

// filter narrows the whole query. allows tries a message that is in one of
// the conversations the filter allows; nil means that only the index can tell.
func (c *compiler) filter(e expr, allows func(store.Candidate) bool) {
	c.out.filters = append(c.out.filters, e)
	if allows == nil {
		c.out.opaque = true
		return
	}
	c.out.allows = append(c.out.allows, allows)
}

// anyMessage is for filters that allow or exclude whole conversations.
func anyMessage(store.Candidate) bool { return true }

// sentBy finds the messages of senders.
func sentBy(handles []int64, owner bool) (expr, func(store.Candidate) bool) {
	var tags []string
	if owner {
		tags = append(tags, segment.OwnerTag)
	}
	for _, h := range handles {
		tags = append(tags, segment.SenderTag(h))
	}
	return tagged(tags...), func(m store.Candidate) bool {
		return owner && m.FromMe || !m.FromMe && slices.Contains(handles, m.SenderID)
	}
}

// narrow applies a filter of the text to the whole query.
func (c *compiler) narrow(f filterNode) error {
	switch f.name {
	case "before", "after", "on":
		return c.narrowTime(f)
	case "is":
		if isMissing(f) {
			c.out.missing = true
			return nil
		}
	case "from":
		handles, owner, err := c.senders(f)
		if err == nil {
			if len(c.out.senders) == 0 && !c.out.fromMe {
				c.out.senders, c.out.fromMe = handles, owner
			}
			c.filter(sentBy(handles, owner))
		}
		return err
	case "in", "with":
		chats, err := c.chats(f)
		if err == nil {
			c.out.among(chats)
			c.filter(tagged(conversationTags(chats)...), anyMessage)
		}
		return err
	}
	e, err := c.tag(f)
	if err != nil {
		return err
	}
	var whole func(store.ConversationRef) bool
	switch {
	case f.name == "source":
		source, err := Source(c.ctx, c.s.r, f.value)
		if err != nil {
			return err
		}
		whole = func(r store.ConversationRef) bool { return r.Source == source }
	case f.name == "is" && isChatKind(f.value):
		whole = func(r store.ConversationRef) bool { return strings.EqualFold(r.Kind.String(), f.value) }
	default:
		c.filter(e, nil)
		return nil
	}
	c.filter(e, anyMessage)
	return c.amongChats(whole)
}

// amongChats narrows the scope to the conversations of a kind.
func (c *compiler) amongChats(wanted func(store.ConversationRef) bool) error {
	all, err := c.s.r.ConversationRefs(c.ctx)
	if err != nil {
		return err
	}
	var ids []int64
	for _, r := range all {
		if wanted(r) {
			ids = append(ids, r.ID)
		}
	}
	c.out.among(ids)
	return nil
}

func (c *compiler) narrowTime(f filterNode) error {
	from, to, err := ParsePeriod(f.value, c.now)
	if err != nil {
		return faultAt(f.at, err.Error(), "for example "+f.name+":2024-03")
	}
	var r Range
	switch f.name {
	case "before":
		r.End = micros(from)
	case "after":
		// "after:2024" means what came when 2024 was over, "after:7d" the last
		// seven days.
		r.Start = micros(to)
		if to.After(c.now) {
			r.Start = micros(from)
		}
	case "on":
		r.Start, r.End = micros(from), micros(to)
	}
	if !c.out.within(r) {
		return faultAt(f.at, f.name+": no time lies in all the periods the query asks for", "widen one of them")
	}
	return nil
}

// refused is the error for a filter whose value names nothing, or of the store.
func (f filterNode) refused(err error) error {
	var name *nameError
	if errors.As(err, &name) {
		return &NameError{Syntax: faultAt(f.at, f.name+": "+name.problem, name.remedy), names: name.names}
	}
	return fmt.Errorf("resolve %s: %w", f.name, err)
}

// tag compiles a filter to the tags of the index.
func (c *compiler) tag(f filterNode) (expr, error) {
	switch f.name {
	case "from":
		handles, owner, err := c.senders(f)
		e, _ := sentBy(handles, owner)
		return e, err
	case "in", "with":
		chats, err := c.chats(f)
		return tagged(conversationTags(chats)...), err
	case "source":
		source, err := Source(c.ctx, c.s.r, f.value)
		if err != nil {
			return expr{}, f.refused(err)
		}
		return tagged(sourceTags(source)...), nil
	case "has":
		e, err := hasTag(f.value)
		if err != nil {
			return expr{}, faultAt(f.at, "has:"+f.value+" is not known", "use one of "+strings.Join(Has, ", "))
		}
		return e, nil
	case "is":
		return c.is(f)
	case "domain":
		return c.domain(f)
	}
	return expr{}, narrowsAll(f, f.name+":", "move it outside")
}

// narrowsAll refuses a filter that cannot be part of an expression.
func narrowsAll(f filterNode, what, remedy string) error {
	return faultAt(f.at, what+" narrows the whole query and cannot stand inside OR or behind a minus sign", remedy)
}

func (c *compiler) senders(f filterNode) (handles []int64, owner bool, err error) {
	handles, owner, err = Senders(c.ctx, c.s.r, f.value)
	if err != nil {
		return nil, false, f.refused(err)
	}
	return handles, owner, nil
}

// chats are the conversations that in: or with: names; with: stands for the
// direct conversations with a person and the groups they are in.
func (c *compiler) chats(f filterNode) ([]int64, error) {
	if f.name == "in" {
		conversation, err := Conversation(c.ctx, c.s.r, f.value)
		if err != nil {
			return nil, f.refused(err)
		}
		return []int64{conversation.ID}, nil
	}
	handles, owner, err := c.senders(f)
	if err != nil {
		return nil, err
	}
	if owner && len(handles) == 0 {
		return nil, faultAt(f.at, "every conversation is with the owner", "name somebody else, or use is:me for the owner's own messages")
	}
	conversations, err := c.s.r.ConversationsOf(c.ctx, handles)
	if err == nil && len(conversations) == 0 {
		err = faultAt(f.at, fmt.Sprintf("with: %q takes part in no conversation", f.value), "use from: for what somebody wrote")
	}
	return conversations, err
}

func conversationTags(ids []int64) []string {
	tags := make([]string, len(ids))
	for i, id := range ids {
		tags[i] = segment.ConversationTag(id)
	}
	return tags
}

func isChatKind(value string) bool {
	return strings.EqualFold(value, msg.Direct.String()) || strings.EqualFold(value, msg.Group.String())
}

// isMissing reports whether a filter asks for messages that newer exports no
// longer hold.
func isMissing(f filterNode) bool { return f.name == "is" && strings.EqualFold(f.value, "missing") }

func (c *compiler) is(f filterNode) (expr, error) {
	value := strings.ToLower(f.value)
	switch {
	case value == "me":
		return tagged(segment.OwnerTag), nil
	case isChatKind(value):
		tags, err := c.chatTags(value)
		return tagged(tags...), err
	case isMissing(f):
		return expr{}, narrowsAll(f, "is:missing", "move it outside; without it missing messages are left out anyway")
	case slices.Contains(states, value):
		return tagged(segment.KindTag(value)), nil
	}
	return expr{}, faultAt(f.at, "is:"+f.value+" is not known", "use is:me, is:group, is:direct, is:edited, is:call or is:missing")
}

// chatTags are the tags of all conversations of the given kinds.
func (c *compiler) chatTags(kinds ...string) ([]string, error) {
	all, err := c.s.r.ConversationRefs(c.ctx)
	if err != nil {
		return nil, err
	}
	// Without a single source the tag of none keeps the expression valid.
	tags := []string{segment.ChatTag("", kinds[0])}
	for _, conversation := range all {
		for _, kind := range kinds {
			if tag := segment.ChatTag(string(conversation.Source), kind); !slices.Contains(tags, tag) {
				tags = append(tags, tag)
			}
		}
	}
	return tags, nil
}

// sourceTags are the tags of the messages of a source.
func sourceTags(source msg.Source) []string {
	return []string{segment.ChatTag(string(source), msg.Direct.String()), segment.ChatTag(string(source), msg.Group.String())}
}

func hasTag(value string) (expr, error) {
	value = strings.ToLower(strings.TrimSpace(value))
	if !slices.Contains(Has, value) {
		return expr{}, fmt.Errorf("has %q is not known; use one of %s", value, strings.Join(Has, ", "))
	}
	return tagged(segment.KindTag(value)), nil
}

// domain finds the words of a domain one after the other, as they stand in an
// address, in messages that hold a link. Addresses have it in ASCII or in the
// letters that people read; either finds both.
func (c *compiler) domain(f filterNode) (expr, error) {
	ascii := domain.ASCII(f.value)
	var spellings []expr
	for _, spelling := range []string{f.value, ascii, domain.Readable(ascii)} {
		runs := runsOf(spelling)
		if len(runs) == 0 {
			continue
		}
		tokens, more := tokensOf(runs)
		e := expr{text: quote(tokens...), most: unbounded}
		if more {
			e.text += " *"
		}
		if !slices.Contains(spellings, e) {
			spellings = append(spellings, e)
		}
	}
	if len(spellings) == 0 {
		return expr{}, faultAt(f.at, "domain:"+f.value+" is no domain", "write it like domain:example.com")
	}
	return allOf([]expr{anyOf(spellings), tagged(segment.KindTag("link"))}, nil), nil
}
