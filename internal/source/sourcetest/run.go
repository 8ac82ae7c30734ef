package sourcetest

import (
	"context"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/source"
)

// Run runs the suite over one source: a subtest per fixture and rule. It
// changes time.Local while one rule runs, so the calling test must not be
// parallel. With -short the large exports are left out: a run under the race
// detector takes minutes over them and learns nothing from their size.
func Run(t *testing.T, s source.Source, fixtures []Fixture) {
	t.Helper()
	if len(fixtures) == 0 {
		t.Fatal("no fixtures")
	}
	for _, f := range fixtures {
		t.Run(f.Name, func(t *testing.T) {
			if testing.Short() {
				f.Large = nil
			}
			sub, err := newSubject(s, f)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rules {
				t.Run(r.name, func(t *testing.T) { r.check(t, sub) })
			}
		})
	}
}

// reporter is the part of *testing.T the rules use, so that the suite's own
// test can watch them fail.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

// rule is one thing every source must do.
type rule struct {
	name  string
	check func(reporter, *subject)
}

var rules = []rule{
	{"recognised", checkRecognised},
	{"foreign", checkForeign},
	{"shape", checkShape},
	{"repeatable", checkRepeatable},
	{"zone", checkZone},
	{"identity", checkIdentity},
	{"order", checkOrder},
	{"position", checkPosition},
	{"pointer", checkPointer},
	{"owner", checkOwner},
	{"attachments", checkAttachments},
	{"traversal", checkTraversal},
	{"cut", checkCut},
	{"encoding", checkEncoding},
	{"noise", checkNoise},
	{"cancel", checkCancel},
	{"sink errors", checkSinkErrors},
	{"concurrent", checkConcurrent},
	{"memory", checkMemory},
}

// subject is one fixture under test with what a plain reading of it gave.
type subject struct {
	source.Source
	fixture     Fixture
	text        string
	candidate   source.Candidate
	recognition source.Recognition
	result      Result
}

func newSubject(s source.Source, f Fixture) (*subject, error) {
	sub := &subject{Source: s, fixture: f, text: f.Files[f.Path]}
	var err error
	if sub.candidate, err = f.candidate(sub.text); err != nil {
		return nil, err
	}
	ctx := context.Background()
	if sub.recognition, err = s.Recognize(ctx, sub.candidate); err != nil {
		return nil, err
	}
	sub.result, err = collect(ctx, s, sub.candidate, sub.recognition, f.Options)
	return sub, err
}

// read reads the fixture with text in place of its file, as the recognition
// of the whole file would have it read.
func (s *subject) read(text string) (Result, error) {
	c, err := s.fixture.candidate(text)
	if err != nil {
		return Result{}, err
	}
	return collect(context.Background(), s.Source, c, s.recognition, s.fixture.Options)
}

// recognize recognises the fixture with text in place of its file; a panic
// comes back as an error.
func (s *subject) recognize(text string) (r source.Recognition, err error) {
	c, err := s.fixture.candidate(text)
	if err != nil {
		return r, err
	}
	return recognize(s.Source, c)
}
