package ingest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// sameMinute makes messages of one minute, in order.
func sameMinute(at string, bodies ...string) []msg.Message {
	list := make([]msg.Message, len(bodies))
	for i, body := range bodies {
		list[i] = said([]string{"Ana", "Ben"}[i%2], at, body)
	}
	return list
}

// TestOrderWithinAMinute imports files that cut a minute at several places, in
// either order: the messages stand as the files have them.
func TestOrderWithinAMinute(t *testing.T) {
	t.Parallel()
	const at = "2024-05-01 10:00"
	said := sameMinute(at, "a", "b", "c https://example.org/c", "d", "e", "f", "g")
	said[3].Attachments = []msg.Attachment{{Kind: msg.Image, Name: "d.jpg", Path: "media/d.jpg"}}
	later := sameMinute("2024-05-01 10:01", "next")
	whole := slices.Concat(said, later)
	bodies := func(list []msg.Message) (texts []string) {
		for _, m := range list {
			texts = append(texts, m.Body)
		}
		return texts
	}
	files := map[string]string{
		"a.fake": lines(chat("k", said[:5]...)...),
		"b.fake": lines(chat("k", slices.Concat(said[3:], later)...)...),
		"c.fake": lines(chat("k", whole...)...),
	}
	want := inOrder(t, files, "c.fake")
	for _, names := range [][]string{{"a.fake", "b.fake"}, {"b.fake", "a.fake"}, {"b.fake", "a.fake", "c.fake"}, {"b.fake", "c.fake", "a.fake"}} {
		d := inOrder(t, files, names...)
		d.checkBodies(bodies(whole)...)
		for i, m := range d.messages() {
			if got := m.Time.String(); got != at[:10]+"T"+at[11:] && m.Body != "next" {
				t.Errorf("%v: message %d is of %s (%d)", names, i+1, got, m.Time.Micros)
			}
			if m.Time.Known && m.Time.Micros%60e6 != 0 {
				t.Errorf("%v: message %d is read at %d, which is no minute", names, i+1, m.Time.Micros)
			}
		}
		before := d.dump()
		d.options.Full = true
		d.run(store.Tally{})
		d.checkBodies(bodies(whole)...)
		same(t, "read again", before, d.dump())
		d.checkSound()
		if slices.Contains(names, "c.fake") {
			d.roots = []store.Root{{Path: d.path("c.fake")}}
		}
	}
	want.checkBodies(bodies(whole)...)
}

// TestOrderWithinAMinuteStays: a message that changes keeps its place, and one
// that comes late takes the place its file gives it, among more messages than
// travel together.
func TestOrderWithinAMinuteStays(t *testing.T) {
	t.Parallel()
	many := make([]string, 2*parcelSize+40)
	for i := range many {
		many[i] = "message " + string(rune('a'+i%26)) + string(rune('a'+i/26))
	}
	all := sameMinute("2024-05-01 10:00", many...)
	cut := parcelSize + 7
	d := inOrder(t, map[string]string{
		"new.fake": lines(chat("k", all[cut:]...)...), "old.fake": lines(chat("k", all[:cut+3]...)...),
	}, "new.fake", "old.fake")
	d.checkBodies(many...)

	all[cut+1].Attachments = []msg.Attachment{{Kind: msg.Image, Name: "x.jpg", Path: "media/x.jpg"}}
	last := sameMinute("2024-05-01 10:00", "and one more")
	many = append(many, "and one more")
	d.put("new.fake", lines(chat("k", slices.Concat(all[cut:], last)...)...))
	d.run(store.Tally{Added: 1, Changed: 1})
	d.checkBodies(many...)

	between := sameMinute("2024-05-01 10:00", "between")
	many = slices.Insert(many, cut+20, "between")
	d.put("new.fake", lines(chat("k", slices.Concat(all[cut:cut+20], between, all[cut+20:], last)...)...))
	d.run(store.Tally{Added: 1})
	if diff := cmp.Diff(many, d.bodies()); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	d.checkSound()
}
