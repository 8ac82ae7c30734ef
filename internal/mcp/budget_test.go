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
	if all := saidOf(window.Messages[0]); all > maxTextBudget || all < maxTextBudget-10 {
		t.Errorf("in its window: %d characters, want all that fit into %d", all, maxTextBudget)
	}
	start, _, _ := strings.Cut(window.Messages[0].Text, " [cut, ")
	checkCut("in its window", window.Messages[0].Text, utf8.RuneCountInString(start))
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
	got := aroundBudget(items, 7, textBudget, &listing{})
	if want := strings.Repeat("ä", wholeMessage) + " [cut, 5 more characters: msgbrowse show 7]"; got[0].Text != want {
		t.Errorf("got %d bytes, want %d", len(got[0].Text), len(want))
	}
}

// What is said of a window's messages stays within the largest budget; what is
// left out lies at the far ends.
func TestContextBudget(t *testing.T) {
	t.Parallel()
	message := func(id int64, text string, reactions int) messageItem {
		m := messageItem{MessageID: id, Hash: strings.Repeat("a", 32), Conversation: "Ana", Source: "signal", Sender: "Ana", Text: text}
		for range reactions {
			m.Reactions = append(m.Reactions, reactionItem{Sender: "Ben", Emoji: "👍"})
		}
		return m
	}
	window := func(n int, text string, reactions int) (list []messageItem) {
		for id := range n {
			list = append(list, message(int64(id), text, reactions))
		}
		return list
	}
	long := strings.Repeat("ä\n", 3000)
	tests := []struct {
		name   string
		items  []messageItem
		budget int
		hint   bool
	}{
		{"a few short ones", window(11, "hello", 1), textBudget, false},
		{"many short ones", window(101, strings.Repeat("hello ", 50), 2), maxTextBudget, true},
		{"many long ones", window(101, strings.Repeat("hello ", 500), 0), maxTextBudget, true},
		{"many without text", window(101, "", 100), maxTextBudget, true},
		{"text beyond its own budget", window(11, strings.Repeat("hello ", 500), 0), textBudget, true},
		{"line breaks", window(101, long, 0), maxTextBudget, true},
		{"a very long one", []messageItem{message(0, "hello", 0), message(1, strings.Repeat(long, 10), 0), message(2, "hello", 0)}, textBudget, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			middle := int64(len(tt.items) / 2)
			var l listing
			got := aroundBudget(tt.items, middle, tt.budget, &l)
			all, text := 0, 0
			for _, m := range got {
				all += saidOf(m)
				text += utf8.RuneCountInString(m.Text)
			}
			if all > maxTextBudget || text > tt.budget && len(got) > 1 {
				t.Errorf("%d characters of text and %d in all, want at most %d and %d", text, all, tt.budget, maxTextBudget)
			}
			if (l.Hint != "") != tt.hint || (len(got) < len(tt.items)) != tt.hint {
				t.Errorf("%d of %d messages, hint %q", len(got), len(tt.items), l.Hint)
			}
			first, last := got[0].MessageID, got[len(got)-1].MessageID
			if first > middle || last < middle || last-first != int64(len(got)-1) || max(middle-first, last-middle)-min(middle-first, last-middle) > 1 {
				t.Errorf("messages %d to %d around %d", first, last, middle)
			}
		})
	}
}

// The largest window of ordinary messages fits.
func TestGetContextBudget(t *testing.T) {
	t.Parallel()
	out, _ := ask[messagesOutput](t, openArchive(t), "get_context", `{"message_id":500,"window":50}`)
	all := 0
	for _, m := range out.Messages {
		all += saidOf(m)
	}
	if all > maxTextBudget || len(out.Messages) != 101 || out.Hint != "" {
		t.Errorf("got %d characters of %d messages and hint %q, want 101 messages in %d", all, len(out.Messages), out.Hint, maxTextBudget)
	}
}
