package e2e

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var pagesAt = regexp.MustCompile(`^Serving the archive at (http://127\.0\.0\.1:\d+)/; stop with Ctrl-C$`)

// serveWeb starts the web interface on a free port. It is killed when the test
// ends.
func (h *home) serveWeb(args ...string) (url string, cmd *exec.Cmd) {
	h.t.Helper()
	cmd = h.command(h.t.Context(), append(args, "serve", "--listen-addr", "127.0.0.1:0", "--mcp", "--log-level", "info")...)
	l := h.listen(cmd, pagesAt)
	go func() {
		for range l.stderr { // it must not wait for a reader
		}
	}()
	return l.url, cmd
}

func get(t testing.TB, url string) (status int, body string) {
	t.Helper()
	res, err := http.Get(url)
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

// One program serves people and models; what an import brings is shown without
// a restart, and the data folder stays as it was.
func TestServe(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	data := h.path("data")
	h.importAll(data)
	url, cmd := h.serveWeb("--data-dir", data)
	for _, address := range []string{"/", "/conversations", "/c/1", "/c/1/calendar", "/people", "/media", "/links", "/status", "/search?q=recital"} {
		if status, body := get(t, url+address); status != http.StatusOK || !strings.Contains(body, "</html>") {
			t.Errorf("%s: status %d", address, status)
		}
	}
	if _, body := get(t, url+"/search?q=recital"); !strings.Contains(body, "<mark>recital</mark>") {
		t.Error("the search finds nothing")
	}
	c := connectOver(t, &mcp.StreamableClientTransport{Endpoint: url + "/mcp", DisableStandaloneSSE: true})
	if found := c.call("search_messages", map[string]any{"query": "recital"}); found.Shown != 1 {
		t.Errorf("over MCP: %+v", found)
	}
	c.close()
	h.write(h.path("late", "Late", "chat.md"), []byte("[2024-03-01 09:00:00] Ana: a belated greeting  \n"))
	h.must("import", "--quiet", "--data-dir", data, h.path("late"))
	if _, body := get(t, url+"/search?q=belated"); !strings.Contains(body, "<mark>belated</mark>") {
		t.Error("what was imported meanwhile is not found")
	}
	if runtime.GOOS == "windows" {
		return // it has no signal that asks a program to end
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the end: %v", err)
	}
}
