package mcp

import "testing"

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
