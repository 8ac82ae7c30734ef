package web

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/wording"
)

// Job is long work that the page Status can start. Nothing else starts it.
type Job struct {
	// Name stands in addresses; lower-case letters.
	Name string
	// Label is what its button says, Doc what it does, in a sentence.
	Label, Doc string
	// Describe, if set, says instead of Doc what it does as things are now;
	// with nothing to say the job is not offered.
	Describe func() string
	// Asks is set for jobs whose button comes with a second look: Doc stands
	// before it.
	Asks bool
	// Run does it, says how far it is, and returns what it came to, in a
	// sentence.
	Run func(ctx context.Context, progress func(Progress)) (string, error)
}

// Progress is how far a job is: in bytes, or in messages.
type Progress struct {
	Done, Total int64
	Bytes       bool
}

// far says how far it is.
func (p Progress) far() string {
	if p.Bytes {
		return wording.Size(p.Done) + " of " + wording.Size(p.Total)
	}
	return wording.Count(p.Done) + " of " + wording.Plural(p.Total, "message", "messages")
}

// rate says how much was done in each second of a time; nothing when that is
// less than one.
func (p Progress) rate(in time.Duration) string {
	each := int64(float64(p.Done) / in.Seconds())
	switch {
	case each == 0:
		return ""
	case p.Bytes:
		return wording.Size(each) + " a second"
	}
	return wording.Plural(each, "message", "messages") + " a second"
}

// Jobs are the jobs of a server; one runs at a time. Stop ends it.
type Jobs struct {
	List []Job

	work  background
	mu    sync.Mutex
	label string // of the last one that was started
	began time.Time
	// phase is when the part of it began that is under way; each has a total
	// of its own.
	phase time.Time
	far   Progress
}

// Stop cancels a job that runs and waits for its end.
func (j *Jobs) Stop() { j.work.stop() }

// settled notes how far a job is, and when it goes on to another part.
func (j *Jobs) settled(now func() time.Time) func(Progress) {
	return func(p Progress) {
		j.mu.Lock()
		if p.Total != j.far.Total || p.Bytes != j.far.Bytes {
			j.phase = now()
		}
		j.far = p
		j.mu.Unlock()
	}
}

// jobsView is what the page Status shows of jobs.
type jobsView struct {
	List    []Job
	Running bool
	Percent int64 // -1 when not known
	Label   string
	// Since is how long it has run, Far how far it is, Rate how much it does
	// in a second and Left how long it may take yet, in words; all but Since
	// are empty when that cannot be told.
	Since, Far, Rate, Left string

	Said, Failed string
}

func (s *site) jobsView() *jobsView {
	if s.jobs == nil || len(s.jobs.List) == 0 {
		return nil
	}
	v := &jobsView{Percent: -1}
	for _, j := range s.jobs.List {
		if j.Describe != nil {
			if j.Doc = j.Describe(); j.Doc == "" {
				continue
			}
		}
		v.List = append(v.List, j)
	}
	_, _, v.Running = s.jobs.work.progress()
	v.Said, v.Failed = s.jobs.work.outcome()
	v.Said, v.Failed = inert.Line(v.Said), inert.Line(v.Failed)
	s.jobs.mu.Lock()
	v.Label = s.jobs.label
	elapsed, running, far := s.now().Sub(s.jobs.phase), s.now().Sub(s.jobs.began), s.jobs.far
	s.jobs.mu.Unlock()
	if !v.Running {
		return v
	}
	v.Since = wording.Span(running)
	if far.Total > 0 {
		v.Percent = min(100, 100*far.Done/far.Total)
		v.Far = far.far()
	}
	if far.Done > 0 && elapsed >= time.Second {
		v.Rate = far.rate(elapsed)
		if far.Total > far.Done {
			v.Left = wording.Span(time.Duration(float64(elapsed) * float64(far.Total-far.Done) / float64(far.Done)))
		}
	}
	return v
}

// routeJobs maps addresses to the jobs.
func (s *site) routeJobs(mux *http.ServeMux) {
	if s.jobs == nil || len(s.jobs.List) == 0 {
		return
	}
	mux.Handle("POST /status/jobs/{name}", s.show(s.startJob))
	mux.Handle("POST /status/stop", s.show(s.stopJob))
	mux.Handle("GET /status/progress", s.show(func(*http.Request) (answer, error) {
		return answer{page: "jobprogress", nav: "status", title: "Progress", data: s.jobsView()}, nil
	}))
}

// job is the one of a name; nil when there is none.
func (s *site) job(name string) *Job {
	if s.jobs == nil {
		return nil
	}
	at := slices.IndexFunc(s.jobs.List, func(j Job) bool { return j.Name == name })
	if at < 0 {
		return nil
	}
	return &s.jobs.List[at]
}

// startJob starts a job unless one runs.
func (s *site) startJob(r *http.Request) (answer, error) {
	job := s.job(r.PathValue("name"))
	if job == nil {
		return answer{}, store.ErrNotFound
	}
	s.jobs.mu.Lock()
	defer s.jobs.mu.Unlock()
	started := s.jobs.work.start(func(ctx context.Context) (string, error) {
		began := s.now()
		s.log.Info("web: job began", "job", job.Name)
		said, err := job.Run(ctx, s.jobs.settled(s.now))
		s.log.Info("web: job ended", "job", job.Name, "failed", err != nil, "took", s.now().Sub(began))
		return said, err
	})
	if started {
		s.jobs.label, s.jobs.began, s.jobs.phase, s.jobs.far = job.Label, s.now(), s.now(), Progress{}
	}
	return answer{redirect: "/status#jobs"}, nil
}

func (s *site) stopJob(*http.Request) (answer, error) {
	s.jobs.work.stop()
	return answer{redirect: "/status#jobs"}, nil
}
