package mcp

import (
	"context"
	"fmt"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/search"
)

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
		Description: "Find the messages closest in meaning to a text, whatever their words, with a similarity score between 0 and 1. " +
			"Every hit is a message with its coordinates and its whole text. Use search_messages for names, numbers and exact words. " +
			"Without an index by meaning it answers that semantic search is unavailable.",
		Input: SchemaOf[semanticInput](), Output: SchemaOf[searchOutput](),
		Handler: handler("semantic_search", t.runSemantic),
	}
}

func (t *tools) runSemantic(ctx context.Context, in semanticInput, _ string) (any, string, error) {
	f, err := t.filter(ctx, narrowing{in.Conversation, in.Sender, in.Source, in.Start, in.End})
	if err != nil {
		return nil, "", err
	}
	out := searchOutput{listing: listing{Notice: untrusted}}
	const usual = 20
	k := clamp("k", in.K, usual, 1, 100, &out.Notes)
	q := search.Query{
		Text: in.Query, Senders: f.Senders, FromMe: f.FromMe, Source: f.Source, Period: search.Range{Start: f.Start, End: f.End},
		Limit: k, Mode: search.Semantic,
	}
	if len(f.Conversations) > 0 {
		q.Conversation = f.Conversations[0]
	}
	results, err := t.s.Search(ctx, q)
	if err != nil {
		return nil, "", err
	}
	if why := results.WithoutMeaning; why != "" {
		return nil, "", fmt.Errorf("%s; use search_messages, which finds messages by their words", why)
	}
	out.Mode = string(results.Mode)
	out.Notes = append(out.Notes, results.Notices...)
	items := make([]messageItem, len(results.Hits))
	for i, hit := range results.Hits {
		items[i] = t.render.message(ctx, hit.Message)
		items[i].Text, items[i].Score, items[i].Match = inert.Text(hit.Body), round(hit.Similarity), hit.Match.Half()
	}
	out.Shown = fit(items, budgetFor(k, usual))
	out.Hits = items[:out.Shown]
	switch {
	case len(items) == 0:
		out.Hint = "nothing is near to this within the filters; drop one, or use search_messages"
	case out.Shown < len(items):
		out.Hint = fmt.Sprintf("%d more would not fit; narrow with conversation, sender, start or end", len(items)-out.Shown)
	}
	return out, out.text("hits, mode "+out.Mode, hitLines(out.Hits)), nil
}
