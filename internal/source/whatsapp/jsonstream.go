package whatsapp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// jsonStream walks over a JSON document of any size in bounded memory and
// knows where it stands. It finds the ends of values; whether a value is
// valid inside is for encoding/json to say.
type jsonStream struct {
	r      *bufio.Reader
	offset int64
	buf    []byte
}

// errTooLong is returned by value for a value longer than its limit. The
// value was passed over.
var errTooLong = errors.New("value too long")

func newJSONStream(r io.Reader) *jsonStream {
	s := &jsonStream{r: bufio.NewReaderSize(nil, 64<<10)}
	s.reset(r)
	return s
}

// reset begins again with the document in r.
func (s *jsonStream) reset(r io.Reader) {
	s.r.Reset(r)
	s.offset = 0
	if mark, _ := s.r.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		s.drop(3)
	}
}

func (s *jsonStream) drop(n int) {
	n, _ = s.r.Discard(n)
	s.offset += int64(n)
}

// peek returns the next byte that is not white space, without taking it.
func (s *jsonStream) peek() (byte, error) {
	for {
		b, err := s.r.Peek(1)
		if err != nil {
			return 0, err
		}
		switch b[0] {
		case ' ', '\t', '\r', '\n':
			s.drop(1)
		default:
			return b[0], nil
		}
	}
}

// take takes the next byte that is not white space, which must be want.
func (s *jsonStream) take(want byte) error {
	got, err := s.peek()
	if err != nil {
		return unexpectedEnd(err)
	}
	if got != want {
		return fmt.Errorf("byte %d: %q where %q should be", s.offset, got, want)
	}
	s.drop(1)
	return nil
}

func unexpectedEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// members calls each for every member of the object that comes next, with
// the stream before its value. each must take the value.
func (s *jsonStream) members(each func(key string) error) error {
	if err := s.take('{'); err != nil {
		return err
	}
	if b, err := s.peek(); err == nil && b == '}' {
		s.drop(1)
		return nil
	}
	for {
		key, err := s.key()
		if err != nil {
			return err
		}
		if err := each(key); err != nil {
			return err
		}
		b, err := s.peek()
		if err != nil {
			return unexpectedEnd(err)
		}
		if b == '}' {
			s.drop(1)
			return nil
		}
		if err := s.take(','); err != nil {
			return err
		}
	}
}

// longestKey is in bytes.
const longestKey = 4 << 10

func (s *jsonStream) key() (key string, err error) {
	b, err := s.peek()
	if err != nil {
		return "", unexpectedEnd(err)
	}
	if b != '"' {
		return "", fmt.Errorf("byte %d: %q where a key should be", s.offset, b)
	}
	at := s.offset
	raw, err := s.value(longestKey)
	if err != nil {
		return "", err
	}
	if err := json.Unmarshal(raw, &key); err != nil {
		return "", fmt.Errorf("byte %d: read key: %w", at, err)
	}
	return key, s.take(':')
}

// skip passes over the value that comes next.
func (s *jsonStream) skip() error {
	if _, err := s.value(0); err != nil && !errors.Is(err, errTooLong) {
		return err
	}
	return nil
}

// value returns the bytes of the value that comes next, up to limit bytes of
// it, valid until the next call. The stream's offset before the call, after
// peek, is the value's.
func (s *jsonStream) value(limit int) ([]byte, error) {
	first, err := s.peek()
	if err != nil {
		return nil, unexpectedEnd(err)
	}
	s.buf = s.buf[:0]
	w := valueWalk{limit: limit, scalar: first != '{' && first != '[' && first != '"'}
	for {
		chunk, err := s.r.Peek(max(1, s.r.Buffered()))
		if err != nil {
			if w.scalar && err == io.EOF && len(s.buf) > 0 {
				return s.buf, nil
			}
			return nil, unexpectedEnd(err)
		}
		n, done := w.walk(chunk)
		if room := limit - len(s.buf); room > 0 {
			s.buf = append(s.buf, chunk[:min(n, room)]...)
		}
		w.size += n
		s.drop(n)
		switch {
		case done && w.size == 0:
			return nil, fmt.Errorf("byte %d: %q where a value should be", s.offset, first)
		case done && w.size > limit:
			return s.buf, errTooLong
		case done:
			return s.buf, nil
		}
	}
}

// valueWalk is the state of looking for a value's end.
type valueWalk struct {
	limit, size, depth         int
	scalar, inString, escaping bool
}

// walk returns how many bytes of chunk belong to the value, and whether it
// ends there.
func (w *valueWalk) walk(chunk []byte) (n int, done bool) {
	if w.scalar {
		end := bytes.IndexAny(chunk, ",]}: \t\r\n\"")
		if end < 0 {
			return len(chunk), false
		}
		return end, true
	}
	for i := 0; i < len(chunk); i++ {
		b := chunk[i]
		switch {
		case w.escaping:
			w.escaping = false
		case w.inString && b == '\\':
			w.escaping = true
		case w.inString && b != '"':
		case b == '"':
			if w.inString = !w.inString; !w.inString && w.depth == 0 {
				return i + 1, true
			}
		case b == '{' || b == '[':
			w.depth++
		case b == '}' || b == ']':
			if w.depth--; w.depth == 0 {
				return i + 1, true
			}
		}
	}
	return len(chunk), false
}
