package signal

import (
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

func TestUnixDay(t *testing.T) {
	t.Parallel()
	for at := time.Date(1899, 12, 25, 0, 0, 0, 0, time.UTC); at.Year() < 2105; at = at.AddDate(0, 0, 1) {
		got, ok := unixDay(at.Year(), int(at.Month()), at.Day())
		if want := at.Unix() / 86400; !ok || got != want {
			t.Fatalf("unixDay(%s) = %d, %t, want %d", at.Format(time.DateOnly), got, ok, want)
		}
	}
	for _, d := range [][3]int{{2023, 2, 29}, {1900, 2, 29}, {2024, 2, 30}, {2024, 4, 31}, {2024, 0, 1}, {2024, 13, 1}, {2024, 1, 0}, {2024, 1, 32}} {
		if _, ok := unixDay(d[0], d[1], d[2]); ok {
			t.Errorf("unixDay(%v) is taken for a date", d)
		}
	}
}

func TestPlaceholder(t *testing.T) {
	t.Parallel()
	before := reading(1700000000e6)
	for name, tc := range map[string]struct {
		r    reading
		want msg.Time
	}{
		"a time":           {before + 1, msg.Time{Micros: int64(before) + 1, Precision: msg.Minute, Raw: "raw", Known: true}},
		"the epoch":        {0, msg.Time{Micros: int64(before), Precision: msg.Minute, Raw: "raw"}},
		"west of the line": {reading(-5 * hour), msg.Time{Micros: int64(before), Precision: msg.Minute, Raw: "raw"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tc.r.wall(msg.Minute, "raw", before); got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

func TestISOTime(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text string
		want msg.Time
	}{
		"microseconds": {"2022-08-10T19:33:38.284000", msg.Time{Micros: 1660160018284000, Precision: msg.Millisecond, Known: true}},
		"milliseconds": {"2022-08-10T19:33:38.284", msg.Time{Micros: 1660160018284000, Precision: msg.Millisecond, Known: true}},
		"seconds":      {"2022-08-10T19:33:38", msg.Time{Micros: 1660160018000000, Precision: msg.Second, Known: true}},
		"offset":       {"2022-08-10T21:33:38.5+02:00", msg.Time{Micros: 1660160018500000, Basis: msg.Instant, Precision: msg.Millisecond, Known: true}},
		"no date":      {"yesterday", msg.Time{Micros: 7}},
		"no such day":  {"2022-02-30T19:33:38", msg.Time{Micros: 7}},
		"no such hour": {"2022-02-03T24:33:38", msg.Time{Micros: 7}},
		"bad fraction": {"2022-08-10T19:33:38.28x", msg.Time{Micros: 7}},
		"empty":        {"", msg.Time{Micros: 7}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.want.Raw = tc.text
			if got := isoTime(tc.text, 7); got != tc.want {
				t.Errorf("isoTime(%q) = %+v, want %+v", tc.text, got, tc.want)
			}
		})
	}
}
