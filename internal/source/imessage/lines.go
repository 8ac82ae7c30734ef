package imessage

import (
	"bytes"
	"io"

	"github.com/msgbrowse/msgbrowse/internal/source"
)

// lines reads a file's lines without byte order mark and, in a file whose
// first line ends in a carriage return, without those.
type lines struct {
	in   *source.LineReader
	crlf bool
	now  line
}

// line is one line, or a piece of a very long one.
type line struct {
	source.Line
	// Start is set unless this piece continues the one before it.
	Start bool
}

func newLines(r io.Reader) *lines { return &lines{in: source.NewLineReader(r)} }

// next returns the next line, which is valid until the call after.
func (l *lines) next() (*line, error) {
	start := !l.now.Partial
	raw, err := l.in.Next()
	if err != nil {
		return nil, err
	}
	if raw.Offset == 0 {
		if text, marked := bytes.CutPrefix(raw.Text, []byte("\ufeff")); marked {
			raw.Text = text
			raw.Offset += 3
		}
		l.crlf = bytes.HasSuffix(raw.Text, []byte("\r"))
	}
	if l.crlf && !raw.Partial {
		raw.Text = bytes.TrimSuffix(raw.Text, []byte("\r"))
	}
	l.now = line{raw, start}
	return &l.now, nil
}
