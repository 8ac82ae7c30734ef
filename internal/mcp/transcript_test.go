package mcp

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWordsOfLines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		item messageItem
		want string
	}{
		{"notice", messageItem{Kind: "notice", Text: "Ana left"}, "(notice) Ana left"},
		{"in the owner's name, in doubt", messageItem{Text: "I owe you", Suspect: "stands out of order"},
			"(sender in doubt) I owe you {suspect: stands out of order}"},
		{"file with a name", messageItem{Sender: "Ana", Attachments: []attachmentItem{{MediaID: 5, Kind: "image", Name: "cat.jpg"}}},
			"Ana:  {image cat.jpg, media 5}"},
		{"file without a name", messageItem{Sender: "Ana", Attachments: []attachmentItem{{MediaID: 5, Kind: "image", Missing: "not included in the export"}}},
			"Ana:  {image, media 5, not included in the export}"},
	} {
		if got := tt.item.words(true); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestRemarks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		item messageItem
		full bool
		want []string
	}{
		{"nothing", messageItem{Sender: "Ana"}, true, nil},
		{"a kind", messageItem{Sender: "Ana", Kind: "poll"}, true, []string{"poll"}},
		{"the kind of a notice stands before it", messageItem{Kind: "notice"}, true, nil},
		{"reply", messageItem{ReplyTo: &replyItem{MessageID: 7, Quote: "unused"}}, true, []string{"replies to 7"}},
		{"reply to a text", messageItem{ReplyTo: &replyItem{Quote: "see: here"}}, true, []string{`replies to: "see: here"`}},
		{"reply to nobody knows what", messageItem{ReplyTo: &replyItem{}}, true, []string{"replies to a message that is not in the archive"}},
		{"files", messageItem{Attachments: []attachmentItem{{5, "image", "a; b.jpg", ""}, {6, "file", "", "not exported"}}}, true,
			[]string{`image "a; b.jpg", media 5`, "file, media 6, not exported"}},
		{"reactions", messageItem{Reactions: []reactionItem{{"Ana", "👍", 0}, {"", "❤️", 3}, {"Me", "{}", 0}}}, true,
			[]string{"👍 by Ana", "❤️ ×3", `"\{\}" by Me`}},
		{"fate", messageItem{Edited: true, MissingSince: "2025-01-01T00:00:00Z", Suspect: "stands out of order"}, true,
			[]string{"edited", "missing since 2025-01-01T00:00:00Z", "suspect: stands out of order"}},
		{"match", messageItem{Match: "both", Score: 0.25}, true, []string{"both 0.25"}},
		{"neighbour of a match", messageItem{Match: "context"}, true, []string{"context"}},
		{"address", messageItem{URL: "http://127.0.0.1/m/1"}, true, []string{"http://127.0.0.1/m/1"}},
		{"no address in a transcript", messageItem{URL: "http://127.0.0.1/m/1"}, false, nil},
	} {
		if diff := cmp.Diff(tt.want, tt.item.remarks(tt.full)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
