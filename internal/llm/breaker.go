package llm

import (
	"sync"
	"time"
)

// BreakerOptions bound what a failing endpoint costs those who wait for it.
type BreakerOptions struct {
	// Failures is the number of failures in a row after which nothing is sent
	// for a while; 0 means 3.
	Failures int
	// CoolDown is how long nothing is sent, at first; it doubles each time the
	// request after it fails too. 0 means 5 seconds.
	CoolDown time.Duration
	// MaxCoolDown bounds the doubling; 0 means 5 minutes.
	MaxCoolDown time.Duration
}

// breaker decides whether a request is worth sending. After a cool-down it
// lets one request through, whose outcome decides about the next ones.
type breaker struct {
	options BreakerOptions
	now     func() time.Time

	mu       sync.Mutex
	failures int           // in a row
	coolDown time.Duration // the present one; 0 while requests go through
	until    time.Time     // its end
	probing  bool          // the one request after it is under way
}

func newBreaker(o BreakerOptions, now func() time.Time) *breaker {
	if o.Failures <= 0 {
		o.Failures = 3
	}
	if o.CoolDown <= 0 {
		o.CoolDown = 5 * time.Second
	}
	if o.MaxCoolDown <= 0 {
		o.MaxCoolDown = 5 * time.Minute
	}
	return &breaker{options: o, now: now}
}

// outcome is how a request ended, as far as it tells about the endpoint.
type outcome uint8

const (
	unknown outcome = iota
	succeeded
	failed
)

// enter asks for leave to send a request. Who gets it calls report once.
func (b *breaker) enter() (report func(outcome), ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.coolDown == 0 {
		return b.report, true
	}
	if b.probing || b.now().Before(b.until) {
		return nil, false
	}
	b.probing = true
	return b.reportProbe, true
}

func (b *breaker) report(o outcome) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.coolDown > 0: // it began while this request was under way
	case o == succeeded:
		b.failures = 0
	case o == failed:
		if b.failures++; b.failures >= b.options.Failures {
			b.pause(b.options.CoolDown)
		}
	}
}

func (b *breaker) reportProbe(o outcome) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.probing = false
	switch o {
	case succeeded:
		b.failures, b.coolDown = 0, 0
	case failed:
		b.pause(2 * b.coolDown)
	}
}

func (b *breaker) pause(d time.Duration) {
	b.coolDown = min(d, b.options.MaxCoolDown)
	b.until = b.now().Add(b.coolDown)
}

// remaining is how long nothing is sent yet.
func (b *breaker) remaining() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(b.until.Sub(b.now()), 0)
}
