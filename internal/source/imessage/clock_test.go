package imessage

import (
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

func TestParseClock(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, in, want string
	}{
		{"afternoon", "May 17, 2022  5:29:42 PM", "2022-05-17T17:29:42"},
		{"two digits", "Nov 03, 2019 11:05:00 AM", "2019-11-03T11:05:00"},
		{"midnight", "Oct 01, 2023 12:01:00 AM", "2023-10-01T00:01:00"},
		{"noon", "Oct 01, 2023 12:01:00 PM", "2023-10-01T12:01:00"},
		{"leap day", "Feb 29, 2024  1:00:00 AM", "2024-02-29T01:00:00"},
		{"with a receipt", "May 17, 2022  5:29:42 PM (Read by you after 3 seconds)", "2022-05-17T17:29:42"},
		{"no leap day", "Feb 29, 2023  1:00:00 AM", ""},
		{"day zero", "Feb 00, 2023  1:00:00 AM", ""},
		{"day of one digit", "May 7, 2022  5:29:42 PM", ""},
		{"one space before the hour", "May 17, 2022 5:29:42 PM", ""},
		{"hour padded with zero", "May 17, 2022 05:29:42 PM", ""},
		{"hour 13", "May 17, 2022 13:29:42 PM", ""},
		{"hour 0", "May 17, 2022  0:29:42 AM", ""},
		{"minute 60", "May 17, 2022  5:60:42 PM", ""},
		{"another language", "Mai 17, 2022  5:29:42 PM", ""},
		{"lower case", "may 17, 2022  5:29:42 PM", ""},
		{"no halves", "May 17, 2022  5:29:42 XM", ""},
		{"cut", "May 17, 2022  5:29:42 P", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			when, ok := parseClock(test.in)
			got := ""
			if ok {
				got = msg.WallTime(when, msg.Second, "").String()
			}
			if got != test.want {
				t.Errorf("parseClock(%q) = %q, want %q", test.in, got, test.want)
			}
		})
	}
}

func TestIsCutClock(t *testing.T) {
	t.Parallel()
	const whole = "Dec 31, 2022 12:29:42 PM"
	for n := 1; n < len(whole); n++ {
		if !isCutClock([]byte(whole[:n])) {
			t.Errorf("%q is not taken for a cut date", whole[:n])
		}
	}
	for _, s := range []string{"", "Hi", "Mayday", "Dec 32", "Dec 31, 2022 at", whole} {
		if isCutClock([]byte(s)) {
			t.Errorf("%q is taken for a cut date", s)
		}
	}
}

func TestNullDate(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, date string
		known      bool
	}{
		{"west", "Dec 31, 2000  4:00:00 PM", false},
		{"furthest west", "Dec 31, 2000 12:00:00 PM", false},
		{"UTC", "Jan 01, 2001 12:00:00 AM", false},
		{"half an hour", "Jan 01, 2001  5:30:00 AM", false},
		{"furthest east", "Jan 01, 2001  2:00:00 PM", false},
		{"before", "Dec 31, 2000 11:59:59 AM", true},
		{"after", "Jan 01, 2001  2:00:01 PM", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := only(t, read(t, "Ana.txt", test.date+"\nAna\nhello\n\n"))
			if m.Time.Known != test.known || m.Time.Raw != test.date {
				t.Errorf("time known=%t raw=%q, want known=%t raw=%q", m.Time.Known, m.Time.Raw, test.known, test.date)
			}
		})
	}
}

func TestParseSpan(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		in   string
		want time.Duration
		ok   bool
	}{
		{"30 seconds", 30 * time.Second, true},
		{"1 day, 2 hours, 1 minute, 1 second", 26*time.Hour + time.Minute + time.Second, true},
		{"1 hours, 49 seconds", time.Hour + 49*time.Second, true},
		{"", 0, true},
		{"a while", 0, false},
		{"3 fortnights", 0, false},
		{"-1 hours", 0, false},
		{"99999999999999999999 days", 0, false},
	} {
		got, ok := parseSpan(test.in)
		if got != test.want || ok != test.ok {
			t.Errorf("parseSpan(%q) = %v, %t, want %v, %t", test.in, got, ok, test.want, test.ok)
		}
	}
}
