package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/mediatype"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// Addresses of the resources.
const (
	overviewURI          = "msgbrowse://archive/overview"
	messageTemplate      = "msgbrowse://message/{hash}"
	conversationTemplate = "msgbrowse://conversation/{id}"
	mediaTemplate        = "msgbrowse://media/{id}"
)

// MediaOpener opens the file of an attachment for reading.
type MediaOpener func(ctx context.Context, from store.Provenance, a store.Attachment) (io.ReadCloser, error)

// maxMedia bounds the bytes of an image handed to a model.
const maxMedia = 2 << 20

func (t *tools) addResources(server *sdk.Server) {
	server.AddResource(&sdk.Resource{
		URI: overviewURI, Name: "archive_overview", Title: "Archive overview", MIMEType: "text/plain",
		Description: "What the archive holds: sources, conversations, messages, media, links, the period they cover and the latest imports",
	}, t.readOverview)
	server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: messageTemplate, Name: "message", Title: "One message", MIMEType: "text/plain",
		Description: "A message by its hash, with its neighbours and where it was read",
	}, t.readMessage)
	server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: conversationTemplate, Name: "conversation", Title: "A conversation", MIMEType: "text/plain",
		Description: "The latest messages of a conversation by its id, as a transcript",
	}, t.readConversation)
	server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: mediaTemplate, Name: "media", Title: "An image", MIMEType: "application/octet-stream",
		Description: "The bytes of an image of up to 2 MiB by its media id",
	}, t.readMedia)
}

func textResource(uri, text string) *sdk.ReadResourceResult {
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "text/plain", Text: text}}}
}

// argument returns the variable part of a resource's address.
func argument(uri, prefix string) (string, error) {
	text, err := url.PathUnescape(strings.TrimPrefix(uri, prefix))
	if err != nil || text == "" {
		return "", sdk.ResourceNotFoundError(uri)
	}
	return text, nil
}

func (t *tools) readOverview(ctx context.Context, _ *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	o, err := t.r.Overview(ctx)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d messages in %d conversations with %d people", o.Messages, o.Conversations, o.People)
	if o.Messages > 0 {
		fmt.Fprintf(&b, ", from %s to %s", day(o.First), day(o.Last))
	}
	fmt.Fprintf(&b, "\n%d media files, %d different links", o.Media, o.Links)
	if o.Missing > 0 {
		fmt.Fprintf(&b, "\n%d further messages are no longer in their exports and left out of lists and search", o.Missing)
	}
	b.WriteString("\n\nSources:\n")
	for _, s := range o.Sources {
		fmt.Fprintf(&b, "%s: %d messages in %d conversations", s.Source, s.Messages, s.Conversations)
		if s.Messages > 0 {
			fmt.Fprintf(&b, ", %s to %s", day(s.First), day(s.Last))
		}
		b.WriteByte('\n')
	}
	imports, err := t.r.Imports(ctx, 3)
	if err != nil {
		return nil, err
	}
	b.WriteString("\nLatest imports:\n")
	for _, run := range imports {
		fmt.Fprintf(&b, "%s: %s, %d added, %d changed, %d missing, %d skipped\n",
			run.StartedAt.Format("2006-01-02 15:04 MST"), run.Status, run.Added, run.Changed, run.Missing, run.Skipped)
	}
	mode := "hybrid, by words and by meaning"
	if why := t.s.WithoutMeaning(ctx); why != "" {
		mode = "keyword (" + why + ")"
	}
	b.WriteString("\nSearch mode: " + mode + "\n")
	return textResource(overviewURI, b.String()), nil
}

func (t *tools) readMessage(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := req.Params.URI
	text, err := argument(uri, "msgbrowse://message/")
	if err != nil {
		return nil, err
	}
	m, err := t.find(ctx, text)
	if err != nil {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	near, err := t.r.Around(ctx, m, 2, 2)
	if err != nil {
		return nil, err
	}
	from, err := t.r.Provenance(ctx, m)
	if err != nil {
		return nil, err
	}
	items := aroundBudget(t.messages(ctx, near), m.ID, textBudget, &listing{})
	where := fmt.Sprintf("Message %d stands in %s", m.ID, quoted(inert.Line(path.Base(strings.ReplaceAll(from.File.Path, `\`, "/")))))
	if from.File.Member != "" {
		where += ", " + quoted(inert.Line(from.File.Member))
	}
	if m.Position.Line > 0 {
		where += fmt.Sprintf(", line %d", m.Position.Line)
	}
	if m.Position.Pointer != "" {
		where += ", " + inert.Line(m.Position.Pointer)
	}
	return textResource(uri, untrusted+"\n"+hitLines(items)+where+fmt.Sprintf(" (import %d)\n", m.ImportID)), nil
}

func (t *tools) readConversation(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := req.Params.URI
	text, err := argument(uri, "msgbrowse://conversation/")
	if err != nil {
		return nil, err
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	c, err := t.r.Conversation(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	if err != nil {
		return nil, err
	}
	list, more, err := t.r.Transcript(ctx, store.TranscriptQuery{Conversation: id, Backward: true, Limit: 100})
	if err != nil {
		return nil, err
	}
	items, _ := fitPage(t.messages(ctx, list), textBudget, true)
	head := untrusted + "\n" + conversationLines([]conversationItem{conversation(c)})
	if more || len(items) < len(list) {
		head += fmt.Sprintf("The latest %d messages; read the others with get_conversation.\n", len(items))
	}
	return textResource(uri, head+transcript(items, false)), nil
}

func (t *tools) readMedia(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := req.Params.URI
	text, err := argument(uri, "msgbrowse://media/")
	if err != nil {
		return nil, err
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	m, err := t.r.Media(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case m.Path == "":
		return nil, fmt.Errorf("media %d cannot be read: its export does not hold the file (%s)", id, m.Absent)
	case m.Kind != msg.Image:
		return nil, fmt.Errorf("media %d is of kind %s, and only images are handed out; list_media gives its path", id, m.Kind)
	}
	data, err := t.readImage(ctx, m)
	if err != nil {
		return nil, err
	}
	kind := mediatype.Of(data)
	if !mediatype.IsImage(kind) {
		return nil, fmt.Errorf("media %d is named like an image and is none", id)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: kind, Blob: data}}}, nil
}

func (t *tools) readImage(ctx context.Context, m store.MediaItem) ([]byte, error) {
	if t.media == nil {
		return nil, fmt.Errorf("media %d cannot be read by this server", m.ID)
	}
	from, err := t.r.Provenance(ctx, m.Message)
	if err != nil {
		return nil, err
	}
	file, err := t.media(ctx, from, m.Attachment)
	if err != nil {
		t.log.Warn("open media", "media_id", m.ID, "err", err)
		return nil, fmt.Errorf("media %d cannot be opened: its file was moved or removed since the import", m.ID)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxMedia+1))
	if err != nil {
		return nil, fmt.Errorf("media %d cannot be read to its end", m.ID)
	}
	if len(data) > maxMedia {
		return nil, fmt.Errorf("media %d is larger than the %d bytes that are handed out", m.ID, maxMedia)
	}
	return data, nil
}
