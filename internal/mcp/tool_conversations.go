package mcp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

type listConversationsInput struct {
	Query  string `json:"query,omitempty" jsonschema:"part of the conversation's name, or of a participant's name or handle"`
	Source string `json:"source,omitempty" jsonschema:"signal, imessage, whatsapp, telegram"`
	Kind   string `json:"kind,omitempty" enum:"direct,group"`
	Start  string `json:"start,omitempty" jsonschema:"only conversations with messages from this date on: YYYY, YYYY-MM, YYYY-MM-DD or RFC 3339"`
	End    string `json:"end,omitempty" jsonschema:"only conversations with messages up to this date, the day included"`
	Sort   string `json:"sort,omitempty" enum:"recent,name,size" default:"recent"`
	Limit  *int   `json:"limit,omitempty" jsonschema:"how many, 100 by default, at most 500"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page"`
}

type conversationItem struct {
	ID       int64    `json:"id"`
	Name     string   `json:"name"`
	Source   string   `json:"source"`
	Kind     string   `json:"kind"`
	Messages int64    `json:"messages"`
	First    string   `json:"first,omitempty" jsonschema:"day of the first message"`
	Last     string   `json:"last,omitempty" jsonschema:"day of the latest message"`
	People   int64    `json:"people,omitempty" jsonschema:"how many take part, in a group"`
	With     []string `json:"with,omitempty" jsonschema:"some of the participants, when the name does not say who"`
}

type listConversationsOutput struct {
	listing
	Conversations []conversationItem `json:"conversations"`
}

func (t *tools) listConversations() ToolDef {
	return ToolDef{
		Name: "list_conversations", Title: "List conversations",
		Description: "List the conversations of the archive with id, name, source, kind, number of messages, and first and last day; newest first. " +
			"Use it to find the id or exact name of a conversation for the other tools, or to see who was in touch when. " +
			"query matches names and handles, not message text (use search_messages for that).",
		Input: SchemaOf[listConversationsInput](), Output: SchemaOf[listConversationsOutput](),
		Handler: handler("list_conversations", t.runListConversations),
	}
}

func (t *tools) runListConversations(ctx context.Context, in listConversationsInput, query string) (any, string, error) {
	after, f, err := t.page(ctx, in.Cursor, query, narrowing{Source: in.Source, Start: in.Start, End: in.End})
	if err != nil {
		return nil, "", err
	}
	out := listConversationsOutput{listing: listing{Notice: untrusted}}
	q := store.ConversationQuery{Text: in.Query, Source: f.Source, Start: f.Start, End: f.End, Order: store.ConversationOrder(in.Sort)}
	limit := clamp("limit", in.Limit, 100, 1, 500, &out.Notes)
	q.Limit = limit + 1
	if in.Kind != "" {
		kind := msg.Direct
		if in.Kind == msg.Group.String() {
			kind = msg.Group
		}
		q.Kind = &kind
	}
	if after != nil {
		q.After = &store.ConversationPlace{Value: after.Sort, Name: string(after.Name), ID: after.ID}
	}
	list, total, err := t.r.ListConversations(ctx, q)
	if err != nil {
		return nil, "", err
	}
	if len(list) > limit {
		list = list[:limit]
		last := q.Order.Place(list[limit-1])
		out.NextCursor = cursor{Query: query, Sort: last.Value, Name: []byte(last.Name), ID: last.ID}.encode()
	}
	out.Conversations = make([]conversationItem, len(list))
	for i, c := range list {
		out.Conversations[i] = conversation(c)
	}
	exact := int64(total)
	out.Shown, out.Total = len(list), &exact
	switch {
	case total == 0 && in.Query != "":
		out.Hint = t.conversationHint(ctx, in.Query)
	case total == 0:
		out.Hint = "nothing matches; drop a filter"
	case out.NextCursor != "":
		out.Hint = "narrow with query, source, kind, start or end, or pass next_cursor as cursor"
	}
	return out, out.text("conversations", conversationLines(out.Conversations)), nil
}

// conversationHint names what comes close to a query that matched nothing.
func (t *tools) conversationHint(ctx context.Context, query string) string {
	if _, err := search.Conversation(ctx, t.r, query); err != nil {
		return inert.Line(err.Error())
	}
	return "drop source, kind, start or end"
}

func conversation(c store.Conversation) conversationItem {
	item := conversationItem{ID: c.ID, Name: title(c.Name), Source: string(c.Source), Kind: c.Kind.String(), Messages: c.Messages}
	if c.Messages > 0 {
		item.First, item.Last = day(c.First), day(c.Last)
	}
	if c.Kind == msg.Group {
		item.People = c.People
	}
	if c.Kind == msg.Group || len(c.Others) > 0 && c.Others[0] != c.Name {
		for _, name := range c.Others {
			item.With = append(item.With, person(c.Source, name))
		}
	}
	return item
}

func day(micros int64) string { return time.UnixMicro(micros).UTC().Format(time.DateOnly) }

func conversationLines(list []conversationItem) string {
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "%d %s (%s, %s) %d messages", c.ID, quoted(c.Name), c.Source, c.Kind, c.Messages)
		if c.First != "" {
			fmt.Fprintf(&b, ", %s to %s", c.First, c.Last)
		}
		if len(c.With) > 0 {
			b.WriteString(", with " + quotedAll(c.With))
		}
		if c.People > 0 {
			fmt.Fprintf(&b, " (%d people)", c.People)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
