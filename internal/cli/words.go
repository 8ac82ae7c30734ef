package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/inert"
)

// The rules for everything said to people:
//
//   - A message says what happened, to what, and what to do next. It is one
//     line that begins "msgbrowse: ", in lower case, without a full stop.
//   - Errors are worded where they arise ("read chat.db: no such file") and
//     turned into lines here and nowhere else; several make several lines.
//   - Counts have thousands separators, sizes decimal units, durations at
//     most two units.
//   - Names from files go through package inert, so they cannot rewrite what
//     stands on a terminal.

// report writes what is to be said about the end of a run.
func report(w io.Writer, status int, err error) {
	if status == exitInterrupted {
		fmt.Fprintln(w, "msgbrowse: interrupted; what was finished before is kept")
		return
	}
	if err == nil {
		return
	}
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintln(w, "msgbrowse: "+inert.Line(strings.TrimRight(line, "\n")))
	}
	var wrong *usageError
	if errors.As(err, &wrong) {
		fmt.Fprintf(w, "Run %q to see what it takes.\n", wrong.command+" --help")
	}
}

// count writes a number with thousands separators: "12,345".
func count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// plural writes a number of things: "1 message", "12,345 messages".
func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// size writes a number of bytes: "999 B", "1.2 MB", "340 GB".
func size(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	value := float64(n)
	for _, unit := range []string{"kB", "MB", "GB", "TB", "PB", "EB"} {
		value /= 1000
		switch {
		case value < 9.95:
			return strconv.FormatFloat(value, 'f', 1, 64) + " " + unit
		case value < 999.5:
			return strconv.FormatFloat(value, 'f', 0, 64) + " " + unit
		}
	}
	return strconv.FormatFloat(value, 'f', 0, 64) + " EB"
}

// span writes a duration: "0.4 s", "12 s", "3 min 05 s", "2 h 10 min".
func span(d time.Duration) string {
	if d < 9950*time.Millisecond {
		return strconv.FormatFloat(max(0, d.Seconds()), 'f', 1, 64) + " s"
	}
	seconds := int64(math.Round(d.Seconds()))
	switch {
	case seconds < 60:
		return fmt.Sprintf("%d s", seconds)
	case seconds < 3600:
		return fmt.Sprintf("%d min %02d s", seconds/60, seconds%60)
	default:
		minutes := (seconds + 30) / 60
		return fmt.Sprintf("%s h %02d min", count(minutes/60), minutes%60)
	}
}

// left writes how many seconds remain, as coarsely as that can be known.
func left(seconds float64) string {
	const most = 999 * 3600
	whole := int64(math.Ceil(min(seconds, most)))
	minutes := (whole + 59) / 60
	switch {
	case whole < 60:
		return fmt.Sprintf("%d s left", whole)
	case minutes < 60:
		return fmt.Sprintf("%d min left", minutes)
	default:
		return fmt.Sprintf("%d h %02d min left", minutes/60, minutes%60)
	}
}
