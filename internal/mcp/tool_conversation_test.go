package mcp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func messageTexts(list []messageItem) []string {
	texts := []string{}
	for _, m := range list {
		text, _, _ := strings.Cut(m.Text, "\n")
		texts = append(texts, text)
	}
	return texts
}

func TestGetConversation(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	lease := []string{"Hello! Did the lease arrive?", "Yes", "The lake", "", "See you later", "This message was deleted"}
	tests := []struct {
		name, arguments string
		want            []string
	}{
		{name: "by exact name", arguments: `{"name":"Zoe"}`, want: []string{"happy new year", "you too"}},
		{name: "by name in another case", arguments: `{"name":"zoe"}`, want: []string{"happy new year", "you too"}},
		{name: "by unique part", arguments: `{"name":"okafor"}`, want: []string{"Which night suits everybody?", "Friday, at the harbour", "Bring bread"}},
		{name: "by id", arguments: `{"name":3}`, want: []string{"happy new year", "you too"}},
		{name: "by id in a string", arguments: `{"name":"3"}`, want: []string{"happy new year", "you too"}},
		{name: "start", arguments: `{"name":"Ana Prado","start":"2025"}`, want: []string{"and the first one: https://news.example.co.uk/2025", "and this one stays", "new in the second export"}},
		{name: "end includes its day", arguments: `{"name":"Ana Prado","start":"2024-01-14","end":"2024-12-31"}`, want: []string{"the last minute of the year"}},
		{name: "start and end of one day", arguments: `{"name":"Ana Prado","start":"2025-01-01","end":"2025-01-01"}`, want: []string{"and the first one: https://news.example.co.uk/2025"}},
		{name: "end in the middle of a day", arguments: `{"name":"Ana Prado","start":"2024-01-13T09:01:00Z","end":"2024-01-13T12:00:00Z"}`, want: lease},
		{name: "offset", arguments: `{"name":8,"start":"2024-03-01T10:30:00+01:00"}`, want: []string{"the tomatoes are red"}},
		{name: "from the end", arguments: `{"name":"Ana Prado","from":"end","limit":2}`, want: []string{"and this one stays", "new in the second export"}},
		{name: "from the start", arguments: `{"name":"Ana Prado","from":"start","limit":2}`, want: []string{"Messages and calls are end-to-end encrypted. No one outside of this chat, not even WhatsApp, can read or listen to them. Tap to learn more.", "Hello! Did the lease arrive?"}},
		{name: "a period without messages", arguments: `{"name":"Zoe","start":"2024"}`, want: []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, _ := ask[messagesOutput](t, s, "get_conversation", tt.arguments)
			if diff := cmp.Diff(tt.want, messageTexts(got.Messages)); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
			if got.Conversation == nil || got.Shown != len(tt.want) || got.Total == nil {
				t.Errorf("got conversation %v, shown %d, total %v", got.Conversation, got.Shown, got.Total)
			}
			if len(tt.want) == 0 && !strings.Contains(got.Hint, "2023-01-05 to 2023-01-05") {
				t.Errorf("got hint %q, want the period of the conversation", got.Hint)
			}
		})
	}
}

// What a message can have, in objects.
func TestMessageFacts(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	trip, _ := ask[messagesOutput](t, s, "get_conversation", `{"name":"TripGroup"}`)
	chat := coordinatesOf("TripGroup", 2, "signal")
	want := []messageItem{
		chat("", "2025-07-01T09:00:00.001", messageItem{MessageID: 5, Kind: "notice"}),
		chat("Aya", "2025-07-01T09:00:05.120", messageItem{MessageID: 6, Text: "who brings the \"tent\"?\nand why", Reactions: []reactionItem{{Sender: "Me", Emoji: "🏕️"}, {Sender: "Jim", Emoji: "👍"}}}),
		chat("Me", "2025-07-01T09:00:09", messageItem{MessageID: 7, Text: "I do, it is in the attic {under the stairs}", ReplyTo: &replyItem{MessageID: 6, Quote: "who brings the \"tent\"? / and why"}}),
		chat("Aya", "2025-07-01T09:03:00.120", messageItem{MessageID: 8, Text: "look at the lake", Reactions: []reactionItem{{Sender: "Jim", Emoji: "😍"}},
			Attachments: []attachmentItem{{MediaID: 1, Kind: "image", Name: "lake view.png"}, {MediaID: 2, Kind: "file", Name: "gone.pdf", Missing: "file not in the export"}}}),
		chat("Jim", "2025-07-01T09:04:00.500", messageItem{MessageID: 9, Kind: "sticker", Text: "🐺", Attachments: []attachmentItem{{MediaID: 3, Kind: "image", Name: "102.webp"}}}),
		chat("Jim", "2025-07-01T09:05:00.500", messageItem{MessageID: 10, Kind: "deleted"}),
		chat("Jim", "2025-07-01T09:06:00.500", messageItem{MessageID: 11, Kind: "call", Text: "Missed video call"}),
	}
	compareMessages(t, want, trip.Messages[:len(want)])

	telegram, _ := ask[messagesOutput](t, s, "get_conversation", `{"name":8}`)
	chat = coordinatesOf("Ben", 8, "telegram")
	want = []messageItem{
		chat("Ben", "2024-03-01T08:00:00Z", messageItem{MessageID: 655, Text: "Did the tomatoes make it through the night?"}),
		chat("Me", "2024-03-01T08:01:00Z", messageItem{MessageID: 656, Text: "They did! See the pictures and https://garden.example/beans", Edited: true, ReplyTo: &replyItem{MessageID: 655}}),
		chat("Me", "2024-03-01T08:02:00Z", messageItem{MessageID: 657, Attachments: []attachmentItem{{MediaID: 14, Kind: "image", Name: "photo_1.jpg"}}}),
		chat("Ben", "2024-03-01T08:03:00Z", messageItem{MessageID: 658, Text: "and one of mine", Reactions: []reactionItem{{Emoji: "❤", Count: 3}},
			Attachments: []attachmentItem{{MediaID: 15, Kind: "image", Name: "photo", Missing: "not included in the export"}}}),
		chat("Ben", "2024-03-01T09:30:00Z", messageItem{MessageID: 659, Text: "the tomatoes are red"}),
	}
	compareMessages(t, want, telegram.Messages)
}

// coordinatesOf fills in what the messages of a conversation have in common.
func coordinatesOf(name string, id int64, source string) func(sender, timestamp string, m messageItem) messageItem {
	return func(sender, timestamp string, m messageItem) messageItem {
		m.Conversation, m.ConversationID, m.Source, m.Sender, m.Timestamp = name, id, source, sender, timestamp
		if !strings.HasSuffix(timestamp, "Z") {
			m.TimestampBasis = "wall"
		}
		return m
	}
}

// compareMessages compares all but hashes, which are compared with the
// archive for every result.
func compareMessages(t *testing.T, want, got []messageItem) {
	t.Helper()
	for i := range got {
		got[i].Hash = ""
		if r := got[i].ReplyTo; r != nil {
			r.Hash = ""
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

// A transcript says the conversation once and has a line for every message
// and every day.
func TestGetConversationTranscript(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	got, text := ask[messagesOutput](t, s, "get_conversation", `{"name":"TripGroup","format":"transcript"}`)
	if got.Messages != nil || got.Shown != 11 {
		t.Errorf("got %d messages beside the transcript of %d", len(got.Messages), got.Shown)
	}
	if lines := splitLines(got.Transcript); len(lines) != 11+3 {
		t.Errorf("got %d lines for 11 messages of 3 days:\n%s", len(lines), got.Transcript)
	}
	if n := strings.Count(text, "TripGroup"); n != 1 {
		t.Errorf("the conversation is named %d times:\n%s", n, text)
	}
	objects, _ := ask[messagesOutput](t, s, "get_conversation", `{"name":"TripGroup"}`)
	short, err := marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	long, err := marshal(objects)
	if err != nil {
		t.Fatal(err)
	}
	if 2*len(short) > len(long) {
		t.Errorf("the transcript has %d bytes, the objects %d: want less than half", len(short), len(long))
	}
}

// Names of conversations that mean none or several are refused with what
// helps.
func TestConversationNames(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	tests := []struct{ name, arguments, want string }{
		{name: "two of one name", arguments: `{"name":"Ben"}`, want: `2 conversations match "Ben": 1 "Ben" (signal, direct), 8 "Ben" (telegram, direct); pass the id of one`},
		{name: "a part of several", arguments: `{"name":"a"}`, want: "pass the id of one"},
		{name: "unknown", arguments: `{"name":"Anna Prada"}`, want: `no conversation matches "Anna Prada"; the closest are 6 "Ana Prado" (whatsapp, direct)`},
		{name: "unknown id", arguments: `{"name":4711}`, want: `no conversation matches "4711"; the closest are `},
		{name: "missing", arguments: `{}`, want: `"name" is required`},
		{name: "empty", arguments: `{"name":""}`, want: `"name" is required`},
		{name: "unknown argument", arguments: `{"name":"Zoe","order":"desc"}`, want: `unknown argument "order"`},
		{name: "format", arguments: `{"name":"Zoe","format":"xml"}`, want: "one of messages, transcript"},
		{name: "from", arguments: `{"name":"Zoe","from":"middle"}`, want: "one of start, end"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := refuse(t, s, "get_conversation", tt.arguments); !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if got := refuse(t, s, "get_conversation", `{"name":"Anna Prada"}`); strings.Count(got, ` "`) != 1+5 {
		t.Errorf("got %q, want five names", got)
	}
}
