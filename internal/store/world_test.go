package store

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// world is an archive together with what was put into it, as plain values
// that a test can filter and sort for itself.
type world struct {
	dir           string
	importID      int64
	handles       []worldHandle
	conversations []worldConversation
	messages      []*worldMessage // in the order of their ids
	urls          []string        // in the order of their ids
}

type worldHandle struct {
	id     int64
	source msg.Source
	handle msg.Handle
	owner  bool
}

type worldConversation struct {
	id     int64
	source msg.Source
	conv   msg.Conversation
	people map[int64]bool
}

type worldMessage struct {
	id      int64
	source  msg.Source
	record  Record
	missing bool
}

// start is the time of a world's first messages. Its messages crowd into few
// moments, so that every order has ties.
var start = time.Date(2023, 3, 1, 8, 0, 0, 0, time.UTC)

const worldMoments = 40

// openWriter opens the archive in dir and closes it with the test.
func openWriter(t testing.TB, dir string) *Writer {
	t.Helper()
	w, err := OpenWriter(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Errorf("close writer: %v", err)
		}
	})
	return w
}

// openReader opens the archive in dir and closes it with the test.
func openReader(t testing.TB, dir string, o ReaderOptions) *Reader {
	t.Helper()
	r, err := OpenReader(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("close reader: %v", err)
		}
	})
	return r
}

// write runs one batch and commits it.
func write(t testing.TB, w *Writer, do func(b *Batch) error) {
	t.Helper()
	b, err := w.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := do(b); err != nil {
		t.Fatal(err)
	}
	if err := b.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// newWorld fills an archive with size messages and indexes them. The same
// size gives the same world.
func newWorld(t testing.TB, size int) *world {
	t.Helper()
	world := &world{dir: t.TempDir()}
	w, err := OpenWriter(t.Context(), world.dir)
	if err != nil {
		t.Fatal(err)
	}
	world.importID, err = w.BeginImport(t.Context(), start, 4711, "test")
	if err != nil {
		t.Fatal(err)
	}
	root, err := w.SaveRoot(t.Context(), Root{Path: "/exports", Owner: []string{"Robin"}, Zone: "Europe/Berlin", AddedAt: start})
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, func(b *Batch) error { return world.fill(t, b, root, size) })
	world.index(t, w)
	if err := w.FinishImport(t.Context(), world.importID, start.Add(time.Minute), ImportDone, Tally{Scanned: 2, Added: int64(size)}, true); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return world
}

func (x *world) fill(t testing.TB, b *Batch, root int64, size int) error {
	ctx := t.Context()
	random := rand.New(rand.NewPCG(1, uint64(size)))
	if err := x.addPeople(t, b); err != nil {
		return err
	}
	var files []int64
	for _, name := range []string{"a.txt", "b.json"} {
		file, err := b.BeginFile(ctx, SourceFile{RootID: root, Path: "/exports/" + name, Source: msg.Signal, Format: name, Size: 10, ModTime: 20, SHA256: []byte(name)})
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	var records []*Record
	for i := range size {
		c := &x.conversations[random.IntN(len(x.conversations))]
		m := &worldMessage{source: c.source, record: x.randomRecord(random, c, i), missing: random.IntN(9) == 0}
		m.record.FileID, m.record.ImportID = files[random.IntN(len(files))], x.importID
		x.messages, records = append(x.messages, m), append(records, &m.record)
		for _, l := range m.record.Links {
			if !slices.Contains(x.urls, l.URL) {
				x.urls = append(x.urls, l.URL)
			}
		}
	}
	first, err := b.Insert(ctx, records)
	if err != nil {
		return err
	}
	for i, m := range x.messages {
		m.id = first + int64(i)
		if m.missing {
			if err := b.setMissing(ctx, m.id, x.importID); err != nil {
				return err
			}
		}
		if i%11 == 0 {
			if err := b.AlsoIn(ctx, m.id, files[0]+files[1]-m.record.FileID, msg.Position{Line: 3}); err != nil {
				return err
			}
		}
	}
	for _, c := range x.conversations {
		var members []int64
		for id := range c.people {
			members = append(members, id)
		}
		if err := b.DescribeConversation(ctx, c.id, c.conv, members, false); err != nil {
			return err
		}
		if err := b.CountConversation(ctx, c.id); err != nil {
			return err
		}
		if err := b.SetFileConversation(ctx, files[0], c.id, 1); err != nil {
			return err
		}
	}
	if err := b.AddProblem(ctx, x.importID, Problem{Severity: SeveritySkipped, Path: "/exports/a.txt", Reason: "no reason"}); err != nil {
		return err
	}
	return b.FinishFile(ctx, files[0], x.importID)
}

func (x *world) addPeople(t testing.TB, b *Batch) error {
	for _, s := range []msg.Source{msg.WhatsApp, msg.Signal} {
		for i, name := range []string{"Robin", "Ana", "Ana", "", "Me"} {
			h := worldHandle{source: s, handle: msg.Handle{ID: fmt.Sprintf("account-%d", i), Name: name, Kind: msg.HandleAccount}, owner: i == 0}
			var err error
			if h.id, err = b.Handle(t.Context(), s, h.handle, h.handle.ID, h.owner); err != nil {
				return err
			}
			x.handles = append(x.handles, h)
		}
		for i, name := range []string{"Garden club", "Ana", "Zoë"} {
			c := msg.Conversation{Key: fmt.Sprintf("%s-%d", s, i), Name: name, Kind: msg.ConversationKind(i % 2)}
			id, _, err := b.Conversation(t.Context(), s, c)
			if err != nil {
				return err
			}
			x.conversations = append(x.conversations, worldConversation{id: id, source: s, conv: c, people: map[int64]bool{}})
		}
	}
	return nil
}

// randomRecord makes a message that may have any of the things a message can
// have.
func (x *world) randomRecord(random *rand.Rand, c *worldConversation, i int) Record {
	var people []worldHandle
	for _, h := range x.handles {
		if h.source == c.source {
			people = append(people, h)
		}
	}
	at := start.Add(time.Duration(random.IntN(worldMoments)) * time.Hour)
	m := msg.Message{
		Kind: msg.Kind(random.IntN(int(msg.Unparsed) + 1)),
		Time: msg.Time{Micros: at.UnixMicro(), Known: true, Raw: at.Format("2006-01-02 15:04:05")},
		Body: fmt.Sprintf("body of %d", i), Position: msg.Position{Line: int64(i + 1)},
	}
	sender := people[random.IntN(len(people))]
	r := Record{ConversationID: c.id, SenderID: sender.id, Sort: at.UnixMicro(), Digest: uint32(i)}
	m.Sender = sender.handle
	switch {
	case random.IntN(12) == 0:
		m.Direction = msg.System
	case sender.owner:
		m.Direction = msg.Out
	default:
		m.Direction = msg.In
	}
	c.people[sender.id] = true
	one := func(n int) bool { return random.IntN(n) == 0 }
	if one(3) {
		for n := range 1 + random.IntN(2) {
			kind := msg.AttachmentKind(random.IntN(4))
			m.Attachments = append(m.Attachments, msg.Attachment{Kind: kind, Name: fmt.Sprintf("file-%d-%d", i, n), Path: "media/x", MIME: "a/b", Size: 9})
		}
	}
	if one(3) {
		for range 1 + random.IntN(2) {
			n := random.IntN(12)
			link := Link{fmt.Sprintf("https://site%d.example/%d", n%4, n), fmt.Sprintf("site%d.example", n%4)}
			if !slices.Contains(r.Links, link) {
				r.Links = append(r.Links, link)
			}
		}
	}
	if one(5) {
		m.Reactions = []msg.Reaction{{Sender: people[1].handle, Emoji: "👍", Count: 1}, {FromMe: true, Emoji: "Loved", Count: 2}}
		r.Reactors = []int64{people[1].id, 0}
	}
	if one(6) {
		m.Edited, m.Edits = true, []msg.Edit{{Body: "earlier", Time: m.Time}, {Body: "earliest"}}
	}
	if one(6) {
		m.Details = []msg.Detail{{Name: "via", Value: "bot"}, {Name: "via", Value: "again"}}
	}
	if one(6) {
		m.ReplyTo = &msg.Reply{Quote: "quoted"}
		if len(x.messages) > 0 {
			r.ReplyTo = &x.messages[random.IntN(len(x.messages))].record.Hash
		}
	}
	if one(6) {
		m.NativeID, m.Position.Pointer, m.Suspect = fmt.Sprintf("native-%d", i), fmt.Sprintf("/messages/%d", i), "looks odd"
	}
	r.Message, r.Hash = m, msg.Identity(c.source, c.conv.Key, &m, i)
	return r
}

// index puts every message into the keyword index under its own number and a
// word that all have.
func (x *world) index(t testing.TB, w *Writer) {
	t.Helper()
	r, err := w.Reader(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	pending, err := r.Pending(t.Context(), 0, len(x.messages)+1, false)
	if err != nil {
		t.Fatal(err)
	}
	indexed := Indexed{Terms: map[string]int64{"body": int64(len(pending))}}
	for _, m := range pending {
		indexed.Entries = append(indexed.Entries, fmt.Sprintf("body n%d", m.ID))
		indexed.Terms[fmt.Sprintf("n%d", m.ID)] = 1
	}
	b, err := w.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Rollback(t.Context())
	if err := b.Index(t.Context(), pending, indexed, false); err != nil {
		t.Fatal(err)
	}
	if err := b.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// dir is the data folder of a writer.
func (w *Writer) dir() string { return filepath.Dir(w.path) }
