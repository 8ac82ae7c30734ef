package whatsapp

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// shape is how a header is set off from the text after it.
type shape uint8

const (
	bracketed shape = iota // iPhone: "[date, time] "
	dashed                 // Android: "date, time - "
	coloned                // iPhone until 2016: "date, time: "
)

// frame is what all headers of one export have in common, whatever date they
// hold. An export is written in one go by one phone.
type frame struct {
	shape   shape
	comma   bool // after the date
	seconds bool
	half    bool // a word for the half of the day
}

// yearPlace is where the year stands in a date.
type yearPlace uint8

const (
	yearShort yearPlace = iota // two digits each: the year's place is unknown
	yearFirst                  // four digits, first
	yearLast                   // four digits, last
)

// dateStyle is how a date is written, but for the order of day and month.
type dateStyle struct {
	year      yearPlace
	separator byte
}

// header is the beginning of a message's line.
type header struct {
	frame
	dateStyle
	numbers [3]int // the date's, in the order they stand in
	hour    int    // 0 to 23
	minute  int
	second  int
	// zeroPadded is set when a day or month below ten has two digits, upper
	// when the half of the day is "AM" or "PM" just so, asian when it is
	// written in Chinese, Japanese or Korean.
	zeroPadded, upper, asian bool
	// marked is set when a left-to-right mark stands before the header.
	marked bool
	// from and to bound the date and time in the line, text is where the
	// text after the header begins.
	from, to, text int
}

// shortestHeader is "1/1/20 1:00:".
const shortestHeader = 12

// scanHeader reads the header at the beginning of line, if there is one. The
// date is checked for shape only; whether it exists depends on the order of
// its numbers.
func scanHeader(line []byte) (h header, ok bool) {
	if len(line) < shortestHeader {
		return h, false
	}
	switch b := line[0]; {
	case b >= 0x80:
	case b != '[' && (b < '0' || b > '9'):
		return h, false
	case scanPlainHeader(line, &h):
		return h, true
	}
	return scanAnyHeader(line)
}

// scanAnyHeader is scanHeader for all headers there are.
func scanAnyHeader(line []byte) (h header, ok bool) {
	c := cursor{b: line}
	h.shape = dashed
	if c.skip('[') {
		h.shape = bracketed
		c.spaces(1)
	}
	if r := c.peek(); r < '0' || r > '9' {
		return h, false
	}
	h.from = c.i
	if !h.scanDate(&c) {
		return h, false
	}
	before, ok := h.scanGap(&c)
	if !ok || !h.scanClock(&c, before) {
		return h, false
	}
	h.marked = bytes.Contains(line[:h.from], []byte(lrm))
	if !h.scanClose(&c) {
		return h, false
	}
	h.text = c.i
	return h, true
}

// scanDate reads three numbers with the same separator between them, which a
// space may follow, and a last dot ("13. 6. 2018.").
func (h *header) scanDate(c *cursor) bool {
	var digits [3]int
	for i := range h.numbers {
		if i > 0 {
			r := c.peek()
			if i == 1 && (r == '/' || r == '-' || r == '.') {
				h.separator = byte(r)
			}
			if h.separator == 0 || r != rune(h.separator) {
				return false
			}
			c.take()
			c.spaces(1)
		}
		h.numbers[i], digits[i] = c.number()
	}
	if !h.placeYear(digits) {
		return false
	}
	if h.separator == '.' {
		c.skip('.')
	}
	return true
}

// placeYear finds the year among the numbers by how many digits they have.
func (h *header) placeYear(digits [3]int) bool {
	switch {
	case digits[1] < 1 || digits[1] > 2:
		return false
	case digits[0] == 4 && digits[2] >= 1 && digits[2] <= 2:
		h.year = yearFirst
		h.zeroPadded = zeroPadded(h.numbers[1], digits[1]) || zeroPadded(h.numbers[2], digits[2])
	case digits[2] == 4 && digits[0] >= 1 && digits[0] <= 2:
		h.year = yearLast
		h.zeroPadded = zeroPadded(h.numbers[0], digits[0]) || zeroPadded(h.numbers[1], digits[1])
	case digits[0] >= 1 && digits[0] <= 2 && digits[2] == 2 || digits[0] == 2 && digits[2] == 1:
		h.year = yearShort
		h.zeroPadded = zeroPadded(h.numbers[0], digits[0]) || zeroPadded(h.numbers[1], digits[1])
	default:
		return false
	}
	return h.plausibleYear()
}

func zeroPadded(n, digits int) bool { return digits == 2 && n < 10 }

// plausibleYear accepts years of the common calendar and of those that phones
// in Thailand, Iran and Arab countries can be set to.
func (h *header) plausibleYear() bool {
	year := 0
	switch h.year {
	case yearFirst:
		year = h.numbers[0]
	case yearLast:
		year = h.numbers[2]
	default:
		return true
	}
	return eraOf(year) != noEra
}

// scanGap reads what stands between date and time: spaces, a comma, up to two
// short words ("à", "klo", "г.") and the half of the day where it comes first.
func (h *header) scanGap(c *cursor) (before halfDay, ok bool) {
	start := c.i
	for range 8 {
		r := c.peek()
		switch {
		case r >= '0' && r <= '9':
			return before, c.i > start
		case r == ' ':
			c.take()
		case r == ',':
			h.comma = true
			c.take()
		case unicode.IsLetter(r):
			var buf [maxWord]byte
			n, stop := c.word(&buf)
			if d := halfBefore[string(buf[:n])]; d != noHalf {
				before = d
				h.asian = buf[0] >= 0xE3 // the first byte of all their scripts
			} else if utf8.RuneCount(buf[:n]) > longestGapWord {
				return noHalf, false
			}
			c.i = stop
		default:
			return noHalf, false
		}
	}
	return noHalf, false
}

// longestGapWord is in letters and leaves room for "kello" and the like.
const longestGapWord = 5

// scanClock reads the time: hours, minutes and perhaps seconds between colons
// or dots, or in the French Canadian way ("17 h 05 min 09 s").
func (h *header) scanClock(c *cursor, before halfDay) bool {
	hour, digits := c.number()
	if digits < 1 || digits > 2 || hour > 23 {
		return false
	}
	separator := c.peek()
	if separator == ' ' || separator == 'h' {
		return h.scanFrenchClock(c, hour)
	}
	if separator != ':' && separator != '.' {
		return false
	}
	c.take()
	if h.minute, digits = c.number(); digits != 2 || h.minute > 59 {
		return false
	}
	h.to = c.i
	if c.peek() == separator {
		at := c.i
		c.take()
		if second, digits := c.number(); digits == 2 && second < 60 {
			h.second, h.seconds, h.to = second, true, c.i
		} else {
			c.i = at
		}
	}
	after, upper := c.half()
	if after != noHalf {
		h.to = c.i
	}
	h.upper = upper
	h.half = before != noHalf || after != noHalf && after != oClock
	h.hour = after.hour24(before.hour24(hour))
	return true
}

func (h *header) scanFrenchClock(c *cursor, hour int) (ok bool) {
	h.hour = hour
	c.spaces(1)
	if !c.skip('h') {
		return false
	}
	c.spaces(1)
	digits := 0
	if h.minute, digits = c.number(); digits != 2 || h.minute > 59 {
		return false
	}
	h.to = c.i
	at := c.i
	c.spaces(1)
	if c.skip('m') && c.skip('i') && c.skip('n') {
		c.spaces(1)
		second, digits := c.number()
		c.spaces(1)
		if digits == 2 && second < 60 && c.skip('s') {
			h.second, h.seconds, h.to = second, true, c.i
			return true
		}
	}
	c.i = at
	return true
}

// scanClose reads what ends the header, and the one space after it.
func (h *header) scanClose(c *cursor) bool {
	if h.shape == bracketed {
		c.spaces(1)
		if !c.skip(']') {
			return false
		}
		c.skipSpaceByte()
		return true
	}
	switch c.peek() {
	case ':':
		h.shape = coloned
		c.take()
	case ' ':
		c.take()
		if !c.skip('-') {
			return false
		}
	default:
		return false
	}
	return c.skipSpaceByte()
}

// skipSpaceByte takes one space, but no mark before it: a mark there belongs
// to the text.
func (c *cursor) skipSpaceByte() bool {
	if c.i < len(c.b) && c.b[c.i] == ' ' {
		c.i++
		return true
	}
	return false
}
