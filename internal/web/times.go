package web

import (
	"strconv"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// clock is the time of day of a message; empty when only its day is known.
func clock(t msg.Time) string {
	if !t.Known || t.Precision == msg.Day {
		return ""
	}
	return t.UTC().Format("15:04")
}

// basisOf says in words what kind of time it is.
func basisOf(t msg.Time) string {
	switch {
	case !t.Known:
		return "time not recorded"
	case t.Basis == msg.Instant:
		return "exact time, UTC"
	default:
		return "a clock reading; its zone is not recorded"
	}
}

// fullTime is a time with everything that is known of it.
func fullTime(t msg.Time) string {
	if !t.Known {
		return basisOf(t)
	}
	layout := "2006-01-02 15:04:05"
	switch t.Precision {
	case msg.Day:
		layout = time.DateOnly
	case msg.Minute:
		layout = "2006-01-02 15:04"
	}
	return t.UTC().Format(layout) + ", " + basisOf(t)
}

// dayOf is the day that a message stands under.
func dayOf(m store.Message) int64 { return store.DayOf(m.Time.Micros) }

func dayTime(day int64) time.Time { return time.Unix(day*24*3600, 0).UTC() }

// longDay writes a day out: "Sunday, 2 April 2023".
func longDay(day int64) string { return dayTime(day).Format("Monday, 2 January 2006") }

// shortDay writes a day: "2 Apr 2023".
func shortDay(micros int64) string { return time.UnixMicro(micros).UTC().Format("2 Jan 2006") }

func monthName(m store.Month) string { return m.Month().String() + " " + strconv.Itoa(m.Year()) }

// spanOf writes a stretch of time: "2019 to 2024", "Mar to May 2023",
// "2 to 9 Apr 2023", "2 Apr 2023".
func spanOf(first, last int64) string {
	if first == 0 && last == 0 {
		return ""
	}
	a, b := time.UnixMicro(first).UTC(), time.UnixMicro(last).UTC()
	switch {
	case a.Year() != b.Year():
		return strconv.Itoa(a.Year()) + " to " + strconv.Itoa(b.Year())
	case a.Month() != b.Month():
		return a.Format("Jan") + " to " + b.Format("Jan 2006")
	case a.Day() != b.Day():
		return a.Format("2") + " to " + b.Format("2 Jan 2006")
	}
	return shortDay(first)
}
