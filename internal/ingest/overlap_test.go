package ingest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// inOrder imports files one after the other, each as a root of its own.
func inOrder(t *testing.T, files map[string]string, names ...string) *desk {
	t.Helper()
	d := newDesk(t)
	for _, name := range slices.Sorted(slices.Values(names)) {
		d.put(name, files[name]) // the same times in every order
	}
	for _, name := range names {
		d.roots = []store.Root{{Path: d.path(name)}}
		if _, err := d.tryImport(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	d.roots = nil
	for _, name := range names {
		d.roots = append(d.roots, store.Root{Path: d.path(name)})
	}
	return d
}

// files names the files that hold a message, the one that provides it first.
func (d *desk) files(body string) []string {
	d.t.Helper()
	r := d.reader()
	defer r.Close()
	for _, m := range d.messages() {
		if m.Body != body {
			continue
		}
		p, err := r.Provenance(d.t.Context(), m)
		if err != nil {
			d.t.Fatal(err)
		}
		names := []string{p.File.Path[len(d.exports)+1:]}
		for _, f := range p.Also {
			names = append(names, f.Path[len(d.exports)+1:])
		}
		return names
	}
	d.t.Fatalf("no message %q", body)
	return nil
}

// TestOverlappingFiles imports two files that share messages, in either order
// and at once: the content is the same.
func TestOverlappingFiles(t *testing.T) {
	t.Parallel()
	text, ids := five(), idents()
	richer := slices.Clone(ids)
	richer[1].Attachments = []msg.Attachment{{Kind: msg.Image, Name: "a.jpg", Path: "media/a.jpg"}, {Name: "b", Path: "media/b"}}
	richer[2].Body = "An answer, edited"
	group := chat("k", ids...)
	group[0].Begin.Kind = msg.Group
	tests := []struct {
		name   string
		files  map[string]string
		shared string
	}{
		{"of a group, in one of which only two wrote", map[string]string{"a.fake": lines(group...), "b.fake": lines(chat("k", ids[1:]...)...)}, "An answer"},
		{"by text", map[string]string{"a.fake": lines(chat("k", text[:4]...)...), "b.fake": lines(chat("k", text[1:]...)...)}, "See https://example.org/plan"},
		{"by id", map[string]string{"a.fake": lines(chat("k", ids[:3]...)...), "b.fake": lines(chat("k", ids[1:]...)...)}, "An answer"},
		{"equal", map[string]string{"a.fake": lines(chat("k", ids...)...), "b.fake": lines(chat("k", ids...)...)}, "An answer"},
		{"of different content", map[string]string{"a.fake": lines(chat("k", ids...)...), "b.fake": lines(chat("k", richer...)...)}, "Morning"},
		{"of different content in the older one", map[string]string{"a.fake": lines(chat("k", richer...)...), "b.fake": lines(chat("k", ids...)...)}, "Morning"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			one := inOrder(t, tt.files, "a.fake", "b.fake")
			other := inOrder(t, tt.files, "b.fake", "a.fake")
			same(t, "a then b against b then a", one.dump(), other.dump())
			if diff := cmp.Diff([]string{"a.fake", "b.fake"}, one.files(tt.shared)); diff != "" {
				t.Errorf("files of a shared message (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]string{"b.fake", "a.fake"}, other.files(tt.shared)); diff != "" {
				t.Errorf("files of a shared message, the other way round (-want +got):\n%s", diff)
			}
			want := one.dump()
			one.options.Full = true
			one.run(store.Tally{})
			same(t, "read again", want, one.dump())
			one.checkSound()
		})
	}
}

// TestSharedMessageIsHandedOn takes messages away from the files that hold
// them, one file after the other.
func TestSharedMessageIsHandedOn(t *testing.T) {
	t.Parallel()
	all := idents()
	whole := lines(chat("k", all...)...)
	d := inOrder(t, map[string]string{"a.fake": whole, "b.fake": whole, "c.fake": whole}, "a.fake", "b.fake", "c.fake")
	lose := func(name string, missing int64, want ...string) {
		t.Helper()
		d.put(name, lines(chat("k", slices.Concat(all[:2], all[3:])...)...))
		d.run(store.Tally{Missing: missing})
		if diff := cmp.Diff(want, d.files("An answer")); diff != "" {
			t.Errorf("%s lost it: files (-want +got):\n%s", name, diff)
		}
		d.checkSound()
	}
	lose("a.fake", 0, "b.fake", "c.fake")
	lose("c.fake", 0, "b.fake")
	lose("b.fake", 1, "b.fake")

	// A missing message that another file brings back is that file's.
	d.put("c.fake", whole)
	d.run(store.Tally{Restored: 1})
	if diff := cmp.Diff([]string{"c.fake"}, d.files("An answer")); diff != "" {
		t.Errorf("brought back: files (-want +got):\n%s", diff)
	}
	d.checkFresh(t)
	d.put("c.fake", lines(chat("k", slices.Concat(all[:2], all[3:])...)...))
	d.run(store.Tally{Missing: 1})
}

// TestMissingMessageComesBackChanged brings a missing message back by another
// file that says something else of it.
func TestMissingMessageComesBackChanged(t *testing.T) {
	t.Parallel()
	all := idents()
	d := inOrder(t, map[string]string{"a.fake": lines(chat("k", all...)...), "b.fake": lines(chat("k", all[0])...)}, "b.fake", "a.fake")
	d.put("a.fake", lines(chat("k", all[0])...))
	d.run(store.Tally{Missing: 3})
	all[1].Attachments = nil // fewer files than before, and not preferred for that
	all[1].Body = "Without files"
	d.put("b.fake", lines(chat("k", all...)...))
	d.run(store.Tally{Changed: 1, Restored: 3})
	d.checkFresh(t)
}

// TestFilesThatShareAConversationOnly has messages of one conversation in two
// files, none of them in both.
func TestFilesThatShareAConversationOnly(t *testing.T) {
	t.Parallel()
	all := five()
	d := inOrder(t, map[string]string{"a.fake": lines(chat("k", all[:3]...)...), "b.fake": lines(chat("k", all[3:]...)...)}, "b.fake", "a.fake")
	d.checkBodies("Morning", "ok", "ok", "See https://example.org/plan", "Bye")
	d.put("a.fake", lines(chat("k", all[0])...))
	d.run(store.Tally{Missing: 2})
	d.put("b.fake", lines(chat("k", all[3])...))
	d.run(store.Tally{Missing: 1})
	d.checkBodies("Morning", "See https://example.org/plan")
	d.checkSound()
}

// TestDoubledFile imports a file that holds its export twice, as an exporter
// leaves it that appends to what is there.
func TestDoubledFile(t *testing.T) {
	t.Parallel()
	long := make([]msg.Message, 2*parcelSize+17)
	for i := range long {
		long[i] = said("Ana", mustTime("2024-05-01 10:00").Add(minutes(i/3)).Format("2006-01-02 15:04"), fmt.Sprint("message ", i/2))
	}
	for name, messages := range map[string][]msg.Message{"short": five(), "long": long, "by id": idents()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := int64(len(messages))
			once, twice := chat("k", messages...), slices.Concat(chat("k", messages...), chat("k", messages...)[1:])
			single := newDesk(t)
			single.put("a.fake", lines(once...))
			single.run(store.Tally{Added: n})

			d := newDesk(t)
			d.put("a.fake", lines(twice...))
			d.run(store.Tally{Added: n})
			if diff := cmp.Diff(single.bodies(), d.bodies()); diff != "" {
				t.Errorf("doubled (-once +twice):\n%s", diff)
			}
			want := d.dump()
			d.touch("a.fake")
			d.options.Full = true
			d.run(store.Tally{})
			same(t, "read again", want, d.dump())
			d.options.Full = false
			d.put("a.fake", lines(slices.Concat(twice, []line{{Note: "changed"}})...))
			d.run(store.Tally{})
			d.checkFresh(t)

			// The same messages, first once, then doubled, then once again.
			single.put("a.fake", lines(twice...))
			single.run(store.Tally{})
			same(t, "doubled later", want, single.dump())
			single.put("a.fake", lines(once...))
			single.run(store.Tally{})
			single.checkFresh(t)
			single.put("a.fake", lines(slices.Concat(once[:3], once[4:])...))
			single.run(store.Tally{Missing: 1})
		})
	}
}

// TestConversationInPieces has a conversation begin, end and begin again
// within a file.
func TestConversationInPieces(t *testing.T) {
	t.Parallel()
	all := idents()
	d := newDesk(t)
	whole := slices.Concat(chat("k", all[:2]...), chat("other", five()...), chat("k", all[2:]...))
	d.put("a.fake", lines(whole...))
	d.run(store.Tally{Added: 9})
	want := d.dump()
	d.put("a.fake", lines(slices.Concat(whole, []line{{Note: "changed"}})...))
	d.run(store.Tally{})
	d.checkFresh(t)
	d.put("a.fake", lines(slices.Concat(chat("k", all[:2]...), chat("other", five()...), chat("k", all[3]))...))
	d.run(store.Tally{Missing: 1})
	d.put("a.fake", lines(whole...))
	d.run(store.Tally{Restored: 1})
	same(t, "whole again", want, d.dump())
}
