package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// runJob starts a job of the page Status and returns that page when it ended.
func (h *home) runJob(base, job string) string {
	h.t.Helper()
	if status, body := send(h.t, base+"/status/jobs/"+job, nil); status != http.StatusOK {
		h.t.Fatalf("%s: status %d: %s", job, status, body)
	}
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if _, said := get(h.t, base+"/status"); !strings.Contains(said, "data-running") {
			return said
		}
	}
	h.t.Fatalf("the job %s did not end", job)
	return ""
}

// TestEmbeddingsInBrowser tries an endpoint, saves it, indexes with it and
// searches by it, people and models alike, without a restart.
func TestEmbeddingsInBrowser(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	data := h.path("data")
	h.importTalk(data, "--no-index")
	const key = "sk-never-to-be-seen"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.Header.Get("Authorization") != "Bearer "+key {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var data []map[string]any
		for i, text := range asked.Input {
			v := []float32{1, 0.1, 0.1, 0.1}
			if strings.Contains(text, "garage") || strings.Contains(text, "workshop") {
				v = []float32{0.1, 1, 0.1, 0.1}
			}
			data = append(data, map[string]any{"index": i, "embedding": v})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	defer server.Close()
	file := h.path("config", "config.yaml")
	h.write(file, []byte("# mine\n"))
	base, _ := h.serveWeb("--data-dir", data, "--config", file)
	at := base + "/settings/embeddings"
	form := url.Values{"embeddings.provider": {"endpoint"}, "llm.base_url": {server.URL + "/v1/"}, "llm.embed_model": {"m"}}
	if _, body := send(t, at+"/test", form); !strings.Contains(body, "It asks for an API key") && !strings.Contains(body, "it asks for an API key") {
		t.Errorf("without the key the page says %s", body)
	}
	form.Set("key", key)
	if _, body := send(t, at+"/test", form); !strings.Contains(body, "A vector of 4 dimensions") || strings.Contains(body, key) {
		t.Errorf("with the key the page says %s", body)
	}
	if got := h.read(file); got != "# mine\n" {
		t.Errorf("trying has written\n%s", got)
	}
	if _, body := send(t, at, form); !strings.Contains(body, "Saved.") || strings.Contains(body, key) {
		t.Errorf("after saving the page says %s", body)
	}
	kept := filepath.Join(filepath.Dir(file), "llm-key")
	if info, err := os.Stat(kept); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the key's file: %v, %v", info, err)
	}
	if _, body := get(t, base+"/status"); !strings.Contains(body, "The text of new messages is sent to "+server.URL) {
		t.Error("before it indexes, the page does not say where texts go")
	}
	if said := h.runJob(base, "index"); !strings.Contains(said, "by meaning") {
		t.Errorf("the index: %s", said)
	}
	_, found := get(t, base+"/search?mode=semantic&q=workshop")
	if first := strings.Index(found, "similar meaning"); first < 0 || !strings.Contains(found[:first], "garage") {
		t.Errorf("by meaning: %s", found)
	}
	c := connectOver(t, &mcp.StreamableClientTransport{Endpoint: base + "/mcp", DisableStandaloneSSE: true})
	defer c.close()
	if out := c.call("semantic_search", map[string]any{"query": "workshop"}); out.Shown == 0 {
		t.Errorf("over MCP: %+v", out)
	}
	if _, body := get(t, base+"/settings/mcp"); !strings.Contains(body, "</bdi></strong> <span class=\"quiet\">asked ") || !strings.Contains(body, "; 1 call<") {
		t.Errorf("the page does not tell of the client: %s", body)
	}
	if _, body := send(t, at, url.Values{"forget_key": {"yes"}}); !strings.Contains(body, "Saved.") {
		t.Error("the key was not forgotten")
	}
	if _, err := os.Stat(kept); err == nil {
		t.Error("the key's file is still there")
	}
}

// TestSourcesInBrowser adds a folder on its page, imports from there, and
// forgets it again.
func TestSourcesInBrowser(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	data := h.path("data")
	h.write(h.path("chats", "Ana", "chat.md"), []byte("[2024-03-01 09:00:00] Ana: hello there  \n"))
	h.must("import", "--quiet", "--data-dir", data, h.path("chats"))
	file, more := h.path("config", "config.yaml"), h.path("more")
	h.write(file, []byte("# mine\n"))
	base, _ := h.serveWeb("--data-dir", data, "--config", file)
	at := base + "/settings/sources"
	if status, body := send(t, at+"/add", url.Values{"path": {more}}); status != http.StatusUnprocessableEntity || !strings.Contains(body, "cannot be read") {
		t.Errorf("a folder that is not there: status %d: %s", status, body)
	}
	chat := h.path("more", "Bo", "chat.md")
	h.write(chat, []byte("[2024-03-02 09:00:00] Bo: a belated greeting  \n"))
	if _, body := send(t, at+"/add", url.Values{"path": {more}}); !strings.Contains(body, "Saved.") || !strings.Contains(body, more) {
		t.Errorf("after adding the page says %s", body)
	}
	if said := h.runJob(base, "import"); !strings.Contains(said, "Imported: 1 message new") {
		t.Errorf("the import: %s", said)
	}
	if _, body := send(t, at+"/forget", url.Values{"path": {more}}); !strings.Contains(body, "no longer look") || strings.Contains(h.read(file), more) {
		t.Errorf("after forgetting the page says %s", body)
	}
	h.write(chat, []byte("[2024-03-02 09:00:00] Bo: a belated greeting  \n\n[2024-03-03 09:00:00] Bo: another  \n"))
	if said := h.runJob(base, "import"); !strings.Contains(said, "Imported: 0 messages new") {
		t.Errorf("the import after forgetting: %s", said)
	}
	if _, body := get(t, base+"/search?q=belated"); !strings.Contains(body, "<mark>belated</mark>") {
		t.Error("what came from there is gone")
	}
}
