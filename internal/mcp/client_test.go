package mcp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// checkClient uses everything a server offers the way a client does, over any
// transport to a test server with version 1.2.3 and instructions "how to".
func checkClient(t *testing.T, transport sdk.Transport, version string) {
	t.Helper()
	ctx := t.Context()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(ctx, transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	defer func() {
		if err := session.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}()
	hello := session.InitializeResult()
	if hello.ProtocolVersion != version || hello.Instructions != "how to" {
		t.Errorf("got revision %q and instructions %q", hello.ProtocolVersion, hello.Instructions)
	}
	if info := hello.ServerInfo; info == nil || info.Version != "1.2.3" || len(info.Icons) != 1 {
		t.Errorf("got server %+v, want version 1.2.3 with one icon", info)
	}
	wantCapabilities := &sdk.ServerCapabilities{
		Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{},
		Prompts: &sdk.PromptCapabilities{}, Completions: &sdk.CompletionCapabilities{},
	}
	if diff := cmp.Diff(wantCapabilities, hello.Capabilities); diff != "" {
		t.Errorf("capabilities differ (-want +got):\n%s", diff)
	}

	tools, err := session.ListTools(ctx, nil)
	if err != nil {
		t.Fatalf("list tools: %v", err)
	}
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
	}
	if diff := cmp.Diff([]string{"echo", "fail", "malformed", "panic", "slow", "stuck", "wait"}, names); diff != "" {
		t.Errorf("tools differ (-want +got):\n%s", diff)
	}
	if tools.TTLMs != 60_000 || tools.CacheScope != "private" {
		t.Errorf("tools may be cached %d ms, %s; want 60000 ms, private", tools.TTLMs, tools.CacheScope)
	}

	calls := []struct {
		tool, wantText string
		wantError      bool
	}{
		{tool: "echo", wantText: "echo hello"},
		{tool: "fail", wantText: "message not found", wantError: true},
		{tool: "panic", wantText: internalErrorText, wantError: true},
		{tool: "malformed", wantText: internalErrorText, wantError: true},
	}
	for _, call := range calls {
		res, err := session.CallTool(ctx, &sdk.CallToolParams{Name: call.tool, Arguments: map[string]any{"query": "hello"}})
		if err != nil {
			t.Errorf("call %s: %v", call.tool, err)
			continue
		}
		text, ok := res.Content[0].(*sdk.TextContent)
		if !ok || text.Text != call.wantText || res.IsError != call.wantError || len(res.Content) != 1 {
			t.Errorf("call %s: got %v, error %t", call.tool, res.Content, res.IsError)
		}
		if res.Meta[UntrustedKey] != true {
			t.Errorf("call %s: the result is not labelled: %v", call.tool, res.Meta)
		}
	}
	if _, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "nope"}); err == nil || !strings.Contains(err.Error(), "nope") {
		t.Errorf("unknown tool: got %v, want an error that names it", err)
	}

	read, err := session.ReadResource(ctx, &sdk.ReadResourceParams{URI: "msgbrowse://overview"})
	if err != nil || read.Contents[0].Text != "all there is" {
		t.Errorf("read resource: got %v, %v", read, err)
	}
	if _, err := session.GetPrompt(ctx, &sdk.GetPromptParams{Name: "find"}); err == nil || !strings.Contains(err.Error(), "no such conversation") {
		t.Errorf("prompt that fails: got %v", err)
	}
	completed, err := session.Complete(ctx, &sdk.CompleteParams{
		Ref:      &sdk.CompleteReference{Type: "ref/prompt", Name: "find"},
		Argument: sdk.CompleteParamsArgument{Name: "conversation", Value: "a"},
	})
	if err != nil || len(completed.Completion.Values) != 0 {
		t.Errorf("complete: got %v, %v", completed, err)
	}
}
