package mcp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/perimeter"
)

// serve runs ServeHTTP on a free port and returns the endpoint and its end.
func serve(ctx context.Context, t *testing.T, s *testServer, addr string, o HTTPOptions) (string, <-chan error) {
	t.Helper()
	urls := make(chan string, 1)
	done := make(chan error, 1)
	o.OnListen = func(url string) { urls <- url }
	go func() { done <- ServeHTTP(ctx, addr, s.Server, o) }()
	select {
	case url := <-urls:
		return url, done
	case err := <-done:
		t.Fatalf("ServeHTTP: %v", err)
	case <-time.After(time.Minute):
		t.Fatal("ServeHTTP does not listen")
	}
	return "", nil
}

func TestServeHTTPFinishesRunningCalls(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	url, done := serve(ctx, t, s, "127.0.0.1:0", HTTPOptions{})
	text := make(chan string, 1)
	go func() {
		_, body := post(t, url, callLine("1", "stuck", `{"query":"x"}`))
		text <- body
	}()
	<-s.running
	cancel()
	time.Sleep(20 * time.Millisecond)
	close(s.stuck)
	if got := <-text; !strings.Contains(got, "at last") {
		t.Errorf("running call: got %s", got)
	}
	if err := <-done; err != nil {
		t.Errorf("ServeHTTP: %v", err)
	}
	if _, err := http.Post(url, "application/json", nil); err == nil {
		t.Error("still listening after the end")
	}
}

func TestServeHTTPStopsDespiteWaitingCalls(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, Options{CallTimeout: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	url, done := serve(ctx, t, s, "127.0.0.1:0", HTTPOptions{})
	go func() {
		req, _ := http.NewRequest(http.MethodPost, url, strings.NewReader(callLine("1", "wait", `{"query":"x"}`)))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "*/*")
		if res, err := http.DefaultClient.Do(req); err == nil {
			res.Body.Close()
		}
	}()
	<-s.running
	started := time.Now()
	cancel()
	if err := <-done; err != nil {
		t.Errorf("ServeHTTP: %v", err)
	}
	if d := time.Since(started); d > 3*perimeter.ShutdownTime {
		t.Errorf("took %s", d)
	}
	select {
	case <-s.cancelled:
	case <-time.After(time.Minute):
		t.Error("the call runs on")
	}
}

func TestServeHTTPAddresses(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	const remote = "--allow-remote and a token: give --token-file or MSGBROWSE_MCP_TOKEN"
	tests := []struct {
		name, addr string
		options    HTTPOptions
		want       string // part of the error; empty if it listens
	}{
		{name: "loopback", addr: "127.0.0.1:0"},
		{name: "localhost", addr: "localhost:0"},
		{name: "all addresses", addr: "0.0.0.0:0", want: remote},
		{name: "all addresses, IPv6", addr: "[::]:0", want: remote},
		{name: "no host", addr: ":0", want: remote},
		{name: "private network", addr: "192.168.1.1:0", want: remote},
		{name: "a name", addr: "archive.example:0", want: remote},
		{name: "a token alone does not allow it", addr: "0.0.0.0:0", options: HTTPOptions{Token: "sesame"}, want: remote},
		{name: "remote without token", addr: "127.0.0.1:0", options: HTTPOptions{AllowRemote: true}, want: remote},
		{name: "remote with token", addr: "0.0.0.0:0", options: HTTPOptions{AllowRemote: true, Token: "sesame"}},
		{name: "no port", addr: "127.0.0.1", want: "host:port"},
		{name: "taken", addr: taken.Addr().String(), want: "address already in use"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			listening := false
			tt.options.OnListen = func(string) { listening = true; cancel() }
			err := ServeHTTP(ctx, tt.addr, NewServer(Options{}), tt.options)
			if tt.want == "" {
				if err != nil || !listening {
					t.Errorf("got %v, listening %t", err, listening)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
			var refused *perimeter.OptionError
			if got, want := errors.As(err, &refused), tt.name != "taken"; got != want {
				t.Errorf("%v is about the options: %t, want %t", err, got, want)
			}
		})
	}
}

// A client that dribbles its request is cut off, so it cannot hold a place.
func TestServeHTTPSlowHeaders(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for a timeout")
	}
	url, _ := serve(t.Context(), t, newTestServer(t, Options{}), "127.0.0.1:0", HTTPOptions{})
	conn, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(url, "http://"), EndpointPath))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\n")
	_ = conn.SetReadDeadline(time.Now().Add(2 * perimeter.HeaderTime))
	if n, err := conn.Read(make([]byte, 1)); err == nil && n > 0 {
		return // answered 408
	} else if ne, ok := err.(net.Error); ok && ne.Timeout() {
		t.Error("the connection is still open")
	}
}
