package web_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// shown parses what answers a form.
func (d *recordDesk) shown(status int, target string, pairs ...string) *html.Node {
	d.t.Helper()
	res := d.post(target, pairs...)
	root, err := html.Parse(res.Body)
	if err != nil || res.StatusCode != status {
		d.t.Fatalf("post %s: status %d, want %d; %v: %s", target, res.StatusCode, status, err, text(root))
	}
	return root
}

const secretKey = "sk-never-to-be-seen"

// endpointServer embeds one word, for those with the key.
func endpointServer(t *testing.T) (url string, asked *int) {
	asked = new(int)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked++
		if r.Header.Get("Authorization") != "Bearer "+secretKey {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": []map[string]any{{"index": 0, "embedding": []float32{1, 2, 3, 4}}}})
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1", asked
}

// TestTryEmbeddings asks the endpoint that the form describes, and changes
// nothing.
func TestTryEmbeddings(t *testing.T) {
	t.Parallel()
	url, asked := endpointServer(t)
	d := newSettingsDesk(t, someSettings)
	checkMarkup(t, "embeddings", d.page("/settings/embeddings"))
	form := []string{"embeddings.provider", "endpoint", "llm.base_url", url, "llm.embed_model", "nomic", "llm.max_concurrency", "2", "llm.timeout", "5s"}
	const at = "/settings/embeddings/test"
	root := d.shown(http.StatusOK, at, append(form, "key", secretKey)...)
	checkMarkup(t, "embeddings tried", root)
	said := text(byID(root, "trial"))
	if !strings.Contains(said, "A vector of 4 dimensions in ") || !strings.Contains(said, "from nomic") || *asked != 1 {
		t.Errorf("asked %d times, the page says %q", *asked, said)
	}
	typed := map[string]string{}
	for _, n := range append(all(root, "input", ""), all(root, "option", "")...) {
		if _, on := attributes(n)["selected"]; on || n.Data == "input" {
			typed[attribute(n, "name")] = attribute(n, "value")
		}
	}
	if typed["llm.base_url"] != url || typed["llm.max_concurrency"] != "2" || typed[""] != "endpoint" || typed["key"] != "" {
		t.Errorf("what was typed is shown as %q", typed)
	}
	for _, tt := range []struct {
		name, says string
		change     []string
	}{
		{"no key", "It asks for an API key. Put a valid key", nil},
		{"wrong key", "It refused the API key.", []string{"key", "sk-wrong"}},
		{"unusable key", "spaces, line breaks", []string{"key", "two words"}},
		{"nobody there", "Check llm.base_url and that the server there runs", []string{"llm.base_url", "http://127.0.0.1:1/v1"}},
		{"no model", "needs llm.embed_model", []string{"llm.embed_model", ""}},
		{"no address", "want a web address", []string{"llm.base_url", "ftp://x"}},
		{"no number", "whole number", []string{"llm.max_concurrency", "many"}},
		{"out of range", "from 1 to 64", []string{"llm.max_concurrency", "65"}},
		{"no duration", "with its unit", []string{"llm.timeout", "5"}},
	} {
		root := d.shown(http.StatusOK, at, append(append([]string{}, form...), tt.change...)...)
		if said := text(d.one(root, "p", "remark")); !strings.Contains(said, tt.says) {
			t.Errorf("%s: the page says %q, want %q", tt.name, said, tt.says)
		}
	}
	part := d.post(at+"?part=1", append(form, "key", secretKey)...)
	fragment, err := html.Parse(part.Body)
	if err != nil || len(all(fragment, "form", "")) != 0 || len(all(fragment, "p", "saved")) != 1 {
		t.Errorf("the part: %v, %s", err, text(fragment))
	}
	if d.text() != someSettings || len(d.applied) != 0 {
		t.Errorf("a test has changed something: %s", d.text())
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(d.file), "llm-key")); err == nil {
		t.Error("a test has kept the key")
	}
}

// TestSaveEmbeddings changes what was changed, and keeps the key out of sight.
func TestSaveEmbeddings(t *testing.T) {
	t.Parallel()
	url, _ := endpointServer(t)
	d := newSettingsDesk(t, someSettings)
	const at = "/settings/embeddings"
	kept := filepath.Join(filepath.Dir(d.file), "llm-key")
	d.shown(http.StatusUnprocessableEntity, at, "embeddings.provider", "endpoint", "key", secretKey)
	if _, err := os.Stat(kept); err == nil || d.text() != someSettings {
		t.Error("what was refused has left something behind")
	}
	d.done(at, "embeddings.provider", "endpoint", "llm.base_url", url, "llm.embed_model", "nomic", "llm.timeout", "20s", "llm.query_prefix", "query: ",
		"privacy.exclude_conversations", "Doctor\r\n7", "key", " "+secretKey+" ", "data_dir", "/elsewhere")
	quoted, err := json.Marshal(kept)
	if err != nil {
		t.Fatal(err)
	}
	want := "# mine\nllm:\n  timeout: 20s # slow\n  api_key_file: " + string(quoted) + "\n  base_url: \"" + url + "\"\n  embed_model: \"nomic\"\n  query_prefix: \"query: \"\n\nmcp:\n  listen: 127.0.0.1:9\n" +
		"embeddings:\n  provider: \"endpoint\"\nprivacy:\n  exclude_conversations:\n    - \"Doctor\"\n    - \"7\"\n"
	if got := d.text(); got != want {
		t.Errorf("saved\n%s\nwant\n%s", got, want)
	}
	info, err := os.Stat(kept)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the key's file: %v, %v", info, err)
	}
	if got, _ := os.ReadFile(kept); string(got) != secretKey {
		t.Errorf("the key's file holds %q", got)
	}
	if len(d.applied) != 1 || d.applied[0] != "endpoint" {
		t.Errorf("searches follow %v", d.applied)
	}
	root := d.page(at + "?saved=1")
	if said := text(root); !strings.Contains(said, "Saved.") || !strings.Contains(said, "It is never shown") {
		t.Errorf("the page says %s", said)
	}
	page := new(strings.Builder)
	if err := html.Render(page, root); err != nil {
		t.Fatal(err)
	}
	for what, where := range map[string]string{"page": page.String(), "file": d.text(), "log": d.log.String()} {
		if strings.Contains(where, secretKey) {
			t.Errorf("the %s holds the key", what)
		}
	}
	if !strings.Contains(d.log.String(), "route=\"POST /settings/embeddings\"") {
		t.Error("the log was not looked at")
	}
	d.done(at, "forget_key", "yes")
	if _, err := os.Stat(kept); err == nil || !strings.Contains(d.text(), "api_key_file: \"\"") {
		t.Errorf("the key is still there: %s", d.text())
	}
	if n := len(all(d.page("/search?q=offer"), "li", "hit")); n == 0 {
		t.Error("searches no longer work")
	}
	if res := d.ask("POST", at, with("Sec-Fetch-Site", "cross-site")); res.StatusCode != http.StatusForbidden {
		t.Errorf("from another site: status %d", res.StatusCode)
	}
	sampleDesk(t).pageWith(at, http.StatusNotFound)
}

// TestEmbeddingsFixed leaves alone what the environment sets.
func TestEmbeddingsFixed(t *testing.T) {
	t.Parallel()
	d := newSettingsDesk(t, "", "MSGBROWSE_LLM_API_KEY_FILE=/keys/mine", "MSGBROWSE_LLM_EMBED_MODEL=fixed")
	root := d.page("/settings/embeddings")
	for _, n := range all(root, "input", "") {
		_, disabled := attributes(n)["disabled"]
		if name := attribute(n, "name"); disabled != (name == "llm.embed_model") || name == "key" {
			t.Errorf("%s: disabled is %t", name, disabled)
		}
	}
	d.done("/settings/embeddings", "llm.embed_model", "other", "key", secretKey, "llm.max_chars", "4000")
	if got := d.text(); got != "llm:\n  max_chars: 4000\n" {
		t.Errorf("saved\n%s", got)
	}
}

func byID(root *html.Node, id string) *html.Node {
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && attribute(n, "id") == id {
			return n
		}
	}
	return &html.Node{}
}
