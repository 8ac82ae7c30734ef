package whatsapp

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// readSample reads a real export below the samples' whatsapp folder.
func readSample(t *testing.T, s source.Source, file string, me ...string) (source.Recognition, sourcetest.Result) {
	t.Helper()
	dir := filepath.Join(sourcetest.Samples(t), "whatsapp", filepath.FromSlash(path.Dir(file)))
	c, err := sourcetest.Candidate(os.DirFS(dir), path.Base(file), path.Base(path.Dir(file)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Recognize(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Confidence < 50 {
		t.Fatalf("%s is recognised with confidence %d: %s", file, r.Confidence, r.Why)
	}
	result, err := sourcetest.Collect(s, c, source.Options{Me: me})
	if err != nil {
		t.Fatal(err)
	}
	return r, result
}

// tally counts what a reading holds.
type tally struct {
	Messages, Notices, Deleted, Polls, Calls, Locations, Contacts, Stickers, Unparsed int
	Attachments, Present, Reactions, Replies, Edited, Suspects, Skipped               int
}

func count(r sourcetest.Result) (n tally) {
	n.Skipped = len(r.Skipped)
	for _, m := range r.Messages() {
		n.Messages++
		switch m.Kind {
		case msg.Notice:
			n.Notices++
		case msg.Deleted:
			n.Deleted++
		case msg.Poll:
			n.Polls++
		case msg.Call:
			n.Calls++
		case msg.Location:
			n.Locations++
		case msg.Contact:
			n.Contacts++
		case msg.Sticker:
			n.Stickers++
		case msg.Unparsed:
			n.Unparsed++
		}
		n.Attachments += len(m.Attachments)
		for _, a := range m.Attachments {
			if a.Path != "" {
				n.Present++
			}
		}
		n.Reactions += len(m.Reactions)
		if m.ReplyTo != nil {
			n.Replies++
		}
		if m.Edited {
			n.Edited++
		}
		if m.Suspect != "" {
			n.Suspects++
		}
	}
	return n
}

func TestSamplesOfChatText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file string
		want tally
		// first and last are the first and the last message's times.
		first, last string
		kind        msg.ConversationKind
		key         string
		senders     map[string]int
	}{
		{
			// Headers: grep -cP '^\x{200e}?\[' gives 19. Of them, by
			// grep -c: 2 'POLL:|ENCUESTA:', 2 'deleted', 2 'call' but for the
			// encryption notice, 2 'https://', 2 'attached:', 1 'omitted',
			// 1 'was edited'; two lines at the top are notices.
			file: "timelinize__timelinize/fixtures/_chat.txt",
			want: tally{Messages: 19, Notices: 2, Deleted: 2, Polls: 2, Calls: 2, Locations: 2, Attachments: 3, Present: 2, Edited: 1},
			// head -1 and tail -5; the last date is day first, as its
			// language and its leading zeros have it.
			first: "2020-01-01T12:00:01", last: "2025-07-01T12:00:19",
			kind: msg.Group, key: "Person 1", // grep end-to-end
			// sed 's/.*\] \([^:]*\):.*/\1/' | sort | uniq -c, less the notices.
			senders: map[string]int{"Person 1": 6, "Person 2": 5, "Person 3": 5, "Persona español": 1},
		},
		{
			// grep -c ' - ' gives 20, 18 of them with a sender in front that
			// is no notice.
			file:  "lucasrodes__whatstk/chats/whatsapp/pokemon.txt",
			want:  tally{Messages: 20, Notices: 2},
			first: "2016-04-15T15:04", last: "2016-10-31T12:23",
			kind: msg.Group, key: "Pokemon Chat",
			// sed 's/.* - \([^:]*\): .*/\1/' | sort | uniq -c
			senders: map[string]int{"Ash Ketchum": 4, "Brock": 3, "Misty": 4, "Prof. Oak": 2, "Jessie & James": 1, "Raichu": 2, "Meowth": 1, "Wobbuffet": 1},
		},
		{
			// wc -l gives 499 line feeds, the last line has none. uniq -c of
			// the senders as above; the first number of a date reaches 31.
			file:  "lucasrodes__whatstk/chats/whatsapp/lorem.txt",
			want:  tally{Messages: 500},
			first: "2020-01-15T02:22:56", last: "2020-05-11T22:32:48",
			kind: msg.Group, key: "lorem",
			senders: map[string]int{"+1 123 456 789": 145, "Giuseppe": 118, "John": 124, "Mary": 113},
		},
		{
			// wc -l gives 1999, senders as above.
			file:  "lucasrodes__whatstk/chats/whatsapp/lorem-2000.txt",
			want:  tally{Messages: 2000},
			first: "2019-04-16T02:09", last: "2020-06-13T00:00",
			kind: msg.Group, key: "lorem-2000",
			senders: map[string]int{"+1 123 456 789": 507, "Giuseppe": 516, "John": 481, "Mary": 496},
		},
		{
			file:  "lucasrodes__whatstk/chats/whatsapp/lorem-merge-part1.txt",
			want:  tally{Messages: 300},
			first: "2019-10-20T10:16", last: "2020-01-10T00:00",
			kind: msg.Group, key: "lorem-merge-part1",
			senders: map[string]int{"+1 123 456 789": 78, "Giuseppe": 75, "John": 67, "Mary": 80},
		},
		{
			file:  "lucasrodes__whatstk/chats/whatsapp/lorem-merge-part2.txt",
			want:  tally{Messages: 300},
			first: "2020-06-20T10:16", last: "2020-09-10T00:00",
			kind: msg.Group, key: "lorem-merge-part2",
			senders: map[string]int{"+1 123 456 789": 78, "Giuseppe": 75, "John": 67, "Maria": 51, "Maria2": 29},
		},
	} {
		t.Run(path.Base(tt.file), func(t *testing.T) {
			t.Parallel()
			r, got := readSample(t, ChatText{}, tt.file)
			if diff := cmp.Diff(tt.want, count(got)); diff != "" {
				t.Errorf("counts (-want +got):\n%s", diff)
			}
			messages, senders := got.Messages(), map[string]int{}
			for _, m := range messages {
				if m.Kind != msg.Notice {
					senders[m.Sender.ID]++
				}
				if m.Direction == msg.Out {
					t.Errorf("line %d is taken for the owner's", m.Position.Line)
				}
			}
			if diff := cmp.Diff(tt.senders, senders); diff != "" {
				t.Errorf("senders (-want +got):\n%s", diff)
			}
			first, last := messages[0].Time.String(), messages[len(messages)-1].Time.String()
			if first != tt.first || last != tt.last || r.First.String() != tt.first || r.Last.String() != tt.last {
				t.Errorf("from %s to %s (planned %s to %s), want %s to %s", first, last, r.First, r.Last, tt.first, tt.last)
			}
			if c := got.Conversations[0]; c.Key != tt.key || c.Kind != tt.kind || len(got.Conversations) != 1 {
				t.Errorf("conversation %q (%s)", c.Key, c.Kind)
			}
			if r.Messages != int64(tt.want.Messages) {
				t.Errorf("%d messages planned", r.Messages)
			}
		})
	}
}

// TestSampleOfChatTextWithOwner: the sample that forges nothing has six of
// its messages by Person 1, and two notices in that name.
func TestSampleOfChatTextWithOwner(t *testing.T) {
	t.Parallel()
	_, got := readSample(t, ChatText{}, "timelinize__timelinize/fixtures/_chat.txt", "person 1")
	out := 0
	for _, m := range got.Messages() {
		if m.Direction == msg.Out {
			out++
		}
	}
	if out != 6 {
		t.Errorf("%d messages by the owner, want 6", out)
	}
}

// TestOverlappingExports: exports of one chat that overlap give the union of
// their messages, each once.
func TestOverlappingExports(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(sourcetest.Samples(t), "whatsapp", "lucasrodes__whatstk", "chats", "whatsapp")
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	part1, part2 := read("lorem-merge-part1.txt"), read("lorem-merge-part2.txt")
	lines1 := splitLines(part1)
	twice := "2020-01-10, 00:00 - John: ok\n2020-01-10, 00:00 - John: ok\n"
	for _, tt := range []struct {
		name    string
		exports []string
		want    int
	}{
		// comm -12 of the sorted parts is empty: they have nothing in common.
		{"two parts of one chat", []string{part1, part2}, 600},
		{"the same part twice", []string{part1, part1}, 300},
		{"overlapping halves", []string{joinAll(lines1[:200]), joinAll(lines1[100:])}, 300},
		{"one in CR LF", []string{part1, joinAll(addReturns(lines1))}, 300},
		{"the same text twice in one minute", []string{part1 + "\n" + twice, joinAll(lines1[250:]) + "\n" + twice}, 302},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			union := map[msg.Hash]bool{}
			for i, text := range tt.exports {
				// A second download of one chat has a number in its name.
				name := []string{clubFile, "WhatsApp Chat with Club (1).txt"}[i]
				got := readChatFile(t, name, text)
				for _, h := range identities(got) {
					union[h] = true
				}
			}
			if len(union) != tt.want {
				t.Errorf("%d messages in all, want %d", len(union), tt.want)
			}
		})
	}
}

// identities are the messages' hashes, with ordinals as an import counts them.
func identities(r sourcetest.Result) (all []msg.Hash) {
	for _, c := range r.Conversations {
		seen := map[uint64]int{}
		for i := range c.Messages {
			key := msg.TupleKey(&c.Messages[i])
			all = append(all, msg.Identity(msg.WhatsApp, c.Key, &c.Messages[i], seen[key]))
			seen[key]++
		}
	}
	return all
}

// golden is a message of the sample's own expectations.
type golden struct {
	Timestamp               time.Time
	Sender, Body            string
	IsSystem                bool
	Attachments             []struct{ RelPath, OriginalName string }
	Reactions               []struct{ Emoji, Actor string }
	Conversation            string
	Seq                     int
	Links                   []struct{ URL string }
	TimestampRaw, Unchecked string
}

// TestSampleOfChatExporter compares with the expectations that came with the
// sample, and with counts taken from its JSON by hand: 21 records, of which
// one has no timestamp, one no from_me and one is no object; one chat is the
// number 42; one record answers another.
func TestSampleOfChatExporter(t *testing.T) {
	t.Parallel()
	const folder = "joestump__msgbrowse/testdata"
	r, got := readSample(t, ChatExporter{}, folder+"/result.json")
	want := tally{Messages: 18, Notices: 1, Unparsed: 1, Contacts: 1, Stickers: 1, Attachments: 7, Reactions: 3, Replies: 1, Skipped: 4}
	if diff := cmp.Diff(want, count(got)); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if r.Messages != 18 || r.Conversations != 5 || r.First.String() != "2025-06-01T09:00:00Z" || r.Last.String() != "2025-06-06T11:12:11Z" || len(r.Needs) != 0 {
		t.Errorf("planned %+v", r)
	}
	text, err := os.ReadFile(filepath.Join(sourcetest.Samples(t), "whatsapp", filepath.FromSlash(folder), "golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	var chats []struct {
		JID      string
		IsGroup  bool
		Messages []golden
	}
	if err := json.Unmarshal(text, &chats); err != nil {
		t.Fatal(err)
	}
	if len(chats) != len(got.Conversations) {
		t.Fatalf("%d conversations, want %d", len(got.Conversations), len(chats))
	}
	for i, chat := range chats {
		c := got.Conversations[i]
		if c.Key != chat.JID || (c.Kind == msg.Group) != chat.IsGroup || len(c.Messages) != len(chat.Messages) {
			t.Errorf("%s: %s with %d messages, want %d", c.Key, c.Kind, len(c.Messages), len(chat.Messages))
			continue
		}
		for j, want := range chat.Messages {
			t.Run(fmt.Sprintf("%s/%d", chat.JID, j), func(t *testing.T) { compareGolden(t, want, c.Messages[j]) })
		}
	}
}

func compareGolden(t *testing.T, want golden, got msg.Message) {
	t.Helper()
	// The expectations are cut to seconds.
	if at := got.Time.UTC().Truncate(time.Second); !at.Equal(want.Timestamp) || got.Time.Basis != msg.Instant {
		t.Errorf("time %s, want %s", got.Time, want.Timestamp)
	}
	if got.Body != want.Body {
		t.Errorf("body %q, want %q", got.Body, want.Body)
	}
	direction := msg.In
	switch {
	case want.IsSystem:
		direction = msg.System
	case want.Sender == "Me":
		direction = msg.Out
	}
	if got.Direction != direction {
		t.Errorf("direction %s, want %s", got.Direction, direction)
	}
	if len(got.Attachments) != len(want.Attachments) || len(got.Reactions) != len(want.Reactions) {
		t.Fatalf("%d attachments and %d reactions, want %d and %d", len(got.Attachments), len(got.Reactions), len(want.Attachments), len(want.Reactions))
	}
	for i, r := range want.Reactions {
		if got.Reactions[i].Emoji != r.Emoji || got.Reactions[i].FromMe != (r.Actor == "Me") || !got.Reactions[i].FromMe && got.Reactions[i].Sender.Name != r.Actor {
			t.Errorf("reaction %+v, want %+v", got.Reactions[i], r)
		}
	}
	for i, a := range want.Attachments {
		// The media did not come with the sample, so no path can be set.
		if a.RelPath != "" && got.Attachments[i].Name != a.OriginalName || got.Attachments[i].Path != "" {
			t.Errorf("attachment %+v, want %+v", got.Attachments[i], a)
		}
	}
}
