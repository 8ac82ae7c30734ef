package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestPanicIsContained(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, Options{})
	got := serveAll(t, s, initialize+callLine("1", "panic", `{"query":"x"}`)+callLine("2", "echo", `{"query":"x"}`))
	if a := got["1"]; a.text() != internalErrorText || !a.Result.IsError {
		t.Errorf("panic: got %+v", a)
	}
	if text := got["2"].text(); text != "echo x" {
		t.Errorf("next call: got %q", text)
	}
	logs := s.logs.String()
	for _, want := range []string{"panic while answering", "tool=panic", "the secret of the panic", "testserver_test.go"} {
		if !strings.Contains(logs, want) {
			t.Errorf("log lacks %q:\n%s", want, logs)
		}
	}
}

func TestContainPanicOutsideTools(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, Options{Complete: func(context.Context, *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
		panic(fmt.Errorf("nothing to complete"))
	}})
	got := serveAll(t, s, initialize+`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"find"},"argument":{"name":"a","value":"b"}}}`+"\n")
	if e := got["1"].Error; e == nil || e.Code != -32603 || e.Message != internalErrorText {
		t.Errorf("got %+v, want an internal error", e)
	}
}

func TestCodedError(t *testing.T) {
	t.Parallel()
	coded := &jsonrpc.Error{Code: -32602, Message: "m", Data: json.RawMessage(`{"uri":"\x01"}`)}
	tests := []struct {
		name, method string
		err          error
		wantCode     int64
		wantMessage  string
		wantData     string
	}{
		{name: "plain", method: "prompts/get", err: errors.New("no such thing"), wantCode: -32603, wantMessage: "no such thing"},
		{name: "initialize", method: "initialize", err: errors.New("twice"), wantCode: -32600, wantMessage: "twice"},
		{name: "data is no JSON", method: "resources/read", err: coded, wantCode: -32602, wantMessage: "m"},
		{name: "coded", method: "resources/read", err: &jsonrpc.Error{Code: -32602, Message: "m", Data: json.RawMessage(`{}`)}, wantCode: -32602, wantMessage: "m", wantData: "{}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got *jsonrpc.Error
			if !errors.As(codedError(tt.method, tt.err), &got) {
				t.Fatal("no code")
			}
			if got.Code != tt.wantCode || got.Message != tt.wantMessage || string(got.Data) != tt.wantData {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// The new revision names the server in every answer; only discovery needs its
// icon.
func TestLabelNamesServerBriefly(t *testing.T) {
	t.Parallel()
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	in := `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + meta + `}}` + "\n" +
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"query":"x"},` + meta + `}}` + "\n"
	got := serveAll(t, newTestServer(t, Options{Version: "1.2.3"}), in)
	for id, wantIcon := range map[string]bool{"1": true, "2": false, "3": false} {
		info, _ := got[id].Result.Meta[sdk.MetaKeyServerInfo].(map[string]any)
		if info["name"] != "msgbrowse" || info["version"] != "1.2.3" {
			t.Errorf("answer %s: server is %v", id, info)
		}
		if _, hasIcon := info["icons"]; hasIcon != wantIcon {
			t.Errorf("answer %s: icon %t, want %t", id, hasIcon, wantIcon)
		}
	}
	legacy := serveAll(t, newTestServer(t, Options{}), initialize+callLine("1", "echo", `{"query":"x"}`))
	if meta := legacy["1"].Result.Meta; len(meta) != 1 || meta[UntrustedKey] != true {
		t.Errorf("older revision: got _meta %v, want the label alone", meta)
	}
}

func TestCallTimeout(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, tool string }{
		{name: "call that notices", tool: "wait"},
		{name: "call that does not", tool: "stuck"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newTestServer(t, Options{CallTimeout: 3 * time.Second})
				p := startPipe(t.Context(), t, s)
				started := time.Now()
				p.send(callLine("1", tt.tool, `{"query":"x"}`))
				a := p.receive()
				want := tt.tool + " did not finish within 3s and was stopped; ask for less (a narrower filter or a smaller limit) and try again"
				if a.text() != want || !a.Result.IsError {
					t.Errorf("got %q", a.text())
				}
				if d := time.Since(started); d != 3*time.Second {
					t.Errorf("answered after %s", d)
				}
				close(s.stuck)
				_ = p.in.Close()
				if err := p.wait(); err != nil {
					t.Errorf("ServeStdio: %v", err)
				}
			})
		})
	}
}

// Stuck calls keep their places: others wait as long as their time allows and
// then learn why, and what needs no place is answered at once.
func TestConcurrencyIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newTestServer(t, Options{CallTimeout: 3 * time.Second, MaxConcurrent: 2})
		p := startPipe(t.Context(), t, s)
		p.send(callLine("1", "stuck", `{"query":"x"}`))
		p.send(callLine("2", "stuck", `{"query":"x"}`))
		<-s.running
		<-s.running
		p.send(callLine("3", "echo", `{"query":"x"}`))
		p.send(`{"jsonrpc":"2.0","id":4,"method":"ping"}` + "\n")
		if a := p.receive(); string(a.ID) != "4" {
			t.Errorf("got id %s first, want the ping", a.ID)
		}
		busy := false
		for range 3 {
			a := p.receive()
			if string(a.ID) == "3" {
				busy = a.text() == "echo could not start within 3s: 2 other calls are still running; try again in a moment"
				if !busy {
					t.Errorf("got %q", a.text())
				}
			}
		}
		p.send(callLine("5", "echo", `{"query":"x"}`))
		time.Sleep(time.Second)
		close(s.stuck)
		if a := p.receive(); a.text() != "echo x" {
			t.Errorf("after a place became free: got %q", a.text())
		}
		_ = p.in.Close()
		if err := p.wait(); err != nil {
			t.Errorf("ServeStdio: %v", err)
		}
	})
}
