package web_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/web"
)

// jobDesk has a job that goes on as it is told, and one that fails.
func jobDesk(t *testing.T) (d *desk, step chan string, jobs *web.Jobs) {
	step = make(chan string)
	jobs = &web.Jobs{List: []web.Job{
		{Name: "slow", Label: "Do it slowly", Doc: "takes its time", Run: func(ctx context.Context, progress func(web.Progress)) (string, error) {
			for {
				select {
				case <-ctx.Done():
					return "", ctx.Err()
				case what := <-step:
					if what == "end" {
						return "Did it all.", nil
					}
					progress(web.Progress{Done: 30, Total: 120})
					step <- "told"
				}
			}
		}},
		{Name: "broken", Label: "Break", Run: func(context.Context, func(web.Progress)) (string, error) {
			return "", errors.New("the disk is full")
		}},
	}}
	t.Cleanup(jobs.Stop)
	return sampleDeskWith(t, web.Options{Jobs: jobs}), step, jobs
}

func (d *desk) waitForJob() {
	d.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if len(all(d.page("/status/progress?part=1"), "section", "job")) == 0 {
			return
		}
	}
	d.t.Fatal("the job did not end")
}

func TestJobs(t *testing.T) {
	t.Parallel()
	d, step, jobs := jobDesk(t)
	checkMarkup(t, "status", d.page("/status"))
	if got := d.ask("POST", "/status/jobs/slow").Header.Get("Location"); got != "/status#jobs" {
		t.Fatalf("led to %q", got)
	}
	step <- "on"
	<-step
	root := d.page("/status")
	checkMarkup(t, "status with a job", root)
	if bar := d.one(root, "progress", ""); attribute(bar, "value") != "25" {
		t.Errorf("progress %q, want 25", attribute(bar, "value"))
	}
	d.ask("POST", "/status/jobs/broken") // one at a time
	if n := len(all(d.page("/status/progress?part=1"), "section", "job")); n != 1 {
		t.Error("another job took its place")
	}
	step <- "end"
	d.waitForJob()
	if said := text(d.page("/status")); !strings.Contains(said, "Did it all.") {
		t.Error("what it came to is not said")
	}
	d.ask("POST", "/status/jobs/broken")
	d.waitForJob()
	if said := text(d.page("/status")); !strings.Contains(said, "Break: the disk is full.") || strings.Contains(said, "Did it all.") {
		t.Errorf("the failure is not said: %s", said)
	}
	d.ask("POST", "/status/jobs/slow")
	if got := d.ask("POST", "/status/stop").StatusCode; got != http.StatusSeeOther {
		t.Errorf("stop: status %d", got)
	}
	if n := len(all(d.page("/status"), "section", "job")); n != 0 {
		t.Error("it was not stopped")
	}
	d.ask("POST", "/status/jobs/slow")
	jobs.Stop()
}

func TestJobsPerimeter(t *testing.T) {
	t.Parallel()
	d, _, _ := jobDesk(t)
	for _, target := range []string{"/status/jobs/slow", "/status/stop"} {
		if got := d.ask("POST", target, with("Sec-Fetch-Site", "cross-site")).StatusCode; got != http.StatusForbidden {
			t.Errorf("%s from another site: status %d", target, got)
		}
		if got := d.ask("GET", target).StatusCode; got != http.StatusMethodNotAllowed && got != http.StatusNotFound {
			t.Errorf("GET %s: status %d", target, got)
		}
	}
	if got := d.ask("POST", "/status/jobs/nothing").StatusCode; got != http.StatusNotFound {
		t.Errorf("unknown job: status %d", got)
	}
	if n := len(all(d.page("/status"), "section", "job")); n != 0 {
		t.Error("a job was started")
	}
	if got := sampleDesk(t).ask("POST", "/status/jobs/slow").StatusCode; got == http.StatusSeeOther {
		t.Error("a server without jobs starts one")
	}
}
