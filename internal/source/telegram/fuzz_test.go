package telegram_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
	"github.com/msgbrowse/msgbrowse/internal/source/telegram"
)

// FuzzRead reads any bytes as an export and holds the reader to what is true
// of every file: no panic, calls in turn, records in order and each of them
// where it is said to be.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"single", "saved", "old"} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(traversal("../x")))
	f.Add([]byte(`{"type":"saved_messages","id":1,"messages":[{"id":1,"type":"message","text":["a",{"type":"text_link","text":"\x0B","href":"b"}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		fsys := sourcetest.FixtureFS(map[string]string{"result.json": string(text)})
		c, err := sourcetest.Candidate(fsys, "result.json", "folder")
		if err != nil {
			t.Fatal(err)
		}
		rn, err := telegram.JSON{}.Recognize(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		sink := &orderly{t: t, text: text}
		err = telegram.JSON{}.Read(context.Background(), c, rn, source.Options{}, sink)
		if err == nil && sink.open {
			t.Error("a conversation was not ended")
		}
		if errors.Is(err, context.Canceled) {
			t.Error("cancelled by nobody")
		}
	})
}

// orderly is a sink that checks what FuzzRead promises.
type orderly struct {
	t    *testing.T
	text []byte
	open bool
	last int64
}

func (o *orderly) Begin(c msg.Conversation) error {
	if o.open || c.Key == "" || c.Name == "" {
		o.t.Errorf("begin of %+v, open %t", c, o.open)
	}
	o.open = true
	return nil
}

func (o *orderly) Message(m *msg.Message) error {
	if !o.open {
		o.t.Error("message outside a conversation")
	}
	at := m.Position.Offset
	if at <= o.last || at >= int64(len(o.text)) || o.text[at] != '{' {
		o.t.Errorf("message at %d behind one at %d is no record", at, o.last)
	}
	o.last = at
	return nil
}

func (o *orderly) End(msg.Conversation) error {
	if !o.open {
		o.t.Error("end without begin")
	}
	o.open = false
	return nil
}

func (o *orderly) Skip(s source.Skipped) {
	if s.Reason == "" || len(s.Excerpt) > source.ExcerptSize {
		o.t.Errorf("skip %+v", s)
	}
}

func (*orderly) Note(string) {}
