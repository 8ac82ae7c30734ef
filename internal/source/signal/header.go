package signal

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// shape is how a header writes its time.
type shape uint8

const (
	// withComma: "2019-05-29, 15:04", the scripts of 2019 to 2021.
	withComma shape = 1 << iota
	// withSeconds: "2024-03-20 15:04:05", version 2.1 and later.
	withSeconds
)

const (
	// maxSender bounds a sender's name in a header, in bytes.
	maxSender = 256
	// maxHeader is more than any header is long.
	maxHeader = maxSender + 32
)

// header is a line that has the shape of a message's first line. The fields
// are offsets from its opening bracket.
type header struct {
	time  reading
	shape shape
	// loose: the sender is no name that a released version would write.
	loose    bool
	rawEnd   int // end of the time, which begins at 1
	sender   int
	colon    int // end of the sender
	bodyFrom int // what follows the colon and one space
}

// scanHeader reads a header at the start of b, which begins a line. Senders
// are letters and digits, to which every released version of signal-export
// reduces a name, or No-Sender; files of the comma era may hold other names.
func scanHeader(b []byte) (header, bool) {
	h, ok := scanTime(b)
	if !ok {
		return header{}, false
	}
	n := strictName(b[h.sender:])
	if n == 0 && h.shape&withComma != 0 {
		n = looseName(b[h.sender:])
		h.loose = true
	}
	if n == 0 {
		return header{}, false
	}
	h.colon = h.sender + n
	h.bodyFrom = h.colon + 1
	if h.bodyFrom < len(b) && b[h.bodyFrom] == ' ' {
		h.bodyFrom++
	}
	return h, true
}

// scanTime reads a header up to its sender.
func scanTime(b []byte) (h header, ok bool) {
	const shortest = len("[2022-08-10 19:33] A:")
	if len(b) < shortest || b[0] != '[' {
		return header{}, false
	}
	days, ok := scanDate(b[1:])
	if !ok {
		return header{}, false
	}
	i := len("[2022-08-10")
	if b[i] == ',' {
		h.shape |= withComma
		i++
	}
	clock, ok := scanMinutes(b, i+1)
	if !ok || b[i] != ' ' {
		return header{}, false
	}
	i += len(" 19:33")
	if b[i] == ':' && i+len(":38] ") < len(b) {
		s := two(b, i+1)
		if s < 0 || s > 59 {
			return header{}, false
		}
		h.shape |= withSeconds
		clock += int64(s) * second
		i += len(":38")
	}
	if b[i] != ']' || b[i+1] != ' ' {
		return header{}, false
	}
	h.time = reading(days*day + clock)
	h.rawEnd, h.sender = i, i+2
	return h, true
}

// endsName reports whether the colon at b[i] is one that ends a name: a
// space or the end of the line follows.
func endsName(b []byte, i int) bool {
	return i+1 == len(b) || b[i+1] == ' ' || b[i+1] == '\n' || b[i+1] == '\r'
}

var noSender = []byte("No-Sender")

// strictName returns the length of the sender at the start of b, if a colon
// follows, else 0.
func strictName(b []byte) int {
	if n := len(noSender); len(b) > n && bytes.HasPrefix(b, noSender) && b[n] == ':' && endsName(b, n) {
		return n
	}
	i := 0
	for i < len(b) && i < maxSender {
		c := b[i]
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9':
			i++
		case c == ':' && endsName(b, i):
			return i
		case c < utf8.RuneSelf:
			return 0
		default:
			r, n := utf8.DecodeRune(b[i:])
			if !nameRune(r) {
				return 0
			}
			i += n
		}
	}
	return 0
}

// nameRune reports whether signal-export keeps r in a name.
func nameRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// looseName is strictName for the names of the comma era: anything printable
// up to the first colon that a space or the end of the line follows.
func looseName(b []byte) int {
	for i := 0; i < len(b) && i < maxSender; i++ {
		switch c := b[i]; {
		case c < ' ', c == '[', c == ']':
			return 0
		case c == ':':
			if i == 0 || b[0] == ' ' || b[i-1] == ' ' {
				return 0
			}
			if endsName(b, i) {
				return i
			}
		}
	}
	return 0
}

// timeTemplates are the beginnings a header can have; 0 is any digit.
var timeTemplates = []string{"[0000-00-00 00:00:00] ", "[0000-00-00 00:00] ", "[0000-00-00, 00:00] "}

// cutHeader reports whether line, the last of a file and without line feed,
// is the beginning of a header that was cut off.
func cutHeader(line []byte) bool {
	for _, template := range timeTemplates {
		n := min(len(line), len(template))
		if n == 0 || !fits(line[:n], template) {
			continue
		}
		name := line[n:]
		if bytes.HasPrefix(noSender, name) || strictName(append(bytes.Clone(name), ':')) > 0 {
			return true
		}
	}
	return false
}

// fits reports whether b, no longer than template, is a beginning of it.
func fits(b []byte, template string) bool {
	for i, c := range b {
		digit := template[i] == '0' && c >= '0' && c <= '9'
		if !digit && c != template[i] {
			return false
		}
	}
	return true
}
