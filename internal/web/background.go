package web

import (
	"context"
	"sync"
	"time"
)

// background is work that goes on when the page that asked for it is closed:
// one at a time. The zero value has done nothing yet.
type background struct {
	mu          sync.Mutex
	ended       chan struct{} // nil when nothing was started
	cancel      context.CancelFunc
	said        string // what the last one came to
	failed      string // why it failed
	done, total int64
}

// start runs do, whose text says what it came to, unless something runs
// already. It reports whether it did, and nothing is done of it yet then.
func (j *background) start(do func(context.Context) (string, error)) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.cancel != nil {
		return false
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	j.ended, j.cancel, j.said, j.failed, j.done, j.total = ended, cancel, "", "", 0, 0
	go func() {
		defer close(ended)
		defer cancel()
		said, err := do(ctx)
		j.mu.Lock()
		defer j.mu.Unlock()
		j.cancel, j.said = nil, said
		if err != nil {
			j.failed = err.Error()
		}
	}()
	return true
}

// stop cancels what runs and waits for its end.
func (j *background) stop() {
	j.mu.Lock()
	ended, cancel := j.ended, j.cancel
	j.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	if ended != nil {
		<-ended
	}
}

// wait waits until what runs has ended, but no longer than d.
func (j *background) wait(d time.Duration) {
	j.mu.Lock()
	ended := j.ended
	j.mu.Unlock()
	if ended == nil {
		return
	}
	patience := time.NewTimer(d)
	defer patience.Stop()
	select {
	case <-ended:
	case <-patience.C:
	}
}

// outcome is what the last one came to, or why it failed.
func (j *background) outcome() (said, failed string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.said, j.failed
}

func (j *background) settled(done, total int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done, j.total = done, total
}

func (j *background) progress() (done, total int64, running bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.done, j.total, j.cancel != nil
}
