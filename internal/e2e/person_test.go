package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a person does: import everything with one command, paste what "mcp
// config" prints into a client, ask, and follow the answer's citation back to
// the line of the file it was read from.
func TestPersonsPath(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.unpack()
	h.must("import", h.path("downloads", "WhatsApp Chat with Ana Prado.zip"), h.path("downloads", "telegram"), h.path("downloads", "signal-export"))

	server := pastedConfiguration(t, h.must("mcp", "config", "--client", "generic").stdout)
	cmd := exec.CommandContext(t.Context(), server.Command, server.Args...)
	elsewhere := newHome(t) // clients start servers from folders and with environments of their own
	cmd.Dir, cmd.Env = elsewhere.path("home"), elsewhere.environment()
	c := connect(t, cmd)

	tools, err := c.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
	}
	want := []string{"get_context", "get_conversation", "list_conversations", "list_links", "list_media", "search_messages", "semantic_search"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	names = nil
	for _, conversation := range c.call("list_conversations", nil).Conversations {
		names = append(names, conversation.Name)
	}
	if diff := cmp.Diff([]string{"TripGroup", "Cleo", "Ana Prado"}, names); diff != "" {
		t.Errorf("conversations (-want +got):\n%s", diff)
	}

	questions := []struct {
		ask    string
		answer message
		words  string // in the file
	}{
		{ask: "When does the landlord want the deposit?", answer: message{Conversation: "Ana Prado", Source: "whatsapp", Sender: "Me", Timestamp: "2024-01-13T09:10", Basis: "wall"}, words: "the landlord wants the deposit by Friday"},
		{ask: "harbour hall recital", answer: message{Conversation: "Cleo", Source: "telegram", Sender: "Cleo", Timestamp: "2024-03-01T08:00:00Z"}, words: "The recital is at the harbour hall"},
		{ask: "tent attic", answer: message{Conversation: "TripGroup", Source: "signal", Sender: "Me", Timestamp: "2025-07-01T09:00:09", Basis: "wall"}, words: "I do, it is in the attic"},
	}
	for _, q := range questions {
		found := c.call("search_messages", map[string]any{"query": q.ask, "sender": q.answer.Sender})
		if len(found.Hits) == 0 {
			t.Errorf("%s: nothing found", q.ask)
			continue
		}
		hit := found.Hits[0]
		q.answer.ID, q.answer.Hash, q.answer.Text = hit.ID, hit.Hash, hit.Text
		if diff := cmp.Diff(q.answer, hit); diff != "" {
			t.Errorf("%s: best hit (-want +got):\n%s", q.ask, diff)
		}
		whole := c.call("get_context", map[string]any{"message_id": hit.Hash, "window": 0})
		if len(whole.Messages) != 1 || !strings.Contains(whole.Messages[0].Text, q.words) {
			t.Errorf("%s: the citation leads to %+v", q.ask, whole.Messages)
		}
		shown := h.must("show", hit.Hash).stdout
		if byPrefix := h.must("show", hit.Hash[:8]).stdout; byPrefix != shown {
			t.Errorf("%s: eight digits of the hash show\n%s\nall of them\n%s", q.ask, byPrefix, shown)
		}
		if line := citedLine(t, shown); !strings.Contains(line, q.words) {
			t.Errorf("%s: the cited line is %q, want %q in it; msgbrowse show said\n%s", q.ask, line, q.words, shown)
		}
	}
	c.close()
	if left := files(t, elsewhere.dir); len(left) != 3 {
		t.Errorf("the server left files where the client runs: %v", left)
	}
	if left := files(t, h.path("tmp")); len(left) != 1 {
		t.Errorf("temporary files are left: %v", left)
	}
}

type serverEntry struct {
	Command string
	Args    []string
}

// pastedConfiguration reads the JSON out of what "mcp config" prints.
func pastedConfiguration(t testing.TB, printed string) serverEntry {
	t.Helper()
	start, end := strings.Index(printed, "\n{"), strings.LastIndex(printed, "\n}")
	if start < 0 || end < start {
		t.Fatalf("no JSON in\n%s", printed)
	}
	var config struct {
		Servers map[string]serverEntry `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(printed[start:end+2]), &config); err != nil {
		t.Fatalf("%v in\n%s", err, printed)
	}
	server, ok := config.Servers["msgbrowse"]
	if !ok || server.Command == "" || !slices.Contains(server.Args, "mcp") {
		t.Fatalf("no server in\n%s", printed)
	}
	return server
}

// citedLine reads the line of the file that "msgbrowse show" names.
func citedLine(t testing.TB, shown string) string {
	t.Helper()
	fact := func(name string) string {
		m := regexp.MustCompile(`(?m)^` + name + ` +(.+)$`).FindStringSubmatch(shown)
		if m == nil {
			return ""
		}
		return m[1]
	}
	file, member := fact("file"), fact("in the zip")
	line, err := strconv.Atoi(fact("line"))
	if err != nil || file == "" {
		t.Fatalf("no file and line in\n%s", shown)
	}
	var content []byte
	if member == "" {
		content, err = os.ReadFile(file)
	} else {
		content, err = readMember(file, member)
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(content, []byte("\n"))
	if line > len(lines) {
		t.Fatalf("line %d of %d in %s", line, len(lines), file)
	}
	return string(lines[line-1])
}

func readMember(file, member string) ([]byte, error) {
	archive, err := zip.OpenReader(file)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	entry, err := archive.Open(member)
	if err != nil {
		return nil, err
	}
	defer entry.Close()
	return io.ReadAll(entry)
}
