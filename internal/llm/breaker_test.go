package llm_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/llm"
	"github.com/msgbrowse/msgbrowse/internal/llm/llmtest"
)

// ask embeds a query with a deadline and says how long it took.
func ask(t *testing.T, c *llm.Client) (time.Duration, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	begun := time.Now()
	_, err := c.EmbedNow(ctx, []string{"q"})
	return time.Since(begun), err
}

// A dead endpoint costs its deadline three times, then nothing, and one
// deadline after each cool-down, which doubles up to its bound.
func TestBreaker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, ok := llmtest.Hang, llmtest.Correct(3)
		s := llmtest.New(t, h, h, h, h, h, h, ok, h, h, ok, h, h, h)
		c := client(t, s, func(o *llm.Options) {
			o.Breaker = llm.BreakerOptions{CoolDown: 5 * time.Second, MaxCoolDown: 15 * time.Second}
		})
		waits := func(want string) {
			t.Helper()
			took, err := ask(t, c)
			got := "answers"
			switch {
			case errors.Is(err, llm.ErrUnavailable) && took == 0:
				got = "closed"
			case errors.Is(err, context.DeadlineExceeded) && took == 300*time.Millisecond:
				got = "waits"
			case err != nil:
				got = err.Error()
			}
			if got != want {
				t.Errorf("after %d requests: %s, want %s", len(s.Requests()), got, want)
			}
		}
		waits("waits")
		waits("waits")
		waits("waits")
		for _, coolDown := range []time.Duration{5 * time.Second, 10 * time.Second, 15 * time.Second} {
			waits("closed")
			time.Sleep(coolDown - time.Millisecond)
			waits("closed")
			time.Sleep(time.Millisecond)
			waits("waits")
		}
		time.Sleep(15 * time.Second)
		waits("answers")
		// Failures count only in a row, and from the start again.
		waits("waits")
		waits("waits")
		waits("answers")
		waits("waits")
		waits("waits")
		waits("waits")
		waits("closed")
	})
}

// While the one request after a cool-down is under way nobody else waits,
// and giving it up says nothing about the endpoint.
func TestBreakerProbe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := llmtest.New(t, llmtest.Hang, llmtest.Hang, llmtest.Correct(3))
		c := client(t, s, func(o *llm.Options) { o.Breaker.Failures = 1 })
		if _, err := ask(t, c); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("error = %v, want the deadline's", err)
		}
		time.Sleep(5 * time.Second)
		ctx, cancel := context.WithCancel(t.Context())
		given := make(chan error)
		go func() {
			_, err := c.EmbedNow(ctx, []string{"q"})
			given <- err
		}()
		synctest.Wait()
		if took, err := ask(t, c); !errors.Is(err, llm.ErrUnavailable) || took != 0 {
			t.Errorf("second request: %v after %v, want ErrUnavailable at once", err, took)
		}
		cancel()
		if err := <-given; !errors.Is(err, context.Canceled) {
			t.Errorf("first request: %v, want context.Canceled", err)
		}
		if _, err := ask(t, c); err != nil {
			t.Errorf("request after one given up: %v", err)
		}
	})
}

// Indexing goes on whatever queries have met.
func TestBreakerLeavesIndexingAlone(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Refuse(400, ""), llmtest.Correct(3))
	c := client(t, s, func(o *llm.Options) { o.Breaker.Failures = 1 })
	if _, err := c.EmbedNow(t.Context(), texts); err == nil {
		t.Fatal("no error")
	}
	if _, err := c.EmbedNow(t.Context(), texts); !errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("error = %v, want ErrUnavailable", err)
	}
	if _, err := c.Embed(t.Context(), texts); err != nil {
		t.Errorf("Embed: %v", err)
	}
}
