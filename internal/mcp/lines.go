package mcp

import (
	"bufio"
	"errors"
	"io"
)

// peekBytes is how much of an oversized line is kept, enough to find its id.
const peekBytes = 4 << 10

// lineReader cuts a stream into lines in bounded memory.
type lineReader struct {
	in   *bufio.Reader
	line []byte
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(r, 64<<10)}
}

// next returns the next line without its line feed; the bytes are valid until
// the next call. Of a line longer than MaxMessageBytes only the first
// peekBytes come back and tooLong is set. A last line without line feed is a
// line. The error is the reader's, and no line comes with it.
func (l *lineReader) next() (line []byte, tooLong bool, err error) {
	l.line = l.line[:0]
	read := 0
	for {
		part, err := l.in.ReadSlice('\n')
		read += len(part)
		if !tooLong {
			l.line = append(l.line, part...)
		}
		if read > MaxMessageBytes+1 && !tooLong {
			tooLong = true
			l.line = append([]byte(nil), l.line[:peekBytes]...) // lets go of the large buffer
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && read == 0:
			return nil, false, err
		default:
			return trimLineFeed(l.line), tooLong, nil
		}
	}
}

func trimLineFeed(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		return line[:n-1]
	}
	return line
}
