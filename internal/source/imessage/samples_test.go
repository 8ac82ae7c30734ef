package imessage

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// counts are what the tests on real files look at.
type counts struct{ messages, reactions, replies, attachments, out int }

func count(r sourcetest.Result) (c counts) {
	for _, m := range r.Messages() {
		c.messages++
		c.reactions += len(m.Reactions)
		c.attachments += len(m.Attachments)
		if m.Direction == msg.Out {
			c.out++
		}
		for _, d := range m.Details {
			if d.Name == "reply" {
				c.replies++
			}
		}
		if m.ReplyTo != nil {
			c.replies++
		}
	}
	return c
}

// TestSamples reads the two files of a real export. The counts were made by
// hand, from the files.
func TestSamples(t *testing.T) {
	t.Parallel()
	fsys := os.DirFS(filepath.Join(sourcetest.Samples(t), "imessage", "joestump__msgbrowse", "testdata", "imessage"))
	for _, test := range []struct {
		file string
		kind msg.ConversationKind
		want counts
	}{
		{"MJ.txt", msg.Direct, counts{messages: 5, reactions: 1, replies: 1, attachments: 1, out: 2}},
		{"Group Trip.txt", msg.Group, counts{messages: 3, attachments: 1, out: 1}},
	} {
		t.Run(test.file, func(t *testing.T) {
			t.Parallel()
			c, err := sourcetest.Candidate(fsys, test.file, "imessage")
			if err != nil {
				t.Fatal(err)
			}
			r, err := sourcetest.Collect(Text{}, c, source.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := count(r); got != test.want || r.Conversations[0].Kind != test.kind {
				t.Errorf("%s %+v, want %s %+v", r.Conversations[0].Kind, got, test.kind, test.want)
			}
			for _, m := range r.Messages() {
				for _, a := range m.Attachments {
					if _, err := fs.Stat(fsys, a.Path); err != nil {
						t.Errorf("attachment %q: %v", a.Path, err)
					}
				}
				if m.Suspect != "" {
					t.Errorf("line %d is suspect", m.Position.Line)
				}
			}
		})
	}
}

// TestAssertedFragments builds files out of the strings that the exporter's
// own tests assert, each as a record of its own.
func TestAssertedFragments(t *testing.T) {
	t.Parallel()
	fragments := readFragments(t)
	want := map[string]func(m msg.Message) error{
		"from_me":                            wantBody(msg.Out, msg.Text, "Hello world"),
		"from_me_deleted (Recently Deleted)": wantBody(msg.Out, msg.Text, "Hello world"),
		"from_me_read":                       wantBody(msg.Out, msg.Text, "Hello world"),
		"from_them_read":                     wantBody(msg.In, msg.Text, "Hello world"),
		"from_them_custom_name_read":         wantBody(msg.In, msg.Text, "Hello world"),
		"shareplay":                          wantBody(msg.Out, msg.Notice, "SharePlay Message\nEnded"),
		"announce_name v4":                   wantBody(msg.System, msg.Notice, "You named the conversation Hello world"),
		"announce_name v1":                   wantBody(msg.System, msg.Notice, "You renamed the conversation to Hello world"),
		"announce_removed":                   wantBody(msg.System, msg.Notice, "Other removed Second from the conversation."),
		"announce_added":                     wantBody(msg.System, msg.Notice, "You added Other to the conversation."),
		"announce_number":                    wantBody(msg.System, msg.Notice, "Other changed their phone number."),
		"announce_left":                      wantBody(msg.System, msg.Notice, "You left the conversation."),
		"announce_photo":                     wantBody(msg.System, msg.Notice, "You changed the group photo."),
		"announce_background":                wantBody(msg.System, msg.Notice, "You changed the chat background."),
		"announce_audio_kept":                wantBody(msg.System, msg.Notice, "You kept an audio message."),
		"announce_fully_unsent":              wantBody(msg.Out, msg.Deleted, ""),
		"unknown sender + location":          wantBody(msg.In, msg.Location, "Started sharing location!"),
		"multi-part, missing attachment, last part unsent": wantBody(msg.Out, msg.Text,
			"From arbitrary byte stream:\r\nTo native Rust data structures:\r"),
		"tapback block (part of a message)": wantReactions("Loved", "Liked"),
		"edited rows (part of a message)":   wantBody(msg.Out, msg.Text, "second"),
		"poll (part)":                       wantBody(msg.Out, msg.Poll, "- Rust (0)"),
		"url balloon (part)":                wantBody(msg.Out, msg.Text, "url\ntitle\nsummary"),
		"sticker (part)":                    wantBody(msg.Out, msg.Sticker, ""),
	}
	checked := 0
	for name, text := range fragments {
		check, known := want[name]
		if !known {
			continue
		}
		checked++
		if strings.Contains(name, "part)") || strings.Contains(name, "(part of") {
			text = "May 17, 2022  5:29:42 PM\nMe\n" + text
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := check(only(t, read(t, "Sample Contact.txt", text+"\n"))); err != nil {
				t.Errorf("%v\n%s", err, text)
			}
		})
	}
	if checked != len(want) {
		t.Errorf("%d fragments checked, want %d of the %d in the file", checked, len(want), len(fragments))
	}
}

// TestAssertedReactionsInACopy puts the indented block under the copy of a
// reply and the other one under the reply.
func TestAssertedReactionsInACopy(t *testing.T) {
	t.Parallel()
	fragments := readFragments(t)
	inCopy := fragments["tapback block inside a reply"]
	inPlace := fragments["tapback block (part of a message)"]
	const reply = "May 17, 2022  5:31:00 PM\nSample Contact\nyes\n"
	text := "May 17, 2022  5:29:42 PM\nMe\nHello world\n" + indented(reply) + inCopy + "\n\n" + reply + inPlace + marked
	all := read(t, "Sample Contact.txt", text).Messages()
	if len(all) != 2 || all[1].ReplyTo == nil || len(all[1].Reactions) != 2 || len(all[0].Reactions) != 0 {
		t.Errorf("want a message without reactions and a reply with two, got %d messages", len(all))
	}
}

func readFragments(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(sourcetest.Samples(t), "imessage", "ReagentX__imessage-exporter", "golden_txt_fragments.txt"))
	if err != nil {
		t.Fatal(err)
	}
	fragments := map[string]string{}
	for _, part := range strings.Split(string(data), "### ")[1:] {
		name, text, _ := strings.Cut(part, "\n")
		fragments[name] = strings.TrimRight(text, "\n") + "\n"
	}
	return fragments
}

func wantBody(d msg.Direction, k msg.Kind, body string) func(msg.Message) error {
	return func(m msg.Message) error {
		if m.Direction != d || m.Kind != k || m.Body != body || m.Suspect != "" {
			return fmt.Errorf("got %s %s %q suspect=%q, want %s %s %q", m.Direction, m.Kind, m.Body, m.Suspect, d, k, body)
		}
		return nil
	}
}

func wantReactions(emoji ...string) func(msg.Message) error {
	return func(m msg.Message) error {
		var got []string
		for _, r := range m.Reactions {
			got = append(got, r.Emoji)
		}
		if m.Body != "" || fmt.Sprint(got) != fmt.Sprint(emoji) {
			return fmt.Errorf("got %q with reactions %q, want reactions %q", m.Body, got, emoji)
		}
		return nil
	}
}
