package msg

import "time"

// Basis says what kind of reading a Time is.
type Basis uint8

const (
	// Wall is a reading of a local clock with no offset: the source does not
	// say which zone it was. It is never shown with a zone or an offset.
	Wall Basis = iota
	// Instant is a point on the UTC time line, stated as such by the source.
	Instant
)

// String returns "wall" or "instant".
func (b Basis) String() string {
	if b == Instant {
		return "instant"
	}
	return "wall"
}

// Precision is the size of the last digit the source states. Stored as
// numbers: append only.
type Precision uint8

const (
	Second Precision = iota
	Minute
	Day
	Millisecond
	Microsecond
)

// String returns the precision's lower-case name.
func (p Precision) String() string {
	return [...]string{"second", "minute", "day", "millisecond", "microsecond"}[min(int(p), 4)]
}

// Time is when something happened, as far as its source says.
type Time struct {
	// Micros is unix microseconds. Of a Wall reading it is the reading taken
	// as if it were UTC, so that order and arithmetic work. Where t is Coarse
	// it is in full seconds.
	Micros    int64
	Basis     Basis
	Precision Precision
	// Raw is the text as it stood in the file, empty if the format stores a
	// number that Micros repeats exactly.
	Raw string
	// Known is false when the source gives no time or one known to be a
	// placeholder. Micros is then only a place in the order.
	Known bool
}

// WallTime returns the reading shown by t's clock fields, whatever t's zone.
func WallTime(t time.Time, p Precision, raw string) Time {
	_, offset := t.Zone()
	return Time{Micros: t.UnixMicro() + int64(offset)*1e6, Basis: Wall, Precision: p, Raw: raw, Known: true}
}

// InstantTime returns the instant t.
func InstantTime(t time.Time, p Precision, raw string) Time {
	return Time{Micros: t.UnixMicro(), Basis: Instant, Precision: p, Raw: raw, Known: true}
}

// UTC returns Micros as a time in UTC. For a Wall reading its clock fields
// are the reading and its zone means nothing.
func (t Time) UTC() time.Time { return time.UnixMicro(t.Micros).UTC() }

// Stated returns of a place in the order, in unix microseconds, what the
// source states of it. Several messages of one minute or day are kept in order
// by fractions of a second, which mean nothing.
func (t Time) Stated(sort int64) int64 {
	if !t.Coarse() {
		return sort
	}
	return sort - (sort%1e6+1e6)%1e6
}

// Coarse reports whether t is known to the minute or the day only, so that
// messages have the same time that were sent one after the other.
func (t Time) Coarse() bool { return t.Known && (t.Precision == Minute || t.Precision == Day) }

// String renders t at its precision: an instant as RFC 3339 with Z, a wall
// reading as the same without zone or offset, an unknown time as "unknown".
func (t Time) String() string {
	if !t.Known {
		return "unknown"
	}
	layout := "2006-01-02T15:04:05"
	switch t.Precision {
	case Day:
		return t.UTC().Format("2006-01-02")
	case Minute:
		if t.Basis == Wall {
			layout = "2006-01-02T15:04"
		}
	case Millisecond:
		layout = "2006-01-02T15:04:05.000"
	case Microsecond:
		layout = "2006-01-02T15:04:05.000000"
	}
	if t.Basis == Instant {
		layout += "Z"
	}
	return t.UTC().Format(layout)
}
