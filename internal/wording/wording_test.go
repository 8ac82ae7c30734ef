package wording

import (
	"math"
	"testing"
	"time"
)

func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, got, want string }{
		{"zero", Count(0), "0"},
		{"three digits", Count(999), "999"},
		{"four digits", Count(1000), "1,000"},
		{"negative", Count(-1234567), "-1,234,567"},
		{"negative three digits", Count(-123), "-123"},
		{"smallest", Count(math.MinInt64), "-9,223,372,036,854,775,808"},
		{"no thing", Plural(0, "message", "messages"), "0 messages"},
		{"one thing", Plural(1, "reply", "replies"), "1 reply"},
		{"many things", Plural(12345, "reply", "replies"), "12,345 replies"},
		{"bytes", Size(999), "999 B"},
		{"kilobytes", Size(1000), "1.0 kB"},
		{"rounded up to ten", Size(9_960), "10 kB"},
		{"rounded up to the next unit", Size(999_600), "1.0 MB"},
		{"gigabytes", Size(340_000_000_000), "340 GB"},
		{"largest", Size(math.MaxInt64), "9.2 EB"},
		{"short", Span(440 * time.Millisecond), "0.4 s"},
		{"negative span", Span(-time.Second), "0.0 s"},
		{"rounded up to ten seconds", Span(9960 * time.Millisecond), "10 s"},
		{"rounded up to a minute", Span(59_600 * time.Millisecond), "1 min 00 s"},
		{"minutes", Span(185 * time.Second), "3 min 05 s"},
		{"hours", Span(2*time.Hour + 10*time.Minute + 29*time.Second), "2 h 10 min"},
		{"rounded up to an hour", Span(2*time.Hour - 20*time.Second), "2 h 00 min"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.got != tt.want {
				t.Errorf("got %q, want %q", tt.got, tt.want)
			}
		})
	}
}
