//go:build unix

package e2e

import (
	"bufio"
	"io"
	"syscall"
	"testing"
	"time"
)

// prompt is how soon a server must be gone after a signal or the end of its
// input. It needs milliseconds; the rest is for machines busy with other
// things.
const promptly = 10 * time.Second

// A signal ends a server over standard input and output at once, although
// its input is still open, and so does the end of its input.
func TestStdioEnds(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	data := h.path("data")
	h.importAll(data)
	tests := []struct {
		name string
		end  func(in io.Closer, signal func(syscall.Signal)) error
	}{
		{name: "SIGTERM", end: func(_ io.Closer, signal func(syscall.Signal)) error { signal(syscall.SIGTERM); return nil }},
		{name: "SIGINT", end: func(_ io.Closer, signal func(syscall.Signal)) error { signal(syscall.SIGINT); return nil }},
		{name: "end of input", end: func(in io.Closer, _ func(syscall.Signal)) error { return in.Close() }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cmd := h.command(t.Context(), "--data-dir", data, "mcp")
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			if _, err := io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`+"\n"); err != nil {
				t.Fatal(err)
			}
			if !lines.Scan() {
				t.Fatal("no answer")
			}
			ended := time.Now()
			if err := tt.end(in, func(s syscall.Signal) {
				if err := cmd.Process.Signal(s); err != nil {
					t.Error(err)
				}
			}); err != nil {
				t.Fatal(err)
			}
			if lines.Scan() {
				t.Errorf("standard output holds %q after the end", lines.Text())
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("the server ends with %v", err)
			}
			if took := time.Since(ended); took > promptly {
				t.Errorf("the server took %s to end", took)
			}
		})
	}
}

// A server over HTTP ends at SIGTERM, too.
func TestHTTPEnds(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	data := h.path("data")
	h.importAll(data)
	server := h.serveHTTP("--data-dir", data)
	c := connectOver(t, server.transport(""))
	c.call("search_messages", map[string]any{"query": "tent"})
	ended := time.Now()
	if err := server.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for range server.stderr { // until it is closed
	}
	if err := server.cmd.Wait(); err != nil {
		t.Errorf("the server ends with %v", err)
	}
	if took := time.Since(ended); took > promptly {
		t.Errorf("the server took %s to end", took)
	}
}
