package whatsapp

import "time"

// order is the order of the numbers in a date that does not begin with a
// four-digit year.
type order uint8

const (
	dayFirst   order = iota // day, month, year
	monthFirst              // month, day, year
	shortFirst              // two-digit year, month, day
	orders                  // how many there are
)

// String names the order for people.
func (o order) String() string {
	return [...]string{"day/month/year", "month/day/year", "year/month/day", ""}[min(o, orders)]
}

// era is a way of counting years.
type era uint8

const (
	noEra era = iota
	commonEra
	buddhistEra
	otherEra // a Persian or Islamic year: which of the two cannot be told
)

// eraOf tells how a four-digit year is counted. The bounds are wide enough
// for phones with a wrong clock and far enough apart to exclude each other.
func eraOf(year int) era {
	switch {
	case year >= 1970 && year < 2200:
		return commonEra
	case year >= 2500 && year < 2700:
		return buddhistEra
	case year >= 1340 && year < 1500:
		return otherEra
	}
	return noEra
}

const buddhistOffset = 543

// moment returns the wall clock reading of h as unix microseconds, under
// order o. It is false when there is no such day. A year of otherEra is taken
// as it stands: good for the order of messages and nothing else.
func (h *header) moment(o order) (micros int64, ok bool) {
	year, month, day := h.date(o)
	if month < 1 || month > 12 || day < 1 {
		return 0, false
	}
	if h.year != yearShort && eraOf(year) == buddhistEra {
		year -= buddhistOffset
	}
	if day > daysIn(year, month) && (h.year == yearShort || eraOf(year) != otherEra || day > 31) {
		return 0, false
	}
	seconds := int64(h.hour)*3600 + int64(h.minute)*60 + int64(h.second)
	return (daysSinceEpoch(year, month, day)*86400 + seconds) * 1e6, true
}

// date returns the numbers of the date under order o; month is 0 when the
// order does not go with the year's place.
func (h *header) date(o order) (year, month, day int) {
	a, b, c := h.numbers[0], h.numbers[1], h.numbers[2]
	switch {
	case h.year == yearFirst:
		return a, b, c
	case o == shortFirst && h.year == yearLast:
		return 0, 0, 0
	case o == shortFirst:
		return 2000 + a, b, c
	}
	if h.year == yearShort {
		c += 2000
	}
	if o == monthFirst {
		return c, a, b
	}
	return c, b, a
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// daysSinceEpoch counts days from 1970-01-01 in the Gregorian calendar. It
// numbers the days of a year that begins in March, so that the leap day comes
// last; month lengths then follow (153*m+2)/5.
func daysSinceEpoch(year, month, day int) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	days := 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1
	return int64(days) - 719468
}

// firstMessages is when WhatsApp was first published; an earlier year in an
// export is a misread one.
const firstMessages = 2009

// oddYear reports whether the year of h under order o lies before WhatsApp
// or, if now is known, after it.
func (h *header) oddYear(o order, now time.Time) bool {
	year, _, _ := h.date(o)
	return year < firstMessages || !now.IsZero() && year > now.UTC().Year()+1
}
