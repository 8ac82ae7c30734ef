package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestServeStdioAnswersAllAfterEndOfInput(t *testing.T) {
	t.Parallel()
	const n = 4_000
	var in strings.Builder
	in.WriteString(initialize)
	for i := range n {
		in.WriteString(callLine(fmt.Sprint(i), "echo", fmt.Sprintf(`{"query":"q%d"}`, i)))
	}
	got := serveAll(t, newTestServer(t, Options{}), in.String())
	if len(got) != n+1 {
		t.Fatalf("got %d answers, want %d", len(got), n+1)
	}
	for i := range n {
		if text, want := got[fmt.Sprint(i)].text(), fmt.Sprintf("echo q%d", i); text != want {
			t.Fatalf("answer %d: got %q, want %q", i, text, want)
		}
	}
}

// A session goes on after every line that is no message, and each of them is
// answered where an answer is due.
func TestServeStdioSurvives(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	tests := []struct {
		name, lines string
		wantID      string // the id of the error answer; empty if there is none
		wantCode    int
	}{
		{name: "not JSON", lines: "hello\n", wantID: "null", wantCode: -32700},
		{name: "batch", lines: `[{"jsonrpc":"2.0","id":1,"method":"ping"}]` + "\n", wantID: "null", wantCode: -32600},
		{name: "number", lines: "5\n", wantID: "null", wantCode: -32600},
		{name: "empty object", lines: "{}\n", wantID: "null", wantCode: -32600},
		{name: "no version", lines: `{"id":1,"method":"ping"}` + "\n", wantID: "1", wantCode: -32600},
		{name: "too deep", lines: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":` + deep + "}}\n", wantID: "1", wantCode: -32600},
		{name: "too long", lines: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"` + strings.Repeat("x", MaxMessageBytes) + "\"}}\n", wantID: "1", wantCode: -32600},
		{name: "blank lines", lines: "\n\r\n \n"},
		{name: "answer to nothing", lines: `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n"},
		{name: "unknown method", lines: `{"jsonrpc":"2.0","id":1,"method":"nope"}` + "\n", wantID: "1", wantCode: -32601},
		{name: "unknown notification", lines: `{"jsonrpc":"2.0","method":"notifications/nope"}` + "\n"},
		{name: "second initialize", lines: strings.Replace(initialize, `"init"`, "1", 1), wantID: "1", wantCode: -32600},
		{name: "unknown tool", lines: callLine("1", "nope", "{}"), wantID: "1", wantCode: -32602},
		{name: "params missing", lines: `{"jsonrpc":"2.0","id":1,"method":"tools/call"}` + "\n", wantID: "1", wantCode: -32600},
		{name: "params of another shape", lines: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":[]}}` + "\n", wantID: "1", wantCode: -32602},
		{name: "URI that the SDK quotes badly", lines: `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x:\u0001\u007f"}}` + "\n", wantID: "1", wantCode: -32602},
		{name: "prompt that fails", lines: `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"find"}}` + "\n", wantID: "1", wantCode: -32603},
		{name: "cancellation of nothing", lines: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}` + "\n"},
		{name: "cancellation without id", lines: `{"jsonrpc":"2.0","method":"notifications/cancelled"}` + "\n"},
		{name: "cancellation with an id of its own", lines: `{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled","params":{"requestId":77}}` + "\n", wantID: "1", wantCode: -32600},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := serveAll(t, newTestServer(t, Options{}), initialize+tt.lines+callLine("99", "echo", `{"query":"still here"}`))
			if text := got["99"].text(); text != "echo still here" {
				t.Errorf("the call after it: got %q", text)
			}
			want := 2
			if tt.wantID != "" {
				want++
				if e := got[tt.wantID].Error; e == nil || e.Code != tt.wantCode {
					t.Errorf("got error %+v, want code %d", e, tt.wantCode)
				}
			}
			if len(got) != want {
				t.Errorf("got %d answers, want %d: %v", len(got), want, got)
			}
		})
	}
}

func TestServeStdioBeforeInitialize(t *testing.T) {
	t.Parallel()
	got := serveAll(t, newTestServer(t, Options{}), callLine("1", "echo", `{"query":"x"}`)+initialize)
	if e := got["1"].Error; e == nil || e.Code != -32600 {
		t.Errorf("got %+v, want an invalid request", e)
	}
	if got[`"init"`].Result == nil {
		t.Error("initialize fails after a call that came too early")
	}
}

func TestServeStdioLastLineUnfinished(t *testing.T) {
	t.Parallel()
	got := serveAll(t, newTestServer(t, Options{}), initialize+strings.TrimSuffix(callLine("1", "echo", `{"query":"x"}`), "\n"))
	if text := got["1"].text(); text != "echo x" {
		t.Errorf("got %q", text)
	}
}

func TestServeStdioWaitsForRunningCalls(t *testing.T) {
	t.Parallel()
	var in strings.Builder
	in.WriteString(initialize)
	for i := range 20 {
		in.WriteString(callLine(fmt.Sprint(i), "slow", `{"query":"x"}`))
	}
	got := serveAll(t, newTestServer(t, Options{}), in.String())
	if len(got) != 21 {
		t.Errorf("got %d answers, want 21", len(got))
	}
}

func TestServeStdioDuplicateID(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, Options{})
	p := startPipe(t.Context(), t, s)
	p.send(callLine("1", "stuck", `{"query":"x"}`))
	<-s.running
	p.send(callLine("1", "echo", `{"query":"x"}`))
	if a := p.receive(); string(a.ID) != "1" || a.Error == nil || a.Error.Code != -32600 {
		t.Errorf("duplicate: got id %s error %+v, want id 1 and an invalid request", a.ID, a.Error)
	}
	close(s.stuck)
	if a := p.receive(); a.text() != "at last" {
		t.Errorf("first call: got %q", a.text())
	}
	p.send(callLine("1", "echo", `{"query":"again"}`)) // free again
	if a := p.receive(); a.text() != "echo again" {
		t.Errorf("id used again: got %q", a.text())
	}
	_ = p.in.Close()
	if err := p.wait(); err != nil {
		t.Errorf("ServeStdio: %v", err)
	}
}

func TestServeStdioCancel(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, Options{})
	p := startPipe(t.Context(), t, s)
	p.send(callLine("1", "wait", `{"query":"x"}`))
	<-s.running
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n")
	<-s.cancelled // the call saw it
	p.send(callLine("2", "echo", `{"query":"next"}`))
	if a := p.receive(); string(a.ID) != "2" {
		t.Errorf("got an answer for id %s, want none for the cancelled call", a.ID)
	}
	_ = p.in.Close()
	if err := p.wait(); err != nil {
		t.Errorf("ServeStdio: %v", err)
	}
	for a := range p.answers {
		t.Errorf("late answer for id %s", a.ID)
	}
}

// With every place taken, a cancellation still reaches a running call, and a
// call that is cancelled before its turn is never started.
func TestServeStdioCancelWhenFull(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, Options{MaxConcurrent: 2 * maxRunning})
	p := startPipe(t.Context(), t, s)
	for i := range maxRunning {
		p.send(callLine(fmt.Sprint(i), "wait", `{"query":"x"}`))
		<-s.running
	}
	p.send(callLine("500", "stuck", `{"query":"x"}`))
	p.send(callLine("501", "echo", `{"query":"last"}`))
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":500}}` + "\n")
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}` + "\n")
	<-s.cancelled
	if a := p.receive(); string(a.ID) != "501" {
		t.Errorf("got id %s, want 501", a.ID)
	}
	if len(s.running) != 0 {
		t.Error("the cancelled call was started")
	}
	for i := range maxRunning - 1 {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", i+1))
	}
	_ = p.in.Close()
	if err := p.wait(); err != nil {
		t.Errorf("ServeStdio: %v", err)
	}
}

// A cancelled call that does not stop must not hold up the end.
func TestServeStdioEndDoesNotWaitForCancelled(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, Options{})
	defer close(s.stuck)
	in := initialize + callLine("1", "stuck", `{"query":"x"}`) +
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n"
	started := time.Now()
	serveAll(t, s, in)
	if d := time.Since(started); d > 10*time.Second {
		t.Errorf("took %s", d)
	}
}

func TestServeStdioStopsWithContext(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	p := startPipe(ctx, t, s)
	p.send(callLine("1", "wait", `{"query":"x"}`))
	<-s.running
	started := time.Now()
	cancel()
	if err := p.wait(); err != nil {
		t.Errorf("ServeStdio: %v", err)
	}
	if d := time.Since(started); d > 10*time.Second {
		t.Errorf("took %s", d)
	}
	<-s.cancelled
	a := p.receive()
	if string(a.ID) != "1" || a.Error == nil {
		t.Errorf("unfinished call: got %+v, want an error for id 1", a)
	}
}

// Requests that outlive the end of input by too long are answered with an
// error, a client that does not read holds nothing up.
func TestServeStdioDrainIsBounded(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		read bool
	}{
		{name: "client reads", read: true},
		{name: "client does not read", read: false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newTestServer(t, Options{CallTimeout: time.Hour})
				p := startPipe(t.Context(), t, s)
				p.send(callLine("1", "stuck", `{"query":"x"}`))
				<-s.running
				if !tt.read {
					for i := range cap(p.answers) + 10 { // the reader stops when its channel is full
						p.send(callLine(fmt.Sprint(i+10), "echo", `{"query":"x"}`))
					}
				}
				started := time.Now()
				_ = p.in.Close()
				if err := p.wait(); err != nil {
					t.Errorf("ServeStdio: %v", err)
				}
				if d := time.Since(started); d < drainTime || d > drainTime+2*stopTime {
					t.Errorf("returned after %s, want %s", d, drainTime)
				}
				close(s.stuck)
				if tt.read {
					if a := p.receive(); string(a.ID) != "1" || a.Error == nil || a.Error.Code != -32603 {
						t.Errorf("got %+v, want an error for id 1", a)
					}
					return
				}
				for range p.answers { // let the blocked writers go
				}
			})
		})
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("pipe is broken") }

func TestServeStdioStreamFailures(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk is gone")
	tests := []struct {
		name string
		in   io.Reader
		out  io.Writer
		want string
	}{
		{name: "answer cannot be written", in: io.MultiReader(strings.NewReader(initialize), blocked{}), out: brokenWriter{}, want: "pipe is broken"},
		{name: "error reply cannot be written", in: io.MultiReader(strings.NewReader("x\n"), blocked{}), out: brokenWriter{}, want: "pipe is broken"},
		{name: "input cannot be read", in: io.MultiReader(strings.NewReader(initialize), failingReader{broken}), out: io.Discard, want: "disk is gone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := ServeStdio(t.Context(), newTestServer(t, Options{}).Server, tt.in, tt.out, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

// blocked is an input that never says anything.
type blocked struct{}

func (blocked) Read([]byte) (int, error) { select {} }

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }

// The two eras of the protocol, through the SDK's own client.
func TestServeStdioWithClient(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2026-07-28", "2025-11-25", "2024-11-05"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			s := newTestServer(t, Options{Version: "1.2.3", Instructions: "how to"})
			toServer, fromClient := io.Pipe()
			toClient, fromServer := io.Pipe()
			done := make(chan error, 1)
			go func() { done <- ServeStdio(t.Context(), s.Server, toServer, fromServer, nil) }()
			checkClient(t, &sdk.IOTransport{Reader: toClient, Writer: fromClient}, version)
			select {
			case err := <-done:
				if err != nil {
					t.Errorf("ServeStdio: %v", err)
				}
			case <-time.After(time.Minute):
				t.Error("ServeStdio does not return after the client has closed")
			}
		})
	}
}
