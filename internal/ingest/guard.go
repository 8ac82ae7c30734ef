package ingest

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/source"
)

// A source that panics fails its file, and no other one.

// recogniseSafely asks find about a candidate.
func recogniseSafely(ctx context.Context, find Finder, c source.Candidate) (s source.Source, r source.Recognition, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicError("recognize file", p)
		}
	}()
	return find(ctx, c)
}

// readSafely runs a source's Read. What it handed over before it failed is
// sent on in any case.
func readSafely(ctx context.Context, f *PlannedFile, o source.Options, sink *reader) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicError("read "+f.Recognition.Format, p)
		}
		err = errors.Join(err, sink.flush(0))
	}()
	return f.Source.Read(ctx, f.Candidate, f.Recognition, o, sink)
}

// panicError says what failed and where, in one line.
func panicError(what string, p any) error {
	return fmt.Errorf("%s: the reader failed unexpectedly at %s: %v", what, panicPlace(), p)
}

// panicPlace names the line that a panic being recovered came from.
func panicPlace() string {
	var counters [64]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(1, counters[:])])
	panicked := false
	for {
		frame, more := frames.Next()
		own := strings.HasPrefix(frame.Function, "runtime.")
		if panicked && !own {
			return fmt.Sprintf("%s:%d", path.Base(frame.File), frame.Line)
		}
		panicked = panicked || frame.Function == "runtime.gopanic"
		if !more {
			return "an unknown place"
		}
	}
}
