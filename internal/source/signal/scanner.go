package signal

import (
	"bytes"
	"errors"
	"io"
)

const (
	// maxBody is the longest text handed over whole, in bytes.
	maxBody = 4 << 20
	// bufferSize is what a scanner holds of a file that has no long messages.
	bufferSize = 512 << 10
	// readSize is the least that is read at once.
	readSize = 4 << 10
)

// mark is a header at a place in the file that is taken for a message.
type mark struct {
	header
	at      int64 // offset of the header
	verdict verdict
}

// scanner finds the headers of a transcript in bounded memory. Places are
// offsets in the file; bytes from keep on stay in memory.
type scanner struct {
	layout
	r    io.Reader
	buf  []byte
	base int64 // the place of buf[0]
	keep int64
	end  bool // nothing follows buf
	err  error
}

// newScanner reads the beginning of r, which holds about size bytes, and
// finds its layout; found is false when no header stands there.
func newScanner(r io.Reader, size int64) (s *scanner, found bool) {
	s = &scanner{r: r, buf: make([]byte, 0, min(max(size, 0)+2*readSize, bufferSize))}
	s.ensure(0, layoutWindow)
	s.layout, found = findLayout(s.buf[:min(len(s.buf), layoutWindow)], s.end && len(s.buf) <= layoutWindow)
	return s, found
}

// fill reads once more. What lies before keep goes when room is needed.
func (s *scanner) fill() {
	if cap(s.buf)-len(s.buf) < readSize {
		rest := s.from(s.keep)
		if len(rest) > cap(s.buf)/2 {
			s.buf = append(make([]byte, 0, 2*cap(s.buf)), rest...)
		} else {
			s.buf = append(s.buf[:0], rest...)
		}
		s.base = s.keep
	}
	// A reader may return nothing without an error, but not for ever.
	for range 100 {
		n, err := s.r.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+n]
		if err != nil {
			s.end = true
			if !errors.Is(err, io.EOF) {
				s.err = err
			}
			return
		}
		if n > 0 {
			return
		}
	}
	s.end, s.err = true, io.ErrNoProgress
}

// ensure brings n bytes from place at on into memory, if there are as many.
func (s *scanner) ensure(at int64, n int) {
	for !s.end && s.reach()-at < int64(n) {
		s.fill()
	}
}

// from returns the bytes in memory from place at on.
func (s *scanner) from(at int64) []byte { return s.buf[at-s.base:] }

// reach is the place where memory ends.
func (s *scanner) reach() int64 { return s.base + int64(len(s.buf)) }

// next finds the first message at place at or after it. It returns false at
// the end of the file, and when more than limit bytes from keep on hold
// none; at is then how far the search came.
func (s *scanner) next(at int64, limit int) (m mark, found bool) {
	for {
		m, found = s.seek(at)
		if found || s.end || s.reach()-s.keep > int64(limit) {
			return m, found
		}
		at = m.at
		s.fill()
	}
}

// seek is next within what is in memory: without a message it returns the
// place to go on from when there is more.
func (s *scanner) seek(at int64) (m mark, found bool) {
	for {
		i := int(at - s.base)
		n := bytes.Index(s.buf[i-1:], lineBracket)
		if n < 0 {
			return mark{at: s.reach()}, false
		}
		at += int64(n)
		i += n
		if !s.end && len(s.buf)-i < maxHeader {
			return mark{at: at}, false
		}
		if h, ok := scanHeader(s.buf[i:]); ok {
			if v := s.judge(h, before(s.buf, i)); v != isText {
				return mark{h, at, v}, true
			}
		}
		at++
	}
}
