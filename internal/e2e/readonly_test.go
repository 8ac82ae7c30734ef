package e2e

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// everyCall holds calls of every tool with every kind of filter, good ones
// and bad ones.
var everyCall = []struct {
	tool      string
	arguments string
}{
	{"list_conversations", `{}`},
	{"list_conversations", `{"query":"a","source":"signal","kind":"group","start":"2024","end":"2026","sort":"size","limit":1}`},
	{"get_conversation", `{"name":"TripGroup"}`},
	{"get_conversation", `{"name":"Ana Prado","from":"end","limit":2,"format":"transcript"}`},
	{"search_messages", `{"query":"tent","context":3}`},
	{"search_messages", `{"query":"where is the recital?","format":"transcript"}`},
	{"search_messages", `{"query":"deposit has:link from:me","has":"link"}`},
	{"search_messages", `{"query":"lake*","conversation":"Ana Prado","sender":"Ana Prado","source":"whatsapp","start":"2024-01","end":"2024-02"}`},
	{"semantic_search", `{"query":"camping gear","k":5}`},
	{"get_context", `{"message_id":1,"window":2}`},
	{"get_context", `{"message_id":4711}`},
	{"list_media", `{"kind":"image"}`},
	{"list_links", `{"domain":"example.com"}`},
	{"list_links", `{"domain":"nowhere.example"}`},
	{"search_messages", `{"query":"tent","sender":"nobody"}`},
}

// useEverything calls every tool and reads every resource and prompt.
func useEverything(t testing.TB, c *client) {
	t.Helper()
	ctx := t.Context()
	for _, call := range everyCall {
		if _, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: call.tool, Arguments: json.RawMessage(call.arguments)}); err != nil {
			t.Errorf("%s %s: %v", call.tool, call.arguments, err)
		}
	}
	media := c.call("list_media", nil).Media
	if len(media) != 1 {
		t.Fatalf("got %d files", len(media))
	}
	for _, uri := range []string{"msgbrowse://archive/overview", "msgbrowse://message/1", "msgbrowse://conversation/1"} {
		if _, err := c.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri}); err != nil {
			t.Errorf("%s: %v", uri, err)
		}
	}
	uri := fmt.Sprintf("msgbrowse://media/%d", media[0].ID)
	if _, err := c.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri}); err == nil || !strings.Contains(err.Error(), "is none") {
		t.Errorf("%s: got %v, want an error, for it is no picture", uri, err)
	}
	if _, err := c.session.GetPrompt(ctx, &mcp.GetPromptParams{Name: "find_message", Arguments: map[string]string{"about": "tent"}}); err != nil {
		t.Error(err)
	}
	completed, err := c.session.Complete(ctx, &mcp.CompleteParams{
		Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: "summarize_conversation"},
		Argument: mcp.CompleteParamsArgument{Name: "conversation", Value: "Tr"},
	})
	if err != nil || len(completed.Completion.Values) != 1 {
		t.Errorf("complete: %v, %v", completed, err)
	}
}

// snapshot describes everything below a folder: names, modes, times and
// contents.
func snapshot(t testing.TB, dir string) []string {
	t.Helper()
	var all []string
	for _, name := range files(t, dir) {
		info, err := os.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%s %s %s", name, info.Mode(), info.ModTime())
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			line += fmt.Sprintf(" %x", sha256.Sum256(data))
		}
		all = append(all, line)
	}
	return all
}

// No tool, resource or prompt changes a byte: not of the archive, not of the
// exports, not anywhere else the program could write.
func TestNothingIsWritten(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	data := h.path("data")
	h.importAll(data)
	before := snapshot(t, h.dir)
	if len(before) < 10 {
		t.Fatalf("the folder holds only %d files", len(before))
	}
	c := connect(t, h.command(t.Context(), "--data-dir", data, "mcp"))
	useEverything(t, c)
	if diff := cmp.Diff(before, snapshot(t, h.dir)); diff != "" {
		t.Errorf("while the server runs (-before +after):\n%s", diff)
	}
	c.close()
	if diff := cmp.Diff(before, snapshot(t, h.dir)); diff != "" {
		t.Errorf("after it has ended (-before +after):\n%s", diff)
	}
}

// Standard output carries JSON-RPC and nothing else, however much is logged,
// and the log never holds what messages or questions say.
func TestStandardOutputIsProtocol(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	data := h.path("data")
	h.importAll(data)
	var in strings.Builder
	in.WriteString(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n")
	in.WriteString("this is no message\n[]\n{}\n\n")
	for i, call := range everyCall {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", i, call.tool, call.arguments)
	}
	cmd := h.command(t.Context(), "--data-dir", data, "--log-level", "debug", "mcp")
	cmd.Stdin = strings.NewReader(in.String())
	got := h.finish(cmd)
	if got.status != 0 {
		t.Errorf("status %d", got.status)
	}
	answers := 0
	for lines := bufio.NewScanner(strings.NewReader(got.stdout)); lines.Scan(); answers++ {
		var message struct {
			Version string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Result  json.RawMessage `json:"result"`
			Error   json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(lines.Bytes(), &message); err != nil || message.Version != "2.0" || message.ID == nil || (message.Result == nil) == (message.Error == nil) {
			t.Errorf("standard output holds %q", lines.Text())
		}
	}
	if want := len(everyCall) + 1 + 3; answers != want {
		t.Errorf("got %d answers, want %d", answers, want)
	}
	if !strings.Contains(got.stderr, "level=DEBUG") {
		t.Errorf("nothing was logged at debug level:\n%s", got.stderr)
	}
	for _, secret := range []string{"tent", "recital", "deposit", "attic", "camping", "Ana Prado", "TripGroup", "Cleo"} {
		if strings.Contains(got.stderr, secret) {
			t.Errorf("the log holds %q:\n%s", secret, got.stderr)
		}
	}
}

// Paths that hold no archive are named and stay as they are.
func TestWrongDataFolder(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	empty := h.path("empty")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	h.write(h.path("file"), []byte("x"))
	before := snapshot(t, h.dir)
	for _, data := range []string{h.path("nowhere"), h.path("nowhere", "deeper"), empty, h.path("file")} {
		for _, mode := range [][]string{{"mcp"}, {"mcp", "--http", "--listen", "127.0.0.1:0"}} {
			got := h.run(append([]string{"--data-dir", data}, mode...)...)
			if got.status == 0 || got.stdout != "" || !strings.Contains(got.stderr, filepath.Join(data, "msgbrowse.db")) {
				t.Errorf("%s with %s: status %d, stdout %q, stderr %q", mode, data, got.status, got.stdout, got.stderr)
			}
		}
	}
	if diff := cmp.Diff(before, snapshot(t, h.dir)); diff != "" {
		t.Errorf("something was written (-before +after):\n%s", diff)
	}
}
