package whatsapp

import (
	"unicode"
	"unicode/utf8"
)

// halfDay is what stands beside the hour on a twelve-hour clock.
type halfDay uint8

const (
	noHalf halfDay = iota
	morning
	afternoon
	noon   // Chinese 中午: eleven to one
	oClock // a word that leaves the hour as it is
)

// maxLetters is more than the longest word for a half of the day has.
const (
	maxLetters = 16
	maxWord    = maxLetters * utf8.UTFMax
)

// hour24 turns the hour of a clock that says h into one of 24 hours.
func (d halfDay) hour24(h int) int {
	switch {
	case d == morning && h == 12:
		return 0
	case d == afternoon && h < 12, d == noon && h < 11:
		return h + 12
	}
	return h
}

// halfWords are the words for the halves of the day, as CLDR has them, in
// lower case and without dots and spaces.
var halfWords = map[string]halfDay{
	"am": morning, "pm": afternoon, // most languages
	"vm": morning, "nm": afternoon, // Afrikaans
	"ap": morning, "ip": afternoon, // Finnish
	"fm": morning, "em": afternoon, // Swedish
	"de": morning, "du": afternoon, // Hungarian
	"dop": morning, "odp": afternoon, "pop": afternoon, // Czech, Slovene
	"pd": morning, "md": afternoon, // Albanian
	"sa": morning, "ch": afternoon, // Vietnamese
	"öö": morning, "ös": afternoon, // Turkish
	"πμ": morning, "μμ": afternoon, // Greek
	"проб": morning, "слоб": afternoon, // Bulgarian
	"дп": morning, "пп": afternoon, // Ukrainian
	"ص": morning, "م": afternoon, // Arabic
	"قظ": morning, "بظ": afternoon, "قبلازظهر": morning, "بعدازظهر": afternoon, // Persian
	"לפנהצ": morning, "אחהצ": afternoon, // Hebrew
	"पूर्वाह्न": morning, "अपराह्न": afternoon, // Hindi
	"मपू": morning, "मउ": afternoon, // Marathi
	"পূর্বাহ্ণ": morning, "অপরাহ্ণ": afternoon, // Bengali
	"முற்பகல்": morning, "பிற்பகல்": afternoon, // Tamil
	"ಪೂರ್ವಾಹ್ನ": morning, "ಅಪರಾಹ್ನ": afternoon, // Kannada
	"ก่อนเที่ยง": morning, "หลังเที่ยง": afternoon, // Thai
	"午前": morning, "午後": afternoon, // Japanese
	"오전": morning, "오후": afternoon, // Korean
	"凌晨": morning, "清晨": morning, "早上": morning, "早晨": morning, "上午": morning, // Chinese
	"中午": noon, "下午": afternoon, "傍晚": afternoon, "晚上": afternoon, "深夜": afternoon,
	"uhr": oClock, "ч": oClock, "h": oClock, "klo": oClock,
}

// halfBefore are the words that stand before the hour. The others are left
// out because short words of other meanings stand there too ("de", "em").
var halfBefore = map[string]halfDay{
	"öö": morning, "ös": afternoon, "午前": morning, "午後": afternoon, "오전": morning, "오후": afternoon,
	"凌晨": morning, "清晨": morning, "早上": morning, "早晨": morning, "上午": morning,
	"中午": noon, "下午": afternoon, "傍晚": afternoon, "晚上": afternoon, "深夜": afternoon,
	"முற்பகல்": morning, "பிற்பகல்": afternoon,
}

// half takes the word for a half of the day at the cursor, with a space before
// it or not, and reports whether it is written in upper-case Latin letters.
// Without such a word it takes nothing.
func (c *cursor) half() (d halfDay, upper bool) {
	start := c.i
	c.spaces(2)
	if d, upper, ok := c.latinHalf(); ok {
		return d, upper
	}
	var buf [maxWord]byte
	if n, stop := c.word(&buf); n > 0 {
		if d = halfWords[string(buf[:n])]; d != noHalf {
			c.i = stop
			return d, false
		}
	}
	c.i = start
	return noHalf, false
}

// latinHalf is the short way for "AM", "pm" and nothing else.
func (c *cursor) latinHalf() (d halfDay, upper, ok bool) {
	if c.i+2 > len(c.b) || c.b[c.i+1]|0x20 != 'm' {
		return 0, false, false
	}
	if c.i+2 < len(c.b) && (c.b[c.i+2]|0x20 >= 'a' && c.b[c.i+2]|0x20 <= 'z' || c.b[c.i+2] == '.') {
		return 0, false, false
	}
	switch c.b[c.i] {
	case 'A', 'a':
		d = morning
	case 'P', 'p':
		d = afternoon
	default:
		return 0, false, false
	}
	upper = c.b[c.i] < 'a' && c.b[c.i+1] < 'a'
	c.i += 2
	return d, upper, true
}

// word puts a word of letters into buf, in lower case and without the dots,
// quotes and, after a first letter, spaces in it ("a. m."), and returns its
// length. The cursor stays where it is; stop is where the word ends.
func (c *cursor) word(buf *[maxWord]byte) (n, stop int) {
	start, letters := c.i, 0
	stop = c.i
	for letters < maxLetters {
		r := c.peek()
		switch {
		case r == end || r == ' ' && letters != 1:
			letters = maxLetters
			continue
		case r == ' ':
			c.take()
			continue
		case (r == '.' || r == '\'' || r == '"' || r == 0x05F3 || r == 0x05F4) && letters > 0:
			c.take()
		case unicode.IsLetter(r) || unicode.Is(unicode.M, r):
			c.take()
			n += utf8.EncodeRune(buf[n:], unicode.ToLower(r))
			letters++
		default:
			letters = maxLetters
			continue
		}
		stop = c.i
	}
	c.i = start
	return n, stop
}
