package whatsapp

// scanPlainHeader reads headers of ASCII letters without words in them, as
// most phones write them, several times as fast as scanHeader could. It gives
// the same result or none: what it does not know goes the long way.
func scanPlainHeader(line []byte, h *header) bool {
	i := 0
	h.shape = dashed
	if line[0] == '[' {
		h.shape = bracketed
		i = 1
	}
	h.from = i
	var digits [3]int
	for n := range h.numbers {
		if n > 0 {
			if n == 1 && line[i] != '/' && line[i] != '-' && line[i] != '.' || n == 2 && line[i] != h.separator {
				return false
			}
			h.separator = line[i]
			i++
		}
		value, start := 0, i
		for i < len(line) && line[i]-'0' <= 9 && i-start < 5 {
			value = value*10 + int(line[i]-'0')
			i++
		}
		h.numbers[n], digits[n] = value, i-start
		if i+shortestTime > len(line) {
			return false
		}
	}
	if !h.placeYear(digits) {
		return false
	}
	if h.comma = line[i] == ','; h.comma {
		i++
	}
	if line[i] != ' ' {
		return false
	}
	return h.scanPlainTime(line, i+1)
}

// shortestTime is what must follow each number of the date: ` 1:00] `.
const shortestTime = 7

// scanPlainTime reads the rest of the header. The line is known to go on for
// shortestTime bytes less the comma and the space before the time.
func (h *header) scanPlainTime(line []byte, i int) bool {
	// A few bytes past the end make all look-ups below valid.
	var tail [20]byte
	n := copy(tail[:16], line[i:])
	at := 0
	digit := func() bool { return tail[at]-'0' <= 9 }
	if !digit() {
		return false
	}
	h.hour = int(tail[at] - '0')
	at++
	if digit() {
		h.hour = h.hour*10 + int(tail[at]-'0')
		at++
	}
	colon := tail[at]
	if h.hour > 23 || colon != ':' && colon != '.' {
		return false
	}
	if h.minute = twoDigits(tail[at+1], tail[at+2]); h.minute > 59 {
		return false
	}
	at += 3
	if digit() {
		return false
	}
	if tail[at] == colon {
		if h.second = twoDigits(tail[at+1], tail[at+2]); h.second > 59 {
			return false
		}
		h.seconds = true
		at += 3
	}
	h.to = i + at
	if tail[at] == ' ' && tail[at+2]|0x20 == 'm' {
		half := afternoon
		switch tail[at+1] | 0x20 {
		case 'a':
			half = morning
		case 'p':
		default:
			return false
		}
		h.half, h.hour = true, half.hour24(h.hour)
		h.upper = tail[at+1] < 'a' && tail[at+2] < 'a'
		at += 3
		h.to = i + at
	}
	switch {
	case h.shape == bracketed && tail[at] == ']' && tail[at+1] == ' ':
		at += 2
	case h.shape == dashed && tail[at] == ' ' && tail[at+1] == '-' && tail[at+2] == ' ':
		at += 3
	default:
		return false
	}
	h.text = i + at
	return at <= n
}

// twoDigits returns the number that a and b write, or 99 if they do not.
func twoDigits(a, b byte) int {
	if a-'0' > 9 || b-'0' > 9 {
		return 99
	}
	return int(a-'0')*10 + int(b-'0')
}
