package e2e

import (
	"bufio"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// listener is a server over HTTP.
type listener struct {
	cmd *exec.Cmd
	url string
	// stderr is what it said after the address; closed at its end.
	stderr chan string
}

// serveHTTP starts a server on a free port. It is killed when the test ends.
func (h *home) serveHTTP(args ...string) *listener {
	h.t.Helper()
	return h.listen(h.command(h.t.Context(), append(args, "mcp", "--http", "--listen", "127.0.0.1:0")...), servingAt)
}

var servingAt = regexp.MustCompile(`^Serving MCP at (http://127\.0\.0\.1:\d+/mcp);`)

// listen starts a server and waits until it says where it serves: the first
// group of at. It is killed when the test ends.
func (h *home) listen(cmd *exec.Cmd, at *regexp.Regexp) *listener {
	h.t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	l := &listener{cmd: cmd, stderr: make(chan string, 1000)}
	h.t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill() // it may have ended by itself
			_ = cmd.Wait()
		}
	})
	go func() {
		defer close(l.stderr)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			l.stderr <- lines.Text()
		}
	}()
	for said := ""; ; {
		select {
		case line, ok := <-l.stderr:
			if m := at.FindStringSubmatch(line); m != nil {
				l.url = m[1]
				return l
			}
			if said += line + "\n"; !ok {
				h.t.Fatalf("the server ended: %s", said)
			}
		case <-time.After(patience):
			h.t.Fatalf("the server does not say where it listens: %s", said)
		}
	}
}

// bearer sends a token with every request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func (l *listener) transport(token string) mcp.Transport {
	return &mcp.StreamableClientTransport{Endpoint: l.url, HTTPClient: &http.Client{Transport: bearer(token)}, DisableStandaloneSSE: true}
}

// Over HTTP the same tools answer those who have the token, and nobody else.
func TestHTTPWithToken(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	data := h.path("data")
	h.importAll(data)
	const token = "correct-horse-battery-staple"
	h.write(h.path("token"), []byte(token+"\n"))
	fromFile := h.command(t.Context(), "--data-dir", data, "mcp", "--http", "--listen", "127.0.0.1:0", "--token-file", h.path("token"))
	fromEnvironment := h.command(t.Context(), "--data-dir", data, "mcp", "--http", "--listen", "127.0.0.1:0")
	fromEnvironment.Env = append(fromEnvironment.Env, "MSGBROWSE_MCP_TOKEN="+token)
	remote := h.command(t.Context(), "--data-dir", data, "mcp", "--http", "--listen", "127.0.0.1:0", "--allow-remote", "--token-file", h.path("token"))
	for name, cmd := range map[string]*exec.Cmd{"file": fromFile, "environment": fromEnvironment, "remote": remote} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := h.listen(cmd, servingAt)
			c := connectOver(t, server.transport(token))
			if found := c.call("search_messages", map[string]any{"query": "recital"}); found.Shown != 1 || found.Hits[0].Sender != "Cleo" {
				t.Errorf("got %+v", found)
			}
			useEverything(t, c)
			c.close()
			for _, wrong := range []string{"", "Bearer wrong", "Bearer " + token + "x", "Basic " + token} {
				if status, body := server.post(t, wrong); status != http.StatusUnauthorized || strings.Contains(body, "recital") {
					t.Errorf("%q: got %d %q", wrong, status, body)
				}
			}
			if status, body := server.post(t, "Bearer "+token); status != http.StatusOK || !strings.Contains(body, `"result"`) {
				t.Errorf("the right token: got %d %q", status, body)
			}
			if strings.Contains(strings.Join(cmd.Args, " "), token) {
				t.Error("the token stands on the command line")
			}
		})
	}
}

// post asks for the tools with an Authorization header of its own.
func (l *listener) post(t testing.TB, authorization string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, l.url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(raw)
}

// Without a token no other machine is served, and what is missing is said.
func TestHTTPRefusesRemoteWithoutToken(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	data := h.path("data")
	h.importAll(data)
	h.write(h.path("empty"), []byte("\n"))
	h.write(h.path("token"), []byte("correct-horse-battery-staple\n"))
	tests := []struct {
		name string
		args []string
		want string
	}{
		{name: "every address", args: []string{"--listen", "0.0.0.0:0"}, want: "--allow-remote and a token"},
		{name: "every address, allowed", args: []string{"--listen", "0.0.0.0:0", "--allow-remote"}, want: "--token-file or MSGBROWSE_MCP_TOKEN"},
		{name: "loopback, allowed", args: []string{"--listen", "127.0.0.1:0", "--allow-remote"}, want: "--token-file or MSGBROWSE_MCP_TOKEN"},
		{name: "token but not allowed", args: []string{"--listen", "0.0.0.0:0", "--token-file", h.path("token")}, want: "--allow-remote"},
		{name: "empty token", args: []string{"--listen", "0.0.0.0:0", "--allow-remote", "--token-file", h.path("empty")}, want: "is empty"},
		{name: "no token file", args: []string{"--listen", "127.0.0.1:0", "--token-file", h.path("nowhere")}, want: "nowhere"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := h.run(append([]string{"--data-dir", data, "mcp", "--http"}, tt.args...)...)
			if got.status == 0 || got.status == -1 || !strings.Contains(got.stderr, tt.want) || strings.Contains(got.stderr, "Serving") {
				t.Errorf("status %d, stderr %q, want %q", got.status, got.stderr, tt.want)
			}
		})
	}
}
