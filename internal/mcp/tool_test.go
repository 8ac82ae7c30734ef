package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func noAnswer(context.Context, json.RawMessage) (json.RawMessage, string, error) {
	return json.RawMessage("{}"), "", nil
}

func TestAddToolDefinition(t *testing.T) {
	t.Parallel()
	out := new(lockedBuffer)
	in := initialize + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n"
	s := NewServer(Options{Version: "1.2.3"})
	AddTool(s, ToolDef{
		Name: "search_messages", Title: "Search messages", Description: "Finds <messages>",
		Input: SchemaOf[echoInput](), Output: SchemaOf[echoOutput](), Handler: noAnswer,
	})
	if err := ServeStdio(t.Context(), s, strings.NewReader(in), out, nil); err != nil {
		t.Fatal(err)
	}
	var pretty bytes.Buffer
	for line := range strings.Lines(out.String()) {
		if err := json.Indent(&pretty, []byte(line), "", "  "); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "session.golden.json", pretty.Bytes())
}

// What a tool says is sent as it is: digits, order and escapes.
func TestAddToolResult(t *testing.T) {
	t.Parallel()
	got := serveAll(t, newTestServer(t, Options{}), initialize+callLine("1", "echo", `{"query":"x","message_id":9007199254740993}`))
	want := `{"message_id":9007199254740993,"arguments":{"query":"x","message_id":"9007199254740993"},"a_note":"\u003cb\u003e \u0026 last"}`
	if raw := string(got["1"].Result.StructuredContent); raw != want {
		t.Errorf("got %s\nwant %s", raw, want)
	}
}

func TestAddToolInvalidArguments(t *testing.T) {
	t.Parallel()
	got := serveAll(t, newTestServer(t, Options{}), initialize+callLine("1", "echo", `{"querry":"x"}`))
	a := got["1"]
	if a.Result == nil || !a.Result.IsError || !strings.HasPrefix(a.text(), `invalid arguments for echo: unknown argument "querry" (did you mean "query"?)`) {
		t.Errorf("got %+v", a)
	}
}

func TestAddToolProtocolError(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, Options{})
	s.tool("gone", func(context.Context, json.RawMessage) (json.RawMessage, string, error) {
		return nil, "", &jsonrpc.Error{Code: -32000, Message: "gone"}
	})
	got := serveAll(t, s, initialize+callLine("1", "gone", `{"query":"x"}`))
	if e := got["1"].Error; e == nil || e.Code != -32000 {
		t.Errorf("got %+v, want error -32000", e)
	}
}

func TestAddToolRefuses(t *testing.T) {
	t.Parallel()
	good := ToolDef{
		Name: "a", Title: "A", Description: "Does a",
		Input: SchemaOf[echoInput](), Output: SchemaOf[echoOutput](), Handler: noAnswer,
	}
	tests := []struct {
		name  string
		spoil func(*ToolDef)
		want  string
	}{
		{name: "no title", spoil: func(d *ToolDef) { d.Title = "" }, want: "title"},
		{name: "long description", spoil: func(d *ToolDef) { d.Description = strings.Repeat("x", MaxDescription+1) }, want: "2049 bytes"},
		{name: "no output schema", spoil: func(d *ToolDef) { d.Output = nil }, want: "output schema"},
		{name: "nested input", spoil: func(d *ToolDef) { d.Input = SchemaOf[echoOutput]() }, want: "arguments"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			def := good
			tt.spoil(&def)
			defer func() {
				if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("got %v, want a panic with %q", err, tt.want)
				}
			}()
			AddTool(NewServer(Options{}), def)
		})
	}
}
