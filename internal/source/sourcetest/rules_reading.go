package sourcetest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

func recognize(s source.Source, c source.Candidate) (r source.Recognition, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanic, p)
		}
	}()
	return s.Recognize(context.Background(), c)
}

// checkRecognised: the source claims its own fixture and says what it is.
func checkRecognised(r reporter, s *subject) {
	r.Helper()
	if s.Name() == "" {
		r.Errorf("Name is empty")
	}
	got := s.recognition
	if got.Confidence < 50 || got.Confidence > 100 {
		r.Errorf("confidence %d, want 50 to 100 (why: %s)", got.Confidence, got.Why)
	}
	if got.Format == "" {
		r.Errorf("recognition names no format")
	}
	if again, err := recognize(s.Source, s.candidate); err != nil {
		r.Errorf("recognise again: %v", err)
	} else if diff := cmp.Diff(got, again); diff != "" {
		r.Errorf("recognised differently the second time (-first +second):\n%s", diff)
	}
}

// foreignFiles are beginnings of files that no message source reads.
var foreignFiles = map[string]string{
	"empty":        "",
	"prose":        "It was the best of times, it was the worst of times.\n\nA second paragraph: with a colon.\n",
	"markdown":     "# Journal\n\n- [2024-01-02] went home\n- [x] done: all of it\n",
	"csv":          "id,name,date\n1,Ana,2024-01-02\n2,Ben,2024-01-03\n",
	"empty object": "{}",
	"empty array":  "[]",
	"package.json": `{"name":"thing","version":"1.0.0","type":"module","id":7,"dependencies":{}}`,
	"feed":         `{"version":"https://jsonfeed.org/version/1.1","title":"Feed","items":[{"id":"1","content_text":"hi"}]}`,
	"html":         "<!DOCTYPE html><html><head><title>x</title></head><body><p>hi</p></body></html>",
	"png":          "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06",
	"sqlite":       "SQLite format 3\x00\x10\x00\x01\x01\x00@  \x00\x00\x00\x01",
	"log":          "2024-01-02 10:00:01 INFO server: started\n2024-01-02 10:00:02 WARN server: slow\n",
	"zero bytes":   strings.Repeat("\x00", 4096),
	"line feeds":   strings.Repeat("\n", 4096),
}

// checkForeign: other files are not claimed.
func checkForeign(r reporter, s *subject) {
	r.Helper()
	files := map[string]string{"random": randomText(1, 8192)}
	for name, text := range foreignFiles {
		files[name] = text
	}
	for name, text := range files {
		got, err := s.recognizeAlone(text)
		if err != nil {
			r.Errorf("recognise %s: %v", name, err)
		} else if got.Confidence >= 50 {
			r.Errorf("%s is claimed as %q with confidence %d", name, got.Format, got.Confidence)
		}
	}
}

// checkShape: what was handed over keeps the promises of the seam's types.
func checkShape(r reporter, s *subject) {
	r.Helper()
	if len(s.result.Conversations) == 0 {
		r.Errorf("no conversation was read")
	}
	for _, skipped := range s.result.Skipped {
		if skipped.Reason == "" || len(skipped.Excerpt) > source.ExcerptSize {
			r.Errorf("skip with reason %q and an excerpt of %d bytes, want a reason and at most %d bytes",
				skipped.Reason, len(skipped.Excerpt), source.ExcerptSize)
		}
	}
	seen := map[string]bool{}
	for _, note := range s.result.Notes {
		if note == "" || seen[note] {
			r.Errorf("note %q is empty or given twice", note)
		}
		seen[note] = true
	}
	for _, m := range s.result.Messages() {
		if m.ReplyTo != nil && m.ReplyTo.NativeID == "" && m.ReplyTo.Quote == "" && m.ReplyTo.Target == nil {
			r.Errorf("%s: reply points nowhere", position(m.Position))
		}
		for _, reaction := range m.Reactions {
			if reaction.Emoji == "" {
				r.Errorf("%s: reaction without emoji", position(m.Position))
			}
		}
		for _, d := range m.Details {
			if d.Name == "" {
				r.Errorf("%s: detail without name", position(m.Position))
			}
		}
	}
}

// checkRepeatable: the same bytes give the same calls.
func checkRepeatable(r reporter, s *subject) {
	r.Helper()
	s.wantSame(r, "second reading")
}

// checkZone: the machine's time zone does not show in what is read.
func checkZone(r reporter, s *subject) {
	r.Helper()
	local := time.Local
	defer func() { time.Local = local }()
	for _, minutes := range []int{14 * 60, -(9*60 + 30)} {
		time.Local = time.FixedZone("suite", minutes*60)
		s.wantSame(r, fmt.Sprintf("local zone %+d min", minutes))
	}
}

// checkConcurrent: one source value reads from several goroutines at once.
func checkConcurrent(r reporter, s *subject) {
	r.Helper()
	type outcome struct {
		result Result
		err    error
	}
	const readers = 3
	done := make(chan outcome, readers)
	for range readers {
		go func() {
			result, err := s.read(s.text)
			done <- outcome{result, err}
		}()
	}
	for range readers {
		o := <-done
		if o.err != nil {
			r.Errorf("concurrent reading: %v", o.err)
		} else if diff := cmp.Diff(s.result, o.result); diff != "" {
			r.Errorf("concurrent reading differs (-alone +concurrent):\n%s", diff)
		}
	}
}

func (s *subject) wantSame(r reporter, what string) {
	r.Helper()
	got, err := s.read(s.text)
	if err != nil {
		r.Errorf("%s: %v", what, err)
		return
	}
	if diff := cmp.Diff(s.result, got); diff != "" {
		r.Errorf("%s differs (-first +now):\n%s", what, diff)
	}
}

// recognizeAlone recognises text under the fixture's path with nothing
// beside it.
func (s *subject) recognizeAlone(text string) (source.Recognition, error) {
	c, err := Candidate(FixtureFS(map[string]string{s.fixture.Path: text}), s.fixture.Path, "folder")
	if err != nil {
		return source.Recognition{}, err
	}
	return recognize(s.Source, c)
}
