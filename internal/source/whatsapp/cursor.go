package whatsapp

import (
	"unicode"
	"unicode/utf8"
)

// lrm is the left-to-right mark that stands before text made by WhatsApp.
const lrm = "\u200e"

// end is what peek returns after the last rune.
const end = rune(-1)

// cursor walks over a line as a person reads it: directional marks and byte
// order marks are not there, digits of every script are ASCII digits, spaces
// and punctuation of every width are plain ones.
type cursor struct {
	b []byte
	i int
}

// peek returns the next rune without taking it, and moves past marks.
func (c *cursor) peek() rune {
	for c.i < len(c.b) {
		if ch := c.b[c.i]; ch < utf8.RuneSelf {
			return rune(ch)
		}
		r, n := utf8.DecodeRune(c.b[c.i:])
		if !isMark(r) {
			return plainRune(r)
		}
		c.i += n
	}
	return end
}

// take moves past the rune that peek returned.
func (c *cursor) take() {
	if c.b[c.i] < utf8.RuneSelf {
		c.i++
		return
	}
	_, n := utf8.DecodeRune(c.b[c.i:])
	c.i += n
}

// skip takes the next rune if it is r.
func (c *cursor) skip(r rune) bool {
	if c.peek() != r {
		return false
	}
	c.take()
	return true
}

// spaces takes up to limit spaces and returns how many.
func (c *cursor) spaces(limit int) int {
	n := 0
	for n < limit && c.skip(' ') {
		n++
	}
	return n
}

// number takes up to four digits and returns their value and how many there
// were. A longer row of digits gives a count of five and is no number here.
func (c *cursor) number() (value, digits int) {
	for digits < 5 {
		r := c.peek()
		if r < '0' || r > '9' {
			break
		}
		value = value*10 + int(r-'0')
		digits++
		c.take()
	}
	return value, digits
}

// isMark reports whether r is invisible: a directional mark, embedding or
// isolate, a byte order mark or a joiner.
func isMark(r rune) bool {
	switch {
	case r == 0x200C, r == 0x200E, r == 0x200F, r == 0x061C, r == 0xFEFF,
		r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// digitZeros are the zeros of the scripts whose digits phones write in dates.
var digitZeros = [...]rune{0x0660, 0x06F0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0E50, 0x1040, 0xFF10}

func plainRune(r rune) rune {
	switch r {
	case 0x00A0, 0x202F, 0x2009, 0x2007, 0x3000:
		return ' '
	case 0xFF1A:
		return ':'
	case 0x060C, 0xFF0C:
		return ','
	case 0xFF0F:
		return '/'
	case 0xFF0E:
		return '.'
	case 0x2013, 0x2011:
		return '-'
	}
	if r >= 0x0660 && unicode.IsDigit(r) {
		for _, zero := range digitZeros {
			if r >= zero && r <= zero+9 {
				return '0' + r - zero
			}
		}
	}
	return r
}
