package web_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

var defaults = web.Options{}

func with(name, value string) func(*http.Request) {
	return func(r *http.Request) {
		if name == "Host" {
			r.Host = value
			return
		}
		r.Header.Set(name, value)
	}
}

func TestForeignRequests(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	tests := []struct {
		name, method, target string
		change               []func(*http.Request)
		want                 int
	}{
		{"this machine", "GET", "/", nil, 200},
		{"by name", "GET", "/", []func(*http.Request){with("Host", "localhost:8787")}, 200},
		{"name pointed here", "GET", "/", []func(*http.Request){with("Host", "evil.example")}, 403},
		{"name pointed here, for a file", "GET", "/media/1", []func(*http.Request){with("Host", "evil.example:8787")}, 403},
		{"post from another site", "POST", "/search", []func(*http.Request){with("Sec-Fetch-Site", "cross-site")}, 403},
		{"post with a foreign origin", "POST", "/", []func(*http.Request){with("Origin", "https://evil.example")}, 403},
		{"picture for another site", "GET", "/media/1", []func(*http.Request){with("Sec-Fetch-Site", "cross-site"), with("Sec-Fetch-Mode", "no-cors"), with("Sec-Fetch-Dest", "image")}, 403},
		{"timing of a search", "GET", "/search?q=lease", []func(*http.Request){with("Sec-Fetch-Site", "same-site"), with("Sec-Fetch-Mode", "no-cors"), with("Sec-Fetch-Dest", "empty")}, 403},
		{"frame of another site", "GET", "/", []func(*http.Request){with("Sec-Fetch-Site", "cross-site"), with("Sec-Fetch-Mode", "navigate"), with("Sec-Fetch-Dest", "iframe")}, 403},
		{"link from another site", "GET", "/m/7ba75d74", []func(*http.Request){with("Sec-Fetch-Site", "cross-site"), with("Sec-Fetch-Mode", "navigate"), with("Sec-Fetch-Dest", "document")}, 303},
		{"fetched by the script", "GET", "/search?q=lease&part=1", []func(*http.Request){with("Sec-Fetch-Site", "same-origin"), with("Sec-Fetch-Mode", "cors"), with("Sec-Fetch-Dest", "empty")}, 200},
		{"post from this site", "POST", "/", []func(*http.Request){with("Sec-Fetch-Site", "same-origin")}, 405},
		{"oversized", "POST", "/", []func(*http.Request){func(r *http.Request) {
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(strings.Repeat("x", 100_000))), 100_000
		}}, 413},
		{"traversal", "GET", "/static/..%2f..%2fetc%2fpasswd", nil, 404},
		{"traversal of files", "GET", "/media/..%2f1", nil, 404},
		{"template", "GET", "/static/style.css", nil, 404},
		{"deletion", "DELETE", "/c/1", nil, 405},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res := d.ask(tt.method, tt.target, tt.change...)
			if res.StatusCode != tt.want {
				t.Errorf("status %d, want %d", res.StatusCode, tt.want)
			}
			for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY"} {
				if got := res.Header.Get(name); got != want {
					t.Errorf("%s: %q", name, got)
				}
			}
			if policy := res.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
				t.Errorf("policy %q", policy)
			}
		})
	}
}

func TestPassword(t *testing.T) {
	t.Parallel()
	d := sampleDeskWith(t, web.Options{AllowRemote: true, Token: "open-sesame"})
	login := func(password string) func(*http.Request) {
		return func(r *http.Request) { r.Host = "archive.example"; r.SetBasicAuth("me", password) }
	}
	for _, address := range []string{"/", "/media/1", "/search?q=lease", "/static/nothing.css"} {
		res := d.ask("GET", address, with("Host", "archive.example"))
		if res.StatusCode != http.StatusUnauthorized || !strings.HasPrefix(res.Header.Get("WWW-Authenticate"), "Basic ") {
			t.Errorf("%s without a password: status %d", address, res.StatusCode)
		}
	}
	if res := d.ask("GET", "/", login("wrong")); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("the wrong password: status %d", res.StatusCode)
	}
	if res := d.ask("GET", "/", login("open-sesame")); res.StatusCode != http.StatusOK {
		t.Errorf("the password: status %d", res.StatusCode)
	}
	if _, err := web.NewHandler(web.Archive{}, web.Options{AllowRemote: true}); err == nil {
		t.Error("other machines are served without a password")
	}
}

func TestServeRefusesOtherMachines(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	archive := web.Archive{Reader: d.reader, Searcher: search.New(d.reader, clock), Now: clock}
	for name, o := range map[string]web.Options{"not allowed": {}, "no password": {AllowRemote: true}} {
		for _, addr := range []string{"0.0.0.0:0", "[::]:0", ":0"} {
			o.OnListen = func(string) { t.Errorf("%s: listening on %s", name, addr) }
			if err := web.Serve(t.Context(), addr, archive, o); err == nil || !strings.Contains(err.Error(), "--token-file or MSGBROWSE_WEB_TOKEN") {
				t.Errorf("%s, %s: %v", name, addr, err)
			}
		}
	}
}

// TestLogHoldsNothingPersonal asks for everything and reads the log.
func TestLogHoldsNothingPersonal(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	// A clock may show what is looked for; no more than times and sizes are left out.
	measured := func(_ []string, a slog.Attr) slog.Attr {
		switch kind := a.Value.Kind(); {
		case a.Key == slog.TimeKey && kind == slog.KindTime, a.Key == "took" && kind == slog.KindDuration, a.Key == "bytes" && kind == slog.KindInt64:
			return slog.Attr{}
		}
		return a
	}
	d := sampleDeskWith(t, web.Options{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: measured}))})
	for _, address := range []string{"/search?q=secretword", "/c/7/at/211", "/people/3", "/conversations?q=Harper", "/secretpath", "/m/7ba75d74", "/media/1", "/links?domain=secretdomain.example"} {
		d.ask("GET", address)
	}
	d.ask("SECRETMETHOD", "/")
	for _, secret := range []string{"secret", "SECRET", "Harper", "7ba75d74", "211", "/c/7", "+1207"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log holds %q:\n%s", secret, log.String())
		}
	}
	if n := strings.Count(log.String(), "web: request"); n != 9 {
		t.Errorf("%d requests in the log, want 9:\n%s", n, log.String())
	}
	if !strings.Contains(log.String(), `route="GET /c/{id}/at/{message}"`) {
		t.Errorf("no route in the log:\n%s", log.String())
	}
}

func TestCompression(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	plain, err := io.ReadAll(d.ask("GET", "/c/7").Body)
	if err != nil {
		t.Fatal(err)
	}
	res := d.ask("GET", "/c/7", with("Accept-Encoding", "br, gzip;q=0.8"))
	if res.Header.Get("Content-Encoding") != "gzip" || res.Header.Get("Vary") != "Accept-Encoding" {
		t.Fatalf("headers %v", res.Header)
	}
	z, err := gzip.NewReader(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := io.ReadAll(z)
	if err != nil || !bytes.Equal(unpacked, plain) {
		t.Errorf("%d bytes, %v, want %d", len(unpacked), err, len(plain))
	}
	for name, res := range map[string]*http.Response{
		"refused":  d.ask("GET", "/c/7", with("Accept-Encoding", "gzip;q=0")),
		"small":    d.ask("GET", "/static/nothing", with("Accept-Encoding", "gzip")),
		"redirect": d.ask("GET", "/m/7ba75d74", with("Accept-Encoding", "gzip")),
	} {
		if res.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s is compressed", name)
		}
	}
}

// TestAssets keeps the files that pages name, for good.
func TestAssets(t *testing.T) {
	t.Parallel()
	d := sampleDesk(t)
	root := d.page("/")
	var addresses []string
	for _, n := range append(all(root, "link", ""), all(root, "script", "")...) {
		addresses = append(addresses, attribute(n, "href")+attribute(n, "src"))
	}
	if len(addresses) != 3 {
		t.Fatalf("assets %q", addresses)
	}
	script := 0
	for _, address := range addresses {
		res := d.ask("GET", address)
		body, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != 200 || !strings.Contains(res.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: status %d, %v", address, res.StatusCode, err)
		}
		if strings.HasSuffix(address, ".js") {
			script += len(body)
		}
	}
	if script == 0 || script > 10_000 {
		t.Errorf("the script has %d bytes, want at most 10,000", script)
	}
	source, err := os.ReadFile("static/app.js")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(source) {
		if bytes.Count(line, []byte("`"))%2 != 0 {
			t.Errorf("a text goes over the end of the line %s", line)
		}
	}
}

// TestMCPIsMounted reaches the other door by way of this one.
func TestMCPIsMounted(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	w, err := store.OpenWriter(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, data, web.Options{MCP: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) })})
	if got := d.ask("POST", web.MCPPath, with("Origin", "https://client.example")).StatusCode; got != http.StatusTeapot {
		t.Errorf("status %d: the handler of MCP makes its own checks", got)
	}
	if got := sampleDesk(t).ask("GET", web.MCPPath).StatusCode; got != http.StatusNotFound {
		t.Errorf("without MCP: status %d", got)
	}
}
