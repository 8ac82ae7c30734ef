package search

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParsePeriod(t *testing.T) {
	t.Parallel()
	day := func(year int, month time.Month, d int) time.Time {
		return time.Date(year, month, d, 0, 0, 0, 0, time.UTC)
	}
	tomorrow := day(2024, 6, 16)
	for _, test := range []struct {
		name, text string
		from, to   time.Time
	}{
		{"year", "2024", day(2024, 1, 1), day(2025, 1, 1)},
		{"month", "2024-02", day(2024, 2, 1), day(2024, 3, 1)},
		{"last month of a year", "2023-12", day(2023, 12, 1), day(2024, 1, 1)},
		{"day", "2024-02-29", day(2024, 2, 29), day(2024, 3, 1)},
		{"white space", " 2024-02 ", day(2024, 2, 1), day(2024, 3, 1)},
		{"instant", "2024-03-01T18:30:00Z", day(2024, 3, 1).Add(18*time.Hour + 30*time.Minute), day(2024, 3, 1).Add(18*time.Hour + 30*time.Minute + time.Microsecond)},
		{"instant with an offset", "2024-03-01T00:30:00+02:00", day(2024, 2, 29).Add(22*time.Hour + 30*time.Minute), day(2024, 2, 29).Add(22*time.Hour + 30*time.Minute + time.Microsecond)},
		{"instant in small letters", "2024-03-01t00:00:00z", day(2024, 3, 1), day(2024, 3, 1).Add(time.Microsecond)},
		{"instant with fractions", "2024-03-01T00:00:00.5Z", day(2024, 3, 1).Add(time.Second / 2), day(2024, 3, 1).Add(time.Second/2 + time.Microsecond)},
		{"wall clock", "2024-03-01T18:30", day(2024, 3, 1).Add(18*time.Hour + 30*time.Minute), day(2024, 3, 1).Add(18*time.Hour + 30*time.Minute + time.Microsecond)},
		{"wall clock with a space", "2024-03-01 18:30:05", day(2024, 3, 1).Add(18*time.Hour + 30*time.Minute + 5*time.Second), day(2024, 3, 1).Add(18*time.Hour + 30*time.Minute + 5*time.Second + time.Microsecond)},
		{"today", "Today", day(2024, 6, 15), tomorrow},
		{"yesterday", "yesterday", day(2024, 6, 14), day(2024, 6, 15)},
		{"days", "7d", day(2024, 6, 8), tomorrow},
		{"weeks", "3W", day(2024, 5, 25), tomorrow},
		{"months", "2m", day(2024, 4, 15), tomorrow},
		{"years", "1y", day(2023, 6, 15), tomorrow},
		{"no days", "0d", day(2024, 6, 15), tomorrow},
		{"before every archive", "99999y", day(-97975, 6, 15), tomorrow},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			from, to, err := ParsePeriod(test.text, now)
			if err != nil || !from.Equal(test.from) || !to.Equal(test.to) {
				t.Errorf("ParsePeriod(%q) = %v, %v, %v; want %v, %v", test.text, from, to, err, test.from, test.to)
			}
		})
	}
}

func TestParsePeriodRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "soon", "2024-13", "2024-02-30", "2023-02-29", "24", "2024-3", "2024/03/01", "01.03.2024", "20240301", "7", "d", "-7d", "7.5d", "100000d",
		"2024-03-01T25:00:00Z", "2024-03-01T18:30:00 Z", "March 2024", "٢٠٢٤",
	} {
		_, _, err := ParsePeriod(text, now)
		if err == nil || !strings.Contains(err.Error(), "is not a date; write YYYY") {
			t.Errorf("ParsePeriod(%q) gives %v", text, err)
		}
	}
}

func TestParseRange(t *testing.T) {
	t.Parallel()
	at := func(text string) *int64 {
		when, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return micros(when)
	}
	for _, test := range []struct {
		name, start, end string
		want             Range
	}{
		{"open", "", " ", Range{}},
		{"from a year on", "2024", "", Range{Start: at("2024-01-01T00:00:00Z")}},
		{"to the end of a month", "", "2024-02", Range{End: at("2024-03-01T00:00:00Z")}},
		{"the end day is included", "2024-03-01", "2024-03-01", Range{at("2024-03-01T00:00:00Z"), at("2024-03-02T00:00:00Z")}},
		{"a month within its year", "2024-05", "2024", Range{at("2024-05-01T00:00:00Z"), at("2025-01-01T00:00:00Z")}},
		{"instants", "2024-03-01T10:00:00Z", "2024-03-01T10:00:00Z", Range{at("2024-03-01T10:00:00Z"), micros(time.Date(2024, 3, 1, 10, 0, 0, 1000, time.UTC))}},
		{"a week ago until yesterday", "7d", "yesterday", Range{at("2024-06-08T00:00:00Z"), at("2024-06-15T00:00:00Z")}},
		{"an end so many days ago includes its day", "7d", "3d", Range{at("2024-06-08T00:00:00Z"), at("2024-06-13T00:00:00Z")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseRange(test.start, test.end, now)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("ParseRange(%q, %q) (-want +got):\n%s", test.start, test.end, diff)
			}
		})
	}
}

func TestParseRangeRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, start, end, want string }{
		{"bad start", "soon", "2024", `start "soon" is not a date`},
		{"bad end", "2024", "2024-02-30", `end "2024-02-30" is not a date`},
		{"start after end", "2024-03-02", "2024-03-01", "start 2024-03-02 is after end 2024-03-01; swap them"},
		{"start year after end month", "2024", "2023-12", "start 2024 is after end 2023-12; swap them"},
		{"start some days after end", "3d", "7d", "start 3d is after end 7d; swap them"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if _, err := ParseRange(test.start, test.end, now); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("ParseRange(%q, %q) gives %v, want %q", test.start, test.end, err, test.want)
			}
		})
	}
}

func FuzzParsePeriod(f *testing.F) {
	for _, seed := range []string{"2024", "2024-03", "2024-03-01", "7d", "today", "2024-03-01T18:30:00+02:00", "99999y", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		from, to, err := ParsePeriod(text, now)
		if err == nil && !from.Before(to) {
			t.Errorf("ParsePeriod(%q) = %v, %v: no time lies within", text, from, to)
		}
	})
}
