package mcp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A message is named by its id in any form, by its hash, or by enough of it.
func TestGetContextNames(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	m, err := s.r.Message(t.Context(), 655)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{`655`, `"655"`, `" 655 "`, `655.0`, fmt.Sprintf("%q", m.Hash), fmt.Sprintf("%q", m.Hash[:9]), fmt.Sprintf("%q", strings.ToUpper(m.Hash[:12]))} {
		got, _ := ask[messagesOutput](t, s, "get_context", `{"message_id":`+name+`,"window":0}`)
		if len(got.Messages) != 1 || got.Messages[0].MessageID != 655 || got.Messages[0].Hash != m.Hash {
			t.Errorf("%s: got %v", name, got.Messages)
		}
	}
	tests := []struct{ name, arguments, want string }{
		{name: "unknown id", arguments: `{"message_id":4711}`, want: "message not found: 4711"},
		{name: "unknown id of many digits", arguments: `{"message_id":90071992547409931234}`, want: "message not found: 90071992547409931234"},
		{name: "negative id", arguments: `{"message_id":-1}`, want: "message not found: -1"},
		{name: "unknown hash", arguments: `{"message_id":"0123456789abcdef0123456789abcdef"}`, want: "message not found: 0123456789abcdef"},
		{name: "unknown prefix", arguments: `{"message_id":"01234567"}`, want: "message not found: 01234567"},
		{name: "prefix of several", arguments: `{"message_id":"45f634cc"}`, want: "hash 45f634cc fits several messages; pass more of its digits"},
		{name: "prefix too short", arguments: fmt.Sprintf(`{"message_id":%q}`, "x"+m.Hash[:7]), want: "message not found"},
		{name: "word", arguments: `{"message_id":"the one about tomatoes"}`, want: "message not found"},
		{name: "missing", arguments: `{}`, want: `"message_id" is required`},
		{name: "window", arguments: `{"message_id":655,"window":"wide"}`, want: `"window" must be an integer`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := refuse(t, s, "get_context", tt.arguments); !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestGetContextWindow(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	first := int64(0)
	if got, _ := ask[messagesOutput](t, s, "get_conversation", `{"name":"LongTalk","limit":1}`); len(got.Messages) == 1 {
		first = got.Messages[0].MessageID
	}
	tests := []struct {
		name, arguments string
		from, to        int64 // numbers of the first and the last message
		note            string
	}{
		{name: "default", arguments: ``, from: 95, to: 105},
		{name: "alone", arguments: `,"window":0`, from: 100, to: 100},
		{name: "one", arguments: `,"window":1`, from: 99, to: 101},
		{name: "as a string", arguments: `,"window":"2"`, from: 98, to: 102},
		{name: "most", arguments: `,"window":50`, from: 50, to: 150},
		{name: "more than the most", arguments: `,"window":51`, from: 50, to: 150, note: "window 51 is above the maximum and was lowered to 50"},
		{name: "less than none", arguments: `,"window":-5`, from: 100, to: 100, note: "window -5 is below the minimum and was raised to 0"},
	}
	for _, tt := range tests {
		for _, format := range []string{"messages", "transcript"} {
			t.Run(tt.name+" "+format, func(t *testing.T) {
				t.Parallel()
				got, text := ask[messagesOutput](t, s, "get_context", fmt.Sprintf(`{"message_id":%d%s,"format":%q}`, first+100, tt.arguments, format))
				var ids, want []int64
				_, lines, _ := strings.Cut(text, "with Lin")
				_, lines, _ = strings.Cut(lines, "\n")
				for _, f := range parseFacts(t, strings.Split(lines, "Hint: ")[0], false) {
					ids = append(ids, f.ID-first)
				}
				for n := tt.from; n <= tt.to; n++ {
					want = append(want, n)
				}
				if diff := cmp.Diff(want, ids); diff != "" {
					t.Errorf("messages (-want +got):\n%s", diff)
				}
				if got.Conversation == nil || got.Conversation.Name != "LongTalk" || strings.Join(got.Notes, "") != tt.note {
					t.Errorf("got conversation %v and notes %q", got.Conversation, got.Notes)
				}
			})
		}
	}
}

// What an export no longer holds is left out of lists and search, and shown
// to those who ask for it.
func TestMissingMessage(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	const id = 650
	m, err := s.r.Message(t.Context(), id)
	if err != nil || !strings.Contains(m.Body, "purple umbrella") || m.MissingSince == 0 {
		t.Fatalf("message %d is %q, missing since %d, %v", id, m.Body, m.MissingSince, err)
	}
	got, text := ask[messagesOutput](t, s, "get_context", fmt.Sprintf(`{"message_id":%d}`, id))
	found := false
	for _, item := range got.Messages {
		if item.MessageID == id {
			found = item.MissingSince == "2026-02-03T04:05:06Z" && item.Text == m.Body
		} else if item.MissingSince != "" {
			t.Errorf("message %d is missing, too", item.MessageID)
		}
	}
	if !found || !strings.Contains(text, "missing since 2026-02-03T04:05:06Z") {
		t.Errorf("the missing message is not shown as one:\n%s", text)
	}
	neighbour, _ := ask[messagesOutput](t, s, "get_context", fmt.Sprintf(`{"message_id":%d}`, id-1))
	conversation, _ := ask[messagesOutput](t, s, "get_conversation", `{"name":"Ana Prado"}`)
	for _, item := range append(neighbour.Messages, conversation.Messages...) {
		if item.MessageID == id {
			t.Error("the missing message stands in a list")
		}
	}
	if hits, _ := ask[searchOutput](t, s, "search_messages", `{"query":"umbrella"}`); hits.Shown != 0 || *hits.Total != 0 {
		t.Errorf("the missing message is found: %v", hits.Hits)
	}
}
