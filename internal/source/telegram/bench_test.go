package telegram_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
	"github.com/msgbrowse/msgbrowse/internal/source/telegram"
)

// BenchmarkRead reads an account's export. The budget is 60 MB/s on one core
// of a small machine, so that a gigabyte takes well under half a minute.
func BenchmarkRead(b *testing.B) {
	var text bytes.Buffer
	if err := writeExport(&text, 16<<20); err != nil {
		b.Fatal(err)
	}
	fsys := sourcetest.FixtureFS(map[string]string{"result.json": text.String()})
	c, err := sourcetest.Candidate(fsys, "result.json", "folder")
	if err != nil {
		b.Fatal(err)
	}
	rn, err := telegram.JSON{}.Recognize(b.Context(), c)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(c.Size)
	b.ReportAllocs()
	for b.Loop() {
		if err := (telegram.JSON{}).Read(context.Background(), c, rn, source.Options{}, discard{}); err != nil {
			b.Fatal(err)
		}
	}
}

// discard is a sink that wants nothing.
type discard struct{}

func (discard) Begin(msg.Conversation) error { return nil }
func (discard) Message(*msg.Message) error   { return nil }
func (discard) End(msg.Conversation) error   { return nil }
func (discard) Skip(source.Skipped)          {}
func (discard) Note(string)                  {}
