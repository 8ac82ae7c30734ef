package e2e

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// client is an MCP client of a running server.
type client struct {
	t       testing.TB
	session *mcp.ClientSession
}

// connect starts the server that cmd is and connects to it as clients do.
func connect(t testing.TB, cmd *exec.Cmd) *client {
	t.Helper()
	return connectOver(t, &mcp.CommandTransport{Command: cmd})
}

func connectOver(t testing.TB, transport mcp.Transport) *client {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	return &client{t, session}
}

func (c *client) close() {
	c.t.Helper()
	if err := c.session.Close(); err != nil {
		c.t.Errorf("close: %v", err)
	}
}

// message is what a tool says of a message.
type message struct {
	ID             int64 `json:"message_id"`
	Hash           string
	Conversation   string
	Source, Sender string
	Timestamp      string
	Basis          string `json:"timestamp_basis"`
	Text           string
}

// result is what any tool gives, as far as these tests look at it.
type result struct {
	Shown         int
	Total         int64
	NextCursor    string `json:"next_cursor"`
	Hits          []message
	Messages      []message
	Conversations []struct {
		ID       int64
		Name     string
		Messages int64
	}
	Media []struct {
		ID   int64 `json:"media_id"`
		Name string
	}
	Links []struct{ URL string }
}

// call calls a tool that must succeed.
func (c *client) call(tool string, arguments map[string]any) result {
	c.t.Helper()
	r, err := c.ask(tool, arguments)
	if err != nil {
		c.t.Fatal(err)
	}
	return r
}

// ask calls a tool and returns its failure, for use outside a test's own
// goroutine.
func (c *client) ask(tool string, arguments map[string]any) (r result, err error) {
	res, err := c.session.CallTool(c.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return r, err
	}
	if res.IsError {
		return r, fmt.Errorf("%s %v: %s", tool, arguments, text(res))
	}
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(raw, &r)
}

func text(res *mcp.CallToolResult) string {
	var all []string
	for _, block := range res.Content {
		if t, ok := block.(*mcp.TextContent); ok {
			all = append(all, t.Text)
		}
	}
	return strings.Join(all, "\n")
}
