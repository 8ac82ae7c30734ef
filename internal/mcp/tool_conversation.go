package mcp

import (
	"context"
	"fmt"

	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

type getConversationInput struct {
	Name   IntOrText `json:"name" jsonschema:"id, exact name or unique part of the name"`
	Start  string    `json:"start,omitempty" jsonschema:"from this date on: YYYY, YYYY-MM, YYYY-MM-DD or RFC 3339"`
	End    string    `json:"end,omitempty" jsonschema:"up to this date, the day included"`
	From   string    `json:"from,omitempty" enum:"start,end" default:"start" jsonschema:"start: the oldest messages first; end: the latest messages, still in chronological order"`
	Limit  *int      `json:"limit,omitempty" jsonschema:"how many messages, 100 by default, at most 500"`
	Cursor string    `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page"`
	Format string    `json:"format,omitempty" enum:"messages,transcript" default:"messages" jsonschema:"transcript: one line a message at a third of the tokens"`
}

type messagesOutput struct {
	listing
	Conversation *conversationItem `json:"conversation,omitempty"`
	Messages     []messageItem     `json:"messages,omitzero" jsonschema:"in chronological order"`
	Transcript   string            `json:"transcript,omitempty" jsonschema:"one line a message: [message_id hash time] sender: text {remarks}"`
}

func (t *tools) getConversation() ToolDef {
	return ToolDef{
		Name: "get_conversation", Title: "Read a conversation",
		Description: "Read one conversation in chronological order, optionally between two dates. from=end reads its latest messages. " +
			"Use format=transcript for long stretches: every line still carries message_id, hash, time and sender. " +
			"To find a passage use search_messages first.",
		Input: SchemaOf[getConversationInput](), Output: SchemaOf[messagesOutput](),
		Handler: handler("get_conversation", t.runGetConversation),
	}
}

func (t *tools) runGetConversation(ctx context.Context, in getConversationInput, query string) (any, string, error) {
	after, err := decodeCursor(in.Cursor, query)
	if err != nil {
		return nil, "", err
	}
	ref, err := search.Conversation(ctx, t.r, string(in.Name))
	if err != nil {
		return nil, "", err
	}
	period, err := search.ParseRange(in.Start, in.End, t.now())
	if err != nil {
		return nil, "", err
	}
	out := messagesOutput{listing: listing{Notice: untrusted}}
	const usual = 100
	limit := clamp("limit", in.Limit, usual, 1, 500, &out.Notes)
	q := store.TranscriptQuery{Conversation: ref.ID, Start: period.Start, End: period.End, Backward: in.From == "end", After: after.key(), Limit: limit}
	list, more, err := t.r.Transcript(ctx, q)
	if err != nil {
		return nil, "", err
	}
	total, err := t.r.CountMessages(ctx, store.Filter{Conversations: []int64{ref.ID}, Start: period.Start, End: period.End})
	if err != nil {
		return nil, "", err
	}
	c, err := t.r.Conversation(ctx, ref.ID)
	if err != nil {
		return nil, "", err
	}
	item := conversation(c)
	out.Conversation, out.Total = &item, &total
	items := t.messages(ctx, list)
	items, edge := fitPage(items, budgetFor(limit, usual), q.Backward)
	out.Shown = len(items)
	if cutOff := len(items) < len(list); (more || cutOff) && len(items) > 0 {
		last := list[edge]
		out.NextCursor = cursor{Query: query, Sort: last.Sort, ID: last.ID}.encode()
		out.Hint = "pass next_cursor as cursor for the next messages"
		if q.Backward {
			out.Hint = "pass next_cursor as cursor for the messages before these"
		}
		if cutOff {
			out.Hint += "; the text budget ended the page, narrow with start and end"
		}
	}
	switch {
	case c.Messages == 0:
		out.Hint = "the conversation holds no message that its export still has"
	case total == 0:
		out.Hint = fmt.Sprintf("no messages in this period; the conversation goes from %s to %s", item.First, item.Last)
	}
	return t.finish(&out, items, in.Format)
}

// fitPage keeps as many messages as the budget holds: from the front, or from
// the back of a page that reads backward. edge is the place in the original
// list of the message the next page goes on from.
func fitPage(items []messageItem, budget int, backward bool) (kept []messageItem, edge int) {
	if len(items) == 0 {
		return items, 0
	}
	if !backward {
		n := fit(items, budget)
		return items[:n], n - 1
	}
	reversed := make([]messageItem, len(items))
	for i := range items {
		reversed[i] = items[len(items)-1-i]
	}
	n := fit(reversed, budget)
	edge = len(items) - n
	for i := range n {
		items[edge+i] = reversed[n-1-i]
	}
	return items[edge:], edge
}

// finish puts messages into the asked format, with the same facts as text.
func (t *tools) finish(out *messagesOutput, items []messageItem, format string) (any, string, error) {
	head := ""
	if out.Conversation != nil {
		head = conversationLines([]conversationItem{*out.Conversation})
	}
	if format == formatTranscript {
		out.Transcript = transcript(items, false)
		return out, out.text("messages", head+out.Transcript), nil
	}
	out.Messages = items
	return out, out.text("messages", head+transcript(items, true)), nil
}
