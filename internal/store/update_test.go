package store

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// shelf is an archive with one conversation and two files.
type shelf struct {
	w            *Writer
	conversation int64
	files        [2]int64
	importID     int64
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{w: openWriter(t, t.TempDir())}
	var err error
	if s.importID, err = s.w.BeginImport(t.Context(), start, 1, "test"); err != nil {
		t.Fatal(err)
	}
	root, err := s.w.SaveRoot(t.Context(), Root{Path: "/x"})
	if err != nil {
		t.Fatal(err)
	}
	write(t, s.w, func(b *Batch) error {
		s.conversation = mustConversation(t, b)
		for i := range s.files {
			if s.files[i], err = b.BeginFile(t.Context(), SourceFile{RootID: root, Path: fmt.Sprintf("/x/%d", i), ModTime: int64(i)}); err != nil {
				return err
			}
		}
		return nil
	})
	return s
}

// record makes the record of a message with the given body in a file.
func (s *shelf) record(body string, file int) *Record {
	m := msg.Message{NativeID: body, Body: body, Direction: msg.In, Time: msg.Time{Micros: start.UnixMicro(), Known: true}, Position: msg.Position{Line: 1}}
	return &Record{Message: m, Hash: msg.Identity("s", "k", &m, 0), ConversationID: s.conversation, Sort: m.Time.Micros, FileID: s.files[file], ImportID: s.importID}
}

func (s *shelf) insert(t *testing.T, records ...*Record) (first int64) {
	t.Helper()
	write(t, s.w, func(b *Batch) (err error) {
		if first, err = b.Insert(t.Context(), records); err != nil {
			return err
		}
		return b.CountConversation(t.Context(), s.conversation)
	})
	return first
}

// vanish says that a file gives only the messages with the given ids.
func (s *shelf) vanish(t *testing.T, file int, seen ...int64) (missing int64) {
	t.Helper()
	write(t, s.w, func(b *Batch) (err error) {
		still := map[int64]bool{}
		for _, id := range seen {
			still[id] = true
		}
		missing, err = b.Vanish(t.Context(), s.files[file], s.conversation, s.importID, func(id int64) bool { return still[id] })
		return err
	})
	return missing
}

func (s *shelf) message(t *testing.T, id int64) Message {
	t.Helper()
	m, err := openReader(t, s.w.dir(), ReaderOptions{WithWriter: true}).Message(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestUpdateKeepsIDAndFirstImport(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	r := s.record("before", 0)
	r.Links = []Link{{"https://old.example/", "old.example"}}
	r.Message.Reactions, r.Reactors = []msg.Reaction{{FromMe: true, Emoji: "x"}}, []int64{0}
	id := s.insert(t, r)
	second, err := s.w.BeginImport(t.Context(), start, 1, "test")
	if err != nil {
		t.Fatal(err)
	}
	r.Message.Body, r.Message.Direction, r.ImportID, r.Digest = "after", msg.Out, second, 9
	r.Links = []Link{{"https://new.example/", "new.example"}}
	r.Message.Reactions, r.Reactors = nil, nil
	write(t, s.w, func(b *Batch) error { return b.Update(t.Context(), id, r) })
	got := s.message(t, id)
	if got.Body != "after" || got.Sender != Owner || got.Reactions != nil || got.ImportID != s.importID || got.Hash != r.Hash.String() {
		t.Errorf("after the update: %+v", got)
	}
	links, total, err := openReader(t, s.w.dir(), ReaderOptions{WithWriter: true}).ListLinks(t.Context(), LinkQuery{Limit: 5})
	if err != nil || total != 1 || links[0].URL != "https://new.example/" {
		t.Errorf("links %+v, %v", links, err)
	}
	write(t, s.w, func(b *Batch) error {
		kept, err := b.Lookup(t.Context(), []msg.Hash{r.Hash, {1}})
		want := map[msg.Hash]Kept{r.Hash: {ID: id, Digest: 9, FileID: s.files[0], Line: 1}}
		if diff := cmp.Diff(want, kept); diff != "" {
			t.Errorf("look-up (-want +got):\n%s", diff)
		}
		return err
	})
}

func TestAttachmentsKeepTheirIDs(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	file := func(name string) msg.Attachment { return msg.Attachment{Name: name, Missing: "not included"} }
	r, other := s.record("with files", 0), s.record("other", 0)
	r.Message.Attachments = []msg.Attachment{file("a"), file("b"), file("b")}
	other.Message.Attachments = []msg.Attachment{file("z")}
	id := s.insert(t, r, other)
	ids := func(m Message) map[string][]int64 {
		found := map[string][]int64{}
		for _, a := range m.Attachments {
			found[a.Name] = append(found[a.Name], a.ID)
		}
		return found
	}
	change := func(list ...msg.Attachment) map[string][]int64 {
		r.Message.Attachments = list
		write(t, s.w, func(b *Batch) error { return b.Update(t.Context(), id, r) })
		return ids(s.message(t, id))
	}
	if diff := cmp.Diff(map[string][]int64{"a": {1}, "b": {2, 3}}, ids(s.message(t, id))); diff != "" {
		t.Errorf("at first (-want +got):\n%s", diff)
	}
	present := msg.Attachment{Name: "a", Path: "media/a"}
	if diff := cmp.Diff(map[string][]int64{"new": {5}, "b": {2}, "a": {1}}, change(file("new"), file("b"), present)); diff != "" {
		t.Errorf("after a change (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string][]int64{"b": {2}, "new": {6}}, change(file("b"), msg.Attachment{Name: "new", Kind: msg.Image})); diff != "" {
		t.Errorf("after another (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string][]int64{}, change()); diff != "" {
		t.Errorf("without any (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string][]int64{"a": {7}}, change(present)); diff != "" {
		t.Errorf("with one again: ids must not come back (-want +got):\n%s", diff)
	}
}

func TestVanishAndRestore(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	r := s.record("gone", 0)
	r.Links, r.Message.Attachments = []Link{{"https://x.example/", "x.example"}}, []msg.Attachment{{Name: "f"}}
	id := s.insert(t, r, s.record("stays", 0))
	figures := func() [5]int64 {
		reader := openReader(t, s.w.dir(), ReaderOptions{WithWriter: true})
		o, err := reader.Overview(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		missing, err := s.w.CountMissing(t.Context())
		if err != nil || missing != o.Missing {
			t.Errorf("%d missing, the overview says %d, %v", missing, o.Missing, err)
		}
		domains, err := reader.Domains(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return [5]int64{o.Messages, o.Missing, o.Media, o.Links, int64(len(domains))}
	}
	count := func(b *Batch) error { return b.CountConversation(t.Context(), s.conversation) }
	if got, want := figures(), [5]int64{2, 0, 1, 1, 1}; got != want {
		t.Errorf("at first %v, want %v", got, want)
	}
	if n := s.vanish(t, 0, id+1); n != 1 {
		t.Errorf("%d messages vanished, want 1", n)
	}
	if n := s.vanish(t, 0, id+1); n != 0 {
		t.Errorf("%d messages vanished a second time", n)
	}
	write(t, s.w, count)
	if got, want := figures(), [5]int64{1, 1, 0, 0, 0}; got != want {
		t.Errorf("with one missing %v, want %v", got, want)
	}
	if m := s.message(t, id); m.MissingSince != s.importID {
		t.Errorf("missing since import %d, want %d", m.MissingSince, s.importID)
	}
	write(t, s.w, func(b *Batch) error { return errors.Join(b.Restore(t.Context(), id), count(b)) })
	if got, want := figures(), [5]int64{2, 0, 1, 1, 1}; got != want {
		t.Errorf("restored %v, want %v", got, want)
	}
}

func TestVanishHandsOverToTheOtherFile(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	id := s.insert(t, s.record("in both", 0))
	pointer := msg.Position{Offset: 40, Pointer: "/messages/3"}
	write(t, s.w, func(b *Batch) error {
		return b.AlsoIn(t.Context(), id, s.files[1], msg.Position{Offset: 40, Pointer: "/messages/2"})
	})
	write(t, s.w, func(b *Batch) error { return b.AlsoIn(t.Context(), id, s.files[1], pointer) })
	provenance := func() (main int64, also []int64) {
		reader := openReader(t, s.w.dir(), ReaderOptions{WithWriter: true})
		p, err := reader.Provenance(t.Context(), s.message(t, id))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range p.Also {
			also = append(also, f.ID)
		}
		return p.File.ID, also
	}
	if main, also := provenance(); main != s.files[0] || !cmp.Equal(also, []int64{s.files[1]}) {
		t.Errorf("in files %d and %v, want %v", main, also, s.files)
	}
	if n := s.vanish(t, 0); n != 0 {
		t.Errorf("%d messages vanished that another file holds", n)
	}
	if main, also := provenance(); main != s.files[1] || also != nil {
		t.Errorf("in files %d and %v, want only %d", main, also, s.files[1])
	}
	if got := s.message(t, id).Position; got != pointer {
		t.Errorf("position %+v, want %+v", got, pointer)
	}
	if n := s.vanish(t, 1); n != 1 {
		t.Errorf("%d messages vanished with their last file, want 1", n)
	}
}

func TestMoveToPlaceWithoutPointer(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	r := s.record("moves", 0)
	r.Message.NativeID, r.Message.Position = "", msg.Position{Offset: 5, Pointer: "/a"}
	id := s.insert(t, r)
	for _, p := range []msg.Position{{Line: 7}, {Offset: 9, Pointer: "/b"}, {Offset: 11}} {
		write(t, s.w, func(b *Batch) error { return b.Move(t.Context(), id, s.files[1], p) })
		got := s.message(t, id)
		if got.Position != p || got.FileID != s.files[1] || got.Time != r.Message.Time {
			t.Errorf("moved to %+v: %+v in file %d, %+v", p, got.Position, got.FileID, got.Time)
		}
	}
}

// TestPrune deletes what is missing and checks that no trace and no reusable
// id stays.
func TestPrune(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 120)
	w := openWriter(t, x.dir)
	last := x.messages[len(x.messages)-1]
	write(t, w, func(b *Batch) error { return b.setMissing(t.Context(), last.id, x.importID) })
	last.missing = true
	want, err := w.CountMissing(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := w.Prune(t.Context())
	if err != nil || got != want || got == 0 {
		t.Fatalf("pruned %d, %v, want %d", got, err, want)
	}
	r := openReader(t, x.dir, ReaderOptions{WithWriter: true})
	for _, m := range x.messages {
		_, err := r.Message(t.Context(), m.id)
		if gone := errors.Is(err, ErrNotFound); gone != m.missing {
			t.Errorf("message %d: %v, missing %v", m.id, err, m.missing)
		}
		found, err := r.Matches(t.Context(), MatchQuery{Expression: fmt.Sprintf("n%d", m.id), Limit: 2})
		if err != nil || (len(found) == 0) != m.missing {
			t.Errorf("index of message %d: %v, %v", m.id, found, err)
		}
	}
	for _, c := range x.conversations {
		got, err := r.Conversation(t.Context(), c.id)
		if diff := cmp.Diff(x.figures(c), got, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("conversation %d: %v (-want +got):\n%s", c.id, err, diff)
		}
	}
	x.checkNoOrphans(t, w)
	if n, err := w.Prune(t.Context()); n != 0 || err != nil {
		t.Errorf("pruned %d more, %v", n, err)
	}

	// The highest id was pruned. A writer that knows nothing else does not
	// give it again.
	record := x.messages[0].record
	record.Message.Attachments = []msg.Attachment{{Name: "new"}}
	record.Hash[0]++
	if err := w.forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	write(t, w, func(b *Batch) error {
		first, err := b.Insert(t.Context(), []*Record{&record})
		if first <= last.id {
			t.Errorf("a new message got the id %d again, the highest was %d", first, last.id)
		}
		return err
	})
}

func (x *world) checkNoOrphans(t *testing.T, w *Writer) {
	t.Helper()
	for _, table := range []string{"specifics", "message_files", "replies", "reactions", "edits", "details", "attachments", "links", "reindex"} {
		var n int
		if err := w.db.QueryRowContext(t.Context(), `SELECT count(*) FROM `+table+` WHERE message_id NOT IN (SELECT id FROM messages)`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			t.Errorf("%d rows of %s belong to no message", n, table)
		}
	}
	found, err := w.db.QueryContext(t.Context(), `PRAGMA foreign_key_check`)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	if found.Next() {
		t.Error("a foreign key points nowhere")
	}
}

func TestMessageID(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	hashes := []msg.Hash{
		{0xab, 0xcd, 0xef, 0x01, 0x23, 0x45}, {0xab, 0xcd, 0xef, 0x01, 0x23, 0x46}, {0xab, 0xcd, 0xef, 0x01, 0x24},
		{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 15: 0xff}, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 15: 0xfe}, {},
	}
	var records []*Record
	for i, h := range hashes {
		r := s.record(fmt.Sprint(i), 0)
		r.Hash = h
		records = append(records, r)
	}
	first := s.insert(t, records...)
	tests := []struct {
		name, prefix string
		want         int64
		err          error
	}{
		{"whole", "abcdef01234500000000000000000000", first, nil},
		{"upper case", "ABCDEF012345", first, nil},
		{"unique prefix", "abcdef01234", 0, ErrAmbiguous},
		{"odd number of digits", "abcdef0124000", first + 2, nil},
		{"short of the indexed bytes", "abcdef01", 0, ErrAmbiguous},
		{"beyond the indexed bytes", "abcdef012346", first + 1, nil},
		{"the highest", "ffffffffffff000000000000000000ff", first + 3, nil},
		{"the highest but one", "ffffffffffff000000000000000000fe", first + 4, nil},
		{"zeros", "00000000", first + 5, nil},
		{"unknown", "abcdef02", 0, ErrNotFound},
		{"no digits", "xyzxyzxy", 0, ErrNotFound},
		{"too long", "abcdef0123450000000000000000000000", 0, ErrNotFound},
		{"empty", "", 0, ErrAmbiguous},
	}
	r := openReader(t, s.w.dir(), ReaderOptions{WithWriter: true})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := r.MessageID(t.Context(), tt.prefix)
			if got != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("MessageID(%q) = %d, %v, want %d, %v", tt.prefix, got, err, tt.want, tt.err)
			}
		})
	}
}

func TestNotFound(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 3)
	r := openReader(t, x.dir, ReaderOptions{})
	calls := map[string]func(context.Context, int64) error{
		"Message":      func(ctx context.Context, id int64) error { return only(r.Message(ctx, id)) },
		"Media":        func(ctx context.Context, id int64) error { return only(r.Media(ctx, id)) },
		"Conversation": func(ctx context.Context, id int64) error { return only(r.Conversation(ctx, id)) },
		"Person":       func(ctx context.Context, id int64) error { return only(r.Person(ctx, id)) },
		"Import":       func(ctx context.Context, id int64) error { return only(r.Import(ctx, id)) },
		"Provenance":   func(ctx context.Context, id int64) error { return only(r.Provenance(ctx, Message{FileID: id})) },
	}
	for name, call := range calls {
		for _, id := range []int64{-1, 1 << 40} {
			if err := call(t.Context(), id); !errors.Is(err, ErrNotFound) {
				t.Errorf("%s(%d): error %v, want %v", name, id, err, ErrNotFound)
			}
		}
	}
}

// TestInsertInBulk inserts as many messages of one origin as several
// statements take, among others that differ.
func TestInsertInBulk(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	var records []*Record
	for i := range 3*messagesPerStmt + 2 {
		file := 0
		if i == messagesPerStmt+3 {
			file = 1
		}
		r := s.record(fmt.Sprint("message ", i), file)
		r.Message.Position.Line, r.Digest = int64(i), uint32(i)<<26
		records = append(records, r)
	}
	first := s.insert(t, records...)
	write(t, s.w, func(b *Batch) error {
		for i, r := range records {
			kept, err := b.Lookup(t.Context(), []msg.Hash{r.Hash})
			if err != nil {
				return err
			}
			want := map[msg.Hash]Kept{r.Hash: {
				ID: first + int64(i), Digest: r.Digest, FileID: r.FileID, ModTime: r.FileID - s.files[0], Line: int64(i),
			}}
			if diff := cmp.Diff(want, kept); diff != "" {
				t.Errorf("message %d (-want +got):\n%s", i, diff)
			}
		}
		return nil
	})
	for _, i := range []int{0, messagesPerStmt + 3, len(records) - 1} {
		m := s.message(t, first+int64(i))
		if m.Body != fmt.Sprint("message ", i) || m.ImportID != s.importID || m.ConversationID != s.conversation {
			t.Errorf("message %d: %+v", i, m)
		}
	}
}

// TestUnsignedDigest looks a message up that an earlier version wrote.
func TestUnsignedDigest(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	r := s.record("body", 0)
	id := s.insert(t, r)
	if _, err := s.w.db.ExecContext(t.Context(), `UPDATE messages SET digest = 4294967295 WHERE id = ?`, id); err != nil {
		t.Fatal(err)
	}
	write(t, s.w, func(b *Batch) error {
		kept, err := b.Lookup(t.Context(), []msg.Hash{r.Hash})
		if got := kept[r.Hash].Digest; got != 1<<32-1 {
			t.Errorf("digest %d", got)
		}
		return err
	})
}

// TestReferencesAreChecked commits a message of a conversation that is not
// there: nothing of the batch stays, and the next one goes on.
func TestReferencesAreChecked(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	stray, good := s.record("stray", 0), s.record("good", 0)
	stray.ConversationID = 1 << 20
	b, err := s.w.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Rollback(t.Context())
	if _, err = b.Insert(t.Context(), []*Record{good, stray}); err == nil {
		err = b.Commit(t.Context())
	}
	if err == nil {
		t.Fatal("a message of no conversation was kept")
	}
	if err := b.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if id := s.insert(t, good); id != 1 {
		t.Errorf("the first message that was kept is number %d", id)
	}
}
