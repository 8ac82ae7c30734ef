package mcp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Several calls at once, of every tool and from several clients, answer what
// each answers alone.
func TestConcurrentCalls(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	calls := [][2]string{
		{"list_conversations", `{"sort":"size"}`},
		{"get_conversation", `{"name":"LongTalk","from":"end"}`},
		{"search_messages", `{"query":"tomatoes","context":2}`},
		{"search_messages", `{"query":"where is the passport?"}`},
		{"semantic_search", `{"query":"vegetables"}`},
		{"get_context", `{"message_id":14}`},
		{"list_media", `{"limit":5}`},
		{"list_links", `{"sender":"me"}`},
	}
	alone := make([]string, len(calls))
	for i, call := range calls {
		alone[i] = string(s.call(t, call[0], call[1]).Result.StructuredContent)
	}
	const clients, rounds = 8, 4
	for client := range clients {
		t.Run(fmt.Sprint("client ", client), func(t *testing.T) {
			t.Parallel()
			var in strings.Builder
			in.WriteString(initialize)
			for round := range rounds {
				for i := range calls {
					n := (i + client + round) % len(calls)
					in.WriteString(callLine(fmt.Sprint(round*len(calls)+n), calls[n][0], calls[n][1]))
				}
			}
			got := serveAll(t, s.testServer, in.String())
			for n := range rounds * len(calls) {
				if a := got[fmt.Sprint(n)]; string(a.Result.StructuredContent) != alone[n%len(calls)] {
					t.Errorf("%s %s: got %s, want %s", calls[n%len(calls)][0], calls[n%len(calls)][1], a.Result.StructuredContent, alone[n%len(calls)])
				}
			}
		})
	}
	if slices.Contains(alone[:4], "") {
		t.Error("a call gave nothing to compare with")
	}
}
