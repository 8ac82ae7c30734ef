package search

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// chat is a conversation of a test's archive.
type chat struct {
	source   msg.Source
	conv     msg.Conversation
	messages []msg.Message
}

// now is the clock of all tests.
var now = time.Date(2024, 6, 15, 12, 0, 0, 0, time.UTC)

// me marks the owner's lines.
const me = "me"

// newChat makes a direct conversation, or a group if its name ends in "*". A
// line is the sender's name, a colon and the text; the first is written at
// the given time and each further one a minute later.
func newChat(service msg.Source, name string, at time.Time, lines ...string) chat {
	c := chat{source: service, conv: msg.Conversation{Key: name, Name: name}}
	if trimmed, isGroup := strings.CutSuffix(name, "*"); isGroup {
		c.conv = msg.Conversation{Key: trimmed, Name: trimmed, Kind: msg.Group}
	}
	for i, line := range lines {
		sender, body, _ := strings.Cut(line, ": ")
		c.messages = append(c.messages, message(sender, at.Add(time.Duration(i)*time.Minute), body))
	}
	return c
}

func message(sender string, at time.Time, body string) msg.Message {
	m := msg.Message{Direction: msg.In, Time: msg.InstantTime(at, msg.Second, at.UTC().Format(time.DateTime)), Body: body}
	if sender == me {
		m.Direction = msg.Out
		sender = "Robin Owner"
	}
	m.Sender = msg.Handle{ID: sender, Name: sender}
	return m
}

// fakeSource reads what a test put into its chats.
type fakeSource struct{ chat chat }

func (f fakeSource) Name() msg.Source { return f.chat.source }

func (f fakeSource) Recognize(context.Context, source.Candidate) (source.Recognition, error) {
	return source.Recognition{Format: "test", Confidence: 100}, nil
}

func (f fakeSource) Read(_ context.Context, _ source.Candidate, _ source.Recognition, _ source.Options, sink source.Sink) error {
	if err := sink.Begin(f.chat.conv); err != nil {
		return err
	}
	for i := range f.chat.messages {
		m := f.chat.messages[i]
		m.Position.Line = int64(i) + 1
		if err := sink.Message(&m); err != nil {
			return err
		}
	}
	return sink.End(f.chat.conv)
}

// archive is one that a test fills by imports.
type archive struct {
	exports, dir string
	imports      int
}

func newArchive(t testing.TB, chats ...chat) *archive {
	t.Helper()
	a := &archive{exports: t.TempDir(), dir: t.TempDir()}
	a.load(t, chats...)
	return a
}

// load imports chats; what an earlier load held of them and this one does not
// is missing from then on.
func (a *archive) load(t testing.TB, chats ...chat) {
	t.Helper()
	a.imports++
	byFile := map[string]chat{}
	for i, c := range chats {
		name := fmt.Sprintf("%04d.chat", i)
		byFile[name] = c
		text := strings.Repeat(fmt.Sprintf("import %d\n", a.imports), 1+a.imports)
		if err := os.WriteFile(filepath.Join(a.exports, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := store.OpenWriter(t.Context(), a.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	plan, err := ingest.MakePlan(t.Context(), []store.Root{{Path: a.exports}}, nil, true, func(_ context.Context, c source.Candidate) (source.Source, source.Recognition, error) {
		f := fakeSource{byFile[c.Path]}
		r, err := f.Recognize(t.Context(), c)
		return f, r, err
	})
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	summary, err := ingest.Run(t.Context(), w, plan, ingest.Options{Now: func() time.Time { return now }, Full: true})
	if err != nil || summary.Status != store.ImportDone {
		t.Fatalf("import: status %s, problems %v, error %v", summary.Status, summary.Problems, err)
	}
}

// reader opens the archive for reading.
func (a *archive) reader(t testing.TB) *store.Reader {
	t.Helper()
	r, err := store.OpenReader(t.Context(), a.dir, store.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func (a *archive) searcher(t testing.TB) *Searcher {
	t.Helper()
	return New(a.reader(t), func() time.Time { return now })
}

// search opens an archive of the chats.
func searcherOf(t testing.TB, chats ...chat) *Searcher {
	t.Helper()
	return newArchive(t, chats...).searcher(t)
}

// find runs a query that must not fail.
func find(t testing.TB, s *Searcher, q Query) Results {
	t.Helper()
	results, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("Search(%q): %v", q.Text, err)
	}
	return results
}

// bodies are the texts of hits, in order.
func bodies(hits []Hit) []string {
	list := make([]string, len(hits))
	for i, h := range hits {
		list[i] = h.Body
	}
	return list
}
