package whatsapp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// writeChat writes an Android export of about size bytes: a group's life with
// captions, texts of several lines and notices. One text in fifteen is padding
// bytes longer.
func writeChat(w io.Writer, size, padding int) error {
	b := bufio.NewWriter(w)
	texts := [...]string{
		"ok", "see you at the bridge", "a longer one\nwith a second line\n\nand a last one: done",
		"J’arrive à 20h ❤️", "lol", "who brings the keys (and the map)?", "I do.", "https://example.org/a?b=c#d",
		"thanks", "that is what I thought as well, but we shall see on Sunday", "<Media omitted>", "PTT-20150102-WA0003.opus (file attached)\nlisten to this",
		"that was wrong <This message was edited>", "This message was deleted",
		"IMG (not attached)" + strings.Repeat(" and so on", padding/10),
	}
	names := [...]string{"Ana Prado", "Ben Okafor", "+49 151 0000 0001", "Zoë 🌱"}
	written := 0
	for i := 0; written < size; i++ {
		minute := i * 7
		day := minute / 1440
		head := fmt.Sprintf("%02d/%02d/%d, %02d:%02d - ", day%28+1, day/28%12+1, 2014+day/336, minute/60%24, minute%60)
		line := fmt.Sprintf("%s%s: %s\n", head, names[i%len(names)], texts[i%len(texts)])
		if i%50 == 0 {
			line = fmt.Sprintf("%sAna Prado added +49 151 0000 %04d\n", head, i/50%10000)
		}
		n, err := b.WriteString(line)
		if err != nil {
			return err
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

// writeExport writes a result.json of about size bytes with texts of padding
// bytes, an album of media and answers.
func writeExport(w io.Writer, size, padding int) error {
	b := bufio.NewWriter(w)
	text := strings.Repeat("and so on ", padding/10)
	const chat = `"%s":{"name":"%s","type":"android","my_avatar":null,"media_base":"","messages":{`
	written, err := fmt.Fprintf(b, "{"+chat, "4915100000001@s.whatsapp.net", "Ana Prado")
	for i := 0; written < size && err == nil; i++ {
		before := ",\n"
		switch {
		case i == 0:
			before = ""
		case i%2000 == 0:
			before = "}},\n" + fmt.Sprintf(chat, fmt.Sprintf("12036300000000%04d@g.us", i/2000), "Club")
		}
		var n int
		n, err = fmt.Fprintf(b, `%s"%d":{"from_me":%t,"timestamp":%d,"media":false,"key_id":"KEY%d","meta":false,"data":"text %d %s","sender":null,"reply":"KEY%d","quoted_data":"text","reactions":{"You":"👍"}}`,
			before, i, i%3 == 0, 1500000000+i*60, i, i, text, i/2)
		written += n
	}
	if err != nil {
		return err
	}
	b.WriteString("}}}\n")
	return b.Flush()
}

func TestChatExporterConformance(t *testing.T) {
	fixtures := sortedFixtures(exportFixtures(t))
	for i := range fixtures {
		fixtures[i].SelfDelimiting = true
		fixtures[i].Traversal = func(ref string) string {
			quoted, err := json.Marshal(ref)
			if err != nil {
				t.Fatal(err)
			}
			return `{"1@s.whatsapp.net":{"name":"A","media_base":"/","messages":{"1":{"from_me":true,"timestamp":1,"key_id":"K","media":true,"data":` + string(quoted) + `}}}}`
		}
	}
	var text strings.Builder
	if err := writeExport(&text, 250<<10, 1000); err != nil {
		t.Fatal(err)
	}
	fixtures = append(fixtures, sourcetest.Fixture{
		Name:           "large",
		Files:          map[string]string{"result.json": text.String()},
		Path:           "result.json",
		Container:      "result",
		SelfDelimiting: true,
		Large:          func(w io.Writer) error { return writeExport(w, sourcetest.LargeSize, 1000) },
	})
	sourcetest.Run(t, ChatExporter{}, fixtures)
}
