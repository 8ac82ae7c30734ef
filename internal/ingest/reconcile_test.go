package ingest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// five are messages without ids, among them two that are equal.
func five() []msg.Message {
	return []msg.Message{
		said("Ana", "2024-05-01 10:00", "Morning"),
		said("Ben", "2024-05-01 10:01", "ok"),
		said("Ben", "2024-05-01 10:01", "ok"),
		said("Ana", "2024-05-01 10:02", "See https://example.org/plan"),
		said("Ana", "2024-05-02 09:00", "Bye"),
	}
}

// idents are messages with ids of their own and everything a message can have.
func idents() []msg.Message {
	list := []msg.Message{
		numbered("1", "a", "2024-05-01 10:00", "Morning"),
		numbered("2", "b", "2024-05-01 10:01", "With files, see www.example.org"),
		numbered("3", "a", "2024-05-01 10:02", "An answer"),
		numbered("4", "b", "2024-05-02 09:00", "Bye"),
	}
	list[0].Reactions = []msg.Reaction{{Sender: msg.Handle{ID: "b", Name: "b", Kind: msg.HandleAccount}, Emoji: "👍"}}
	list[1].Attachments = []msg.Attachment{{Kind: msg.Image, Name: "a.jpg", Path: "media/a.jpg"}, {Name: "b", Missing: "not included"}}
	list[1].Details = []msg.Detail{{Name: "via", Value: "bot"}}
	list[2].ReplyTo = &msg.Reply{NativeID: "1", Quote: "Morn"}
	list[2].Edited, list[2].Edits = true, []msg.Edit{{Body: "An anwser"}}
	list[3].Kind, list[3].Suspect = msg.Notice, "odd"
	list[3].Reactions = list[0].Reactions
	return list
}

func TestImportingTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	for name, messages := range map[string][]msg.Message{"by text": five(), "by id": idents()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.put("a.fake", lines(chat("k", messages...)...))
			n := int64(len(messages))
			d.run(store.Tally{Added: n})
			want, ids := d.dump(), d.messages()
			d.checkSound()

			d.run(store.Tally{})
			same(t, "unchanged", want, d.dump())
			d.touch("a.fake")
			d.run(store.Tally{})
			same(t, "touched", want, d.dump())
			d.options.Full = true
			d.run(store.Tally{})
			same(t, "read in full", want, d.dump())
			if diff := cmp.Diff(ids, d.messages()); diff != "" {
				t.Errorf("ids and messages (-first +last):\n%s", diff)
			}
			d.checkSound()
		})
	}
}

func TestOneMoreMessage(t *testing.T) {
	t.Parallel()
	for _, before := range []int{0, 1, 2, 3, 4} {
		t.Run(fmt.Sprint(before, " before"), func(t *testing.T) {
			t.Parallel()
			d, all := newDesk(t), five()
			d.put("a.fake", lines(chat("k", slices.Concat(all[:before], all[before+1:])...)...))
			d.run(store.Tally{Added: 4})
			ids := map[string]int64{}
			for _, m := range d.messages() {
				ids[m.Hash] = m.ID
			}
			d.put("a.fake", lines(chat("k", all...)...))
			d.run(store.Tally{Added: 1})
			d.checkBodies("Morning", "ok", "ok", "See https://example.org/plan", "Bye")
			for _, m := range d.messages() {
				if old, ok := ids[m.Hash]; ok && old != m.ID {
					t.Errorf("message %q was renumbered from %d to %d", m.Body, old, m.ID)
				}
			}
			d.checkFresh(t)
		})
	}
}

// checkFresh compares the archive with one that imports the exports as they
// are now for the first time. It holds where nothing has gone missing.
func (d *desk) checkFresh(t *testing.T) {
	t.Helper()
	fresh := newDesk(t)
	fresh.exports, fresh.roots, fresh.fake, fresh.find = d.exports, d.roots, d.fake, d.find
	if _, err := fresh.tryImport(t.Context()); err != nil {
		t.Fatal(err)
	}
	same(t, "archive that grew against a fresh one", fresh.dump(), d.dump())
	d.checkSound()
}

func TestChangedMessages(t *testing.T) {
	t.Parallel()
	ana := msg.Handle{ID: "a", Name: "a", Kind: msg.HandleAccount}
	changes := []struct {
		name   string
		change func(m *msg.Message)
	}{
		{"body", func(m *msg.Message) { m.Body = "other" }},
		{"link", func(m *msg.Message) { m.Body = "see https://new.example/" }},
		{"hidden link", func(m *msg.Message) { m.Links = []string{"https://hidden.example/"} }},
		{"sender", func(m *msg.Message) { m.Sender = msg.Handle{ID: "c", Name: "c", Kind: msg.HandleAccount} }},
		{"sender's name", func(m *msg.Message) { m.Sender.Name = "Cleo" }},
		{"direction", func(m *msg.Message) { m.Direction = msg.Out }},
		{"kind", func(m *msg.Message) { m.Kind = msg.Poll }},
		{"time", func(m *msg.Message) { m.Time.Micros++ }},
		{"raw time", func(m *msg.Message) { m.Time.Raw = "then" }},
		{"time known", func(m *msg.Message) { m.Time.Known = false }},
		{"basis", func(m *msg.Message) { m.Time.Basis = msg.Wall }},
		{"precision", func(m *msg.Message) { m.Time.Precision = msg.Day }},
		{"reaction", func(m *msg.Message) { m.Reactions = append(m.Reactions, msg.Reaction{Sender: ana, Emoji: "x"}) }},
		{"reaction's sender's name", func(m *msg.Message) {
			if m.Reactions != nil {
				m.Reactions = []msg.Reaction{{Sender: msg.Handle{ID: "b", Name: "Ben", Kind: msg.HandleAccount}, Emoji: "👍"}}
			}
		}},
		{"reaction count", func(m *msg.Message) { m.Reactions = []msg.Reaction{{Emoji: "👍", Count: 4}} }},
		{"reaction of mine", func(m *msg.Message) { m.Reactions = []msg.Reaction{{FromMe: true, Emoji: "👍"}} }},
		{"reaction's time", func(m *msg.Message) {
			m.Reactions = []msg.Reaction{{FromMe: true, Emoji: "👍", Time: msg.Time{Known: true, Micros: 7}}}
		}},
		{"edited", func(m *msg.Message) { m.Edited = true }},
		{"edit", func(m *msg.Message) { m.Edits = []msg.Edit{{Body: "x", Time: msg.Time{Known: true, Micros: 7}}} }},
		{"attachment", func(m *msg.Message) { m.Attachments = []msg.Attachment{{Name: "new"}} }},
		{"attachment found", func(m *msg.Message) { m.Attachments = []msg.Attachment{{Name: "b", Path: "media/b"}} }},
		{"attachment's facts", func(m *msg.Message) {
			m.Attachments = []msg.Attachment{{Name: "b", MIME: "a/b", Size: 5, Sticker: true}}
		}},
		{"detail", func(m *msg.Message) { m.Details = []msg.Detail{{Name: "via", Value: "me"}} }},
		{"reply", func(m *msg.Message) { m.ReplyTo = &msg.Reply{NativeID: "4"} }},
		{"quote", func(m *msg.Message) { m.ReplyTo = &msg.Reply{Quote: "other"} }},
		{"suspect", func(m *msg.Message) { m.Suspect = "very" }},
		{"pointer", func(m *msg.Message) { m.Position.Pointer = "/messages/7" }},
	}
	// Where nothing shows of a change but a name or a place, no message counts
	// as changed.
	silent := map[string]bool{"sender's name": true, "reaction's sender's name": true, "pointer": true}
	// One after the other is checked in the same way; a few will do where that is
	// slow.
	for _, c := range changes[:rounds(len(changes), 4)] {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			// The last message alone: no other one moves in the file.
			checkChange(t, []int{3}, c.change, silent[c.name], c.name != "sender")
			checkChange(t, []int{0, 1, 2, 3}, c.change, silent[c.name], c.name != "sender")
		})
	}
}

// checkChange imports messages, changes some and imports them again. silent
// changes do not count; afresh tells whether a new archive would be the same.
func checkChange(t *testing.T, which []int, change func(*msg.Message), silent, afresh bool) {
	t.Helper()
	d, messages := newDesk(t), idents()
	d.put("a.fake", lines(chat("k", messages...)...))
	d.run(store.Tally{Added: 4})
	before, ids := d.dump(), d.messages()
	changed := int64(0)
	for _, i := range which {
		if change(&messages[i]); !cmp.Equal(idents()[i], messages[i]) {
			changed++
		}
	}
	if changed == 0 {
		t.Fatalf("messages %v have nothing of the kind", which)
	}
	if silent {
		changed = 0
	}
	d.put("a.fake", lines(chat("k", messages...)...))
	d.run(store.Tally{Changed: changed})
	if d.dump() == before {
		t.Errorf("messages %v: the change does not show", which)
	}
	for n, m := range d.messages() {
		if m.ID != ids[n].ID || m.Hash != ids[n].Hash || m.ImportID != ids[n].ImportID {
			t.Errorf("message %d is now %d %s of import %d", ids[n].ID, m.ID, m.Hash, m.ImportID)
		}
	}
	if afresh { // the former sender is still known
		d.checkFresh(t)
	}
}

func TestMessagesThatGoAndComeBack(t *testing.T) {
	t.Parallel()
	for name, all := range map[string][]msg.Message{"by text": five(), "by id": idents()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			n := int64(len(all))
			d.put("a.fake", lines(chat("k", all...)...))
			d.run(store.Tally{Added: n})
			want, ids := d.dump(), d.messages()
			bodies := d.bodies()

			d.put("a.fake", lines(chat("k", all[1:]...)...))
			run := d.run(store.Tally{Missing: 1})
			d.checkBodies(bodies[1:]...)
			gone := d.messages()[0]
			if gone.MissingSince != run.ImportID || gone.ID != ids[0].ID || gone.Body != all[0].Body {
				t.Errorf("the missing message: %+v", gone)
			}
			d.checkSound()
			d.run(store.Tally{})

			d.put("a.fake", lines(chat("k", all...)...))
			d.run(store.Tally{Restored: 1})
			same(t, "with the message back", want, d.dump())
			if diff := cmp.Diff(ids, d.messages()); diff != "" {
				t.Errorf("ids (-before +after):\n%s", diff)
			}

			d.put("a.fake", "{\"Note\":\"an empty export\"}\n")
			d.run(store.Tally{Missing: n})
			d.checkBodies()
			d.put("a.fake", lines(chat("k", all...)...))
			d.run(store.Tally{Restored: n})
			same(t, "with all messages back", want, d.dump())
		})
	}
}

// TestAsManyGoAsCome replaces messages by others, so that no figure falls.
func TestAsManyGoAsCome(t *testing.T) {
	t.Parallel()
	many := func(from, to int) []msg.Message {
		var list []msg.Message
		for i := from; i < to; i++ {
			list = append(list, said("Ana", mustTime("2024-05-01 10:00").Add(minutes(i)).Format("2006-01-02 15:04"), fmt.Sprint("message ", i)))
		}
		return list
	}
	size := 3 * parcelSize
	tests := []struct {
		name           string
		first, then    []msg.Message
		added, missing int64
	}{
		{"one for one", many(0, 5), slices.Concat(many(0, 4), many(7, 8)), 1, 1},
		{"one for many", many(0, 5), many(1, 20), 15, 1},
		{"the oldest fall off", many(0, size), many(10, size+10), 10, 10},
		{"beyond a stretch that stays", many(0, size), slices.Concat(many(0, size-5), many(size, size+30)), 30, 5},
		{"before stretches that stay", many(0, size), slices.Concat(many(size, size+9), many(9, size)), 9, 9},
		{"within one of several stretches", many(0, size), slices.Concat(many(0, 300), many(size, size+1), many(301, size)), 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.put("a.fake", lines(chat("k", tt.first...)...))
			d.run(store.Tally{Added: int64(len(tt.first))})
			d.put("a.fake", lines(chat("k", tt.then...)...))
			d.run(store.Tally{Added: tt.added, Missing: tt.missing})
			want := map[string]bool{}
			for _, m := range tt.then {
				want[m.Body] = true
			}
			for _, m := range d.messages() {
				if missing := m.MissingSince != 0; missing == want[m.Body] {
					t.Errorf("%q is missing: %v", m.Body, missing)
				}
			}
			d.checkSound()
			d.put("a.fake", lines(chat("k", tt.first...)...))
			d.run(store.Tally{Restored: tt.missing, Missing: tt.added})
		})
	}
}

func TestConversationThatGoes(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	stays, goes := chat("stays", five()...), chat("goes", idents()...)
	d.put("a.fake", lines(slices.Concat(goes, stays)...))
	d.run(store.Tally{Added: 9})
	want := d.dump()
	d.put("a.fake", lines(stays...))
	d.run(store.Tally{Missing: 4})
	d.checkSound()
	d.put("a.fake", lines(slices.Concat(goes, stays)...))
	d.run(store.Tally{Restored: 4})
	same(t, "with the conversation back", want, d.dump())
}

func TestPruneThenImport(t *testing.T) {
	t.Parallel()
	d, all := newDesk(t), five()
	d.put("a.fake", lines(chat("k", all...)...))
	d.run(store.Tally{Added: 5})
	d.put("a.fake", lines(chat("k", all[:4]...)...))
	d.run(store.Tally{Missing: 1})
	if err := d.withWriter(t.Context(), func(w *store.Writer) error {
		n, err := w.Prune(t.Context())
		if n != 1 {
			t.Errorf("pruned %d messages, want 1", n)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	d.checkFresh(t)
	d.put("a.fake", lines(chat("k", all...)...))
	d.run(store.Tally{Added: 1})
	list := d.messages()
	if last := list[len(list)-1]; last.ID != 6 {
		t.Errorf("the message that came back has the id %d, want one never given before", last.ID)
	}
	d.checkFresh(t)
}
