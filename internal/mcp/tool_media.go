package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

type listMediaInput struct {
	Conversation IntOrText `json:"conversation,omitempty" jsonschema:"id, exact name or unique part of the name"`
	Sender       string    `json:"sender,omitempty" jsonschema:"name or handle; Me for the owner"`
	Kind         string    `json:"kind,omitempty" enum:"image,video,audio,file"`
	Source       string    `json:"source,omitempty" jsonschema:"signal, imessage, whatsapp, telegram"`
	Start        string    `json:"start,omitempty" jsonschema:"from this date on: YYYY, YYYY-MM, YYYY-MM-DD or RFC 3339"`
	End          string    `json:"end,omitempty" jsonschema:"up to this date, the day included"`
	Limit        *int      `json:"limit,omitempty" jsonschema:"how many, 50 by default, at most 500"`
	Cursor       string    `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page"`
}

// coordinates say which message a thing belongs to.
type coordinates struct {
	MessageID      int64  `json:"message_id"`
	Hash           string `json:"hash"`
	Conversation   string `json:"conversation"`
	ConversationID int64  `json:"conversation_id"`
	Source         string `json:"source"`
	Sender         string `json:"sender"`
	Timestamp      string `json:"timestamp"`
	TimestampBasis string `json:"timestamp_basis,omitempty" jsonschema:"wall: a clock reading with no known zone"`
}

func (t *tools) coordinates(ctx context.Context, m store.Message) coordinates {
	item := t.render.message(ctx, m)
	return coordinates{item.MessageID, item.Hash, item.Conversation, item.ConversationID, item.Source, item.Sender, item.Timestamp, item.TimestampBasis}
}

func (c coordinates) line() string {
	return fmt.Sprintf("[%d %s %s] %s (%s, conversation %d) %s", c.MessageID, c.Hash, c.Timestamp, quoted(c.Conversation), c.Source, c.ConversationID, quoted(c.Sender))
}

type mediaItem struct {
	MediaID int64  `json:"media_id" jsonschema:"id of the file; msgbrowse://media/{id} is its resource"`
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Path    string `json:"path,omitempty" jsonschema:"relative to the folder or zip of its source"`
	MIME    string `json:"mime,omitempty"`
	Size    int64  `json:"size,omitempty" jsonschema:"bytes"`
	Missing string `json:"missing,omitempty" jsonschema:"why the export does not hold the file"`
	coordinates
}

type listMediaOutput struct {
	listing
	Media []mediaItem `json:"media"`
}

func (t *tools) listMedia() ToolDef {
	return ToolDef{
		Name: "list_media", Title: "List media",
		Description: "List the images, videos, audio and other files that were sent, newest first, each with the message it belongs to. " +
			"Narrow by kind, conversation, sender, source or dates. Use get_context with message_id to read what was said about it.",
		Input: SchemaOf[listMediaInput](), Output: SchemaOf[listMediaOutput](),
		Handler: handler("list_media", t.runListMedia),
	}
}

func (t *tools) runListMedia(ctx context.Context, in listMediaInput, query string) (any, string, error) {
	after, f, err := t.page(ctx, in.Cursor, query, narrowing{in.Conversation, in.Sender, in.Source, in.Start, in.End})
	if err != nil {
		return nil, "", err
	}
	out := listMediaOutput{listing: listing{Notice: untrusted}}
	limit := clamp("limit", in.Limit, 50, 1, 500, &out.Notes)
	q := store.MediaQuery{Filter: f, Kind: mediaKind(in.Kind), After: after.key(), Limit: limit + 1}
	list, total, err := t.r.ListMedia(ctx, q)
	if err != nil {
		return nil, "", err
	}
	n := min(limit, len(list))
	if n = fitting(n, func(i int) int { return min(len(list[i].Name), maxName) + min(len(list[i].Path), longAddress) }); n < len(list) {
		list = list[:n]
		last := list[n-1]
		out.NextCursor = cursor{Query: query, Sort: last.Message.Sort, ID: last.ID}.encode()
		out.Hint = "narrow with kind, conversation, sender, start or end, or pass next_cursor as cursor"
	}
	out.Media = make([]mediaItem, len(list))
	var b strings.Builder
	for i, m := range list {
		item := mediaItem{MediaID: m.ID, Kind: m.Kind.String(), Name: cut(inert.Line(m.Name), maxName), Path: cut(inert.Line(m.Path), longAddress), MIME: cut(inert.Line(m.MIME), maxName), Size: m.Size,
			Missing: m.Absent, coordinates: t.coordinates(ctx, m.Message)}
		out.Media[i] = item
		fmt.Fprintf(&b, "media %d %s", item.MediaID, fileText(item.Kind, item.Name))
		for _, part := range []string{quoted(item.Path), quoted(item.MIME), sizeText(item.Size), item.Missing} {
			if part != "" {
				b.WriteString(", " + part)
			}
		}
		b.WriteString(" " + item.line() + "\n")
	}
	out.Shown, out.Total = len(list), &total
	if total == 0 {
		out.Hint = "no media matches; drop a filter"
	}
	return out, out.text("files", b.String()), nil
}

func sizeText(size int64) string {
	if size == 0 {
		return ""
	}
	return fmt.Sprintf("%d bytes", size)
}

func mediaKind(name string) *msg.AttachmentKind {
	for _, kind := range []msg.AttachmentKind{msg.Image, msg.Video, msg.Audio, msg.File} {
		if kind.String() == name {
			return &kind
		}
	}
	return nil
}
