package mcp

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func textSize(list []messageItem) (n int) {
	for _, m := range list {
		n += utf8.RuneCountInString(m.Text)
	}
	return n
}

// numbers is a query for n messages of LongTalk that stand apart.
func numbers(n, apart int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = itoa(i*apart + 5)
	}
	return strings.Join(words, " OR ")
}

// A page of message text stops at a message's end within its budget, which
// grows with the limit up to a maximum.
func TestTextBudget(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	const slack = 1200 // more than a hit of LongTalk with its neighbours
	tests := []struct {
		tool, arguments string
		budget          int
	}{
		{tool: "get_conversation", arguments: `{"name":"LongTalk"}`, budget: textBudget},
		{tool: "get_conversation", arguments: `{"name":"LongTalk","from":"end"}`, budget: textBudget},
		{tool: "get_conversation", arguments: `{"name":"LongTalk","limit":200}`, budget: 2 * textBudget},
		{tool: "get_conversation", arguments: `{"name":"LongTalk","limit":500}`, budget: maxTextBudget},
		{tool: "get_conversation", arguments: `{"name":"LongTalk","limit":500,"from":"end"}`, budget: maxTextBudget},
		{tool: "search_messages", arguments: `{"query":"` + numbers(20, 10) + `","context":3}`, budget: textBudget},
		{tool: "search_messages", arguments: `{"query":"` + numbers(60, 10) + `","limit":100,"context":3}`, budget: maxTextBudget},
		{tool: "get_context", arguments: `{"message_id":500,"window":50}`, budget: textBudget},
	}
	for _, tt := range tests {
		t.Run(tt.tool+" "+tt.arguments, func(t *testing.T) {
			t.Parallel()
			var list []messageItem
			var frame listing
			if tt.tool == "search_messages" {
				out, _ := ask[searchOutput](t, s, tt.tool, tt.arguments)
				list, frame = out.Hits, out.listing
			} else {
				out, _ := ask[messagesOutput](t, s, tt.tool, tt.arguments)
				list, frame = out.Messages, out.listing
			}
			size := textSize(list)
			if size > tt.budget || size < tt.budget-slack {
				t.Errorf("got %d characters in %d messages, want a little less than %d", size, len(list), tt.budget)
			}
			for _, m := range list {
				if strings.Contains(m.Text, "[cut, ") {
					t.Errorf("message %d is cut", m.MessageID)
				}
			}
			if frame.Hint == "" || frame.NextCursor == "" && tt.tool != "get_context" {
				t.Errorf("got hint %q and cursor %q", frame.Hint, frame.NextCursor)
			}
		})
	}
}

// A very long message is cut with a pointer to the call that gives it whole.
func TestLongMessage(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	talk, _ := ask[messagesOutput](t, s, "get_conversation", `{"name":"Max"}`)
	if talk.Shown != 3 {
		t.Fatalf("got %d messages, want the long one and its neighbours", talk.Shown)
	}
	long := talk.Messages[1]
	m, err := s.r.Message(t.Context(), long.MessageID)
	if err != nil || utf8.RuneCountInString(m.Body) < longText-1 {
		t.Fatalf("message %d has %d characters, %v", m.ID, utf8.RuneCountInString(m.Body), err)
	}
	whole := utf8.RuneCountInString(m.Body)
	pointer := fmt.Sprintf("get_context message_id=%d window=0", m.ID)
	checkCut := func(what, text string, kept int) {
		t.Helper()
		want := fmt.Sprintf(" [cut, %d more characters: %s]", whole-kept, pointer)
		if start, ok := strings.CutSuffix(text, want); !ok || start != string([]rune(m.Body)[:kept]) {
			t.Errorf("%s: got %d characters and %q, want %d and %q", what, utf8.RuneCountInString(text), text[len(text)-80:], kept, want)
		}
	}
	checkCut("in a conversation", long.Text, longMessage)
	window, _ := ask[messagesOutput](t, s, "get_context", fmt.Sprintf(`{"message_id":%d}`, m.ID))
	if window.Shown != 1 || window.Hint == "" {
		t.Errorf("in its window: %d messages and hint %q", window.Shown, window.Hint)
	}
	checkCut("in its window", window.Messages[0].Text, maxTextBudget)
	beside, _ := ask[messagesOutput](t, s, "get_context", fmt.Sprintf(`{"message_id":%d}`, m.ID-1))
	checkCut("beside another", beside.Messages[1].Text, longMessage)

	alone, text := ask[messagesOutput](t, s, "get_context", fmt.Sprintf(`{"message_id":%d,"window":0}`, m.ID))
	if alone.Messages[0].Text != m.Body || !strings.Contains(text, m.Body) {
		t.Errorf("alone: %d characters of %d", textSize(alone.Messages), whole)
	}
	lines, _ := ask[messagesOutput](t, s, "get_context", fmt.Sprintf(`{"message_id":%d,"window":0,"format":"transcript"}`, m.ID))
	if !strings.Contains(lines.Transcript, m.Body) {
		t.Error("alone as a line: the text is not whole")
	}
	hits, _ := ask[searchOutput](t, s, "search_messages", `{"query":"efgh"}`)
	if len(hits.Hits) != 1 || textSize(hits.Hits) > 1000 || !strings.Contains(hits.Hits[0].Text, "**efgh**") || !strings.HasSuffix(hits.Hits[0].Text, "…") {
		t.Errorf("as a hit: got %d characters", textSize(hits.Hits))
	}
}

func TestCutLong(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{name: "short", text: "abc", want: "abc"},
		{name: "just short enough", text: "äöüß", want: "äöüß"},
		{name: "too long by one", text: "äöüß€", want: "äöüß [cut, 1 more characters: get_context message_id=7 window=0]"},
		{name: "empty", text: "", want: ""},
	}
	for _, tt := range tests {
		m := messageItem{MessageID: 7, Text: tt.text}
		if cutLong(&m, 4); m.Text != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, m.Text, tt.want)
		}
	}
}

// Even a message alone has its bounds.
func TestWholeMessage(t *testing.T) {
	t.Parallel()
	items := []messageItem{{MessageID: 7, Text: strings.Repeat("ä", wholeMessage+5)}}
	got := aroundBudget(items, 7, &listing{})
	if want := strings.Repeat("ä", wholeMessage) + " [cut, 5 more characters: msgbrowse show 7]"; got[0].Text != want {
		t.Errorf("got %d bytes, want %d", len(got[0].Text), len(want))
	}
}
