package store

import "time"

// Month is a calendar month in UTC: 12 times the year, plus the month less
// one.
type Month int64

// MonthOf returns the month of a time in unix microseconds. Times that no
// calendar of four-digit years holds count to its first or last month.
func MonthOf(micros int64) Month {
	micros = min(max(micros, firstMicros), lastMicros)
	t := time.UnixMicro(micros).UTC()
	return Month(12*t.Year() + int(t.Month()) - 1)
}

// The bounds of the years 1 to 9999 in unix microseconds.
const (
	firstMicros = -62135596800000000
	lastMicros  = 253402300799999999
)

// Year is the year of the month.
func (m Month) Year() int { return int(m) / 12 }

// Month is the month of the year.
func (m Month) Month() time.Month { return time.Month(int(m)%12 + 1) }

// Start is the month's first moment in unix microseconds.
func (m Month) Start() int64 {
	return time.Date(m.Year(), m.Month(), 1, 0, 0, 0, 0, time.UTC).UnixMicro()
}
