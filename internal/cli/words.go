package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/wording"
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
	if remedy := remedies[store.TroubleOf(err)]; remedy != "" {
		fmt.Fprintln(w, "msgbrowse: "+remedy)
	}
	var wrong *usageError
	if errors.As(err, &wrong) {
		fmt.Fprintf(w, "Run %q to see what it takes.\n", wrong.command+" --help")
	}
}

// Numbers, sizes and durations are written as everywhere else.
var (
	count  = wording.Count
	plural = wording.Plural
	size   = wording.Size
	span   = wording.Span
)

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
