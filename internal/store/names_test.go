package store

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// allNames matches statements that read every name there is.
var allNames = regexp.MustCompile(`(?s)^SELECT id, (person_id|key),.* FROM (handles|conversations)$`)

// TestFewNames reads messages one by one with names that are read as they are
// needed, and again with all of them: they are the same.
func TestFewNames(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 150)
	few, all := openReader(t, x.dir, ReaderOptions{}), openReader(t, x.dir, ReaderOptions{})
	read := 0
	few.observe = func(text string, _ []any) {
		if allNames.MatchString(text) {
			read++
		}
	}
	if _, err := all.People(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, m := range x.messages {
		got, err := few.Message(t.Context(), m.id)
		if err != nil {
			t.Fatal(err)
		}
		want, err := all.Message(t.Context(), m.id)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("message %d (-with all names +with few):\n%s", m.id, diff)
		}
	}
	for _, c := range x.conversations {
		got, err := few.Conversation(t.Context(), c.id)
		if err != nil {
			t.Fatal(err)
		}
		want, err := all.Conversation(t.Context(), c.id)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("conversation %d (-with all names +with few):\n%s", c.id, diff)
		}
	}
	if read != 0 {
		t.Errorf("all names were read %d times", read)
	}
	people, err := few.People(t.Context())
	if err != nil || len(people) != len(x.handles) || read != 2 {
		t.Errorf("%d people after all names were read %d times, %v; want %d after 2", len(people), read, err, len(x.handles))
	}
}

// TestManyNames asks for more names than are read one by one.
func TestManyNames(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	var ids []int64
	write(t, s.w, func(b *Batch) error {
		for i := range fewNames + 1 {
			id, err := b.Handle(t.Context(), msg.Signal, msg.Handle{ID: "many-" + itoa(i), Kind: msg.HandleAccount}, "", false)
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return nil
	})
	r := openReader(t, s.w.dir(), ReaderOptions{WithWriter: true})
	read := 0
	r.observe = func(text string, _ []any) {
		if allNames.MatchString(text) {
			read++
		}
	}
	for _, want := range []struct{ asked, read int }{{1, 0}, {50, 0}, {fewNames - 1, 0}, {fewNames, 2}, {fewNames + 1, 2}, {3, 2}} {
		got, err := r.Persons(t.Context(), append([]int64{0, 1 << 40}, ids[:want.asked]...))
		if err != nil || len(got) != want.asked || read != want.read {
			t.Errorf("%d of %d handles after all names were read %d times, %v; want %d", len(got), want.asked, read, err, want.read)
		}
		for id, p := range got {
			if p.HandleID != id || p.Native == "" {
				t.Errorf("handle %d: %+v", id, p)
			}
		}
	}
}

// TestFewNamesFollow renames somebody whose name was read.
func TestFewNamesFollow(t *testing.T) {
	t.Parallel()
	w := openWriter(t, t.TempDir())
	h := msg.Handle{ID: "7", Name: "Ana", Kind: msg.HandleAccount}
	id, _ := person(t, w, msg.Telegram, h, "", false)
	r := openReader(t, w.dir(), ReaderOptions{WithWriter: true})
	for _, name := range []string{"Ana", "Ana Berg", "Dr. Berg"} {
		h.Name = name
		person(t, w, msg.Telegram, h, "", false)
		if p, err := r.Person(t.Context(), id); err != nil || p.Name != name {
			t.Errorf("%q, %v, want %q", p.Name, err, name)
		}
	}
}
