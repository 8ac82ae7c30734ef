package signal

import "bytes"

// layout is how one transcript separates its messages. signal-export ends
// every text with two spaces, and from version 2.0 on puts a blank line
// between messages; a file written or edited by hand may do neither.
type layout struct {
	shape shape
	// blank: a blank line stands before every header.
	blank bool
	// spaced: the line that ends a message ends as the exporter ends it.
	spaced bool
	// mixed: so many headers lack the spaces that one without them may be
	// real all the same.
	mixed bool
	// crlf: lines end in carriage return and line feed.
	crlf bool
	// first is where the first header begins.
	first int
}

// layoutWindow is how much of a file's beginning decides its layout. It is
// more than one Signal message can fill.
const layoutWindow = 256 << 10

// verdict is what a layout makes of a line that has the shape of a header.
type verdict uint8

const (
	isText verdict = iota
	isDoubtful
	isMessage
)

// lead is what stands before a header.
type lead struct {
	blank bool // a blank line
	ended bool // the last line with text ends as the exporter ends a message
	plain bool // it ends so with the two spaces of a text
}

// before looks at what stands before the header at b[i:], which is not the
// first line of b.
func before(b []byte, i int) lead {
	e := lineEnd(b, i)
	var c lead
	if e > 0 && b[e-1] == '\n' {
		c.blank = true
		e = lineEnd(b, e)
	}
	tail := b[max(0, e-len(deletedText)):e]
	c.plain = bytes.HasSuffix(tail, textEnd)
	c.ended = c.plain || bytes.HasSuffix(tail, reactionsEnd) || bytes.HasSuffix(tail, labelEnd) ||
		string(tail) == deletedText
	return c
}

// lineEnd returns the end of the line before the one that begins at i.
func lineEnd(b []byte, i int) int {
	i--
	if i > 0 && b[i-1] == '\r' {
		i--
	}
	return i
}

var (
	textEnd      = []byte("  ")
	reactionsEnd = []byte(" -)")
	labelEnd     = []byte(" ))")
)

// judge decides about header h with lead c.
func (l layout) judge(h header, c lead) verdict {
	if h.loose && l.shape&withComma == 0 {
		return isText
	}
	v := l.judgeLead(c)
	if v == isMessage && h.shape != l.shape {
		return isDoubtful
	}
	return v
}

func (l layout) judgeLead(c lead) verdict {
	switch {
	case !l.spaced && (c.blank || !l.blank):
		return isMessage
	case !l.spaced:
		return isText
	case c.blank == l.blank && c.ended:
		return isMessage
	case c.ended && (c.blank || l.shape&withSeconds == 0):
		// Version 2.0, which wrote minutes and blank lines, lived for a day:
		// in a file with minutes either separator may be the real one.
		return isDoubtful
	case c.blank == l.blank && l.mixed:
		return isDoubtful
	}
	return isText
}

// tally counts the headers of one file by what stands before them.
type tally struct{ blankSpaced, blankBare, spaced, bare int }

// findLayout decides the layout of a file by its beginning; whole says that
// window is all of it. It returns false when no header stands in window.
func findLayout(window []byte, whole bool) (layout, bool) {
	first := firstHeader(window)
	if first < 0 {
		return layout{}, false
	}
	h, _ := scanHeader(window[first:])
	l := layout{shape: h.shape, first: first}
	if n := bytes.IndexByte(window[first:], '\n'); n > 0 {
		l.crlf = window[first+n-1] == '\r'
	}
	var t tally
	for i := first + h.bodyFrom; ; {
		n := bytes.Index(window[i-1:], lineBracket)
		if n < 0 {
			break
		}
		i += n
		h, ok := scanHeader(window[i:])
		if ok && h.shape == l.shape {
			t.count(before(window, i))
			if t.settled(l.shape) {
				break
			}
		}
		i++
	}
	l.decide(t, window, whole)
	return l, true
}

var lineBracket = []byte("\n[")

// firstHeader finds the first header that begins a line, or -1.
func firstHeader(window []byte) int {
	i := len(window) - len(bytes.TrimPrefix(window, byteOrderMark))
	for {
		if _, ok := scanHeader(window[i:]); ok {
			return i
		}
		n := bytes.Index(window[i:], lineBracket)
		if n < 0 {
			return -1
		}
		i += n + 1
	}
}

var byteOrderMark = []byte("\ufeff")

func (t *tally) count(c lead) {
	switch {
	case c.blank && c.plain:
		t.blankSpaced++
	case c.blank:
		t.blankBare++
	case c.plain:
		t.spaced++
	default:
		t.bare++
	}
}

// settled reports whether no forged line further on could change the
// decision for the worse.
func (t *tally) settled(s shape) bool {
	const enough = 16
	if s&withSeconds != 0 {
		return t.blankSpaced >= enough && t.blankBare == 0
	}
	return t.spaced >= enough && t.blankSpaced+t.blankBare+t.bare == 0
}

// decide sets blank, spaced and mixed. Where the exporter's own separator
// occurs it wins over any number of others, because a text can hold any
// number of lines that look like headers, but not take the separators of
// other messages away.
func (l *layout) decide(t tally, window []byte, whole bool) {
	switch {
	case t == tally{}:
		l.decideAlone(window, whole)
	case l.shape&withSeconds != 0 && t.blankSpaced > 0:
		l.blank, l.spaced, l.mixed = true, true, t.blankBare > t.blankSpaced
	case l.shape&withSeconds == 0 && t.spaced > 0 && t.spaced*16 >= t.blankSpaced:
		l.spaced, l.mixed = true, t.bare > t.spaced
	case t.blankSpaced > 0:
		l.blank, l.spaced, l.mixed = true, true, t.blankBare > t.blankSpaced
	case t.blankBare > t.bare+t.spaced:
		l.blank = true
	case t.spaced > t.bare:
		l.spaced, l.mixed = true, t.bare > 0
	}
}

// decideAlone decides by the end of a file that holds a single header.
func (l *layout) decideAlone(window []byte, whole bool) {
	if !whole || !bytes.HasSuffix(window, []byte("\n")) {
		l.blank = l.shape&withSeconds != 0
		l.spaced = !whole || bytes.HasSuffix(window, textEnd)
		return
	}
	c := before(window, len(window))
	l.blank, l.spaced = c.blank, c.ended
}
