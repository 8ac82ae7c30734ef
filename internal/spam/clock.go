package spam

import (
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// Clocks says which zone calendar days are counted in. Its zero value is the
// clock of UTC, with nothing declared.
type Clocks struct {
	// Zone is the owner's declared zone; nil means that none is declared:
	// instants are then counted by the clock of UTC, which is said.
	Zone *time.Location
}

// Name names the clock for people.
func (c Clocks) Name() string {
	if c.Zone == nil {
		return "UTC, because no time zone is declared"
	}
	return c.Zone.String()
}

func (c Clocks) zone() *time.Location {
	if c.Zone == nil {
		return time.UTC
	}
	return c.Zone
}

// local returns a message's time as a clock on the owner's wall showed it:
// an instant in the declared zone, a wall reading as it is. Its zone is
// always time.UTC and means nothing; calendar arithmetic is done on such
// times, so that a day is a day on both sides of a change of the clocks.
func (c Clocks) local(t msg.Time) time.Time {
	if t.Basis == msg.Wall {
		return t.UTC()
	}
	return asReading(t.UTC().In(c.zone()))
}

// asReading takes the fields of a clock out of their zone.
func asReading(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// instant returns the instant at which the owner's clock shows a reading, the
// first of two where it is shown twice.
func (c Clocks) instant(reading time.Time) time.Time {
	return time.Date(reading.Year(), reading.Month(), reading.Day(), reading.Hour(), reading.Minute(), reading.Second(), reading.Nanosecond(), c.zone()).UTC()
}

// written returns what the clock showed where a manual event was written
// down: with a declared zone, the time there; else the fields as they were
// given, whatever their offset.
func (c Clocks) written(t msg.Time) time.Time {
	if t.Basis == msg.Instant && c.Zone == nil {
		if given, err := time.Parse(time.RFC3339, t.Raw); err == nil {
			return asReading(given)
		}
	}
	return c.local(t)
}

// end returns the last microsecond that a time of a precision may mean, given
// its first.
func end(first time.Time, p msg.Precision) time.Time {
	const least = time.Microsecond
	switch p {
	case msg.Day:
		return first.AddDate(0, 0, 1).Add(-least)
	case msg.Minute:
		return first.Add(time.Minute - least)
	case msg.Second:
		return first.Add(time.Second - least)
	}
	return first
}

// placed is an event on both clocks, as the earliest and the latest moment it
// may have happened at.
type placed struct {
	event record.Event
	// reading is when it happened on the owner's wall.
	reading    time.Time
	start, end [2]int64 // by record.Clock
}

// place puts an event among messages of either clock.
func (c Clocks) place(e record.Event) placed {
	p := placed{event: e, reading: c.written(e.Time)}
	last := end(p.reading, e.Time.Precision)
	p.start[record.Readings], p.end[record.Readings] = p.reading.UnixMicro(), last.UnixMicro()
	if e.Time.Basis == msg.Instant {
		at := e.Time.UTC()
		p.start[record.Instants], p.end[record.Instants] = at.UnixMicro(), end(at, e.Time.Precision).UnixMicro()
	} else {
		p.start[record.Instants], p.end[record.Instants] = c.instant(p.reading).UnixMicro(), c.instant(last).UnixMicro()
	}
	if e.Origin == record.FromScan { // it has a place of its own
		p.start[e.Clock], p.end[e.Clock] = e.Sort, e.Sort
		if e.Time.Precision == msg.Minute || e.Time.Precision == msg.Day {
			p.end[e.Clock] = end(time.UnixMicro(e.Sort).UTC(), e.Time.Precision).UnixMicro()
		}
	}
	return p
}
