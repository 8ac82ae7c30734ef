package mcp

import (
	"context"
	"fmt"
	"unicode/utf8"

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
	Mode       string        `json:"mode" jsonschema:"hybrid: by words and by meaning; keyword: by words only; semantic: by meaning only"`
	Hits       []messageItem `json:"hits,omitzero" jsonschema:"best first; matches are marked with ** in text; match says whether a message was found by its words (keyword), its meaning (semantic) or both. With context, neighbours follow in chronological order with match context"`
	Transcript string        `json:"transcript,omitempty"`
}

// byKeyword is the part of a search's notice that says what was left out, and
// why.
func byKeyword(why string) string { return "Results are by keyword; " + why + "." }

func (t *tools) searchMessages() ToolDef {
	return ToolDef{
		Name: "search_messages", Title: "Search messages",
		Description: "Find messages by their words and their meaning, best first. Plain words must all be found (in any inflection), with messages similar in meaning after those; a question is taken apart and ranked by both. " +
			"Every hit carries message_id, hash, conversation, source, sender and timestamp; text is the matching part with ** around the matches. " +
			"Filters narrow strictly: an unknown name is an error with the closest names. " +
			"If nothing is found, try fewer or other words, a name, or drop filters. Read around a hit with get_context.",
		Input: SchemaOf[searchInput](), Output: SchemaOf[searchOutput](),
		Handler: handler("search_messages", t.runSearch),
	}
}

func (t *tools) runSearch(ctx context.Context, in searchInput, query string) (any, string, error) {
	after, f, err := t.page(ctx, in.Cursor, query, narrowing{in.Conversation, in.Sender, in.Source, in.Start, in.End})
	if err != nil {
		return nil, "", err
	}
	out := searchOutput{listing: listing{Notice: untrusted}}
	const usual = 20
	limit := clamp("limit", in.Limit, usual, 1, 100, &out.Notes)
	around := clamp("context", in.Context, 0, 0, 3, &out.Notes)
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
	if why := results.WithoutMeaning; why != "" {
		out.Notice += " " + byKeyword(why)
		t.sayByKeyword(why)
	}
	if results.Counted && results.Total >= int64(len(results.Hits)) { // a question also shows what stands beside its matches
		out.Total = &results.Total
	}
	items := make([]messageItem, len(results.Hits))
	for i, hit := range results.Hits {
		items[i] = t.render.message(ctx, hit.Message)
		items[i].Text, items[i].Score, items[i].Match = inert.Text(hit.Excerpt), round(hit.Score), hit.Match.Half()
	}
	budget := budgetFor(limit, usual)
	n := fit(items, budget)
	list := items[:n]
	if around > 0 {
		if list, n, err = t.withContext(ctx, list, results.Hits[:n], around, budget); err != nil {
			return nil, "", err
		}
	}
	out.Shown = n
	seen := n
	if after != nil {
		seen += after.Seen
	}
	switch {
	case n > 0 && (results.More || n < len(items)):
		last := results.Hits[n-1]
		out.NextCursor = cursor{Query: query, Score: last.Score, ID: last.ID, Seen: seen}.encode()
		out.Hint = "narrow with conversation, sender, start or end, or pass next_cursor as cursor"
	case seen == 0:
		out.Hint = t.nothingFound(in)
	case out.Total != nil && *out.Total > int64(seen):
		out.Hint = fmt.Sprintf("only the best %d were ranked; narrow with conversation, sender, start or end to reach the others", seen)
	}
	body := hitLines(list)
	if in.Format == formatTranscript {
		out.Transcript = body
	} else {
		out.Hits = list
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

// withContext puts hits among their neighbours, as many hits as the budget
// holds, and says how many these are. A message stands once, where it comes
// first.
func (t *tools) withContext(ctx context.Context, items []messageItem, hits []search.Hit, around, budget int) (list []messageItem, shown int, err error) {
	list = []messageItem{}
	place, used := map[int64]int{}, 0
	for n, hit := range hits {
		near, err := t.r.Around(ctx, hit.Message, around, around)
		if err != nil {
			return nil, 0, err
		}
		var group []messageItem
		for _, m := range near {
			if _, placed := place[m.ID]; placed {
				continue
			}
			item := items[n]
			if m.ID != hit.ID {
				item = t.render.message(ctx, m)
				item.Match = "context"
				cutLong(&item, longMessage/8)
			}
			group, used = append(group, item), used+utf8.RuneCountInString(item.Text)
		}
		if n > 0 && used > budget {
			return list, n, nil
		}
		if at, placed := place[hit.ID]; placed { // as a neighbour of an earlier one
			list[at] = items[n]
		}
		for _, item := range group {
			place[item.MessageID] = len(list)
			list = append(list, item)
		}
	}
	return list, len(hits), nil
}
