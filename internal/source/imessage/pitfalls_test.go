package imessage

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

func replace(text, sender string) string { return strings.ReplaceAll(text, "%", sender) }

const header = "May 17, 2022  5:29:42 PM\n"

// TestRecord reads one record of Ana or the owner.
func TestRecord(t *testing.T) {
	t.Parallel()
	ana := msg.Handle{ID: "Ana", Name: "Ana"}
	me := msg.Handle{ID: "Me", Name: "Me"}
	in := func(m msg.Message) msg.Message { m.Sender, m.Direction = ana, msg.In; return m }
	out := func(m msg.Message) msg.Message { m.Sender, m.Direction = me, msg.Out; return m }
	detail := func(list ...string) (all []msg.Detail) {
		for i := 0; i < len(list); i += 2 {
			all = append(all, msg.Detail{Name: list[i], Value: list[i+1]})
		}
		return all
	}
	for _, test := range []struct {
		name, text string
		want       msg.Message
	}{
		{"plain", "Me\nHello world\n\n", out(msg.Message{Body: "Hello world"})},
		{"no text", "Ana\n\n", in(msg.Message{})},
		{"blank lines inside", "Ana\none\n\n\ntwo\n\n", in(msg.Message{Body: "one\n\n\ntwo"})},
		{"indented text", "Ana\nlist:\n    item\n\n", in(msg.Message{Body: "list:\n    item"})},
		{"subject", "Ana\nRe: the lease\nsee below\n\n", in(msg.Message{Body: "Re: the lease\nsee below"})},
		{"unknown sender", "Unknown\nhello\n\n", msg.Message{Direction: msg.In, Body: "hello"}},
		{"carriage returns inside", "Me\nfirst:\rsecond\r\nthird\n\n", out(msg.Message{Body: "first:\rsecond\r\nthird"})},
		{"Recently Deleted", "Me\nThis message was deleted from the conversation!\nHello\n\n",
			out(msg.Message{Body: "Hello", Details: detail("deleted", "in Recently Deleted")})},
		{"words of Recently Deleted further down", "Me\nHello\nThis message was deleted from the conversation!\n\n",
			out(msg.Message{Body: "Hello\nThis message was deleted from the conversation!"})},
		{"effect", "Me\nhooray\nSent with Confetti\n\n", out(msg.Message{Body: "hooray", Details: detail("effect", "Confetti")})},
		{"effect misspelt", "Me\nhooray\nSent with Shooting Start\n\n", out(msg.Message{Body: "hooray", Details: detail("effect", "Shooting Start")})},
		{"no effect", "Me\nSent with Confetti\nSent with love\n\n", out(msg.Message{Body: "Sent with Confetti\nSent with love"})},
		{"shareplay", "Me\nSharePlay Message\nEnded\n\n", out(msg.Message{Kind: msg.Notice, Body: "SharePlay Message\nEnded"})},
		{"location", "Ana\nStopped sharing location!\n\n", in(msg.Message{Kind: msg.Location, Body: "Stopped sharing location!"})},
		{"poll", "Ana\n- Rust (0)\n- Go (2)\n  - Ana\n  - Me\n\n", in(msg.Message{Kind: msg.Poll, Body: "- Rust (0)\n- Go (2)\n  - Ana\n  - Me"})},
		{"no poll", "Ana\n- milk (1)\n- eggs\n\n", in(msg.Message{Body: "- milk (1)\n- eggs"})},
		{"app message", "Ana\nMaps message:\ntitle\nsubtitle\n\n", in(msg.Message{Body: "Maps message:\ntitle\nsubtitle"})},
		{"unreadable app message", "Ana\nUnable to format app message: no payload\n\n",
			in(msg.Message{Kind: msg.Unparsed, Details: detail("app_message", "no payload")})},
		{"text and unreadable part", "Ana\nlook\nUnable to format app message: no payload\n\n",
			in(msg.Message{Body: "look", Details: detail("app_message", "no payload")})},
		{"unsent part", "Me\nkept\nYou unsent this message part 1 hour, 49 seconds after sending!\n\n",
			out(msg.Message{Body: "kept", Details: detail("unsent", "You unsent this message part 1 hour, 49 seconds after sending!")})},
		{"all parts unsent", "Ana\nThey unsent this message part!\n\n",
			in(msg.Message{Kind: msg.Deleted, Details: detail("unsent", "They unsent this message part!")})},
		{"somebody else unsent", "Ana\nBo unsent this message part!\n\n", in(msg.Message{Body: "Bo unsent this message part!"})},
		{"deleted by version 1", "Ana\nThey deleted a message.\n\n",
			in(msg.Message{Kind: msg.Deleted, Details: detail("unsent", "They deleted a message.")})},
		{"talk of deleting", "Ana\nsorry\nThey deleted a message.\n\n", in(msg.Message{Body: "sorry\nThey deleted a message."})},
		{"missing attachment", "Me\nbefore\nAttachment missing!\nafter\n\n",
			out(msg.Message{Body: "before\nafter", Attachments: []msg.Attachment{{Missing: "the exporter found no file"}}})},
		{"absolute path", "Ana\n/Users/c/Library/Messages/Attachments/0f/15/IMG 1.heic\n\n", in(msg.Message{
			Attachments: []msg.Attachment{{Kind: msg.Image, Name: "IMG 1.heic", Missing: "not in the export"}},
			Details:     detail("attachment_path", "/Users/c/Library/Messages/Attachments/0f/15/IMG 1.heic")})},
		{"home path", "Ana\n~/Library/Messages/Attachments/0f/15/a.mov\n\n", in(msg.Message{
			Attachments: []msg.Attachment{{Kind: msg.Video, Name: "a.mov", Missing: "not in the export"}},
			Details:     detail("attachment_path", "~/Library/Messages/Attachments/0f/15/a.mov")})},
		{"backup path", "Ana\nC:\\Backup\\33\\33c81da8ae3194fc5a0ea993ef6ffe0b048baedb\n\n", in(msg.Message{
			Attachments: []msg.Attachment{{Name: "33c81da8ae3194fc5a0ea993ef6ffe0b048baedb", Missing: "not in the export"}},
			Details:     detail("attachment_path", `C:\Backup\33\33c81da8ae3194fc5a0ea993ef6ffe0b048baedb`)})},
		{"path of the export elsewhere", "Ana\n/Users/c/imessage_export/attachments/AB/menu.pdf\n\n", in(msg.Message{
			Attachments: []msg.Attachment{{Name: "menu.pdf", Path: "attachments/AB/menu.pdf"}}})},
		{"copied attachment", "Ana\nattachments/AB/menu.pdf\n\n", in(msg.Message{
			Attachments: []msg.Attachment{{Name: "menu.pdf", Path: "attachments/AB/menu.pdf"}}})},
		{"copied on Windows", "Ana\nattachments\\AB\\menu.pdf\n\n", in(msg.Message{
			Attachments: []msg.Attachment{{Name: "menu.pdf", Path: "attachments/AB/menu.pdf"}}})},
		{"unsafe path", "Ana\nattachments/../../secret.png\n\n", in(msg.Message{
			Attachments: []msg.Attachment{{Kind: msg.Image, Name: "secret.png", Missing: "unsafe path"}},
			Details:     detail("attachment_path", "attachments/../../secret.png")})},
		{"prose with a slash", "Ana\n/shrug\nattachments/ are in the mail\nattachments/files, you know\n\n",
			in(msg.Message{Body: "/shrug\nattachments/ are in the mail\nattachments/files, you know"})},
		{"transcription", "Ana\nattachments/AB/menu.pdf\nTranscription: hello there\n\n", in(msg.Message{
			Attachments: []msg.Attachment{{Name: "menu.pdf", Path: "attachments/AB/menu.pdf"}},
			Details:     detail("transcription", "hello there")})},
		{"no transcription", "Ana\nTranscription: hello there\n\n", in(msg.Message{Body: "Transcription: hello there"})},
		{"sticker", "Ana\nSticker from Ana: attachments/AB/menu.pdf (Genmoji prompt: a cat (asleep))\n\n", in(msg.Message{Kind: msg.Sticker,
			Attachments: []msg.Attachment{{Kind: msg.Image, Name: "menu.pdf", Path: "attachments/AB/menu.pdf", Sticker: true}},
			Details:     detail("sticker", "Genmoji prompt: a cat (asleep)")})},
		{"sticker of somebody else", "Ana\nSticker from Bo: a.png\n\n", in(msg.Message{Body: "Sticker from Bo: a.png"})},
		{"edited", "Me\nMay 17, 2022  5:29:42 PM first\nEdited 30 seconds later: second\nof two lines\n\n", out(msg.Message{
			Body: "second\nof two lines", Edited: true,
			Edits:   []msg.Edit{{Body: "first", Time: msg.Time{Micros: 1652808582e6, Raw: "May 17, 2022  5:29:42 PM", Known: true}}},
			Details: detail("edited_at", "2022-05-17T17:30:12")})},
		{"edited, time of day only", "Me\n5:29:42 PM first\nEdited 30 seconds later: second\n\n", out(msg.Message{
			Body: "second", Edited: true,
			Edits:   []msg.Edit{{Body: "first", Time: msg.Time{Micros: 1652808582e6, Raw: "5:29:42 PM", Known: true}}},
			Details: detail("edited_at", "2022-05-17T17:30:12")})},
		{"edited at once", "Me\nMay 17, 2022  5:29:42 PM first\nEdited  later: second\n\n", out(msg.Message{
			Body: "second", Edited: true,
			Edits:   []msg.Edit{{Body: "first", Time: msg.Time{Micros: 1652808582e6, Raw: "May 17, 2022  5:29:42 PM", Known: true}}},
			Details: detail("edited_at", "2022-05-17T17:29:42")})},
		{"edited part among parts", "Me\nattachments/AB/menu.pdf\nMay 17, 2022  5:29:42 PM first\n\nstill\nEdited 1 second later: second\nEdited 2 seconds later: third\nSent with Slam\n\n",
			out(msg.Message{Body: "third", Edited: true,
				Attachments: []msg.Attachment{{Name: "menu.pdf", Path: "attachments/AB/menu.pdf"}},
				Edits: []msg.Edit{
					{Body: "first\n\nstill", Time: msg.Time{Micros: 1652808582e6, Raw: "May 17, 2022  5:29:42 PM", Known: true}},
					{Body: "second", Time: msg.Time{Micros: 1652808583e6, Known: true}}},
				Details: detail("edited_at", "2022-05-17T17:29:45", "effect", "Slam")})},
		{"old log, not an edit", "Me\nMay 17, 2019  5:29:42 PM first\nEdited 30 seconds later: second\n\n",
			out(msg.Message{Body: "May 17, 2019  5:29:42 PM first\nEdited 30 seconds later: second"})},
		{"date, never edited", "Me\nMay 17, 2022  5:29:42 PM is when it broke\n\n", out(msg.Message{Body: "May 17, 2022  5:29:42 PM is when it broke"})},
		{"reactions of version 1", "Ana\nhi\nReactions:\nLoved by Me\n👍 by Ana\n\n\n", in(msg.Message{Body: "hi",
			Reactions: []msg.Reaction{{Sender: me, FromMe: true, Emoji: "Loved"}, {Sender: ana, Emoji: "👍"}}})},
		{"reactions of version 4, then text", "Ana\nhi\nTapbacks:\n    Loved by Me\nsecond part\n\n", in(msg.Message{Body: "hi\nsecond part",
			Reactions: []msg.Reaction{{Sender: me, FromMe: true, Emoji: "Loved"}}})},
		{"reactions at the margin, then text", "Ana\nhi\nTapbacks:\nLoved by Me\n\nsecond part\n\n", in(msg.Message{Body: "hi\nsecond part",
			Reactions: []msg.Reaction{{Sender: me, FromMe: true, Emoji: "Loved"}}})},
		{"sticker reactions", "Ana\nhi\nTapbacks:\n    Sticker from Me: a.png from Me\n    Sticker from Bo Li not found!\n\n", in(msg.Message{Body: "hi",
			Reactions: []msg.Reaction{{Sender: me, FromMe: true, Emoji: "Sticker"}, {Sender: msg.Handle{ID: "Bo Li", Name: "Bo Li"}, Emoji: "Sticker"}},
			Details:   detail("sticker_reaction", "a.png")})},
		{"no reactions", "Ana\nTapbacks:\nare fun\n\n", in(msg.Message{Body: "Tapbacks:\nare fun"})},
		{"no reactions, prose under them", "Ana\nTapbacks:\nLoved by Me\nand more\n\n", in(msg.Message{Body: "Tapbacks:\nLoved by Me\nand more"})},
		{"reply to nothing known", "Ana\nok\nThis message responded to an earlier message.\n\n",
			in(msg.Message{Body: "ok", Details: detail("reply", "to an earlier message that the export does not name")})},
		{"words of a reply", "Ana\nThis message responded to an earlier message.\nsee?\n\n",
			in(msg.Message{Body: "This message responded to an earlier message.\nsee?"})},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := only(t, sourcetest.Read(t, Text{}, sourcetest.Fixture{
				Files: map[string]string{"Ana.txt": header + test.text, "attachments/AB/menu.pdf": "x"}, Path: "Ana.txt",
			}))
			opts := cmp.Options{
				cmpopts.EquateEmpty(), cmpopts.IgnoreFields(msg.Message{}, "Position", "Time"),
			}
			if diff := cmp.Diff(test.want, got, opts); diff != "" {
				t.Errorf("message (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReceiptIsNoPartOfTheTime(t *testing.T) {
	t.Parallel()
	m := only(t, read(t, "Ana.txt", "May 17, 2022  5:29:42 PM (Read by them after 1 hour, 49 seconds)\nMe\nhi\n\n"))
	if m.Time.Raw != "May 17, 2022  5:29:42 PM" {
		t.Errorf("raw time %q holds the receipt", m.Time.Raw)
	}
	want := []msg.Detail{{Name: "read", Value: "by them after 1 hour, 49 seconds"}}
	if diff := cmp.Diff(want, m.Details); diff != "" {
		t.Errorf("details (-want +got):\n%s", diff)
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, line, body, suspect string
		kind                      msg.Kind
		direction                 msg.Direction
	}{
		{"named", "You named the conversation Hello world", "You named the conversation Hello world", "", msg.Notice, msg.System},
		{"renamed", "You renamed the conversation to Hello world", "You renamed the conversation to Hello world", "", msg.Notice, msg.System},
		{"removed", "Other removed Second from the conversation.", "Other removed Second from the conversation.", "", msg.Notice, msg.System},
		{"added", "You added Other to the conversation.", "You added Other to the conversation.", "", msg.Notice, msg.System},
		{"number", "Other changed their phone number.", "Other changed their phone number.", "", msg.Notice, msg.System},
		{"left", "You left the conversation.", "You left the conversation.", "", msg.Notice, msg.System},
		{"photo", "You removed the group photo.", "You removed the group photo.", "", msg.Notice, msg.System},
		{"background", "You changed the chat background.", "You changed the chat background.", "", msg.Notice, msg.System},
		{"audio", "You kept an audio message.", "You kept an audio message.", "", msg.Notice, msg.System},
		{"unsent by the owner", "You unsent a message!", "", "", msg.Deleted, msg.Out},
		{"unsent by another", "Ana unsent a message!", "", "", msg.Deleted, msg.In},
		{"of a later version", "You lit a candle", "You lit a candle", "unknown kind", msg.Notice, msg.System},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			text := "May 17, 2022  5:29:00 PM\nAna\nhi\n\nMay 17, 2022  5:29:42 PM " + test.line + "\n\n"
			all := read(t, "Ana.txt", text).Messages()
			if len(all) != 2 {
				t.Fatalf("got %d messages, want 2", len(all))
			}
			m := all[1]
			if m.Kind != test.kind || m.Direction != test.direction || m.Body != test.body || !strings.Contains(m.Suspect, test.suspect) || (m.Suspect == "") != (test.suspect == "") {
				t.Errorf("got %s %s %q suspect=%q, want %s %s %q suspect=%q",
					m.Direction, m.Kind, m.Body, m.Suspect, test.direction, test.kind, test.body, test.suspect)
			}
		})
	}
}

func TestEventTheExporterCouldNotFormat(t *testing.T) {
	t.Parallel()
	r := read(t, "Ana.txt", header+"Ana\nhi\n\nUnable to format announcement!\n\nMay 17, 2022  5:30:00 PM\nMe\nyes\n\n")
	all := r.Messages()
	if len(all) != 3 || all[1].Kind != msg.Unparsed || all[1].Direction != msg.System || all[1].Time.Known {
		t.Errorf("want text, unparsed without a time, text; got\n%s", sourcetest.Render(r))
	}
}

func TestFileEnds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text, body, skip string
	}{
		{"inside a text", header + "Ana\nhel", "hel", ""},
		{"without an empty line", header + "Ana\nhello", "hello", ""},
		{"with line feeds of Windows", "May 17, 2022  5:29:42 PM\r\nAna\r\nhello\r\nyou\r\n\r\n", "hello\nyou", ""},
		{"after a date", header + "Ana\nhello\n\nMay 17, 2022  5:30:00 PM\n", "hello", "message that was cut off before its sender"},
		{"inside a date", header + "Ana\nhello\n\nMay 17, 2022  5:3", "hello", "message that was cut off before its sender"},
		{"inside a receipt", header + "Ana\nhello\n\nMay 17, 2022  5:30:00 PM (Read by y", "hello", "message that was cut off before its sender"},
		{"and began with prose", "\nnotes\n\n" + header + "Ana\nhello\n\n", "hello", "text before the first message"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := read(t, "Ana.txt", test.text)
			if m := only(t, r); m.Body != test.body {
				t.Errorf("body %q, want %q", m.Body, test.body)
			}
			skip := ""
			if len(r.Skipped) > 0 {
				skip = r.Skipped[0].Reason
			}
			if skip != test.skip || len(r.Skipped) > 1 {
				t.Errorf("skipped %v, want %q", r.Skipped, test.skip)
			}
		})
	}
}
