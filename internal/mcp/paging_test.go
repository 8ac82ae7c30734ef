package mcp

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func itoa(n int) string { return strconv.Itoa(n) }

// listingOf calls any tool and returns the frame of its list.
func listingOf(t testing.TB, s *archiveServer, tool, arguments string) listing {
	t.Helper()
	l, _ := page(t, s, tool, arguments)
	return l
}

// page calls any tool and returns the frame of its list and what names each
// item.
func page(t testing.TB, s *archiveServer, tool, arguments string) (l listing, keys []string) {
	t.Helper()
	switch tool {
	case "list_conversations":
		out, _ := ask[listConversationsOutput](t, s, tool, arguments)
		for _, c := range out.Conversations {
			keys = append(keys, fmt.Sprint(c.ID))
		}
		return out.listing, keys
	case "get_conversation":
		out, _ := ask[messagesOutput](t, s, tool, arguments)
		for _, m := range out.Messages {
			keys = append(keys, fmt.Sprint(m.MessageID))
		}
		for _, f := range parseFacts(t, out.Transcript, false) {
			keys = append(keys, fmt.Sprint(f.ID))
		}
		return out.listing, keys
	case "search_messages":
		out, _ := ask[searchOutput](t, s, tool, arguments)
		for _, m := range out.Hits {
			if m.Match != "context" {
				keys = append(keys, fmt.Sprint(m.MessageID))
			}
		}
		return out.listing, keys
	case "list_media":
		out, _ := ask[listMediaOutput](t, s, tool, arguments)
		for _, m := range out.Media {
			keys = append(keys, fmt.Sprint(m.MediaID))
		}
		return out.listing, keys
	case "list_links":
		out, _ := ask[listLinksOutput](t, s, tool, arguments)
		for _, link := range out.Links {
			keys = append(keys, link.URL)
		}
		return out.listing, keys
	}
	t.Fatalf("no pages of %s", tool)
	return l, nil
}

// allPages follows the cursors from the first page to the last.
func allPages(t testing.TB, s *archiveServer, tool string, arguments map[string]any) (pages [][]string, total *int64) {
	t.Helper()
	for cursor := ""; ; {
		arguments["cursor"] = cursor
		raw, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		l, keys := page(t, s, tool, string(raw))
		if l.Shown != len(keys) {
			t.Errorf("%d are shown, and it says %d", len(keys), l.Shown)
		}
		pages, total = append(pages, keys), l.Total
		if cursor = l.NextCursor; cursor == "" {
			return pages, total
		}
		if len(keys) == 0 || len(pages) > 1000 {
			t.Fatalf("page %d of %s has %d items and a cursor", len(pages), raw, len(keys))
		}
	}
}

// anyTotal stands for a list whose length is not known beforehand.
const anyTotal = -1

// Paging through everything gives each item once, in the order of one large
// page, whatever the size of the pages.
func TestPaging(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	tests := []struct {
		name, tool string
		arguments  map[string]any
		limits     []int
		total      int
		backward   bool
		unordered  bool // neighbours stand among the hits as the pages fall
	}{
		{name: "conversations", tool: "list_conversations", limits: []int{1, 5, 12}, total: 12},
		{name: "conversations by name", tool: "list_conversations", arguments: map[string]any{"sort": "name"}, limits: []int{5}, total: 12},
		{name: "conversations by size", tool: "list_conversations", arguments: map[string]any{"sort": "size"}, limits: []int{5}, total: 12},
		{name: "messages", tool: "get_conversation", arguments: map[string]any{"name": 2}, limits: []int{1, 4, 11}, total: 11},
		{name: "messages from the end", tool: "get_conversation", arguments: map[string]any{"name": 2, "from": "end"}, limits: []int{1, 4, 11}, total: 11, backward: true},
		{name: "many messages", tool: "get_conversation", arguments: map[string]any{"name": "LongTalk"}, limits: []int{100, 500}, total: bulkMessages},
		{name: "many messages from the end, as lines", tool: "get_conversation", arguments: map[string]any{"name": "LongTalk", "from": "end", "format": "transcript"}, limits: []int{100, 500}, total: bulkMessages, backward: true},
		{name: "messages of a period", tool: "get_conversation", arguments: map[string]any{"name": "LongTalk", "start": "2022-01-03", "end": "2022-01-04"}, limits: []int{7, 500}, total: 78},
		{name: "messages within a very long one", tool: "get_conversation", arguments: map[string]any{"name": "Max"}, limits: []int{1, 2, 3}, total: 3},
		{name: "hits", tool: "search_messages", arguments: map[string]any{"query": "the", "end": "2022-01-02"}, limits: []int{10, 100}, total: 65},
		{name: "hits with neighbours", tool: "search_messages", arguments: map[string]any{"query": "number garden", "context": 3, "end": "2022-01-02"}, limits: []int{30, 100}, total: 65, unordered: true},
		{name: "hits of a question", tool: "search_messages", arguments: map[string]any{"query": "did the tomatoes make it through the night?"}, limits: []int{1, 2, 100}, total: anyTotal},
		{name: "media", tool: "list_media", limits: []int{1, 4, 18}, total: 18},
		{name: "links", tool: "list_links", limits: []int{1, 4, 10}, total: 10},
		{name: "links within a filter", tool: "list_links", arguments: map[string]any{"start": "2024-06"}, limits: []int{1, 4}, total: 8},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var reference []string
			for _, limit := range slices.Backward(tt.limits) {
				arguments := map[string]any{"limit": limit}
				for name, value := range tt.arguments {
					arguments[name] = value
				}
				pages, total := allPages(t, s, tt.tool, arguments)
				if tt.backward {
					slices.Reverse(pages)
				}
				all := slices.Concat(pages...)
				if tt.unordered {
					slices.Sort(all)
				}
				if reference == nil {
					reference = all
				}
				if tt.total != anyTotal && (len(all) != tt.total || total != nil && int(*total) != tt.total) {
					t.Errorf("pages of %d: got %d items and total %v, want %d", limit, len(all), total, tt.total)
				}
				if diff := cmp.Diff(reference, all); diff != "" {
					t.Errorf("pages of %d differ from those of %d:\n%s", limit, tt.limits[len(tt.limits)-1], diff)
				}
				if sorted := slices.Sorted(slices.Values(all)); len(slices.Compact(sorted)) != len(all) {
					t.Errorf("pages of %d: an item stands twice", limit)
				}
			}
		})
	}
}

// A search ranks a bounded number of its matches. Where the pages end before
// the matches do, the last one says so.
func TestSearchEndOfRanking(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	shown, last := 0, listing{}
	for cursor := ""; ; {
		last = listingOf(t, s, "search_messages", `{"query":"talk","limit":100,"cursor":"`+cursor+`"}`)
		shown += last.Shown
		if cursor = last.NextCursor; cursor == "" {
			break
		}
	}
	if last.Total == nil || *last.Total != bulkMessages {
		t.Errorf("got total %v, want %d", last.Total, bulkMessages)
	}
	if want := fmt.Sprintf("only the best %d were ranked", shown); shown < bulkMessages && !strings.Contains(last.Hint, want) {
		t.Errorf("%d of %d hits can be reached, and the hint is %q", shown, bulkMessages, last.Hint)
	}
}

// A cursor holds for the query it was given for and for no other.
func TestCursorIsBound(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	l := listingOf(t, s, "get_conversation", `{"name":2,"limit":3}`)
	if l.NextCursor == "" {
		t.Fatal("no cursor")
	}
	good := l.NextCursor
	with := func(arguments string) string { return strings.TrimSuffix(arguments, "}") + `,"cursor":"` + good + `"}` }
	for _, arguments := range []string{`{"name":2}`, `{"name":"2"}`, `{"limit":"5","name":2.0}`, `{"name":2,"start":null}`} {
		if l, keys := page(t, s, "get_conversation", with(arguments)); len(keys) == 0 || keys[0] != "8" {
			t.Errorf("%s: goes on with %v of %d", arguments, keys, l.Shown)
		}
	}
	tests := []struct{ name, tool, arguments string }{
		{name: "another conversation", tool: "get_conversation", arguments: with(`{"name":1}`)},
		{name: "another direction", tool: "get_conversation", arguments: with(`{"name":2,"from":"end"}`)},
		{name: "another period", tool: "get_conversation", arguments: with(`{"name":2,"start":"2024"}`)},
		{name: "another tool", tool: "list_media", arguments: with(`{"conversation":2}`)},
		{name: "another tool with the same arguments", tool: "list_links", arguments: strings.Replace(with(`{"x":1}`), `"x":1,`, "", 1)},
		{name: "cut off", tool: "get_conversation", arguments: `{"name":2,"cursor":"` + good[:len(good)-3] + `"}`},
		{name: "no base64", tool: "get_conversation", arguments: `{"name":2,"cursor":"page 2"}`},
		{name: "no JSON", tool: "get_conversation", arguments: `{"name":2,"cursor":"` + base64.RawURLEncoding.EncodeToString([]byte("page 2")) + `"}`},
		{name: "null", tool: "get_conversation", arguments: `{"name":2,"cursor":"` + base64.RawURLEncoding.EncodeToString([]byte("null")) + `"}`},
		{name: "of no query", tool: "get_conversation", arguments: `{"name":2,"cursor":"` + (cursor{Sort: 1, ID: 1}).encode() + `"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := refuse(t, s, tt.tool, tt.arguments); got != errForeignCursor.Error() {
				t.Errorf("got %q", got)
			}
		})
	}
}
