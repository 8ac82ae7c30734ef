package source

import (
	"bufio"
	"errors"
	"io"
)

// MaxLine is the longest line LineReader hands out whole. A longer one comes
// in pieces of this size, all but the last with Partial set.
const MaxLine = 4 << 20

// LineReader reads lines of any length in bounded memory and knows where each
// one stands.
type LineReader struct {
	r    *bufio.Reader
	next int64
	line int64
	open bool
	long []byte
}

// Line is one line of a file. Text is valid until the next call of Next.
type Line struct {
	// Text is the line without its line feed; a carriage return stays.
	Text []byte
	// Number is 1-based, Offset the byte offset of Text in the file.
	Number, Offset int64
	// Partial is set when the line goes on in the next piece.
	Partial bool
}

// NewLineReader reads lines from r.
func NewLineReader(r io.Reader) *LineReader {
	return &LineReader{r: bufio.NewReaderSize(r, 256<<10)}
}

// Next returns the next line, or io.EOF after the last one. A last line
// without line feed is a line.
func (l *LineReader) Next() (Line, error) {
	if !l.open {
		l.line++
	}
	at := l.next
	text, err := l.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		text, err = l.readLong(text)
	}
	l.next += int64(len(text))
	partial := errors.Is(err, bufio.ErrBufferFull)
	if err != nil && !partial && (err != io.EOF || len(text) == 0) {
		return Line{}, err
	}
	l.open = partial
	if n := len(text); n > 0 && text[n-1] == '\n' {
		text = text[:n-1]
	}
	return Line{Text: text, Number: l.line, Offset: at, Partial: partial}, nil
}

func (l *LineReader) readLong(first []byte) ([]byte, error) {
	l.long = append(l.long[:0], first...)
	for {
		part, err := l.r.ReadSlice('\n')
		l.long = append(l.long, part...)
		if !errors.Is(err, bufio.ErrBufferFull) || len(l.long) >= MaxLine {
			return l.long, err
		}
	}
}
