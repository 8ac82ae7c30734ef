package signal

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"testing"
	"testing/fstest"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// countingSink counts what it is given.
type countingSink struct{ messages, suspects, skipped int }

func (s *countingSink) Begin(msg.Conversation) error { return nil }
func (s *countingSink) End(msg.Conversation) error   { return nil }
func (s *countingSink) Skip(source.Skipped)          { s.skipped++ }
func (s *countingSink) Note(string)                  {}
func (s *countingSink) Message(m *msg.Message) error {
	s.messages++
	if m.Suspect != "" {
		s.suspects++
	}
	return nil
}

// benchmarkTranscript has the shape of a real one: short texts, now and then
// a link, a second line, a reaction, an image.
func benchmarkTranscript(messages int) []byte {
	var b bytes.Buffer
	at := time.Date(2021, 3, 1, 8, 0, 0, 0, time.UTC)
	for i := range messages {
		at = at.Add(time.Duration(7+i%977) * time.Second)
		sender, addition := "Aya", ""
		if i%2 == 1 {
			sender = "Me"
		}
		switch i % 40 {
		case 3:
			addition = "\n(- Me: 👍 -)"
		case 9:
			addition = fmt.Sprintf("![img_%d.jpg](./media/img_%d.jpg)  ", i, i)
		case 17:
			addition = fmt.Sprintf("\nand a second line of it, number %d  ", i)
		}
		fmt.Fprintf(&b, "[%s] %s: shall we meet at the station around half past, or is number %d too late for you  %s\n\n",
			at.Format("2006-01-02 15:04:05"), sender, i, addition)
	}
	return b.Bytes()
}

// BenchmarkMarkdown reads a transcript from memory. Budget on one core of a
// two-core machine: 150 MB/s or a million messages a second.
func BenchmarkMarkdown(b *testing.B) {
	text := benchmarkTranscript(50_000)
	fsys := fstest.MapFS{"Aya/chat.md": {Data: text}}
	benchmarkRead(b, Markdown{}, fsys, []string{"Aya/chat.md"})
}

// BenchmarkLines reads the same messages as data.json. Budget: 100,000
// messages a second.
func BenchmarkLines(b *testing.B) {
	var text bytes.Buffer
	at := time.Date(2021, 3, 1, 8, 0, 0, 0, time.UTC)
	for i := range 20_000 {
		at = at.Add(time.Duration(7001+i%977) * time.Millisecond)
		fmt.Fprintf(&text, `{"date": "%s", "sender": "Aya", "body": "shall we meet at the station around half past, or is number %d too late  ", `+
			`"quote": "", "sticker": null, "reactions": [], "attachments": [], "deleted": false, "call": false, "missed": false}`+"\n",
			at.Format("2006-01-02T15:04:05.000000"), i)
	}
	fsys := fstest.MapFS{"Aya/data.json": {Data: text.Bytes()}}
	benchmarkRead(b, Lines{}, fsys, []string{"Aya/data.json"})
}

// BenchmarkArchive reads every transcript of the export in the folder that
// MSGBROWSE_SIGNAL_ARCHIVE names.
func BenchmarkArchive(b *testing.B) {
	dir := os.Getenv("MSGBROWSE_SIGNAL_ARCHIVE")
	if dir == "" {
		b.Skip("MSGBROWSE_SIGNAL_ARCHIVE names no folder")
	}
	fsys := os.DirFS(dir)
	var files []string
	err := fs.WalkDir(fsys, ".", func(name string, _ fs.DirEntry, err error) error {
		if path.Base(name) == transcriptName {
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	benchmarkRead(b, Markdown{}, fsys, files)
}

func benchmarkRead(b *testing.B, s source.Source, fsys fs.FS, files []string) {
	var candidates []source.Candidate
	var size int64
	for _, f := range files {
		c, err := sourcetest.Candidate(fsys, f, "export")
		if err != nil {
			b.Fatal(err)
		}
		candidates = append(candidates, c)
		size += c.Size
	}
	b.SetBytes(size)
	b.ReportAllocs()
	var sink countingSink
	for b.Loop() {
		sink = countingSink{}
		for _, c := range candidates {
			if err := s.Read(b.Context(), c, source.Recognition{}, source.Options{}, &sink); err != nil {
				b.Fatal(err)
			}
		}
	}
	if sink.messages == 0 || sink.suspects > 0 || sink.skipped > 0 {
		b.Fatalf("%d messages, %d suspects, %d skipped", sink.messages, sink.suspects, sink.skipped)
	}
	b.ReportMetric(float64(sink.messages)*float64(b.N)/b.Elapsed().Seconds(), "messages/s")
	b.ReportMetric(float64(sink.messages), "messages")
}
