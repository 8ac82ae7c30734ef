package whatsapp

import (
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// discard is a sink that keeps nothing.
type discard struct{}

func (discard) Begin(msg.Conversation) error { return nil }
func (discard) Message(*msg.Message) error   { return nil }
func (discard) End(msg.Conversation) error   { return nil }
func (discard) Skip(source.Skipped)          {}
func (discard) Note(string)                  {}

// BenchmarkChatText has a budget of 60 MB a second on one core, both passes
// included.
func BenchmarkChatText(b *testing.B) {
	var android strings.Builder
	if err := writeChat(&android, 8<<20, 300); err != nil {
		b.Fatal(err)
	}
	iphone := iphoneChat(android.String())
	for name, text := range map[string]string{"android": android.String(), "iphone": iphone} {
		b.Run(name, func(b *testing.B) { benchmark(b, ChatText{}, "_chat.txt", text) })
	}
}

// iphoneChat rewrites an Android export in the way of iPhones.
func iphoneChat(android string) string {
	var b strings.Builder
	for line := range strings.Lines(android) {
		if head, text, ok := strings.Cut(line, " - "); ok && len(head) == len("01/01/2014, 00:00") {
			b.WriteString("[" + head + ":07] " + strings.TrimSuffix(text, "\n") + "\r\n")
		} else {
			b.WriteString(line)
		}
	}
	return b.String()
}

func BenchmarkChatExporter(b *testing.B) {
	var text strings.Builder
	if err := writeExport(&text, 8<<20, 80); err != nil {
		b.Fatal(err)
	}
	benchmark(b, ChatExporter{}, "result.json", text.String())
}

func benchmark(b *testing.B, s source.Source, path, text string) {
	c, err := sourcetest.Candidate(sourcetest.FixtureFS(map[string]string{path: text}), path, "WhatsApp Chat - Club.zip")
	if err != nil {
		b.Fatal(err)
	}
	r, err := s.Recognize(b.Context(), c)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Read(b.Context(), c, r, source.Options{}, discard{}); err != nil {
			b.Fatal(err)
		}
	}
}
