package llm

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// The wait before the second attempt, and bounds on every wait. A service
// that asks for more than maxAfter is asked again after that.
const (
	firstDelay = 500 * time.Millisecond
	maxDelay   = 30 * time.Second
	maxAfter   = time.Minute
)

// delay is how long to wait after a failed attempt, counted from 1: twice as
// long each time, of which chance takes away up to half so that clients which
// failed together do not return together. What the service asked for counts
// when it is longer.
func (c *Client) delay(attempt int, after time.Duration) time.Duration {
	d := maxDelay
	if attempt < 16 { // beyond that the doubling is past the bound anyway
		d = min(firstDelay<<(attempt-1), maxDelay)
	}
	d -= time.Duration(c.options.Random() * float64(d) / 2)
	return max(d, min(after, maxAfter))
}

// retryAfter reads the Retry-After header of RFC 9110: seconds or a date. It
// is 0 when there is none, or none that makes sense.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(date.Sub(now), 0)
	}
	return 0
}

// wait returns after d, or with the context's error when that ends first.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
