package telegram_test

import (
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
	"github.com/msgbrowse/msgbrowse/internal/source/telegram"
)

// counts are what was counted in the sample files with jq and Python, not
// with this package:
//
//	Messages     [.chats.list[].messages[]] | length
//	Service      .type == "service"; Calls among them .action == "phone_call"
//	Attachments  .photo, .file and .contact_vcard; Present: not "(File …"
//	Reactions    .reactions[] (none of the samples has any)
//	Replies      .reply_to_message_id without .reply_to_peer_id
//	Out          .type == "message" with .from_id 11111111 or "user11111111"
//	Edited       .edited but for those of 1970
//	Links        parts of .text of type "text_link", and buttons whose .data
//	             begins with "http"
//	TextLength   code points of all .text strings and parts
type counts struct {
	Conversations, Messages, Service, Calls       int
	Attachments, Present, Stickers                int
	Reactions, Replies, Out, Edited               int
	Polls, Locations, Contacts, Links, TextLength int
}

func TestSamples(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		want counts
	}{
		{"2020-01", counts{Conversations: 4, Messages: 50, Service: 8, Calls: 2, Attachments: 19, Present: 8, Stickers: 3,
			Replies: 1, Out: 12, Edited: 2, Polls: 1, Locations: 1, Contacts: 3, Links: 6, TextLength: 5733}},
		{"2021-05", counts{Conversations: 1, Messages: 3, Service: 2, TextLength: 12}},
		{"2021-06_supergroup", counts{Conversations: 1, Messages: 4, Service: 1, Out: 1, Contacts: 1, TextLength: 51}},
		{"2021-07", counts{Conversations: 1, Messages: 2, Service: 2}},
		{"2023-01", counts{Conversations: 1, Messages: 6, Service: 5, Attachments: 1, TextLength: 56}},
		{"2023-08", counts{Conversations: 1, Messages: 2, Service: 1, TextLength: 11}},
		{"2023-10_audio-video", counts{Conversations: 1, Messages: 4, Attachments: 4, Present: 4, TextLength: 112}},
		{"2023-11", counts{Conversations: 1, Messages: 1, Out: 1, TextLength: 38}},
		{"2024-01", counts{Conversations: 1, Messages: 2, Service: 1, Out: 1, TextLength: 27}},
		{"2024-01_inline-bot-buttons", counts{Conversations: 1, Messages: 5, Out: 5, Links: 8, TextLength: 91}},
		{"2024-02_create-channel_saved-from", counts{Conversations: 1, Messages: 2, Service: 1, Out: 1, TextLength: 33}},
	}
	samples := filepath.Join(sourcetest.Samples(t), "telegram", "frozenspider__chat-history-manager-rust")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			fsys := os.DirFS(filepath.Join(samples, "telegram_"+tt.name))
			c, err := sourcetest.Candidate(fsys, "result.json", tt.name)
			if err != nil {
				t.Fatal(err)
			}
			rn, err := telegram.JSON{}.Recognize(t.Context(), c)
			if err != nil || rn.Confidence != 97 || rn.Messages != int64(tt.want.Messages) {
				t.Errorf("recognised as %+v, error %v", rn, err)
			}
			result, err := sourcetest.Collect(telegram.JSON{}, c, source.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(result.Skipped) > 0 {
				t.Errorf("skipped %+v", result.Skipped)
			}
			if diff := cmp.Diff(tt.want, count(result)); diff != "" {
				t.Errorf("counts (-want +got):\n%s", diff)
			}
		})
	}
}

func count(r sourcetest.Result) counts {
	n := counts{Conversations: len(r.Conversations)}
	for _, m := range r.Messages() {
		n.Messages++
		switch m.Kind {
		case msg.Text:
			n.TextLength += utf8.RuneCountInString(m.Body)
		case msg.Notice:
			n.Service++
		case msg.Call:
			n.Service++
			n.Calls++
		case msg.Sticker:
			n.Stickers++
		case msg.Poll:
			n.Polls++
		case msg.Location:
			n.Locations++
		case msg.Contact:
			n.Contacts++
		}
		if m.Direction == msg.Out {
			n.Out++
		}
		if m.Edited {
			n.Edited++
		}
		if m.ReplyTo != nil {
			n.Replies++
		}
		n.Reactions += len(m.Reactions)
		n.Links += len(m.Links)
		for _, a := range m.Attachments {
			n.Attachments++
			if a.Path != "" {
				n.Present++
			}
		}
	}
	return n
}
