package mcp

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

type getContextInput struct {
	MessageID IntOrText `json:"message_id" jsonschema:"message_id or hash of a message; at least eight digits of the hash are enough when they are unique"`
	Window    *int      `json:"window,omitempty" jsonschema:"how many messages on each side, 5 by default, at most 50; 0 for the message alone"`
	Format    string    `json:"format,omitempty" enum:"messages,transcript" default:"messages"`
}

func (t *tools) getContext() ToolDef {
	return ToolDef{
		Name: "get_context", Title: "Read around a message",
		Description: "Read the messages before and after a given one, in chronological order. Use it to understand or verify a hit of search_messages before citing it; " +
			"window=0 gives the whole text of a long message.",
		Input: SchemaOf[getContextInput](), Output: SchemaOf[messagesOutput](),
		Handler: handler("get_context", t.runGetContext),
	}
}

func (t *tools) runGetContext(ctx context.Context, in getContextInput, _ string) (any, string, error) {
	m, err := t.find(ctx, string(in.MessageID))
	if err != nil {
		return nil, "", err
	}
	out := messagesOutput{listing: listing{Notice: untrusted}}
	const usual = 5
	window := clamp("window", in.Window, usual, 0, 50, &out.Notes)
	list, err := t.r.Around(ctx, m, window, window)
	if err != nil {
		return nil, "", err
	}
	c, err := t.r.Conversation(ctx, m.ConversationID)
	if err != nil {
		return nil, "", err
	}
	item := conversation(c)
	out.Conversation = &item
	items := t.messages(ctx, list)
	items = aroundBudget(items, m.ID, budgetFor(window, usual), &out.listing)
	out.Shown = len(items)
	return t.finish(&out, items, in.Format)
}

// find resolves a message argument.
func (t *tools) find(ctx context.Context, text string) (store.Message, error) {
	text = strings.TrimSpace(text)
	if id, err := strconv.ParseInt(text, 10, 64); err == nil {
		m, err := t.r.Message(ctx, id)
		if err == nil || !errors.Is(err, store.ErrNotFound) {
			return m, err
		}
	}
	digits, ok := msg.ParseHash(text)
	if !ok {
		if _, err := strconv.ParseInt(text, 10, 64); err == nil {
			return store.Message{}, fmt.Errorf("message not found: %s; pass the message_id or hash of a message from search_messages or get_conversation", text)
		}
		return store.Message{}, fmt.Errorf("message not found: %q is neither a message_id nor at least eight hex digits of a hash", text)
	}
	id, err := t.r.MessageID(ctx, digits)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return store.Message{}, fmt.Errorf("message not found: %s; pass the message_id or hash of a message from search_messages or get_conversation", text)
	case errors.Is(err, store.ErrAmbiguous):
		return store.Message{}, fmt.Errorf("hash %s fits several messages; pass more of its digits", text)
	case err != nil:
		return store.Message{}, err
	}
	return t.r.Message(ctx, id)
}
