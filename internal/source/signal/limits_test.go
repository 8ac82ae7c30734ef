package signal

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// TestLongText reads texts beyond the bound: the beginning is handed over,
// the rest reported, and the next message found.
func TestLongText(t *testing.T) {
	t.Parallel()
	const first = "[2024-01-01 12:00:00] Me: short  \n\n"
	const last = "[2024-01-03 12:00:00] Aya: after  \n\n"
	for name, text := range map[string]string{
		"one line":       strings.Repeat("é", 3*maxBody),
		"many lines":     strings.Repeat("one line of many\n", maxBody/8),
		"brackets":       strings.Repeat("\n[", 3*maxBody),
		"nearly headers": strings.Repeat("\n\n[2024-01-02 12:00:00] no, ", maxBody/8),
		"not UTF-8":      strings.Repeat("\x80", 2*maxBody),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := first + "[2024-01-02 12:00:00] Aya: " + text + "  \n\n" + last
			result := readText(t, "Aya", file)
			all := result.Messages()
			if len(all) != 3 || all[2].Body != "after" {
				t.Fatalf("%d messages, want 3", len(all))
			}
			body := all[1].Body
			if len(body) > maxBody || len(body) < maxBody-utf8.UTFMax || !strings.HasPrefix(text, body) {
				t.Errorf("text of %d bytes, want the first %d", len(body), maxBody)
			}
			if utf8.ValidString(text) && !utf8.ValidString(body) {
				t.Error("text is cut inside a character")
			}
			if len(result.Skipped) != 1 || result.Skipped[0].Position.Offset != int64(len(first)+len("[2024-01-02 12:00:00] Aya: ")+maxBody) {
				t.Errorf("skipped %+v", result.Skipped)
			}
			line := int64(1 + strings.Count(file[:strings.LastIndex(file, last)], "\n"))
			if all[2].Position.Line != line || all[2].Position.Offset != int64(len(file)-len(last)) {
				t.Errorf("message after it at %+v, want line %d", all[2].Position, line)
			}
		})
	}
}

// TestLongLast is a text beyond the bound at the end of a file.
func TestLongLast(t *testing.T) {
	t.Parallel()
	result := readText(t, "Aya", "[2024-01-02 12:00:00] Aya: "+strings.Repeat("x", 3*maxBody))
	if all := result.Messages(); len(all) != 1 || len(all[0].Body) != maxBody || len(result.Skipped) != 1 {
		t.Errorf("%d messages, skipped %+v", len(all), result.Skipped)
	}
}

// TestLongLine is a line of data.json beyond what is held at once.
func TestLongLine(t *testing.T) {
	t.Parallel()
	const row = `{"date":"2024-01-02T12:00:00.5","sender":"Aya","body":"hi","quote":"","sticker":null,"reactions":[],"attachments":[]}` + "\n"
	const file = "export/Aya/data.json"
	for name, text := range map[string]string{
		"in the middle": row + strings.Replace(row, "hi", strings.Repeat("x", 3*source.MaxLine), 1) + row,
		"at the end":    row + row + strings.Repeat(" ", 2*source.MaxLine),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := sourcetest.Read(t, Lines{}, sourcetest.Fixture{Files: map[string]string{file: text}, Path: file})
			if len(result.Messages()) != 2 || len(result.Skipped) != 1 || result.Skipped[0].Reason != "line longer than 4 MiB" {
				t.Errorf("%d messages, skipped %+v", len(result.Messages()), result.Skipped)
			}
		})
	}
}

// TestManyAttachments: a text that is nothing but attachments keeps what is
// beyond the bound as text.
func TestManyAttachments(t *testing.T) {
	t.Parallel()
	result := readText(t, "Aya", "[2024-01-02 12:00:00] Aya:   "+strings.Repeat("[a](./media/a)  ", 3*maxLinks)+"\n\n")
	m := result.Messages()[0]
	if len(m.Attachments) != maxLinks || strings.Count(m.Body, "[a]") != 2*maxLinks {
		t.Errorf("%d attachments and %d bytes of text", len(m.Attachments), len(m.Body))
	}
}

// brokenFS holds one file that fails in the middle of a reading.
type brokenFS struct {
	fstest.MapFS
	name string
	err  error
}

type brokenFile struct {
	fs.File
	r io.Reader
}

func (f brokenFile) Read(p []byte) (int, error) { return f.r.Read(p) }

func (b brokenFS) Open(name string) (fs.File, error) {
	f, err := b.MapFS.Open(name)
	if err != nil || name != b.name {
		return f, err
	}
	return brokenFile{f, io.MultiReader(f, iotest.ErrReader(b.err))}, nil
}

// TestBrokenFile: what was read before a disk fails is handed over, and the
// conversation is closed.
func TestBrokenFile(t *testing.T) {
	t.Parallel()
	failure := errors.New("input/output error")
	for name, tc := range map[string]struct {
		source            source.Source
		file, text        string
		messages, skipped int
	}{
		"transcript":         {Markdown{}, "export/Aya/chat.md", daily(4, nil), 3, 1},
		"long transcript":    {Markdown{}, "export/Aya/chat.md", daily(4, nil) + strings.Repeat(" ", 2*bufferSize), 3, 1},
		"data":               {Lines{}, "export/Aya/data.json", oneRow + oneRow, 2, 0},
		"data inside a line": {Lines{}, "export/Aya/data.json", oneRow + oneRow[:40], 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fsys := brokenFS{fstest.MapFS{tc.file: {Data: []byte(tc.text)}}, tc.file, failure}
			var sink closingSink
			c := source.Candidate{FS: fsys, Path: tc.file, Size: int64(len(tc.text))}
			err := tc.source.Read(t.Context(), c, source.Recognition{}, source.Options{}, &sink)
			if !errors.Is(err, failure) || sink.messages != tc.messages || sink.skipped != tc.skipped || !sink.ended {
				t.Errorf("error %v after %d messages and %d skipped, ended %t", err, sink.messages, sink.skipped, sink.ended)
			}
		})
	}
}

type closingSink struct {
	countingSink
	ended bool
}

func (s *closingSink) End(msg.Conversation) error {
	s.ended = true
	return nil
}
