package sourcetest

import (
	"context"
	"errors"
)

// checkCancel: a cancelled context ends the reading with its own error.
func checkCancel(r reporter, s *subject) {
	r.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := collect(ctx, s.Source, s.candidate, s.recognition, s.fixture.Options); !errors.Is(err, context.Canceled) {
		r.Errorf("cancelled before reading: error %v, want %v", err, context.Canceled)
	}
	if s.fixture.Large == nil {
		return
	}
	c, err := largeCandidate(s.fixture)
	if err != nil {
		r.Errorf("large fixture: %v", err)
		return
	}
	// The seam allows a thousand records between two looks at the context.
	const before, allowed = 500, 1000
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	rec := &recorder{}
	rec.onMessage = func() error {
		if rec.messages == before {
			cancel()
		}
		return nil
	}
	err = rec.read(ctx, s.Source, c, s.recognition, s.fixture.Options)
	if !errors.Is(err, context.Canceled) || rec.messages > before+allowed {
		r.Errorf("cancelled after %d messages: %d were handed over and the error is %v", before, rec.messages, err)
	}
}

// errSink stands for a full disk behind the sink.
var errSink = errors.New("sink is full")

// checkSinkErrors: an error of the sink ends the reading and comes back as
// it is.
func checkSinkErrors(r reporter, s *subject) {
	r.Helper()
	fail := func() error { return errSink }
	last := len(s.result.Messages())
	for name, rec := range map[string]*recorder{
		"Begin":         {onBegin: fail},
		"first Message": {onMessage: fail},
		"End":           {onEnd: fail},
	} {
		checkSinkError(r, s, name, rec)
	}
	rec := &recorder{}
	rec.onMessage = func() error {
		if rec.messages == last {
			return errSink
		}
		return nil
	}
	checkSinkError(r, s, "last Message", rec)
}

func checkSinkError(r reporter, s *subject, name string, rec *recorder) {
	r.Helper()
	failedAt := 0
	for _, hook := range []*func() error{&rec.onBegin, &rec.onMessage, &rec.onEnd} {
		if inner := *hook; inner != nil {
			*hook = func() error {
				err := inner()
				if err != nil && failedAt == 0 {
					failedAt = rec.calls
				}
				return err
			}
		}
	}
	err := rec.read(context.Background(), s.Source, s.candidate, s.recognition, s.fixture.Options)
	if failedAt == 0 {
		r.Errorf("%s was never called", name)
		return
	}
	if !errors.Is(err, errSink) {
		r.Errorf("%s failed with %v; Read returned %v", name, errSink, err)
	}
	if rec.calls > failedAt {
		r.Errorf("%s failed and the sink was called %d times more", name, rec.calls-failedAt)
	}
}
