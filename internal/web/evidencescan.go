package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/wording"
)

// scan starts a scan, or joins the one that runs, here or in another process.
func (s *site) scan(r *http.Request, f folder, reset bool) (answer, error) {
	back := answer{redirect: "/spam"}
	if f.state.LastRun.ID != 0 && f.state.LastRun.State(f.now) == record.RunRunning {
		return back, nil
	}
	books, err := f.setup.Books(r.Context())
	if err != nil {
		return answer{}, err
	}
	threads, err := s.r.ConversationRefs(r.Context())
	if err != nil {
		return answer{}, err
	}
	e := s.evidence
	o := spam.ScanOptions{Reset: reset, Clocks: f.setup.Clocks, Now: s.now, PID: e.PID, Version: e.Version,
		Progress: func(c record.Counters) { e.job.settled(settledThreads(c), int64(len(threads))) }}
	e.job.start(func(ctx context.Context) (string, error) {
		e.job.settled(0, int64(len(threads)))
		run, err := spam.Scan(ctx, s.r, s.r, e.Recorder, f.setup.Rules, spam.ContactsBook{AddressBooks: books}, o)
		var running *record.RunningError
		if errors.As(err, &running) || run.ID != 0 { // the log of scans tells
			return "", nil
		}
		return "", err
	})
	return back, nil
}

// settledThreads is how many conversations a scan is done with.
func settledThreads(c record.Counters) int64 {
	return c.Conversations + c.Own + c.Allowlisted + c.Excluded + c.InAddressBook + c.NotComparable + c.Correspondent + c.Groups
}

func (s *site) startScan(r *http.Request, f folder) (answer, error) { return s.scan(r, f, false) }

// startReset needs what the page that explains it sends.
func (s *site) startReset(r *http.Request, f folder) (answer, error) {
	if r.PostForm.Get("confirm") != "yes" {
		return answer{redirect: "/spam/reset"}, nil
	}
	return s.scan(r, f, true)
}

func (s *site) stopScan(*http.Request, folder) (answer, error) {
	s.evidence.job.stop()
	return answer{redirect: "/spam"}, nil
}

// scanView is a scan that runs.
type scanView struct {
	// Run is 0 until the scan has begun.
	Run                        int64
	Examined, Flagged, Senders int64
	Rate                       int64 // messages per second, 0 when not known
	Percent                    int64 // of the conversations; -1 when another process scans
	Left                       string
	Since                      string
	Mine, Reset                bool
}

func (s *site) scanView(f folder) *scanView {
	done, total, mine := s.evidence.job.progress()
	run := f.state.LastRun
	if run.ID == 0 || run.State(f.now) != record.RunRunning {
		if !mine {
			return nil
		}
		return &scanView{Mine: true}
	}
	c := run.Counters
	v := &scanView{Run: run.ID, Examined: c.Examined, Flagged: c.Candidates, Senders: c.Senders, Percent: -1, Mine: mine, Reset: run.Reset,
		Since: run.StartedAt.UTC().Format("2006-01-02 15:04:05 UTC")}
	elapsed := f.now.Sub(run.StartedAt)
	if elapsed >= time.Second {
		v.Rate = int64(float64(c.Examined) / elapsed.Seconds())
	}
	if mine && total > 0 {
		v.Percent = min(100, 100*done/total)
		if done > 0 && elapsed >= time.Second {
			v.Left = wording.Span(time.Duration(float64(elapsed) * float64(total-done) / float64(done)))
		}
	}
	return v
}

// spamProgress is asked for again and again while a scan runs.
func (s *site) spamProgress(_ *http.Request, f folder) (answer, error) {
	v := s.scanView(f)
	if v == nil {
		return answer{page: "spamprogress", title: "Scan", data: (*scanView)(nil)}, nil
	}
	return answer{page: "spamprogress", title: "Scan", data: v}, nil
}

// resetView explains what deriving the record anew does.
type resetView struct {
	Findings, Senders int64
	Rules             string
	Writable          bool
}

func (s *site) spamReset(_ *http.Request, f folder) (answer, error) {
	if !f.state.Scanned() {
		return answer{}, store.ErrNotFound
	}
	return answer{page: "spamreset", title: "Derive the record anew",
		data: resetView{f.state.Findings, f.state.Senders, f.setup.Rules.Version(), s.evidence.Recorder != nil}}, nil
}
