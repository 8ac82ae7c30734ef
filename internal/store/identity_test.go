package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// person records a handle and returns its id and its person's.
func person(t *testing.T, w *Writer, source msg.Source, h msg.Handle, normal string, owner bool) (handle, who int64) {
	t.Helper()
	write(t, w, func(b *Batch) (err error) {
		handle, err = b.Handle(t.Context(), source, h, normal, owner)
		return err
	})
	return handle, personOfHandle(t, w, handle)
}

func personOfHandle(t *testing.T, w *Writer, handle int64) int64 {
	t.Helper()
	r := openReader(t, w.dir(), ReaderOptions{WithWriter: true})
	p, err := r.Person(t.Context(), handle)
	if err != nil {
		t.Fatal(err)
	}
	return p.PersonID
}

func TestWhoIsOnePerson(t *testing.T) {
	t.Parallel()
	phone := func(id, name string) msg.Handle { return msg.Handle{ID: id, Name: name, Kind: msg.HandlePhone} }
	tests := []struct {
		name             string
		aSource, bSource msg.Source
		a, b             msg.Handle
		aNormal, bNormal string
		same             bool
	}{
		{"phone across sources", msg.WhatsApp, msg.IMessage, phone("+49 151 1", "Ana"), phone("+491511", "A."), "+491511", "+491511", true},
		{"e-mail across sources", msg.IMessage, msg.Signal, msg.Handle{ID: "A@x.org", Kind: msg.HandleEmail}, msg.Handle{ID: "a@x.org", Kind: msg.HandleEmail}, "a@x.org", "a@x.org", true},
		{"two phones", msg.WhatsApp, msg.WhatsApp, phone("+491511", "Ana"), phone("+491512", "Ana"), "+491511", "+491512", false},
		{"equal names", msg.WhatsApp, msg.Signal, msg.Handle{ID: "Ana", Name: "Ana"}, msg.Handle{ID: "Ana", Name: "Ana"}, "Ana", "Ana", false},
		{"equal account ids of two sources", msg.Telegram, msg.Signal, msg.Handle{ID: "7", Kind: msg.HandleAccount}, msg.Handle{ID: "7", Kind: msg.HandleAccount}, "7", "7", false},
		{"name that spells a number", msg.WhatsApp, msg.Signal, phone("+491511", ""), msg.Handle{ID: "+491511", Name: "+491511"}, "+491511", "+491511", false},
		{"phones without a digit", msg.WhatsApp, msg.Signal, phone("unknown", ""), phone("hidden", ""), "", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := openWriter(t, t.TempDir())
			_, a := person(t, w, tt.aSource, tt.a, tt.aNormal, false)
			_, b := person(t, w, tt.bSource, tt.b, tt.bNormal, false)
			if got := a == b; got != tt.same {
				t.Errorf("one person: %v, want %v", got, tt.same)
			}
		})
	}
}

func TestHandleIsRecordedOnce(t *testing.T) {
	t.Parallel()
	w := openWriter(t, t.TempDir())
	h := msg.Handle{ID: "+491511", Name: "Ana", Kind: msg.HandlePhone}
	first, who := person(t, w, msg.WhatsApp, h, h.ID, false)
	steps := []struct {
		name, stated, want string
	}{
		{"the same", "Ana", "Ana"},
		{"renamed", "Ana Berg", "Ana Berg"},
		{"no name stated", "", "Ana Berg"},
		{"nothing but the number", "+491511", "Ana Berg"},
		{"renamed again", "Dr. Berg", "Dr. Berg"},
	}
	for _, step := range steps {
		h.Name = step.stated
		again, same := person(t, w, msg.WhatsApp, h, h.ID, false)
		if again != first || same != who {
			t.Errorf("%s: handle %d of person %d, want %d of %d", step.name, again, same, first, who)
		}
		r := openReader(t, w.dir(), ReaderOptions{WithWriter: true})
		p, err := r.Person(t.Context(), first)
		if err != nil || p.Name != step.want {
			t.Errorf("%s: name %q, %v, want %q", step.name, p.Name, err, step.want)
		}
	}
}

// TestMeIsTheOwner gives contacts every name that a person reads as Me.
func TestMeIsTheOwner(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 3)
	w := openWriter(t, x.dir)
	names := []string{
		"Me", "me", "ME", " m e ", "M\u200be", "\u200fMe", "Me\ufeff", "M\u00ade", "M\u2060e", "\u2066Me\u2069", "Me\x00", "M\te", "Me\u0085",
		"M\u034fe", "Me\ufe0f", "M\u115fe", "Me\u3164", "Me\u2800", "\uff2d\uff45", "\U0001d40c\U0001d41e", "\u041c\u0435", "\u039ce", "M\u0435", "ᴍᴇ",
	}
	for _, name := range names {
		for native, want := range map[string]string{"account-" + name: "account-" + name, name: "telegram:" + name} {
			handle, _ := person(t, w, msg.Telegram, msg.Handle{ID: native, Name: name, Kind: msg.HandleAccount}, native, false)
			r := openReader(t, x.dir, ReaderOptions{WithWriter: true})
			p, err := r.Person(t.Context(), handle)
			if err != nil {
				t.Fatal(err)
			}
			if p.Label != want {
				t.Errorf("a contact called %q with the id %q is shown as %q", name, native, p.Label)
			}
		}
	}
	for _, name := range []string{"Mé", "Mel", "Mia", "Me & You", "M", "Mme", "家", "мама"} {
		if looksLikeOwner(name) {
			t.Errorf("%q is taken for %q", name, Owner)
		}
	}
}

func TestOwnerIsMeWhateverTheName(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 60)
	r := openReader(t, x.dir, ReaderOptions{})
	for _, m := range x.messages {
		got, err := r.Message(t.Context(), m.id)
		if err != nil {
			t.Fatal(err)
		}
		if want := m.record.Message.Direction == msg.Out; (got.Sender == Owner) != want {
			t.Errorf("message %d of %s is shown as of %q", m.id, got.Direction, got.Sender)
		}
	}
}

func TestDescribeConversation(t *testing.T) {
	t.Parallel()
	w := openWriter(t, t.TempDir())
	var id int64
	write(t, w, func(b *Batch) (err error) {
		id, _, err = b.Conversation(t.Context(), msg.Signal, msg.Conversation{Key: "k"})
		return err
	})
	steps := []struct {
		name       string
		say        msg.Conversation
		want       string
		shared     bool
		wantKind   msg.ConversationKind
		newVersion bool
	}{
		{"no name: the key", msg.Conversation{Key: "k"}, "k", false, msg.Direct, false},
		{"named", msg.Conversation{Key: "k", Name: "Club", Kind: msg.Group}, "Club", false, msg.Group, true},
		{"the same", msg.Conversation{Key: "k", Name: "Club", Kind: msg.Group}, "Club", false, msg.Group, false},
		{"no name again", msg.Conversation{Key: "k", Kind: msg.Group}, "Club", false, msg.Group, false},
		{"renamed", msg.Conversation{Key: "k", Name: "Garden", Kind: msg.Group}, "Garden", false, msg.Group, true},
		{"two of a group in another file", msg.Conversation{Key: "k", Name: "Garden"}, "Garden", true, msg.Group, false},
		{"no group any more", msg.Conversation{Key: "k", Name: "Garden"}, "Garden", false, msg.Direct, true},
	}
	r := openReader(t, w.dir(), ReaderOptions{WithWriter: true})
	for _, step := range steps {
		before, err := r.NamesVersion(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		write(t, w, func(b *Batch) error {
			again, fresh, err := b.Conversation(t.Context(), msg.Signal, step.say)
			if again != id || fresh {
				t.Errorf("%s: conversation %d, new %v", step.name, again, fresh)
			}
			if err != nil {
				return err
			}
			return b.DescribeConversation(t.Context(), id, step.say, nil, step.shared)
		})
		got, err := r.Conversation(t.Context(), id)
		if err != nil || got.Name != step.want || got.Kind != step.wantKind {
			t.Errorf("%s: %q, %v, %v", step.name, got.Name, got.Kind, err)
		}
		after, err := r.NamesVersion(t.Context())
		if err != nil || after != before && !step.newVersion || after == before && step.newVersion {
			t.Errorf("%s: names went from version %d to %d, %v", step.name, before, after, err)
		}
	}
}

// TestRollbackForgetsPeople makes sure that ids remembered from a batch that
// was undone are not used again.
func TestRollbackForgetsPeople(t *testing.T) {
	t.Parallel()
	w := openWriter(t, t.TempDir())
	h := msg.Handle{ID: "a", Name: "Ana"}
	link := Link{"https://example.org/", "example.org"}
	b, err := w.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := only(b.Handle(t.Context(), msg.Signal, h, "a", false)); err != nil {
		t.Fatal(err)
	}
	if err := only(b.url(t.Context(), link)); err != nil {
		t.Fatal(err)
	}
	m := msg.Message{Body: "x", Attachments: []msg.Attachment{{Name: "f"}}}
	first, err := b.Insert(t.Context(), []*Record{{Message: m, Hash: msg.Identity("s", "k", &m, 0), ConversationID: mustConversation(t, b)}})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w.nextMessage != first || w.nextAttachment != 1 {
		t.Errorf("next message %d and attachment %d, want %d and 1", w.nextMessage, w.nextAttachment, first)
	}
	handle, _ := person(t, w, msg.Signal, h, "a", false)
	r := openReader(t, w.dir(), ReaderOptions{WithWriter: true})
	list, err := r.People(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []Person{{HandleID: handle, PersonID: 1, Source: msg.Signal, Native: "a", Name: "Ana", Label: "Ana"}}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("people (-want +got):\n%s", diff)
	}
	write(t, w, func(b *Batch) error {
		id, err := b.url(t.Context(), link)
		if err == nil && id == 0 {
			t.Error("no URL was recorded")
		}
		return err
	})
}

func mustConversation(t *testing.T, b *Batch) int64 {
	t.Helper()
	id, _, err := b.Conversation(t.Context(), msg.Signal, msg.Conversation{Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	return id
}
