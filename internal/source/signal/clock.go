package signal

import "github.com/msgbrowse/msgbrowse/internal/msg"

const (
	second = int64(1e6) // in microseconds
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
)

// placeholderBefore bounds the times that mean "no time": signal-export
// writes the epoch, in some local zone, for a message without a timestamp.
const placeholderBefore = 2 * day

// daysBefore is the number of days before the first of each month in a year
// that is no leap year.
var daysBefore = [13]int{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365}

// unixDay returns the days from 1970-01-01 to a date of the Gregorian
// calendar, and false when there is no such date.
func unixDay(year, month, date int) (int64, bool) {
	if month < 1 || month > 12 || date < 1 {
		return 0, false
	}
	leap := year%4 == 0 && (year%100 != 0 || year%400 == 0)
	length := daysBefore[month] - daysBefore[month-1]
	if leap && month == 2 {
		length++
	}
	if date > length {
		return 0, false
	}
	y := year - 1
	days := y*365 + y/4 - y/100 + y/400 + daysBefore[month-1] + date - 1
	if leap && month > 2 {
		days++
	}
	return int64(days) - 719162, true
}

// reading is one clock reading: microseconds as if it were UTC.
type reading int64

// wall builds the Time of a reading. A placeholder is no time; it keeps the
// place of the message before it.
func (r reading) wall(p msg.Precision, raw string, before reading) msg.Time {
	t := msg.Time{Micros: int64(r), Basis: msg.Wall, Precision: p, Raw: raw, Known: !r.placeholder()}
	if !t.Known && before != 0 {
		t.Micros = int64(before)
	}
	return t
}

func (r reading) placeholder() bool {
	return int64(r) < placeholderBefore && int64(r) > -placeholderBefore
}

// two reads two digits at b[i:]; the result is negative when they are none.
func two[T string | []byte](b T, i int) int {
	hi, lo := b[i]-'0', b[i+1]-'0'
	if hi > 9 || lo > 9 {
		return -1
	}
	return int(hi)*10 + int(lo)
}

// scanDate reads YYYY-MM-DD at the start of b, which holds ten bytes or more.
func scanDate[T string | []byte](b T) (days int64, ok bool) {
	century, year, month, date := two(b, 0), two(b, 2), two(b, 5), two(b, 8)
	if b[4] != '-' || b[7] != '-' || century < 0 || year < 0 {
		return 0, false
	}
	return unixDay(century*100+year, month, date)
}

// scanMinutes reads HH:MM at b[i:] as microseconds.
func scanMinutes[T string | []byte](b T, i int) (int64, bool) {
	h, m := two(b, i), two(b, i+3)
	if b[i+2] != ':' || h < 0 || h > 23 || m < 0 || m > 59 {
		return 0, false
	}
	return int64(h)*hour + int64(m)*minute, true
}
