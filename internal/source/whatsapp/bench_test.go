package whatsapp

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// discard is a sink that keeps nothing.
type discard struct{ messages int }

func (d *discard) Begin(msg.Conversation) error { return nil }
func (d *discard) Message(*msg.Message) error   { d.messages++; return nil }
func (d *discard) End(msg.Conversation) error   { return nil }
func (d *discard) Skip(source.Skipped)          {}
func (d *discard) Note(string)                  {}

func benchChat(n int, ios bool) string {
	var b strings.Builder
	names := []string{"Ana Prado", "Bruno", "+49 151 0000 0001", "Zoë 🌱"}
	texts := []string{"ok", "Shall we meet at the station at nine? I can bring the keys and the papers.",
		"J’arrive à 20h, garde-moi une place ❤️", "Long one\nwith a second line\nand a third: the end", "lol", "See https://example.org/a/b?c=d for the plan (page 4)"}
	for i := range n {
		minute := i * 3
		day, h, m := minute/1440, minute/60%24, minute%60
		if ios {
			fmt.Fprintf(&b, "[%02d/%02d/%d, %02d:%02d:%02d] %s: %s\r\n", day%28+1, day/28%12+1, 2015+day/336, h, m, i%60, names[i%len(names)], texts[i%len(texts)])
		} else {
			fmt.Fprintf(&b, "%02d/%02d/%d, %02d:%02d - %s: %s\n", day%28+1, day/28%12+1, 2015+day/336, h, m, names[i%len(names)], texts[i%len(texts)])
		}
	}
	return b.String()
}

func BenchmarkChatText(b *testing.B) {
	for _, ios := range []bool{true, false} {
		name := "android"
		if ios {
			name = "iphone"
		}
		b.Run(name, func(b *testing.B) {
			text := benchChat(100000, ios)
			c, err := sourcetest.Candidate(sourcetest.FixtureFS(map[string]string{"_chat.txt": text}), "_chat.txt", "WhatsApp Chat - Club.zip")
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				var d discard
				if err := (ChatText{}).Read(context.Background(), c, source.Recognition{Root: "."}, source.Options{}, &d); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
