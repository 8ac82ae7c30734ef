package whatsapp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// TestHugeBody: what goes beyond 4 MiB of one message is reported and left
// out, whether it comes in many lines or in one.
func TestHugeBody(t *testing.T) {
	t.Parallel()
	for name, filler := range map[string]string{
		"lines":       strings.Repeat("a line of a very long message é\n", 6<<20/32),
		"one line":    strings.Repeat("é", 5<<20) + "\n",
		"header line": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := "13/01/2024, 09:00 - Ana: begin\n" + filler + "13/01/2024, 09:01 - Ben: after\n"
			if filler == "" {
				text = "13/01/2024, 09:00 - Ana: " + strings.Repeat("é", 5<<20) + "\n13/01/2024, 09:01 - Ben: after\n"
			}
			got := readChatFile(t, clubFile, text)
			messages := got.Messages()
			if len(messages) != 2 || messages[1].Body != "after" {
				t.Fatalf("%d messages", len(messages))
			}
			body := messages[0].Body
			if len(body) > maxBody || len(body) < maxBody-4 || !utf8.ValidString(body) {
				t.Errorf("body of %d bytes, valid %t", len(body), utf8.ValidString(body))
			}
			if len(got.Skipped) != 1 {
				t.Fatalf("%d skips, want 1", len(got.Skipped))
			}
			at := got.Skipped[0].Position.Offset
			if rest := text[at:]; !strings.HasPrefix(text[strings.Index(text, ": ")+2:], body[:16]) || !utf8.RuneStart(rest[0]) {
				t.Errorf("skip at %d", at)
			}
			if kept := strings.Index(text, body[len(body)-40:]); text[at-4:at] != body[len(body)-4:] && kept < 0 {
				t.Errorf("the rest does not follow what was kept")
			}
		})
	}
}

// TestPieceOfLine: an endless line comes in pieces; one that begins like a
// header begins no message and makes nobody a member.
func TestPieceOfLine(t *testing.T) {
	t.Parallel()
	head, inner := "13/01/2024, 09:00 - Ana: ", "13/01/2024, 09:00 - Carl: x"
	text := head + strings.Repeat("x", source.MaxLine-len(head)) + inner + "\n13/01/2024, 09:01 - Ben: after\n"
	got := readChatFile(t, clubFile, text)
	if len(got.Messages()) != 2 || got.Conversations[0].Kind != msg.Direct {
		t.Errorf("%d messages in a %s chat, want 2 in a direct one", len(got.Messages()), got.Conversations[0].Kind)
	}
}

// TestBlankLines: blank lines stand in a message but not after the last one.
func TestBlankLines(t *testing.T) {
	t.Parallel()
	got := readChatFile(t, clubFile, "\n13/01/2024, 09:00 - Ana: one\n\ntwo\n13/01/2024, 09:01 - Ben: three\n\n\n")
	if messages := got.Messages(); len(messages) != 2 || messages[0].Body != "one\n\ntwo" || messages[1].Body != "three" || len(got.Skipped) != 0 {
		t.Errorf("read %q, skipped %v", outline(got), got.Skipped)
	}
}

// TestManySenders: a file with more senders than can be remembered is read
// all the same, as a group.
func TestManySenders(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	const n = maxSenders + 100
	for i := range n {
		text.WriteString("13/01/2024, 09:00 - Member ")
		text.WriteString(strings.Repeat("x", i%7))
		text.WriteString(time.Unix(int64(i), 0).UTC().Format("15.04.05"))
		text.WriteString(": hi\n")
	}
	got := readChatFile(t, clubFile, text.String())
	last := got.Messages()[n-1]
	if len(got.Messages()) != n || !strings.HasPrefix(last.Sender.ID, "Member ") || last.Direction != msg.In {
		t.Errorf("%d messages, the last by %+v", len(got.Messages()), last.Sender)
	}
	if got.Conversations[0].Kind != msg.Group {
		t.Error("the chat is no group")
	}
}

// failingFile returns an error after its text.
type failingFile struct {
	io.Reader
	size int64
}

func (f failingFile) Close() error               { return nil }
func (f failingFile) Stat() (fs.FileInfo, error) { return fileInfo(f.size), nil }

type fileInfo int64

func (i fileInfo) Name() string       { return clubFile }
func (i fileInfo) Size() int64        { return int64(i) }
func (i fileInfo) Mode() fs.FileMode  { return 0o444 }
func (i fileInfo) ModTime() time.Time { return time.Time{} }
func (i fileInfo) IsDir() bool        { return false }
func (i fileInfo) Sys() any           { return nil }

type failingFS struct {
	text string
	err  error
}

func (f failingFS) Open(string) (fs.File, error) {
	return failingFile{io.MultiReader(strings.NewReader(f.text), errorReader{f.err}), int64(len(f.text))}, nil
}

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }

// counting counts what a sink is given and notes the order of calls.
type counting struct{ calls []string }

func (c *counting) Begin(msg.Conversation) error { c.calls = append(c.calls, "begin"); return nil }
func (c *counting) Message(m *msg.Message) error { c.calls = append(c.calls, m.Body); return nil }
func (c *counting) End(msg.Conversation) error   { c.calls = append(c.calls, "end"); return nil }
func (c *counting) Skip(source.Skipped)          { c.calls = append(c.calls, "skip") }
func (c *counting) Note(string)                  {}

// TestReadError: what was read before an error is handed over, and the error
// comes back.
func TestReadError(t *testing.T) {
	t.Parallel()
	broken := errors.New("device gone")
	for _, tt := range []struct {
		name, text string
		source     source.Source
		want       string
	}{
		{"text", "13/01/2024, 09:00 - Ana: one\n13/01/2024, 09:01 - Ben: two\nand more\n", ChatText{}, "begin one two\nand more end"},
		{"json", `{"1@s.whatsapp.net":{"name":"A","messages":{"1":{"from_me":true,"timestamp":1,"key_id":"K","data":"one"},"2":{"from`, ChatExporter{}, "begin one end"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var sink counting
			c := source.Candidate{FS: failingFS{tt.text, broken}, Path: clubFile, Size: int64(len(tt.text)), Head: []byte(tt.text)}
			err := tt.source.Read(t.Context(), c, source.Recognition{Root: "."}, source.Options{}, &sink)
			if !errors.Is(err, broken) || strings.Join(sink.calls, " ") != tt.want {
				t.Errorf("error %v after %q, want %q", err, sink.calls, tt.want)
			}
		})
	}
}

func TestOpenError(t *testing.T) {
	t.Parallel()
	for _, s := range []source.Source{ChatText{}, ChatExporter{}} {
		c := source.Candidate{FS: sourcetest.FixtureFS(nil), Path: "gone", Size: 1 << 20,
			Head: []byte("13/01/2024, 09:00 - Ana: x\n")}
		if err := s.Read(context.Background(), c, source.Recognition{}, source.Options{}, &counting{}); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%T: error %v, want one of a missing file", s, err)
		}
	}
}

// TestEmptyFiles: no header, no conversation, and no text lost without a word.
func TestEmptyFiles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "\n\n": "", "just words\nand more\n": "skip"} {
		var sink counting
		c, err := sourcetest.Candidate(sourcetest.FixtureFS(map[string]string{clubFile: text}), clubFile, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := (ChatText{}).Read(t.Context(), c, source.Recognition{}, source.Options{}, &sink); err != nil || strings.Join(sink.calls, " ") != want {
			t.Errorf("%q: error %v, calls %q, want %q", text, err, sink.calls, want)
		}
	}
}

// TestWideText: UTF-16 with a byte order mark is read like UTF-8, without
// offsets that would be wrong.
func TestWideText(t *testing.T) {
	t.Parallel()
	var wide bytes.Buffer
	wide.WriteString("\xff\xfe")
	for _, r := range "13/01/2024, 09:00 - Zoë: hé\r\n13/01/2024, 09:01 - Ben: two\r\n" {
		wide.Write([]byte{byte(r), byte(r >> 8)})
	}
	got := readChatFile(t, clubFile, wide.String())
	messages := got.Messages()
	if len(messages) != 2 || messages[0].Sender.ID != "Zoë" || messages[0].Body != "hé" || len(got.Skipped) > 0 {
		t.Fatalf("read %q", outline(got))
	}
	if at := messages[1].Position; at.Offset != 0 || at.Line != 2 {
		t.Errorf("position %+v, want line 2 and no offset", at)
	}
}
