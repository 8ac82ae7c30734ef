package mcp

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func conversationNames(list []conversationItem) []string {
	names := []string{}
	for _, c := range list {
		names = append(names, c.Name)
	}
	return names
}

func TestListConversations(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	const listLike = "Ana (signal, direct) 5 messages"
	hostile := hostileConversation(t, s).Name
	tests := []struct {
		name, arguments string
		want            []string
	}{
		{name: "all, latest first", arguments: `{}`, want: []string{"TripGroup", "Ana Prado", listLike, "unnamed", hostile, "Book Club", "Ben", "Ben", "Maya Okafor", "Zoe", "Max", "LongTalk"}},
		{name: "by name", arguments: `{"sort":"name","source":"signal"}`, want: []string{"Ben", "LongTalk", "Max", "TripGroup", "Zoe"}},
		{name: "by size", arguments: `{"sort":"size","source":"signal"}`, want: []string{"LongTalk", "TripGroup", "Ben", "Max", "Zoe"}},
		{name: "part of the name", arguments: `{"query":"prado"}`, want: []string{"Ana Prado"}},
		{name: "a participant", arguments: `{"query":"jim"}`, want: []string{"TripGroup"}},
		{name: "a handle", arguments: `{"query":"15550000007"}`, want: []string{"TripGroup"}},
		{name: "one source", arguments: `{"source":"WhatsApp"}`, want: []string{"Ana Prado"}},
		{name: "groups", arguments: `{"kind":"group"}`, want: []string{"TripGroup", hostile, "Book Club"}},
		{name: "direct of a source", arguments: `{"kind":"direct","source":"imessage"}`, want: []string{"Maya Okafor"}},
		{name: "start", arguments: `{"start":"2024-12-31"}`, want: []string{"TripGroup", "Ana Prado"}},
		{name: "end includes its day", arguments: `{"end":"2022-01-01"}`, want: []string{"LongTalk"}},
		{name: "end includes its month", arguments: `{"end":"2022-05"}`, want: []string{"Max", "LongTalk"}},
		{name: "end includes its year", arguments: `{"end":"2023"}`, want: []string{"Maya Okafor", "Zoe", "Max", "LongTalk"}},
		{name: "a period between two messages", arguments: `{"start":"2024-06-02","end":"2024-12-30"}`, want: []string{}},
		{name: "a day of several", arguments: `{"start":"2024-03-01","end":"2024-03-19"}`, want: []string{"Ben", "Ben"}},
		{name: "an instant", arguments: `{"start":"2025-07-03T08:00:00Z"}`, want: []string{"TripGroup"}},
		{name: "nothing", arguments: `{"query":"nobody of that name"}`, want: []string{}},
		{name: "numbers as strings, nulls and empty options", arguments: `{"limit":"2","query":null,"source":"","sort":"null"}`, want: []string{"TripGroup", "Ana Prado"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, _ := ask[listConversationsOutput](t, s, "list_conversations", tt.arguments)
			if diff := cmp.Diff(tt.want, conversationNames(got.Conversations)); diff != "" {
				t.Errorf("conversations (-want +got):\n%s", diff)
			}
			if got.Shown != len(tt.want) || got.Total == nil || *got.Total < int64(got.Shown) {
				t.Errorf("got shown %d and total %v", got.Shown, got.Total)
			}
			if len(tt.want) == 0 && got.Hint == "" {
				t.Error("nothing was found and no hint given")
			}
		})
	}
}

// hostileConversation is the group of hostile.txtar.
func hostileConversation(t testing.TB, s *archiveServer) conversationItem {
	t.Helper()
	got, _ := ask[listConversationsOutput](t, s, "list_conversations", `{"query":"quotes"}`)
	if len(got.Conversations) != 1 {
		t.Fatalf("got %d hostile conversations", len(got.Conversations))
	}
	return got.Conversations[0]
}

func TestListConversationsFacts(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	got, _ := ask[listConversationsOutput](t, s, "list_conversations", `{"query":"TripGroup"}`)
	want := []conversationItem{{ID: 2, Name: "TripGroup", Source: "signal", Kind: "group", Messages: 11, First: "2025-07-01", Last: "2025-07-03", People: 4, With: []string{"Aya", "Jim", "15550000007"}}}
	if diff := cmp.Diff(want, got.Conversations); diff != "" {
		t.Errorf("conversation (-want +got):\n%s", diff)
	}
	got, _ = ask[listConversationsOutput](t, s, "list_conversations", `{"query":"Ana Prado"}`)
	want = []conversationItem{{ID: 6, Name: "Ana Prado", Source: "whatsapp", Kind: "direct", Messages: 11, First: "2024-01-13", Last: "2025-01-03"}}
	if diff := cmp.Diff(want, got.Conversations); diff != "" {
		t.Errorf("conversation that lost a message (-want +got):\n%s", diff)
	}
}

// A query that finds nothing is no error; the hint names what comes close.
func TestListConversationsHint(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	got, _ := ask[listConversationsOutput](t, s, "list_conversations", `{"query":"Anna Prado"}`)
	if !strings.Contains(got.Hint, "Ana Prado") {
		t.Errorf("got hint %q, want one that names Ana Prado", got.Hint)
	}
	got, _ = ask[listConversationsOutput](t, s, "list_conversations", `{"query":"Ana Prado","source":"signal"}`)
	if !strings.Contains(got.Hint, "drop") {
		t.Errorf("got hint %q, want advice to drop a filter", got.Hint)
	}
	got, _ = ask[listConversationsOutput](t, s, "list_conversations", `{"limit":1}`)
	if !strings.Contains(got.Hint, "next_cursor") || got.NextCursor == "" {
		t.Errorf("got hint %q and cursor %q", got.Hint, got.NextCursor)
	}
}

// A full last page is known to be the last one.
func TestListConversationsLastPage(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	got, _ := ask[listConversationsOutput](t, s, "list_conversations", `{"limit":12}`)
	if got.Shown != 12 || got.NextCursor != "" {
		t.Errorf("got %d conversations and cursor %q, want all 12 and none", got.Shown, got.NextCursor)
	}
	if !slices.IsSortedFunc(got.Conversations, func(a, b conversationItem) int { return strings.Compare(b.Last, a.Last) }) {
		t.Errorf("conversations are not sorted by their latest day: %v", got.Conversations)
	}
}
