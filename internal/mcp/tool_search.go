package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/search"
)

type searchInput struct {
	Query        string    `json:"query" jsonschema:"words (all must be found), \"exact phrases\", or a plain question; also -word, OR, word*, from:NAME, in:NAME, has:image, before:DATE, after:DATE"`
	Conversation IntOrText `json:"conversation,omitempty" jsonschema:"id, exact name or unique part of the name"`
	Sender       string    `json:"sender,omitempty" jsonschema:"name or handle; Me for the owner"`
	Source       string    `json:"source,omitempty" jsonschema:"signal, imessage, whatsapp, telegram"`
	Start        string    `json:"start,omitempty" jsonschema:"from this date on: YYYY, YYYY-MM, YYYY-MM-DD or RFC 3339"`
	End          string    `json:"end,omitempty" jsonschema:"up to this date, the day included"`
	Has          string    `json:"has,omitempty" enum:"link,image,file,audio,video" jsonschema:"only messages that carry this"`
	Limit        *int      `json:"limit,omitempty" jsonschema:"how many hits, 20 by default, at most 100"`
	Context      *int      `json:"context,omitempty" jsonschema:"0 to 3 messages shown on each side of every hit"`
	Cursor       string    `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page"`
	Format       string    `json:"format,omitempty" enum:"messages,transcript" default:"messages"`
}

type searchOutput struct {
	listing
	Mode       string        `json:"mode" jsonschema:"keyword: words only; hybrid: words and meaning"`
	Hits       []messageItem `json:"hits,omitzero" jsonschema:"best first; matches are marked with ** in text. With context, neighbours follow in chronological order with match context"`
	Transcript string        `json:"transcript,omitempty"`
}

// semanticOff says why no search goes by meaning.
const semanticOff = "semantic search is unavailable: no embedding model is configured for this archive"

func (t *tools) searchMessages() ToolDef {
	return ToolDef{
		Name: "search_messages", Title: "Search messages",
		Description: "Find messages by their words, best first. Plain words must all be found (in any inflection); a question is taken apart and ranked. " +
			"Every hit carries message_id, hash, conversation, source, sender and timestamp; text is the matching part with ** around the matches. " +
			"Filters narrow strictly: an unknown name is an error with the closest names. " +
			"If nothing is found, try fewer or other words, a name, or drop filters. Read around a hit with get_context.",
		Input: SchemaOf[searchInput](), Output: SchemaOf[searchOutput](),
		Handler: handler("search_messages", t.runSearch),
	}
}

func (t *tools) runSearch(ctx context.Context, in searchInput, query string) (any, string, error) {
	after, err := decodeCursor(in.Cursor, query)
	if err != nil {
		return nil, "", err
	}
	f, err := t.filter(ctx, narrowing{in.Conversation, in.Sender, in.Source, in.Start, in.End})
	if err != nil {
		return nil, "", err
	}
	out := searchOutput{listing: listing{Notice: untrusted}}
	const usual = 20
	limit := clamp("limit", in.Limit, usual, 100, &out.Notes)
	around := 0
	if in.Context != nil && *in.Context > 0 {
		around = clamp("context", in.Context, 0, 3, &out.Notes)
	}
	q := search.Query{Text: in.Query, Senders: f.Senders, FromMe: f.FromMe, Source: f.Source, Period: search.Range{Start: f.Start, End: f.End}, Has: in.Has, Limit: limit}
	if len(f.Conversations) > 0 {
		q.Conversation = f.Conversations[0]
	}
	if after != nil {
		q.After = &search.Place{Score: after.Score, ID: after.ID}
	}
	results, err := t.s.Search(ctx, q)
	if err != nil {
		return nil, "", err
	}
	out.Mode = string(results.Mode)
	out.Notes = append(out.Notes, results.Notices...)
	if results.Mode == search.Keyword {
		out.Notes = append(out.Notes, semanticOff+"; results are by keyword")
	}
	if results.Counted {
		out.Total = &results.Total
	}
	items := make([]messageItem, len(results.Hits))
	for i, hit := range results.Hits {
		items[i] = t.render.message(ctx, hit.Message)
		items[i].Text, items[i].Score, items[i].Match = inert.Text(hit.Excerpt), round(hit.Score), "keyword"
	}
	n := fit(items, budgetFor(limit, usual))
	out.Shown = n
	if n > 0 && (results.More || n < len(items)) {
		last := results.Hits[n-1]
		out.NextCursor = cursor{Query: query, Score: last.Score, ID: last.ID}.encode()
		out.Hint = "narrow with conversation, sender, start or end, or pass next_cursor as cursor"
	}
	if len(items) == 0 {
		out.Hint = t.nothingFound(in)
	}
	items = items[:n]
	if around > 0 {
		if items, err = t.withContext(ctx, items, results.Hits[:n], around); err != nil {
			return nil, "", err
		}
	}
	body := hitLines(items)
	if in.Format == formatTranscript {
		out.Transcript = body
	} else {
		out.Hits = items
	}
	return out, out.text("hits, mode "+out.Mode, body), nil
}

// round keeps scores short.
func round(score float64) float64 { return float64(int64(score*1e4+0.5)) / 1e4 }

func (t *tools) nothingFound(in searchInput) string {
	if in.Conversation != "" || in.Sender != "" || in.Source != "" || in.Start != "" || in.End != "" || in.Has != "" {
		return "nothing matches within these filters; drop one, or use other words"
	}
	return "nothing matches; check the spelling, use fewer or other words, or word* for the beginning of a word"
}

// withContext puts each hit among its neighbours. A message is shown once,
// where it comes first.
func (t *tools) withContext(ctx context.Context, items []messageItem, hits []search.Hit, around int) ([]messageItem, error) {
	byID := make(map[int64]messageItem, len(items))
	for _, item := range items {
		byID[item.MessageID] = item
	}
	shown := map[int64]bool{}
	var list []messageItem
	for _, hit := range hits {
		near, err := t.r.Around(ctx, hit.Message, around, around)
		if err != nil {
			return nil, err
		}
		for _, m := range near {
			if shown[m.ID] {
				continue
			}
			shown[m.ID] = true
			item, isHit := byID[m.ID]
			if !isHit {
				item = t.render.message(ctx, m)
				item.Match = "context"
				cutLong(&item, longMessage/8)
			}
			list = append(list, item)
		}
	}
	return list, nil
}

// hitLines shows hits with all their coordinates, each on one line.
func hitLines(items []messageItem) string {
	var b strings.Builder
	for i := range items {
		m := &items[i]
		fmt.Fprintf(&b, "[%d %s %s] %s (%s, conversation %d) ", m.MessageID, m.Hash, m.Timestamp, m.Conversation, m.Source, m.ConversationID)
		if m.Sender != "" {
			b.WriteString(m.Sender + ": ")
		}
		b.WriteString(inert.Line(m.Text) + m.remarks())
		if m.Match == "context" {
			b.WriteString(" (context)")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

type semanticInput struct {
	Query        string    `json:"query" jsonschema:"what the message is about, in your own words"`
	K            *int      `json:"k,omitempty" jsonschema:"how many, 20 by default, at most 100"`
	Conversation IntOrText `json:"conversation,omitempty" jsonschema:"id, exact name or unique part of the name"`
	Sender       string    `json:"sender,omitempty" jsonschema:"name or handle; Me for the owner"`
	Source       string    `json:"source,omitempty" jsonschema:"signal, imessage, whatsapp, telegram"`
	Start        string    `json:"start,omitempty" jsonschema:"from this date on"`
	End          string    `json:"end,omitempty" jsonschema:"up to this date, the day included"`
}

func (t *tools) semanticSearch() ToolDef {
	return ToolDef{
		Name: "semantic_search", Title: "Search by meaning",
		Description: "Find the messages closest in meaning to a text, with a similarity score. Needs an embedding model; " +
			"without one it answers that semantic search is unavailable: use search_messages then.",
		Input: SchemaOf[semanticInput](), Output: SchemaOf[searchOutput](),
		Handler: handler("semantic_search", func(ctx context.Context, in semanticInput, _ string) (any, string, error) {
			if _, err := t.filter(ctx, narrowing{in.Conversation, in.Sender, in.Source, in.Start, in.End}); err != nil {
				return nil, "", err
			}
			return nil, "", fmt.Errorf("%s; use search_messages, which finds messages by their words", semanticOff)
		}),
	}
}
