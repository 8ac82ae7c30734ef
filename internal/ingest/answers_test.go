package ingest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// mine lists the bodies of the owner's messages.
func (d *desk) mine() []string {
	d.t.Helper()
	var bodies []string
	for _, m := range d.messages() {
		if (m.Direction == msg.Out) != (m.Sender == store.Owner) {
			d.t.Errorf("%q went %s and is of %q", m.Body, m.Direction, m.Sender)
		}
		if m.Direction == msg.Out {
			bodies = append(bodies, m.Body)
		}
	}
	return bodies
}

// owners lists the handles marked as the owner's.
func (d *desk) owners() []string {
	d.t.Helper()
	r := d.reader()
	defer r.Close()
	people, err := r.People(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	var names []string
	for _, p := range people {
		if p.Owner {
			names = append(names, p.Native)
		}
	}
	return names
}

func talk() []msg.Message {
	return []msg.Message{
		said("Ana", "2024-05-01 10:00", "of Ana"),
		said("Ben", "2024-05-01 10:01", "of Ben"),
		said("Cleo", "2024-05-01 10:02", "of Cleo"),
	}
}

// TestOwnerNamedLater says who the owner is after the first import, corrects
// it and takes it back. Files that have not changed are read again for it.
func TestOwnerNamedLater(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.put("a.fake", lines(chat("k", talk()...)...))
	d.run(store.Tally{Added: 3})
	first := d.messages()
	steps := []struct {
		name    string
		me      []string
		changed int64
		mine    []string
		owners  []string
	}{
		{"nobody said", nil, 0, nil, nil},
		{"named", []string{"Ana"}, 1, []string{"of Ana"}, []string{"Ana"}},
		{"the same again", []string{"Ana"}, 0, []string{"of Ana"}, []string{"Ana"}},
		{"corrected", []string{"Ben"}, 2, []string{"of Ben"}, []string{"Ben"}},
		{"two names", []string{"Ben", "Cleo"}, 1, []string{"of Ben", "of Cleo"}, []string{"Ben", "Cleo"}},
		{"taken back", nil, 2, nil, nil},
	}
	for _, step := range steps {
		d.roots[0].Owner = step.me
		d.run(store.Tally{Changed: step.changed})
		if diff := cmp.Diff(step.mine, d.mine()); diff != "" {
			t.Errorf("%s: messages of the owner (-want +got):\n%s", step.name, diff)
		}
		if diff := cmp.Diff(step.owners, d.owners(), cmpSorted); diff != "" {
			t.Errorf("%s: handles of the owner (-want +got):\n%s", step.name, diff)
		}
		for i, m := range d.messages() {
			if m.ID != first[i].ID || m.Hash != first[i].Hash {
				t.Errorf("%s: message %d %s became %d %s", step.name, first[i].ID, first[i].Hash, m.ID, m.Hash)
			}
		}
		d.checkFresh(t)
	}
}

// TestOwnerOfAnotherRoot corrects the owner of one root and leaves that of
// another as it is.
func TestOwnerOfAnotherRoot(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.put("one/a.fake", lines(chat("one", talk()...)...))
	d.put("two/b.fake", lines(chat("two", talk()...)...))
	d.roots = []store.Root{{Path: d.path("one"), Owner: []string{"Ana"}}, {Path: d.path("two"), Owner: []string{"Ana"}}}
	d.run(store.Tally{Added: 6})
	d.roots[0].Owner = []string{"Ben"}
	d.run(store.Tally{Changed: 2})
	if diff := cmp.Diff([]string{"of Ben", "of Ana"}, d.mine()); diff != "" {
		t.Errorf("messages of the owner (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Ana", "Ben"}, d.owners(), cmpSorted); diff != "" {
		t.Errorf("handles of the owner (-want +got):\n%s", diff)
	}
}

// TestAnswersHoldForTheNearestRoot imports a folder, then one file of it with
// an answer, then the folder again: what was said of the file holds.
func TestAnswersHoldForTheNearestRoot(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	with := talk()
	with[0].Attachments = []msg.Attachment{{Name: "a.jpg", Path: "sub/media/a.jpg"}}
	d.put("sub/a.fake", lines(chat("one", with...)...))
	d.put("b.fake", lines(chat("two", talk()...)...))
	d.run(store.Tally{Added: 6})
	folder := d.roots

	d.roots = []store.Root{{Path: d.path("sub/a.fake"), Owner: []string{"Ana"}}}
	d.run(store.Tally{Changed: 1})
	if diff := cmp.Diff([]string{"of Ana"}, d.mine()); diff != "" {
		t.Errorf("after the file alone: messages of the owner (-want +got):\n%s", diff)
	}
	want := d.dump()

	d.roots = folder
	d.run(store.Tally{})
	same(t, "after the folder again", want, d.dump())
	d.options.Full = true
	d.run(store.Tally{})
	d.options.Full = false
	if diff := cmp.Diff([]string{"of Ana"}, d.mine()); diff != "" {
		t.Errorf("after the folder in full: messages of the owner (-want +got):\n%s", diff)
	}

	d.roots = []store.Root{{Path: d.exports, Owner: []string{"Cleo"}}}
	d.run(store.Tally{Changed: 1})
	if diff := cmp.Diff([]string{"of Ana", "of Cleo"}, d.mine(), cmpSorted); diff != "" {
		t.Errorf("after an answer for the folder: messages of the owner (-want +got):\n%s", diff)
	}
	d.put("sub/new.fake", lines(chat("three", talk()...)...))
	d.run(store.Tally{Added: 3})
	if diff := cmp.Diff([]string{"of Ana", "of Cleo", "of Cleo"}, d.mine(), cmpSorted); diff != "" {
		t.Errorf("after a new file: messages of the owner (-want +got):\n%s", diff)
	}
}

// TestAnswerThatWasNotCarriedOut cuts the run off that would have carried a
// new answer out. The next run does, although the answer is not new to it.
func TestAnswerThatWasNotCarriedOut(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.put("a.fake", lines(chat("k", talk()...)...))
	d.run(store.Tally{Added: 3})
	d.roots[0].Owner = []string{"Ben"}
	ctx, done := cancelAt(t, d, 2)
	_, err := d.tryImport(ctx)
	done()
	if err == nil {
		t.Fatal("the import was not cut off")
	}
	if mine := d.mine(); mine != nil {
		t.Errorf("an import that was cut off changed %q", mine)
	}
	d.run(store.Tally{Changed: 1})
	if diff := cmp.Diff([]string{"of Ben"}, d.mine()); diff != "" {
		t.Errorf("messages of the owner (-want +got):\n%s", diff)
	}
}

func TestUnknownZone(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.put("a.fake", lines(chat("k", talk()...)...))
	d.roots[0].Zone = "Europe/Atlantis"
	_, err := d.tryImport(t.Context())
	if err == nil || !contains(err.Error(), "Europe/Atlantis", "Europe/Berlin") {
		t.Errorf("error %v, want one that names the zone and an example", err)
	}
	r := d.reader()
	if runs, err := r.Imports(t.Context(), 9); err != nil || len(runs) != 0 {
		t.Errorf("runs %+v, %v, want none", runs, err)
	}
	if roots, err := r.Roots(t.Context()); err != nil || len(roots) != 0 {
		t.Errorf("roots %+v, %v, want none", roots, err)
	}
}
