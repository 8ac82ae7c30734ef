package telegram_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// TestRareMessages reads what no sample and no golden file holds.
func TestRareMessages(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, members string
		want          msg.Message
	}{
		{"sticker with a text", `"text":"look","media_type":"sticker","sticker_emoji":"🍅","file":"s/a.webm"`, msg.Message{
			Kind: msg.Sticker, Body: "look",
			Details:     []msg.Detail{{Name: "sticker_emoji", Value: "🍅"}},
			Attachments: []msg.Attachment{{Kind: msg.Video, Name: "a.webm", Path: "s/a.webm", Sticker: true}},
		}},
		{"sticker of an unknown kind of file", `"media_type":"sticker","sticker_emoji":"🍅","file":"s/a"`, msg.Message{
			Kind: msg.Sticker, Body: "🍅",
			Attachments: []msg.Attachment{{Kind: msg.Image, Name: "a", Path: "s/a", Sticker: true}},
		}},
		{"emoji without a sticker", `"text":"a","sticker_emoji":"🍅"`, msg.Message{
			Body: "a", Details: []msg.Detail{{Name: "sticker_emoji", Value: "🍅"}},
		}},
		{"file known by its type alone", `"file":"f/x","mime_type":"image/jpeg"`, msg.Message{
			Attachments: []msg.Attachment{{Kind: msg.Image, Name: "x", Path: "f/x", MIME: "image/jpeg"}},
		}},
		{"path with backslashes", `"file":"files\\x.ogg"`, msg.Message{
			Attachments: []msg.Attachment{{Kind: msg.Audio, Name: "x.ogg", Path: "files/x.ogg"}},
		}},
		{"path that is a folder", `"photo":"."`, msg.Message{
			Attachments: []msg.Attachment{{Kind: msg.Image, Name: "photo", Missing: "unsafe path"}},
		}},
		{"preview of a file that is there", `"file":"f/a.mp4","thumbnail":"f/a.jpg"`, msg.Message{
			Attachments: []msg.Attachment{{Kind: msg.Video, Name: "a.mp4", Path: "f/a.mp4"}},
		}},
		{"preview missing like its file", `"file":"(File unavailable, please try again later)","thumbnail":"(File unavailable, please try again later)"`, msg.Message{
			Attachments: []msg.Attachment{{Name: "file", Missing: "was not available to the export"}},
		}},
		{"reaction of the future", `"text":"a","reactions":[{"type":"hologram","count":2},{}]`, msg.Message{
			Body: "a", Reactions: []msg.Reaction{{Emoji: "hologram", Count: 2}, {Emoji: "reaction", Count: 1}},
		}},
		{"more names than the count", `"text":"a","reactions":[{"type":"emoji","emoji":"👍","count":1,"recent":[{"from_id":"user2"},{"from_id":"user3"}]}]`, msg.Message{
			Body: "a", Reactions: []msg.Reaction{
				{Emoji: "👍", Sender: msg.Handle{ID: "user2", Kind: msg.HandleAccount}},
				{Emoji: "👍", Sender: msg.Handle{ID: "user3", Kind: msg.HandleAccount}},
			},
		}},
		{"text and a place", `"text":"meet here","location_information":{"latitude":1.5,"longitude":-2}`, msg.Message{
			Kind: msg.Location, Body: "meet here\n1.5, -2",
		}},
		{"place without coordinates", `"place_name":"Market","location_information":null`, msg.Message{
			Kind: msg.Location, Body: "Market", Details: []msg.Detail{{Name: "place_name", Value: "Market"}},
		}},
		{"nobody's contact", `"contact_information":null`, msg.Message{Kind: msg.Contact}},
		{"formatted question", `"poll":{"question":["Beans",{"type":"bold","text":"?"}],"answers":[{"text":["Ye",{"type":"bold","text":"s"}],"voters":1,"chosen":false}]}`, msg.Message{
			Kind: msg.Poll, Body: "Beans?\n- Yes (1 vote)",
		}},
		{"sender without an id", `"text":"a","from":"Ben"`, msg.Message{
			Body: "a", Sender: msg.Handle{ID: "Ben", Name: "Ben", Kind: msg.HandleName},
		}},
		{"link that is its own text", `"text":[{"type":"text_link","text":"https://a.example","href":"https://a.example"}]`, msg.Message{
			Body: "https://a.example",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			result, err := readChat(t, `{"id":2,"type":"message",`+tt.members+`}`)
			if err != nil {
				t.Fatal(err)
			}
			got := result.Messages()[0]
			tt.want.NativeID, tt.want.Direction, tt.want.Position = "2", msg.In, got.Position
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
