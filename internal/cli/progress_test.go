package cli

import (
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// showing returns a progress that writes to the builder, on a clock that the
// returned function moves.
func showing(columns int) (*progress, *strings.Builder, func(time.Duration)) {
	var out strings.Builder
	now := time.Unix(1000, 0)
	a := &app{stderr: &out, env: Env{
		Now:      func() time.Time { return now },
		Terminal: func(io.Writer) (int, bool) { return columns, columns > 0 },
	}}
	return a.progress(false), &out, func(d time.Duration) { now = now.Add(d) }
}

var messages = unit{"message", "messages"}

func TestProgressLines(t *testing.T) {
	t.Parallel()
	p, out, wait := showing(0)
	p.begin("chat.db", messages, 10_000)
	p.add(1) // too early for a line
	wait(4 * time.Second)
	p.add(1)
	wait(time.Second)
	p.set(2_500)
	wait(4 * time.Second)
	p.set(2_501)
	p.note("dates read as day/month")
	wait(time.Second)
	p.set(10_000)
	p.begin("result.json", messages, 0)
	wait(10 * time.Second)
	p.set(1)
	p.end()
	const want = `chat.db  25%  2,500 messages  500/s  15 s left
dates read as day/month
chat.db  100%  10,000 messages  1,000/s  0 s left
result.json  1 message  0/s
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

func TestProgressBar(t *testing.T) {
	t.Parallel()
	p, out, wait := showing(80)
	step := func(d time.Duration, f func()) string {
		t.Helper()
		out.Reset()
		wait(d)
		f()
		return out.String()
	}
	for _, tt := range []struct{ name, got, want string }{
		{"begins silently", step(0, func() { p.begin("sms.xml", bytes, 2_000_000) }), ""},
		{"not before it is time", step(99*time.Millisecond, func() { p.set(1) }), ""},
		{"no rate yet", step(time.Millisecond, func() { p.set(100_000) }),
			"\rsms.xml  [#-------------------]  5%  100 kB"},
		{"rate and time left", step(1900*time.Millisecond, func() { p.set(1_000_000) }),
			"\rsms.xml  [##########----------]  50%  1.0 MB  500 kB/s  2 s left"},
		{"a shorter line is padded", step(18*time.Second, func() { p.set(2_000_000) }),
			"\rsms.xml  [####################]  100%  2.0 MB  100 kB/s  0 s left"},
		{"more than expected", step(time.Second, func() { p.set(2_100_000) }),
			"\rsms.xml  2.1 MB  100 kB/s" + strings.Repeat(" ", 40)},
		{"a note first takes the bar away", step(0, func() { p.note("hello\x1b") }),
			"\r" + strings.Repeat(" ", 25) + "\rhello\n"},
		{"drawn anew", step(time.Second, func() { p.set(2_200_000) }),
			"\rsms.xml  2.2 MB  100 kB/s"},
		{"taken away", step(0, p.end), "\r" + strings.Repeat(" ", 25) + "\r"},
		{"only once", step(0, p.end), ""},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}

func TestProgressFitsTerminal(t *testing.T) {
	t.Parallel()
	for _, width := range []int{1, 2, 10, 37, 200} {
		p, out, wait := showing(width)
		p.begin("家族グループ\nとても長い名前のチャット\x1b[2J.txt", messages, 1_000_000)
		wait(2 * time.Second)
		p.set(500_000)
		line := strings.TrimPrefix(out.String(), "\r")
		if got := columns(line); got > width-1 {
			t.Errorf("terminal of %d columns: line takes %d: %q", width, got, line)
		}
		if strings.ContainsAny(line, "\x1b\n\r") {
			t.Errorf("line holds control characters: %q", line)
		}
	}
}

func TestProgressQuiet(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	a := &app{stderr: &out, env: testEnv()}
	p := a.progress(true)
	p.begin("chat.db", messages, 10)
	p.add(5)
	p.set(10)
	p.note("hello")
	p.end()
	if out.String() != "" {
		t.Errorf("output %q, want nothing", out.String())
	}
}

// The race detector finds what is not locked.
func TestProgressConcurrent(t *testing.T) {
	t.Parallel()
	p, _, _ := showing(80)
	p.begin("chat.db", messages, 400)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 100 {
				p.add(1)
			}
		})
	}
	group.Wait()
	if p.done != 400 {
		t.Errorf("done = %d, want 400", p.done)
	}
}
