package cli

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTimeLeft(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, got, want string }{
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
