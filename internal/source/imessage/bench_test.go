package imessage

import (
	"bytes"
	"context"
	"testing"
	"testing/fstest"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// nothing is a sink that only counts.
type nothing struct{ messages int }

func (n *nothing) Begin(msg.Conversation) error { return nil }
func (n *nothing) Message(*msg.Message) error   { n.messages++; return nil }
func (n *nothing) End(msg.Conversation) error   { return nil }
func (n *nothing) Skip(source.Skipped)          {}
func (n *nothing) Note(string)                  {}

// BenchmarkRead reads an export of 16 MiB. The budget is 60 MB/s or better,
// both readings of the file included, and two allocations a message.
func BenchmarkRead(b *testing.B) {
	var export bytes.Buffer
	if err := writeLong(&export, 16<<20); err != nil {
		b.Fatal(err)
	}
	const file = "Maya Okafor.txt"
	fsys := fstest.MapFS{file: {Data: export.Bytes()}, "attachments/12/1.jpeg": {Data: []byte("x")}}
	c := source.Candidate{FS: fsys, Path: file, Size: int64(export.Len())}
	b.SetBytes(c.Size)
	b.ReportAllocs()
	messages := 0
	for b.Loop() {
		sink := &nothing{}
		if err := (Text{}).Read(context.Background(), c, source.Recognition{}, source.Options{}, sink); err != nil {
			b.Fatal(err)
		}
		messages = sink.messages
	}
	b.ReportMetric(float64(messages), "messages")
}
