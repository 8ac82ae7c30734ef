package whatsapp

import (
	"strings"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

func TestDateOrder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		// heads are headers; every one gets a sender and a text.
		heads string
		want  string
		// note is part of a note, or empty if the order needs none.
		note string
	}{
		{"day above twelve", "03/04/2024, 10:00 - |13/04/2024, 10:00 - ", "2024-04-03 2024-04-13", ""},
		{"month first by value", "3/4/24, 10:00 - |3/14/24, 10:00 - ", "2024-03-04 2024-03-14", ""},
		{"decided by the last line", "01/02/2024, 10:00 - |02/02/2024, 10:00 - |2/25/2024, 10:00 - ", "2024-01-02 2024-02-02 2024-02-25", ""},
		{"day first by sequence", "05/01/2024, 10:00 - |06/01/2024, 10:00 - |02/02/2024, 10:00 - ", "2024-01-05 2024-01-06 2024-02-02", "day/month/year: only then"},
		{"month first by sequence", "1/5/2024, 10:00 - |1/6/2024, 10:00 - |2/2/2024, 10:00 - ", "2024-01-05 2024-01-06 2024-02-02", "month/day/year: only then"},
		{"ambiguous, padded", "05/06/2024, 10:00 - |05/06/2024, 11:00 - ", "2024-06-05 2024-06-05", "dates are ambiguous"},
		{"ambiguous, american", "5/6/24, 10:00 AM - |5/6/24, 11:00 AM - ", "2024-05-06 2024-05-06", "dates are ambiguous"},
		{"ambiguous, small am", "5/6/24, 10:00 am - |5/6/24, 11:00 am - ", "2024-06-05 2024-06-05", "dates are ambiguous"},
		{"ambiguous, dots", "5.6.24, 10:00 - |5.6.24, 11:00 - ", "2024-06-05 2024-06-05", "dates are ambiguous"},
		{"year first", "2024-05-06, 10:00 - |2024-05-07, 11:00 - ", "2024-05-06 2024-05-07", ""},
		{"korean", "18. 1. 5. 오후 3:04 - |18. 1. 6. 오후 3:04 - ", "2018-01-05 2018-01-06", ""},
		{"two-digit years first by sequence", "20-01-30, 10:00 - |20-01-31, 10:00 - |20-02-01, 10:00 - |20-12-24, 10:00 - |21-01-02, 10:00 - ",
			"2020-01-30 2020-01-31 2020-02-01 2020-12-24 2021-01-02", ""},
		{"short years last", "15-01-20 10:00 - |16-01-20 10:00 - |01-02-20 10:00 - ", "2020-01-15 2020-01-16 2020-02-01", ""},
		{"one forged month", "03/04/2024, 10:00 - |13/04/2024, 10:00 - |14/04/2024, 10:00 - |04/15/2024, 10:00 - ", "2024-04-03 2024-04-13 2024-04-14", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var text strings.Builder
			for head := range strings.SplitSeq(tt.heads, "|") {
				text.WriteString(head + "Ana: x\n")
			}
			got := readChatFile(t, clubFile, text.String())
			if days(got) != tt.want {
				t.Errorf("days %s, want %s", days(got), tt.want)
			}
			if tt.note == "" && noted(got, "dates are") != "" || noted(got, tt.note) == "" {
				t.Errorf("notes %q, want %q", got.Notes, tt.note)
			}
			why := recognizeFile(t, ChatText{}, clubFile, "", text.String()).Why
			if ambiguous := tt.note == "dates are ambiguous"; strings.Contains(why, "dates are ambiguous") != ambiguous {
				t.Errorf("why %q, want a word on ambiguous dates: %t", why, ambiguous)
			}
		})
	}
}

// TestDateOrderOfFuture: a year that has not come yet is a misread one.
func TestDateOrderOfFuture(t *testing.T) {
	t.Parallel()
	got := sourcetest.Read(t, ChatText{}, sourcetest.Fixture{
		Files:   map[string]string{clubFile: "20-03-28 10:00 - Ana: x\n20-03-28 11:00 - Ana: y\n"},
		Path:    clubFile,
		Options: source.Options{Now: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)},
	})
	if days(got) != "2020-03-28 2020-03-28" {
		t.Errorf("days %s, want the year 2020: in 2024 there is no 2028", days(got))
	}
}

func TestOtherCalendars(t *testing.T) {
	t.Parallel()
	thai := readChatFile(t, clubFile, "13/6/2561 21:07 - T: x\n14/6/2561 21:07 - T: y\n")
	if days(thai) != "2018-06-13 2018-06-14" || noted(thai, "Buddhist") == "" {
		t.Errorf("days %s, notes %q", days(thai), thai.Notes)
	}
	persian := readChatFile(t, clubFile, "۱۳۹۹/۰۲/۳۱،\u200f ۲۱:۰۷ - T: x\n۱۳۹۹/۰۳/۰۱،\u200f ۲۱:۰۷ - T: y\n")
	for _, m := range persian.Messages() {
		if m.Time.Known || m.Time.Raw == "" {
			t.Errorf("time %v (raw %q) is taken for known", m.Time, m.Time.Raw)
		}
	}
	if len(persian.Messages()) != 2 || noted(persian, "another calendar") == "" {
		t.Errorf("%d messages, notes %q", len(persian.Messages()), persian.Notes)
	}
}
