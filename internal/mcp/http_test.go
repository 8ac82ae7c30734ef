package mcp

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// post sends a message of the older revisions to an endpoint. Headers given
// as "Name: value" replace or, with an empty value, remove the usual ones.
func post(t *testing.T, url, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	return request(t, http.MethodPost, url, body, headers...)
}

func request(t *testing.T, method, url, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if req.Header.Del(name); value != "" {
			req.Header.Set(name, value)
		}
		if name == "Host" {
			req.Host = value
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("read answer: %v", err)
	}
	return res, string(text)
}

// startHTTP serves a test server on a loopback port and returns its endpoint.
func startHTTP(t *testing.T, s *testServer, o HTTPOptions) string {
	t.Helper()
	handler, err := NewHTTPHandler(s.Server, o)
	if err != nil {
		t.Fatalf("NewHTTPHandler: %v", err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL + EndpointPath
}

func TestHTTPAccess(t *testing.T) {
	t.Parallel()
	const token = "sesame-0123456789"
	call := callLine("1", "echo", `{"query":"x"}`)
	large := callLine("1", "echo", `{"query":"`+strings.Repeat("x", MaxMessageBytes)+`"}`)
	tests := []struct {
		name    string
		options HTTPOptions
		method  string // POST if empty
		path    string // EndpointPath if empty
		body    string // call if empty
		headers []string
		want    int
		text    string // part of the answer
	}{
		{name: "plain call", want: 200, text: "echo x"},
		{name: "host localhost", headers: []string{"Host: localhost:1"}, want: 200},
		{name: "host IPv6 loopback", headers: []string{"Host: [::1]:8788"}, want: 200},
		{name: "foreign host", headers: []string{"Host: evil.example"}, want: 403, text: `"evil.example"`},
		{name: "foreign host that ends well", headers: []string{"Host: evil.localhost"}, want: 403},
		{name: "host that begins well", headers: []string{"Host: 127.0.0.1.evil.example"}, want: 403},
		{name: "foreign host on another path", path: "/", headers: []string{"Host: evil.example"}, want: 403},
		{name: "remote name where allowed", options: HTTPOptions{AllowRemote: true, Token: token}, headers: []string{"Host: archive.lan:8788", "Authorization: Bearer " + token}, want: 200},

		{name: "foreign origin", headers: []string{"Origin: https://evil.example"}, want: 403, text: "--allow-origin"},
		{name: "null origin", headers: []string{"Origin: null"}, want: 403},
		{name: "origin on another port", headers: []string{"Origin: http://localhost:6274", "Host: localhost:8788"}, want: 403},
		{name: "own origin", headers: []string{"Origin: http://localhost:8788", "Host: localhost:8788"}, want: 200},
		{name: "cross-site without origin", headers: []string{"Sec-Fetch-Site: cross-site"}, want: 403},
		{name: "allowed origin", options: HTTPOptions{AllowOrigins: []string{"http://localhost:6274"}}, headers: []string{"Origin: http://localhost:6274"}, want: 200},
		{name: "other origin than the allowed", options: HTTPOptions{AllowOrigins: []string{"http://localhost:6274"}}, headers: []string{"Origin: http://localhost:6275"}, want: 403},
		{name: "foreign host and its own origin", headers: []string{"Origin: http://evil.example", "Host: evil.example"}, want: 403},

		{name: "token missing", options: HTTPOptions{Token: token}, want: 401},
		{name: "token wrong", options: HTTPOptions{Token: token}, headers: []string{"Authorization: Bearer sesame"}, want: 401},
		{name: "token with a tail", options: HTTPOptions{Token: token}, headers: []string{"Authorization: Bearer " + token + "x"}, want: 401},
		{name: "token of another scheme", options: HTTPOptions{Token: token}, headers: []string{"Authorization: Basic " + token}, want: 401},
		{name: "token empty", options: HTTPOptions{Token: token}, headers: []string{"Authorization: Bearer"}, want: 401},
		{name: "token right", options: HTTPOptions{Token: token}, headers: []string{"Authorization: Bearer " + token}, want: 200, text: "echo x"},
		{name: "scheme in another case", options: HTTPOptions{Token: token}, headers: []string{"Authorization: bearer " + token}, want: 200},
		{name: "token where none is asked", headers: []string{"Authorization: Bearer x"}, want: 200},

		{name: "body too large", body: large, want: 413, text: "4194304 bytes"},
		{name: "body no JSON", body: "{", want: 400},
		{name: "body empty", body: " ", want: 400},
		{name: "content type of a form", headers: []string{"Content-Type: application/x-www-form-urlencoded"}, want: 415},
		{name: "content type text", headers: []string{"Content-Type: text/plain"}, want: 415},
		{name: "content type missing", headers: []string{"Content-Type: "}, want: 415},
		{name: "no event stream accepted", headers: []string{"Accept: application/json"}, want: 400},
		{name: "unknown revision", headers: []string{"Mcp-Protocol-Version: 1999-01-01"}, want: 400},
		{name: "batch", body: "[" + call + "]", want: 400},

		{name: "GET", method: http.MethodGet, want: 405},
		{name: "DELETE", method: http.MethodDelete, want: 405},
		{name: "OPTIONS", method: http.MethodOptions, want: 405},
		{name: "PUT", method: http.MethodPut, want: 405},
		{name: "root", path: "/", want: 404},
		{name: "below the endpoint", path: EndpointPath + "/x", want: 404},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			url := startHTTP(t, newTestServer(t, Options{}), tt.options)
			if tt.path != "" {
				url = strings.TrimSuffix(url, EndpointPath) + tt.path
			}
			if tt.method == "" {
				tt.method = http.MethodPost
			}
			if tt.body == "" {
				tt.body = call
			}
			res, text := request(t, tt.method, url, tt.body, tt.headers...)
			if res.StatusCode != tt.want || !strings.Contains(text, tt.text) {
				t.Errorf("got %d %q, want %d with %q", res.StatusCode, text, tt.want, tt.text)
			}
			if got := res.Header.Get("Cache-Control"); !strings.HasPrefix(got, "no-") {
				t.Errorf("answer may be cached: Cache-Control is %q", got)
			}
			if challenge := res.Header.Get("WWW-Authenticate"); (tt.want == 401) != strings.HasPrefix(challenge, "Bearer ") {
				t.Errorf("status %d with WWW-Authenticate %q", tt.want, challenge)
			}
			if allow := res.Header.Get("Allow"); tt.want == 405 && allow != "POST" {
				t.Errorf("status 405 with Allow %q", allow)
			}
		})
	}
}

func TestHTTPPreflight(t *testing.T) {
	t.Parallel()
	const origin = "http://localhost:6274"
	url := startHTTP(t, newTestServer(t, Options{}), HTTPOptions{Token: "sesame", AllowOrigins: []string{origin}})
	res, _ := request(t, http.MethodOptions, url, "", "Origin: "+origin, "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization,content-type")
	if res.StatusCode != http.StatusNoContent || res.Header.Get("Access-Control-Allow-Origin") != origin ||
		res.Header.Get("Access-Control-Allow-Headers") != "authorization,content-type" {
		t.Errorf("preflight: got %d %v", res.StatusCode, res.Header)
	}
	res, _ = request(t, http.MethodOptions, url, "", "Origin: https://evil.example", "Access-Control-Request-Method: POST")
	if res.Header.Get("Access-Control-Allow-Origin") != "" || res.StatusCode == http.StatusNoContent {
		t.Errorf("preflight of a foreign origin: got %d %v", res.StatusCode, res.Header)
	}
}

func TestHTTPFaults(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, Options{CallTimeout: 100 * time.Millisecond, MaxConcurrent: 1})
	url := startHTTP(t, s, HTTPOptions{})
	tests := []struct{ name, tool, want string }{
		{name: "panic", tool: "panic", want: internalErrorText},
		{name: "malformed result", tool: "malformed", want: internalErrorText},
		{name: "error", tool: "fail", want: "message not found"},
		{name: "timeout", tool: "wait", want: "wait did not finish within 100ms"},
		{name: "timeout unnoticed", tool: "stuck", want: "stuck did not finish within 100ms"},
		{name: "no place free", tool: "echo", want: "echo could not start within 100ms: 1 other calls are still running"},
	}
	for _, tt := range tests { // in order: the last one needs the one before it
		t.Run(tt.name, func(t *testing.T) {
			res, text := post(t, url, callLine("1", tt.tool, `{"query":"x"}`))
			if res.StatusCode != 200 || !strings.Contains(text, `"isError":true`) || !strings.Contains(text, tt.want) {
				t.Errorf("got %d %s, want an error with %q", res.StatusCode, text, tt.want)
			}
		})
	}
	close(s.stuck)
	if _, text := post(t, url, callLine("1", "echo", `{"query":"x"}`)); !strings.Contains(text, "echo x") {
		t.Errorf("after all of them: got %s", text)
	}
}

// A client that goes away takes its call with it, whatever its revision.
func TestHTTPDisconnectCancelsCall(t *testing.T) {
	t.Parallel()
	const meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	tests := []struct{ version, meta string }{{"2025-11-25", ""}, {"2026-07-28", meta}}
	for _, tt := range tests {
		t.Run(tt.version, func(t *testing.T) {
			t.Parallel()
			s := newTestServer(t, Options{CallTimeout: time.Hour})
			url := startHTTP(t, s, HTTPOptions{})
			ctx, cancel := context.WithCancel(t.Context())
			body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{"query":"x"}` + tt.meta + `}}`
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "application/json, text/event-stream")
			req.Header.Set("Mcp-Protocol-Version", tt.version)
			req.Header.Set("Mcp-Method", "tools/call")
			req.Header.Set("Mcp-Name", "wait")
			done := make(chan struct{})
			go func() {
				defer close(done)
				if res, err := http.DefaultClient.Do(req); err == nil {
					text, _ := io.ReadAll(res.Body)
					res.Body.Close()
					t.Errorf("the call was answered: %d %s", res.StatusCode, text)
				}
			}()
			<-s.running
			cancel()
			<-done
			select {
			case <-s.cancelled:
			case <-time.After(30 * time.Second):
				t.Error("the call runs on")
			}
		})
	}
}

func TestHTTPRequestsAreBounded(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, Options{CallTimeout: time.Hour, MaxConcurrent: 2 * maxHTTPRequests})
	url := startHTTP(t, s, HTTPOptions{RequestTimeout: 100 * time.Millisecond})
	var calls sync.WaitGroup
	for range maxHTTPRequests {
		calls.Go(func() { post(t, url, callLine("1", "stuck", `{"query":"x"}`)) })
		<-s.running
	}
	res, text := post(t, url, callLine("1", "echo", `{"query":"x"}`))
	if res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, "busy: 64") || res.Header.Get("Retry-After") == "" {
		t.Errorf("got %d %q, want 503", res.StatusCode, text)
	}
	close(s.stuck)
	calls.Wait()
	if res, _ := post(t, url, callLine("1", "echo", `{"query":"x"}`)); res.StatusCode != 200 {
		t.Errorf("got %d after the others were done", res.StatusCode)
	}
}

func TestHTTPWithClient(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2026-07-28", "2025-11-25", "2025-06-18"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			s := newTestServer(t, Options{Version: "1.2.3", Instructions: "how to"})
			url := startHTTP(t, s, HTTPOptions{})
			checkClient(t, &sdk.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true}, version)
		})
	}
}

func TestHTTPOptionsRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		options HTTPOptions
		want    string
	}{
		{name: "remote without token", options: HTTPOptions{AllowRemote: true}, want: "--token-file or MSGBROWSE_MCP_TOKEN"},
		{name: "origin with path", options: HTTPOptions{AllowOrigins: []string{"http://localhost:1/x"}}, want: `"http://localhost:1/x"`},
		{name: "origin without scheme", options: HTTPOptions{AllowOrigins: []string{"localhost"}}, want: "scheme://host"},
		{name: "token with space", options: HTTPOptions{Token: "a b"}, want: "printable ASCII"},
		{name: "token with line feed", options: HTTPOptions{Token: "a\n"}, want: "printable ASCII"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := NewHTTPHandler(NewServer(Options{}), tt.options); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}
