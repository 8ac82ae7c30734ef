package llm_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/llm"
	"github.com/msgbrowse/msgbrowse/internal/llm/llmtest"
)

func TestRetries(t *testing.T) {
	t.Parallel()
	ok, failing := llmtest.Correct(3), llmtest.Refuse(500, "")
	// The clock of a synctest bubble starts at 2000-01-01 00:00:00 UTC.
	const inTen = "Sat, 01 Jan 2000 00:00:10 GMT"
	for _, tt := range []struct {
		name       string
		behaviours []llmtest.Behaviour
		requests   int
		after      time.Duration
		err        string // end of the error
	}{
		{"none", []llmtest.Behaviour{ok}, 1, 0, ""},
		{"one", []llmtest.Behaviour{failing, ok}, 2, 500 * time.Millisecond, ""},
		{"doubling", []llmtest.Behaviour{failing, llmtest.BreakOff, failing, ok}, 4, 3500 * time.Millisecond, ""},
		{"limited without a time", []llmtest.Behaviour{llmtest.Limit(""), ok}, 2, 500 * time.Millisecond, ""},
		{"limited for seconds", []llmtest.Behaviour{llmtest.Limit("7"), ok}, 2, 7 * time.Second, ""},
		{"limited until a date", []llmtest.Behaviour{llmtest.Limit(inTen), ok}, 2, 10 * time.Second, ""},
		{"limited for a shorter time than the wait", []llmtest.Behaviour{failing, failing, failing, llmtest.Limit("1"), ok}, 5, 7500 * time.Millisecond, ""},
		{"limited for days", []llmtest.Behaviour{llmtest.Limit("99999"), ok}, 2, time.Minute, ""},
		{"limited for nonsense", []llmtest.Behaviour{llmtest.Limit("-5"), llmtest.Limit("soon"), ok}, 3, 1500 * time.Millisecond, ""},
		{"hanging", []llmtest.Behaviour{llmtest.Hang, ok}, 2, 30500 * time.Millisecond, ""},
		{"failing for good", []llmtest.Behaviour{failing}, 6, 15500 * time.Millisecond, "it failed with status 500; look into the server's own log, or try again later"},
		{"limited for good", []llmtest.Behaviour{llmtest.Limit("")}, 6, 15500 * time.Millisecond, "it limits how many requests it takes (it says: Rate limit reached); lower llm.max_concurrency, or try again later"},
		{"breaking off for good", []llmtest.Behaviour{llmtest.BreakOff}, 6, 15500 * time.Millisecond, "the connection ended before the answer was complete; check llm.base_url and that the server there runs"},
		{"hanging for good", []llmtest.Behaviour{llmtest.Hang}, 6, 195500 * time.Millisecond, "no complete answer came within 30s; check that the server runs, or raise llm.timeout"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := llmtest.New(t, tt.behaviours...)
				c := client(t, s)
				begun := time.Now()
				_, err := c.Embed(t.Context(), texts)
				if took := time.Since(begun); took != tt.after {
					t.Errorf("took %v, want %v", took, tt.after)
				}
				if (err == nil) != (tt.err == "") || err != nil && !strings.HasSuffix(err.Error(), ": "+tt.err) {
					t.Errorf("error = %v, want %q", err, tt.err)
				}
				if n := len(s.Requests()); n != tt.requests {
					t.Errorf("%d requests, want %d", n, tt.requests)
				}
			})
		})
	}
}

// Chance takes up to half of every wait.
func TestJitter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := llmtest.New(t, llmtest.Refuse(500, ""), llmtest.Correct(3))
		c := client(t, s, func(o *llm.Options) { o.Random = func() float64 { return 0.5 } })
		begun := time.Now()
		if _, err := c.Embed(t.Context(), texts); err != nil || time.Since(begun) != 375*time.Millisecond {
			t.Errorf("took %v, error %v, want 375ms and none", time.Since(begun), err)
		}
	})
}

func TestCancelledWhileWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := llmtest.New(t, llmtest.Limit("30"))
		c := client(t, s)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		begun := time.Now()
		if _, err := c.Embed(ctx, texts); !errors.Is(err, context.Canceled) || time.Since(begun) != time.Second {
			t.Errorf("error after %v = %v, want context.Canceled after 1s", time.Since(begun), err)
		}
	})
}

// What never was reached is said apart from what was.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		err      error
		attempts int
		want     string
	}{
		{"refused", &net.OpError{Op: "dial", Err: errors.New("connection refused")}, 6, "no connection could be made or kept; check llm.base_url and that the server there runs"},
		{"no such name", &net.OpError{Op: "dial", Err: &net.DNSError{Name: "embed.internal", IsNotFound: true}}, 1, "no machine has that name; check the spelling of llm.base_url"},
		{"name server is gone", &net.OpError{Op: "dial", Err: &net.DNSError{Name: "embed.internal", IsTemporary: true}}, 6, "no connection could be made or kept; check llm.base_url and that the server there runs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				dialled := 0
				c, err := llm.New(llm.Options{BaseURL: llmtest.BaseURL, Model: "m", Dial: func(_ context.Context, network, address string) (net.Conn, error) {
					if dialled++; network != "tcp" || address != "embed.internal:80" {
						t.Errorf("dials %s %s, want only the endpoint", network, address)
					}
					return nil, tt.err
				}})
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				_, err = c.Embed(t.Context(), texts)
				if want := "embed with embed.internal/v1: " + tt.want; fmt.Sprint(err) != want || dialled != tt.attempts {
					t.Errorf("error after %d attempts = %v, want after %d: %s", dialled, err, tt.attempts, want)
				}
			})
		})
	}
}
