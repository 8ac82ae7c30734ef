package whatsapp

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// writeChat writes an Android export of about size bytes: a group's life with
// captions, texts of several lines and notices. Every ninth text is padding
// bytes longer.
func writeChat(w io.Writer, size, padding int) error {
	b := bufio.NewWriter(w)
	texts := [...]string{
		"ok", "see you at the bridge", "a longer one\nwith a second line\n\nand a last one: done",
		"J’arrive à 20h ❤️", "<Media omitted>", "PTT-20150102-WA0003.opus (file attached)\nlisten to this",
		"that was wrong <This message was edited>", "This message was deleted",
		"IMG (not attached)" + strings.Repeat(" and so on", padding/10),
	}
	names := [...]string{"Ana Prado", "Ben Okafor", "+49 151 0000 0001", "Zoë 🌱"}
	written := 0
	for i := 0; written < size; i++ {
		minute := i * 7
		day := minute / 1440
		head := fmt.Sprintf("%02d/%02d/%d, %02d:%02d - ", day%28+1, day/28%12+1, 2014+day/336, minute/60%24, minute%60)
		var n int
		if i%50 == 0 {
			n, _ = fmt.Fprintf(b, "%sAna Prado added +49 151 0000 %04d\n", head, i/50%10000)
		} else {
			n, _ = fmt.Fprintf(b, "%s%s: %s\n", head, names[i%len(names)], texts[i%len(texts)])
		}
		written += n
	}
	return b.Flush()
}

func TestChatTextConformance(t *testing.T) {
	fixtures := sortedFixtures(chatFixtures(t))
	for i := range fixtures {
		switch f := &fixtures[i]; f.Name {
		case "iphone-en-group":
			f.Traversal = func(ref string) string {
				return "[1/13/24, 9:00:00 AM] Ana: hi\r\n" + lrm + "[1/13/24, 9:01:00 AM] Ana: " + lrm + "<attached: " + ref + ">\r\n"
			}
		case "top-lines":
			f.BodyIn = func(m *msg.Message, record string) bool {
				readable, _, _ := strings.Cut(m.Body, "\ufffd")
				return strings.Contains(record, readable)
			}
		case "android-de-direct":
			f.Traversal = func(ref string) string {
				return "13.01.24, 09:00 - Ana: hi\n13.01.24, 09:01 - Ana: " + ref + " (Datei angehängt)\n"
			}
		}
	}
	var text strings.Builder
	if err := writeChat(&text, 250<<10, 0); err != nil {
		t.Fatal(err)
	}
	path := "WhatsApp Chat with Trail Club.txt"
	fixtures = append(fixtures, sourcetest.Fixture{
		Name:  "large",
		Files: map[string]string{path: text.String()},
		Path:  path, Container: "Download",
		Large: func(w io.Writer) error { return writeChat(w, sourcetest.LargeSize, 4000) },
	})
	sourcetest.Run(t, ChatText{}, fixtures)
}
