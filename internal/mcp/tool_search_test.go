package mcp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSearchMessages(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	tests := []struct {
		name, arguments string
		want            []string // beginnings of the hits' texts, in order
	}{
		{name: "a word", arguments: `{"query":"lease"}`, want: []string{"Hello! Did the **lease** arrive?"}},
		{name: "words, all of which must be found", arguments: `{"query":"tomatoes night"}`, want: []string{"Did the **tomatoes** make it through the **night**?"}},
		{name: "a phrase", arguments: `{"query":"\"the last minute\""}`, want: []string{"**the** **last** **minute** of"}},
		{name: "conversation by name", arguments: `{"query":"the","conversation":"Ana Prado","start":"2024-12-31","end":"2024-12-31"}`, want: []string{"**the** last minute of **the** year"}},
		{name: "conversation by id", arguments: `{"query":"tomatoes","conversation":8,"limit":1}`, want: []string{"the **tomatoes** are red"}},
		{name: "sender", arguments: `{"query":"tent","sender":"aya"}`, want: []string{"who brings the \"**tent**\"?"}},
		{name: "sender by handle", arguments: `{"query":"tent","sender":"15550000007"}`, want: []string{"my number shows, the **tent** is <b>wet</b>"}},
		{name: "sender is the owner", arguments: `{"query":"attic","sender":"me"}`, want: []string{"I do, it is in the **attic** {under the stairs}"}},
		{name: "source", arguments: `{"query":"morning","source":"signal"}`, want: []string{"**morning**"}},
		{name: "start", arguments: `{"query":"morning","start":"2024-03"}`, want: []string{"**morning**"}},
		{name: "end includes its day", arguments: `{"query":"morning","end":"2024-01-13"}`, want: []string{"The lake"}},
		{name: "has link", arguments: `{"query":"packing","has":"link","sender":"Aya"}`, want: []string{"**packing** list: https://lists.example.com/**packing**"}},
		{name: "has image", arguments: `{"query":"lake","has":"image","source":"signal"}`, want: []string{"look at the **lake**"}},
		{name: "has file", arguments: `{"query":"notes","has":"file"}`, want: []string{"my **notes** on Middlemarch"}},
		{name: "has audio", arguments: `{"query":"files","has":"audio"}`, want: []string{"**files**"}},
		{name: "has video, in a list", arguments: `{"query":"files","has":["video"]}`, want: []string{"**files**"}},
		{name: "operator for the sender", arguments: `{"query":"tent from:Aya"}`, want: []string{"who brings the \"**tent**\"?"}},
		{name: "only text of a missing message", arguments: `{"query":"umbrella"}`, want: []string{}},
		{name: "nothing", arguments: `{"query":"xylophone"}`, want: []string{}},
		{name: "nothing within a filter", arguments: `{"query":"tomatoes","source":"whatsapp"}`, want: []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, text := ask[searchOutput](t, s, "search_messages", tt.arguments)
			if got.Mode != "keyword" || !strings.Contains(got.Notice, "semantic search is unavailable") || !strings.Contains(text, "mode keyword") {
				t.Errorf("got mode %q and notice %q", got.Mode, got.Notice)
			}
			texts := messageTexts(got.Hits)
			for i := range min(len(texts), len(tt.want)) {
				if strings.HasPrefix(texts[i], tt.want[i]) {
					texts[i] = tt.want[i]
				}
			}
			if diff := cmp.Diff(tt.want, texts); diff != "" {
				t.Errorf("hits (-want +got):\n%s", diff)
			}
			if got.Shown != len(tt.want) || got.Total == nil || *got.Total < int64(got.Shown) {
				t.Errorf("%s", text)
			}
			if len(tt.want) == 0 && got.Hint == "" {
				t.Error("nothing was found and no hint given")
			}
			for _, hit := range got.Hits {
				if hit.Match != "keyword" || hit.Score <= 0 {
					t.Errorf("hit %d: match %q, score %v", hit.MessageID, hit.Match, hit.Score)
				}
			}
		})
	}
}

// The log says once why searches go by words alone.
func TestSearchLogsMode(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	for range 3 {
		ask[searchOutput](t, s, "search_messages", `{"query":"lease"}`)
	}
	if n := strings.Count(s.logs.String(), "semantic search is unavailable"); n != 1 {
		t.Errorf("the log says it %d times, want once:\n%s", n, s.logs.String())
	}
}

// A question finds the words that mean something in it, and what was said
// beside them; the number of matches does not count that, so it is left out.
func TestSearchQuestion(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	got, _ := ask[searchOutput](t, s, "search_messages", `{"query":"Where is the passport?"}`)
	if texts := messageTexts(got.Hits); len(texts) < 2 || texts[0] != "the **passport** is at the embassy" {
		t.Errorf("got %q", texts)
	}
	if got.Total != nil && *got.Total < int64(got.Shown) {
		t.Errorf("%d of %d hits are shown", got.Shown, *got.Total)
	}
}

// The same hits, each on a line with all its coordinates.
func TestSearchTranscript(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	objects, _ := ask[searchOutput](t, s, "search_messages", `{"query":"the","limit":50}`)
	lines, _ := ask[searchOutput](t, s, "search_messages", `{"query":"the","limit":50,"format":"transcript"}`)
	if lines.Hits != nil || lines.Shown != objects.Shown || objects.Shown < 10 {
		t.Errorf("got %d hits beside a transcript of %d, and %d objects", len(lines.Hits), lines.Shown, objects.Shown)
	}
	compareItems(t, objects.Hits, parseFacts(t, lines.Transcript, true), true)
}

func TestSearchContext(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	around := func(context int) (texts, matches []string, out searchOutput) {
		out, _ = ask[searchOutput](t, s, "search_messages", fmt.Sprintf(`{"query":"visa","context":%d}`, context))
		for _, m := range out.Hits {
			texts, matches = append(texts, m.Text), append(matches, m.Match)
		}
		return texts, matches, out
	}
	words := []string{"morning", "the passport is at the embassy", "good, and the **visa**?", "next week"}
	tests := []struct {
		context     int
		texts       []string
		matches     []string
		wantNote    string
		wantNothing bool
	}{
		{context: 0, texts: words[2:3], matches: []string{"keyword"}},
		{context: 1, texts: words[1:], matches: []string{"context", "keyword", "context"}},
		{context: 2, texts: words, matches: []string{"context", "context", "keyword", "context"}},
		{context: 3, texts: words, matches: []string{"context", "context", "keyword", "context"}},
		{context: 9, texts: words, matches: []string{"context", "context", "keyword", "context"}, wantNote: "context 9 is above the maximum and was lowered to 3"},
		{context: -1, texts: words[2:3], matches: []string{"keyword"}, wantNote: "context -1 is below the minimum and was raised to 0"},
	}
	for _, tt := range tests {
		texts, matches, out := around(tt.context)
		if diff := cmp.Diff(tt.texts, texts); diff != "" {
			t.Errorf("context %d: texts (-want +got):\n%s", tt.context, diff)
		}
		if diff := cmp.Diff(tt.matches, matches); diff != "" {
			t.Errorf("context %d: matches (-want +got):\n%s", tt.context, diff)
		}
		if out.Shown != 1 || *out.Total != 1 || strings.Join(out.Notes, "") != tt.wantNote {
			t.Errorf("context %d: shown %d of %d, notes %q", tt.context, out.Shown, *out.Total, out.Notes)
		}
	}
}

// Hits that are neighbours of one another stand once each.
func TestSearchContextOfNeighbours(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	got, _ := ask[searchOutput](t, s, "search_messages", `{"query":"tomatoes","context":3}`)
	seen := map[int64]string{}
	for _, m := range got.Hits {
		if _, twice := seen[m.MessageID]; twice {
			t.Errorf("message %d stands twice", m.MessageID)
		}
		seen[m.MessageID] = m.Match
	}
	if len(seen) != 5 || seen[655] != "keyword" || seen[659] != "keyword" || seen[657] != "context" {
		t.Errorf("got %v, want the five messages with two hits among them", seen)
	}
}

func TestSearchRefuses(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	tests := []struct{ name, arguments, want string }{
		{name: "empty query", arguments: `{"query":""}`, want: "query is empty"},
		{name: "query without words", arguments: `{"query":"?!"}`, want: "holds no word"},
		{name: "open quotation mark", arguments: `{"query":"a \"b"}`, want: "position 3"},
		{name: "unknown sender", arguments: `{"query":"a","sender":"Ayla"}`, want: `no sender matches "Ayla"; the closest are "Aya"`},
		{name: "several senders", arguments: `{"query":"a","sender":"e"}`, want: "use the whole name"},
		{name: "unknown source", arguments: `{"query":"a","source":"icq"}`, want: `no source "icq"; the archive has imessage, signal, telegram, whatsapp`},
		{name: "unknown conversation", arguments: `{"query":"a","conversation":"Trip Gruop"}`, want: `2 "TripGroup" (signal, group)`},
		{name: "unknown has", arguments: `{"query":"a","has":"sticker"}`, want: "one of link, image, file, audio, video"},
		{name: "no date", arguments: `{"query":"a","start":"last tuesday"}`, want: `start "last tuesday" is not a date; write YYYY, YYYY-MM, YYYY-MM-DD or an RFC 3339 time`},
		{name: "impossible date", arguments: `{"query":"a","end":"2024-02-30"}`, want: `end "2024-02-30" is not a date`},
		{name: "start after end", arguments: `{"query":"a","start":"2024-02","end":"2024-01"}`, want: "start 2024-02 is after end 2024-01; swap them"},
		{name: "operator for an unknown sender", arguments: `{"query":"a from:Ayla"}`, want: `the closest are "Aya"`},
		{name: "limit", arguments: `{"query":"a","limit":"many"}`, want: `"limit" must be an integer`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := refuse(t, s, "search_messages", tt.arguments); !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Without an embedding model the tool says so, and what to use instead;
// filters that mean nothing are still refused first.
func TestSemanticSearchWithoutModel(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	tests := []struct{ name, arguments, want string }{
		{name: "plain", arguments: `{"query":"vegetables"}`, want: "semantic search is unavailable: no embedding model is configured (embeddings.provider is none); use search_messages"},
		{name: "with filters", arguments: `{"query":"vegetables","k":500,"sender":"Aya","source":"signal","start":"2024","end":"2026","conversation":2}`, want: "semantic search is unavailable"},
		{name: "unknown sender", arguments: `{"query":"vegetables","sender":"Ayla"}`, want: "no sender matches"},
		{name: "missing query", arguments: `{}`, want: `"query" is required`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := refuse(t, s, "semantic_search", tt.arguments); !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
