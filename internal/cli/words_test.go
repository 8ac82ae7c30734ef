package cli

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, got, want string }{
		{"zero", count(0), "0"},
		{"three digits", count(999), "999"},
		{"four digits", count(1000), "1,000"},
		{"negative", count(-1234567), "-1,234,567"},
		{"negative three digits", count(-123), "-123"},
		{"smallest", count(math.MinInt64), "-9,223,372,036,854,775,808"},
		{"no thing", plural(0, "message", "messages"), "0 messages"},
		{"one thing", plural(1, "reply", "replies"), "1 reply"},
		{"many things", plural(12345, "reply", "replies"), "12,345 replies"},
		{"bytes", size(999), "999 B"},
		{"kilobytes", size(1000), "1.0 kB"},
		{"rounded up to ten", size(9_960), "10 kB"},
		{"rounded up to the next unit", size(999_600), "1.0 MB"},
		{"gigabytes", size(340_000_000_000), "340 GB"},
		{"largest", size(math.MaxInt64), "9.2 EB"},
		{"short", span(440 * time.Millisecond), "0.4 s"},
		{"negative span", span(-time.Second), "0.0 s"},
		{"rounded up to ten seconds", span(9960 * time.Millisecond), "10 s"},
		{"rounded up to a minute", span(59_600 * time.Millisecond), "1 min 00 s"},
		{"minutes", span(185 * time.Second), "3 min 05 s"},
		{"hours", span(2*time.Hour + 10*time.Minute + 29*time.Second), "2 h 10 min"},
		{"rounded up to an hour", span(2*time.Hour - 20*time.Second), "2 h 00 min"},
		{"seconds left", left(0.2), "1 s left"},
		{"minutes left", left(61), "2 min left"},
		{"hours left", left(3601), "1 h 01 min left"},
		{"forever left", left(math.Inf(1)), "999 h 00 min left"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.got != tt.want {
				t.Errorf("got %q, want %q", tt.got, tt.want)
			}
		})
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	broken := errors.New("read chat.db: no such file")
	for _, tt := range []struct {
		name   string
		status int
		err    error
		want   string
	}{
		{"nothing to say", exitDone, nil, ""},
		{"one error", exitFailed, broken, "msgbrowse: read chat.db: no such file\n"},
		{"several errors", exitFailed, errors.Join(broken, errors.New("second")), "msgbrowse: read chat.db: no such file\nmsgbrowse: second\n"},
		{"mistake in the line", exitUsage, usage(&usageError{"msgbrowse import", errors.New("no")}), "msgbrowse: no\nRun \"msgbrowse import --help\" to see what it takes.\n"},
		{"interrupted", exitInterrupted, broken, "msgbrowse: interrupted; what was finished before is kept\n"},
		{"hostile name", exitFailed, fmt.Errorf("read %s: no", "a\x1b[2J\u202e\u200bb\r"), "msgbrowse: read a[2Jb / : no\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			report(&out, tt.status, tt.err)
			if diff := cmp.Diff(tt.want, out.String()); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
		})
	}
}
