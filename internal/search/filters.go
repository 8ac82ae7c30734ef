package search

import (
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
		c.filter(tagged(segment.ConversationTag(q.Conversation)), anyMessage)
	}
	if len(q.Senders) > 0 || q.FromMe {
		c.filter(sentBy(q.Senders, q.FromMe))
	}
	if q.Source != "" {
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
	case "from":
		handles, owner, err := c.senders(f)
		if err == nil {
			c.filter(sentBy(handles, owner))
		}
		return err
	}
	e, err := c.tag(f)
	if err != nil {
		return err
	}
	whole := f.name == "in" || f.name == "with" || f.name == "source" || f.name == "is" && isChatKind(f.value)
	if whole {
		c.filter(e, anyMessage)
	} else {
		c.filter(e, nil)
	}
	return nil
}

func (c *compiler) narrowTime(f filterNode) error {
	from, to, err := ParsePeriod(f.value, c.now)
	if err != nil {
		return &SyntaxError{f.at, err.Error(), "for example " + f.name + ":2024-03"}
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
	return c.out.within(r)
}

// tag compiles a filter to the tags of the index.
func (c *compiler) tag(f filterNode) (expr, error) {
	switch f.name {
	case "from":
		handles, owner, err := c.senders(f)
		e, _ := sentBy(handles, owner)
		return e, err
	case "in":
		conversation, err := Conversation(c.ctx, c.s.r, f.value)
		if err != nil {
			return expr{}, fmt.Errorf("in: in the query: %w", err)
		}
		return tagged(segment.ConversationTag(conversation.ID)), nil
	case "with":
		return c.with(f)
	case "source":
		source, err := Source(c.ctx, c.s.r, f.value)
		if err != nil {
			return expr{}, fmt.Errorf("source: in the query: %w", err)
		}
		return tagged(sourceTags(source)...), nil
	case "has":
		e, err := hasTag(f.value)
		if err != nil {
			return expr{}, &SyntaxError{f.at, "has:" + f.value + " is not known", "use one of " + strings.Join(Has, ", ")}
		}
		return e, nil
	case "is":
		return c.is(f)
	case "domain":
		return c.domain(f)
	}
	return expr{}, &SyntaxError{f.at, f.name + ": narrows the whole query and cannot stand inside OR or behind a minus sign", "move it outside"}
}

func (c *compiler) senders(f filterNode) (handles []int64, owner bool, err error) {
	handles, owner, err = Senders(c.ctx, c.s.r, f.value)
	if err != nil {
		return nil, false, fmt.Errorf("%s: in the query: %w", f.name, err)
	}
	return handles, owner, nil
}

// with finds the direct conversations with a person and the groups they are
// in.
func (c *compiler) with(f filterNode) (expr, error) {
	handles, owner, err := c.senders(f)
	if err != nil {
		return expr{}, err
	}
	if owner && len(handles) == 0 {
		return expr{}, &SyntaxError{f.at, "every conversation is with the owner", "name somebody else, or use is:me for the owner's own messages"}
	}
	conversations, err := c.s.r.ConversationsOf(c.ctx, handles)
	if err != nil {
		return expr{}, err
	}
	if len(conversations) == 0 {
		return expr{}, fmt.Errorf("with: in the query: %q takes part in no conversation", f.value)
	}
	tags := make([]string, len(conversations))
	for i, id := range conversations {
		tags[i] = segment.ConversationTag(id)
	}
	return tagged(tags...), nil
}

func isChatKind(value string) bool {
	return strings.EqualFold(value, msg.Direct.String()) || strings.EqualFold(value, msg.Group.String())
}

func (c *compiler) is(f filterNode) (expr, error) {
	value := strings.ToLower(f.value)
	switch {
	case value == "me":
		return tagged(segment.OwnerTag), nil
	case isChatKind(value):
		tags, err := c.chatTags(value)
		return tagged(tags...), err
	case slices.Contains(states, value):
		return tagged(segment.KindTag(value)), nil
	}
	return expr{}, &SyntaxError{f.at, "is:" + f.value + " is not known", "use is:me, is:group, is:direct, is:edited or is:call"}
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
		e := expr{quote(tokens...), unbounded}
		if more {
			e.text += " *"
		}
		if !slices.Contains(spellings, e) {
			spellings = append(spellings, e)
		}
	}
	if len(spellings) == 0 {
		return expr{}, &SyntaxError{f.at, "domain:" + f.value + " is no domain", "write it like domain:example.com"}
	}
	return allOf([]expr{anyOf(spellings), tagged(segment.KindTag("link"))}, nil), nil
}
