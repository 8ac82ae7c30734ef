package spam

import (
	"fmt"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// EventTime writes when an event happened: as a person wrote it down, where
// one did, and like the time of a message where a message shows it.
func EventTime(e record.Event) string {
	if e.Origin == record.Manual && e.Hash == "" && e.Time.Raw != "" {
		return e.Time.Raw
	}
	return e.Time.String()
}

// ParseEventTime reads when a person says that something happened: a date, a
// clock reading without offset (to the minute or second), RFC 3339, or
// nothing for now.
func ParseEventTime(text string, now time.Time) (msg.Time, error) {
	if text == "" {
		now = now.UTC().Truncate(time.Second)
		return msg.InstantTime(now, msg.Second, now.Format(time.RFC3339)), nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return msg.InstantTime(t, msg.Second, text), nil
	}
	for _, form := range []struct {
		layout    string
		precision msg.Precision
	}{
		{time.DateOnly, msg.Day}, {"2006-01-02T15:04", msg.Minute}, {"2006-01-02 15:04", msg.Minute},
		{"2006-01-02T15:04:05", msg.Second}, {time.DateTime, msg.Second},
	} {
		if t, err := time.Parse(form.layout, text); err == nil {
			return msg.WallTime(t, form.precision, text), nil
		}
	}
	return msg.Time{}, fmt.Errorf("%q is no time; give a date (2026-03-02), a time as your clock showed it (2026-03-02T10:05) or RFC 3339 (2026-03-02T10:05:00-05:00)", text)
}
