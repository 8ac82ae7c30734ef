package search

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Range is a stretch of time, unix microseconds, Start inclusive and End
// exclusive; nil is open.
type Range struct{ Start, End *int64 }

// ParseRange reads the two ends of a range: years, months and days as whole
// periods (so that an end date includes its last day), or RFC 3339 times.
// Periods without an offset are compared with wall clock readings as they
// stand and with instants in UTC.
func ParseRange(start, end string, now time.Time) (Range, error) {
	var r Range
	if start = strings.TrimSpace(start); start != "" {
		from, _, err := ParsePeriod(start, now)
		if err != nil {
			return r, fmt.Errorf("start %w", err)
		}
		r.Start = micros(from)
	}
	if end = strings.TrimSpace(end); end != "" {
		from, to, err := ParsePeriod(end, now)
		if err != nil {
			return r, fmt.Errorf("end %w", err)
		}
		if relative.MatchString(strings.ToLower(end)) { // the day then, not the time since
			to = from.AddDate(0, 0, 1)
		}
		r.End = micros(to)
	}
	if r.Start != nil && r.End != nil && *r.Start >= *r.End {
		return r, fmt.Errorf("start %s is after end %s; swap them", start, end)
	}
	return r, nil
}

func micros(t time.Time) *int64 {
	n := t.UnixMicro()
	return &n
}

var relative = regexp.MustCompile(`^(\d{1,5})([dwmy])$`)

// ParsePeriod reads one date and returns the period it names: a year, a
// month, a day, an instant (a period of one microsecond), "today",
// "yesterday", or how long ago something began ("7d", "3w", "2m", "1y"),
// which reaches until now.
func ParsePeriod(s string, now time.Time) (from, to time.Time, err error) {
	s = strings.TrimSpace(s)
	today := now.UTC().Truncate(24 * time.Hour)
	switch strings.ToLower(s) {
	case "today":
		return today, today.AddDate(0, 0, 1), nil
	case "yesterday":
		return today.AddDate(0, 0, -1), today, nil
	}
	if m := relative.FindStringSubmatch(strings.ToLower(s)); m != nil {
		n, _ := strconv.Atoi(m[1])
		from := map[string]time.Time{
			"d": today.AddDate(0, 0, -n), "w": today.AddDate(0, 0, -7*n), "m": today.AddDate(0, -n, 0), "y": today.AddDate(-n, 0, 0),
		}[m[2]]
		return from, today.AddDate(0, 0, 1), nil
	}
	for _, form := range []struct {
		layout              string
		years, months, days int
	}{{"2006", 1, 0, 0}, {"2006-01", 0, 1, 0}, {"2006-01-02", 0, 0, 1}} {
		if len(s) != len(form.layout) {
			continue
		}
		if from, err := time.Parse(form.layout, s); err == nil {
			return from, from.AddDate(form.years, form.months, form.days), nil
		}
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04"} {
		if at, err := time.Parse(layout, strings.ToUpper(s)); err == nil {
			return at, at.Add(time.Microsecond), nil
		}
	}
	return from, to, fmt.Errorf("%q is not a date; write YYYY, YYYY-MM, YYYY-MM-DD or an RFC 3339 time such as 2024-03-01T18:30:00Z", s)
}
