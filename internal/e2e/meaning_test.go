package e2e

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
)

// meant is an export in which nothing is called what somebody will ask for.
const meant = `[2024-03-01 09:00] Ana: I paid the landlord this morning, receipt is in the drawer
[2024-03-01 09:01] Me: great, then we are done until April
[2024-03-02 18:30] Ana: our little one wakes up every two hours, I am so tired
[2024-03-03 12:00] Me: my automobile is at the garage until Monday
[2024-03-04 20:15] Ana: Der Zug kommt erst um neun, warte nicht auf mich
`

// importTalk makes an archive of it.
func (h *home) importTalk(data string, flags ...string) {
	h.t.Helper()
	if err := os.MkdirAll(h.path("talk", "Ana"), 0o700); err != nil {
		h.t.Fatal(err)
	}
	h.write(h.path("talk", "Ana", "chat.md"), []byte(strings.ReplaceAll(meant, "\n", "  \n\n")))
	h.must(append([]string{"--data-dir", data, "import", h.path("talk")}, flags...)...)
}

// What was meant is found without any of its words, offline, right after an
// import.
func TestFindsWhatWasMeant(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	data := h.path("data")
	h.importTalk(data)
	c := connect(t, h.command(t.Context(), "--data-dir", data, "mcp"))
	defer c.close()
	for query, want := range map[string]string{
		"was the rent transferred?":        "landlord",
		"how is the baby sleeping":         "little one",
		"where is the car being repaired?": "automobile",
		"when does the train arrive":       "Zug",
	} {
		for _, tool := range []string{"search_messages", "semantic_search"} {
			found := c.call(tool, map[string]any{"query": query})
			if len(found.Hits) == 0 || !strings.Contains(strings.ReplaceAll(found.Hits[0].Text, "**", ""), want) {
				t.Errorf("%s %q: got %+v, want %q first", tool, query, found.Hits, want)
			}
		}
	}
}

// Deleting the derived folder loses nothing that one command does not bring
// back, and meanwhile searches go by words and say so.
func TestIndexIsDerived(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	data := h.path("data")
	h.importTalk(data)
	status := func() string { return h.must("--data-dir", data, "index", "--status").stdout }
	if got := status(); !strings.Contains(got, "up to date") {
		t.Errorf("after an import: %s", got)
	}
	if err := os.RemoveAll(h.path("data", "vectors")); err != nil {
		t.Fatal(err)
	}
	if o := h.must("--data-dir", data, "search", "landlord"); !strings.Contains(o.stdout, "paid") || !strings.Contains(o.stderr, `"msgbrowse index"`) {
		t.Errorf("without an index: %s %s", o.stdout, o.stderr)
	}
	if got := status(); !strings.Contains(got, "there is none") {
		t.Errorf("without an index: %s", got)
	}
	h.must("--data-dir", data, "index")
	if o := h.must("--data-dir", data, "search", "--mode", "semantic", "rent"); !strings.Contains(o.stdout, "landlord") {
		t.Errorf("after making it again: %s %s", o.stdout, o.stderr)
	}
	if o := h.run("--data-dir", data, "search", "--mode", "sideways", "rent"); o.status != 2 || !strings.Contains(o.stderr, "hybrid, keyword, semantic") {
		t.Errorf("unknown mode: status %d, %s", o.status, o.stderr)
	}
	for _, args := range [][]string{{"search", "--mode", "semantic", "rent"}, {"index"}} {
		cmd := h.command(t.Context(), append([]string{"--data-dir", data}, args...)...)
		cmd.Env = append(cmd.Env, "MSGBROWSE_EMBEDDINGS_PROVIDER=none")
		if o := h.finish(cmd); o.status == 0 || !strings.Contains(o.stderr, "embeddings.provider is none") {
			t.Errorf("%v without a model: status %d, %s", args, o.status, o.stderr)
		}
	}
}

// An endpoint gets what is to be indexed, without the conversations that are
// to stay here, and then one query each time; when it is dead the built-in
// index goes on, or words do.
func TestEndpoint(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	data := h.path("data")
	h.importTalk(data, "--no-index")
	var requests atomic.Int64
	var secret atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		var asked struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		type item struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var answer struct {
			Data []item `json:"data"`
		}
		for i, text := range asked.Input {
			if strings.Contains(text, "landlord") {
				secret.Store(true)
			}
			v := []float32{1, 0.1, 0.1, 0.1}
			if strings.Contains(text, "garage") || strings.Contains(text, "workshop") {
				v = []float32{0.1, 1, 0.1, 0.1}
			}
			answer.Data = append(answer.Data, item{i, v})
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	defer server.Close()
	with := func(url string, excluded string, args ...string) outcome {
		t.Helper()
		cmd := h.command(t.Context(), append([]string{"--data-dir", data}, args...)...)
		cmd.Env = append(cmd.Env, "MSGBROWSE_EMBEDDINGS_PROVIDER=endpoint", "MSGBROWSE_LLM_BASE_URL="+url, "MSGBROWSE_LLM_EMBED_MODEL=m",
			"MSGBROWSE_PRIVACY_EXCLUDE_CONVERSATIONS="+excluded)
		return h.finish(cmd)
	}
	if o := with(server.URL+"/v1", "Ana", "index"); o.status != 0 || secret.Load() {
		t.Errorf("index with the conversation left out: status %d, %s; its text was sent: %v", o.status, o.stderr, secret.Load())
	}
	if o := with(server.URL+"/v1", "", "index"); o.status != 0 || !strings.Contains(o.stderr, "characters to "+server.URL) || !secret.Load() {
		t.Errorf("index: status %d, %s", o.status, o.stderr)
	}
	before := requests.Load()
	if o := with(server.URL+"/v1", "", "search", "--mode", "semantic", "workshop"); !strings.Contains(firstLines(o.stdout, 2), "garage") || requests.Load() != before+1 {
		t.Errorf("search: %s %s after %d requests", o.stdout, o.stderr, requests.Load()-before)
	}
	server.Close()
	if o := with(server.URL+"/v1", "", "search", "landlord"); !strings.Contains(o.stdout, "paid") || !strings.Contains(o.stderr, "by words only") {
		t.Errorf("dead endpoint: %s %s", o.stdout, o.stderr)
	}
	// One that accepts and says nothing.
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	if o := with("http://"+silent.Addr().String()+"/v1", "", "search", "landlord"); !strings.Contains(o.stdout, "paid") {
		t.Errorf("silent endpoint: %s %s", o.stdout, o.stderr)
	}
}

func firstLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[:min(n, len(lines))], "")
}
