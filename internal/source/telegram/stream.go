package telegram

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// bufferSize is how much of a file is held at a time.
const bufferSize = 128 << 10

// maxRecord bounds a message's JSON. Telegram's own limit for a text is 4096
// characters, so a longer record is damage or an attack.
const maxRecord = 4 << 20

// errTooLong is returned by stream.raw for a value above its limit. The
// stream then stands behind that value.
var errTooLong = errors.New("record is longer than any message can be")

// stream walks a JSON text of any size in bounded memory and knows where it
// stands. It checks no more of the grammar than walking needs: what is inside
// a value is the business of whoever takes the value.
type stream struct {
	ctx context.Context
	in  io.Reader
	err error // why in gave no more
	// buf[pos:] is what has been read and not yet walked over.
	buf []byte
	pos int
	// base is the file offset of buf[0]; lines counts the line feeds before
	// buf[counted].
	base    int64
	lines   int64
	counted int
}

func newStream(ctx context.Context, in io.Reader) *stream {
	s := &stream{ctx: ctx, in: in, buf: make([]byte, 0, bufferSize)}
	for len(s.buf) < 3 && s.fill() {
	}
	if bytes.HasPrefix(s.buf, []byte("\ufeff")) {
		s.pos = 3
	}
	return s
}

// offset is the file offset of the next byte, line its 1-based line.
func (s *stream) offset() int64 { return s.base + int64(s.pos) }

func (s *stream) line() int64 {
	s.count(s.pos)
	return s.lines + 1
}

func (s *stream) count(to int) {
	if to > s.counted {
		s.lines += int64(bytes.Count(s.buf[s.counted:to], []byte{'\n'}))
		s.counted = to
	}
}

// drop forgets what has been walked over.
func (s *stream) drop() {
	s.count(s.pos)
	n := copy(s.buf, s.buf[s.pos:])
	s.buf = s.buf[:n]
	s.base += int64(s.pos)
	s.pos, s.counted = 0, 0
}

// fill reads more behind what is held, making room as needed, and reports
// whether there was more.
func (s *stream) fill() bool {
	if s.err != nil {
		return false
	}
	if s.err = s.ctx.Err(); s.err != nil {
		return false
	}
	if len(s.buf) == cap(s.buf) {
		s.buf = append(make([]byte, 0, 2*cap(s.buf)), s.buf...)
	}
	for range 100 {
		n, err := s.in.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+n]
		s.err = err
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	s.err = io.ErrNoProgress
	return false
}

// fault says what is wrong at the place where the stream stands.
func (s *stream) fault(what string) error {
	if s.pos == len(s.buf) && s.err != nil {
		if s.err != io.EOF {
			return s.err
		}
		what = "file ends where " + what
	}
	return fmt.Errorf("%s (byte %d, line %d)", what, s.offset(), s.line())
}

// peek walks over white space and returns the next byte without walking over
// it, or 0 at the end of the file.
func (s *stream) peek() byte {
	for {
		for ; s.pos < len(s.buf); s.pos++ {
			if c := s.buf[s.pos]; !isSpace(c) {
				return c
			}
		}
		s.drop()
		if !s.fill() {
			return 0
		}
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// take walks over c, which must come next but for white space.
func (s *stream) take(c byte) error {
	if s.peek() != c || s.pos == len(s.buf) {
		return s.fault(fmt.Sprintf("%q was expected", c))
	}
	s.pos++
	return nil
}

// next walks to the next element of an array or object that ends with
// closing. It reports false behind the end. first is true before the first
// element.
func (s *stream) next(first bool, closing byte) (bool, error) {
	c := s.peek()
	if c == closing {
		s.pos++
		return false, nil
	}
	if first {
		return true, nil
	}
	if err := s.take(','); err != nil {
		return false, err
	}
	if s.peek() == closing { // a comma too many harms nobody
		s.pos++
		return false, nil
	}
	return true, nil
}

// key walks over a key and its colon.
func (s *stream) key() (string, error) {
	if s.peek() != '"' {
		return "", s.fault("a key was expected")
	}
	raw, err := s.raw(maxRecord)
	if err != nil {
		return "", err
	}
	key := decodeString(raw)
	return key, s.take(':')
}

// raw walks over a value and returns its text, valid until the next call of
// any method.
func (s *stream) raw(limit int) ([]byte, error) {
	if s.peek(); s.pos == len(s.buf) {
		return nil, s.fault("a value was expected")
	}
	var w walk
	for length := 0; ; {
		n, done := w.over(s.buf[s.pos+length:])
		length += n
		if !done && length <= limit {
			s.drop()
			if s.fill() {
				continue
			}
			if s.err != io.EOF || !w.scalar {
				return nil, s.cut(length)
			}
		}
		if w.bad {
			s.pos += length
			return nil, s.fault("brackets do not match")
		}
		if length == 0 {
			return nil, s.fault("a value was expected")
		}
		if length > limit {
			if err := s.skipRest(w, length, done); err != nil {
				return nil, err
			}
			return nil, errTooLong
		}
		value := s.buf[s.pos : s.pos+length]
		s.pos += length
		return value, nil
	}
}

// cut is the error for a value that begins where the stream stands and is
// not whole.
func (s *stream) cut(length int) error {
	if s.err != io.EOF {
		return s.err
	}
	return fmt.Errorf("file ends inside the record at byte %d, line %d, after %d bytes of it", s.offset(), s.line(), length)
}

// skip walks over a value without holding it.
func (s *stream) skip() error {
	if c := s.peek(); s.pos == len(s.buf) || c == ',' || c == ':' || c == '}' || c == ']' {
		return s.fault("a value was expected")
	}
	return s.skipRest(walk{}, 0, false)
}

// skipRest walks over a value of which w has seen the first length bytes.
func (s *stream) skipRest(w walk, length int, done bool) error {
	s.pos += length
	for !done {
		var n int
		n, done = w.over(s.buf[s.pos:])
		s.pos += n
		if w.bad {
			return s.fault("brackets do not match")
		}
		if done {
			break
		}
		s.drop()
		if !s.fill() {
			if s.err == io.EOF && w.scalar {
				break
			}
			return s.fault("the value is not over")
		}
	}
	return nil
}
