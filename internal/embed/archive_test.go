package embed

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// wordModel is a model whose vectors say which words a text holds.
type wordModel struct {
	name  string
	calls atomic.Int64
	texts atomic.Int64
	fail  func(call int64) error
}

func (m *wordModel) Fingerprint() string { return m.name }

func (m *wordModel) Dims() int { return 512 }

func (m *wordModel) EmbedQuery(_ context.Context, query string) ([]float32, error) {
	return wordVector(query), nil
}

func (m *wordModel) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if n := m.calls.Add(1); m.fail != nil {
		if err := m.fail(n); err != nil {
			return nil, err
		}
	}
	m.texts.Add(int64(len(texts)))
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = wordVector(text)
	}
	return vectors, nil
}

func wordVector(text string) []float32 {
	v := make([]float32, 512)
	for word := range strings.FieldsSeq(segment.Fold(text)) {
		h := fnv.New64a()
		h.Write([]byte(word))
		random := rand.New(rand.NewPCG(h.Sum64(), 1))
		for i := range v {
			v[i] += float32(random.NormFloat64())
		}
	}
	Normalise(v)
	return v
}

// archive is an archive that a test changes by hand.
type archive struct {
	t      testing.TB
	dir    string
	w      *store.Writer
	r      *store.Reader
	imp    int64
	file   int64
	me, an int64 // handles
	said   []int64
	next   int
}

var epoch = time.Date(2024, 5, 1, 9, 0, 0, 0, time.UTC)

func newArchive(t testing.TB) *archive {
	t.Helper()
	a := &archive{t: t, dir: t.TempDir()}
	var err error
	if a.w, err = store.OpenWriter(t.Context(), a.dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.w.Close() })
	if a.imp, err = a.w.BeginImport(t.Context(), epoch, 1, "test"); err != nil {
		t.Fatal(err)
	}
	root, err := a.w.SaveRoot(t.Context(), store.Root{Path: "/exports", AddedAt: epoch})
	if err != nil {
		t.Fatal(err)
	}
	a.write(func(b *store.Batch) error {
		if a.file, err = b.BeginFile(t.Context(), store.SourceFile{RootID: root, Path: "/exports/a", Source: msg.Signal, Format: "f"}); err != nil {
			return err
		}
		if a.me, err = b.Handle(t.Context(), msg.Signal, msg.Handle{ID: "robin", Name: "Robin"}, "robin", true); err != nil {
			return err
		}
		a.an, err = b.Handle(t.Context(), msg.Signal, msg.Handle{ID: "ana", Name: "Ana"}, "ana", false)
		return err
	})
	if a.r, err = store.OpenReader(t.Context(), a.dir, store.ReaderOptions{WithWriter: true}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.r.Close() })
	return a
}

func (a *archive) write(do func(b *store.Batch) error) {
	a.t.Helper()
	b, err := a.w.Begin(a.t.Context())
	if err == nil {
		if err = do(b); err == nil {
			err = b.Commit(a.t.Context())
		}
	}
	if err != nil {
		a.t.Fatal(err)
	}
}

// conversation returns the id of a conversation by name.
func (a *archive) conversation(name string) (id int64) {
	a.t.Helper()
	a.write(func(b *store.Batch) (err error) {
		id, _, err = b.Conversation(a.t.Context(), msg.Signal, msg.Conversation{Key: name, Name: name})
		return err
	})
	return id
}

// record makes a message, Ana's unless it begins with "me:".
func (a *archive) record(conversation int64, at time.Time, body string) *store.Record {
	a.next++
	m := msg.Message{Direction: msg.In, Time: msg.Time{Micros: at.UnixMicro(), Known: true, Basis: msg.Instant}, Body: body, Position: msg.Position{Line: int64(a.next)}}
	r := &store.Record{ConversationID: conversation, SenderID: a.an, Sort: at.UnixMicro(), FileID: a.file, ImportID: a.imp, Digest: uint32(a.next)}
	if mine, ok := strings.CutPrefix(body, "me:"); ok {
		m.Body, m.Direction, r.SenderID = mine, msg.Out, a.me
	}
	r.Message, r.Hash = m, msg.Identity(msg.Signal, fmt.Sprint(conversation), &m, a.next)
	return r
}

// say adds messages, each a minute after the one before it.
func (a *archive) say(conversation string, at time.Time, bodies ...string) (first int64) {
	a.t.Helper()
	id := a.conversation(conversation)
	var records []*store.Record
	for i, body := range bodies {
		records = append(records, a.record(id, at.Add(time.Duration(i)*time.Minute), body))
	}
	a.write(func(b *store.Batch) (err error) {
		if first, err = b.Insert(a.t.Context(), records); err != nil {
			return err
		}
		return b.CountConversation(a.t.Context(), id)
	})
	for i := range records {
		a.said = append(a.said, first+int64(i))
	}
	return first
}

// change gives a message another text.
func (a *archive) change(id int64, body string) {
	a.t.Helper()
	m, err := a.r.Message(a.t.Context(), id)
	if err != nil {
		a.t.Fatal(err)
	}
	a.write(func(b *store.Batch) error {
		return b.Update(a.t.Context(), id, a.record(m.ConversationID, time.UnixMicro(m.Sort), body))
	})
}

// lose marks messages missing.
func (a *archive) lose(ids ...int64) {
	a.t.Helper()
	gone := map[int64]bool{}
	for _, id := range ids {
		gone[id] = true
	}
	conversations := map[int64]bool{}
	for _, id := range ids {
		m, err := a.r.Message(a.t.Context(), id)
		if err != nil {
			a.t.Fatal(err)
		}
		conversations[m.ConversationID] = true
	}
	a.write(func(b *store.Batch) error {
		for c := range conversations {
			if _, err := b.Vanish(a.t.Context(), a.file, c, a.imp, func(id int64) bool { return !gone[id] }); err != nil {
				return err
			}
		}
		return nil
	})
}
