package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// echoInput has an argument of every kind.
type echoInput struct {
	Query        string    `json:"query" jsonschema:"words to look for"`
	MessageID    IntOrText `json:"message_id,omitempty" jsonschema:"number or hash"`
	Conversation string    `json:"conversation,omitempty" jsonschema:"id or name"`
	Has          []string  `json:"has,omitempty" jsonschema:"kinds of attachment" enum:"link,image,file"`
	People       []string  `json:"people,omitempty" jsonschema:"names"`
	Sort         string    `json:"sort,omitempty" jsonschema:"order" enum:"recent,name" default:"recent"`
	Limit        int       `json:"limit,omitempty" jsonschema:"how many" default:"20"`
	Weight       float64   `json:"weight,omitempty" jsonschema:"how much"`
	Full         bool      `json:"full,omitempty" jsonschema:"everything"`
}

type echoOutput struct {
	MessageID int64     `json:"message_id"`
	Arguments echoInput `json:"arguments"`
	Note      string    `json:"a_note"`
}

// testServer is a server with tools that behave and tools that do not.
type testServer struct {
	*sdk.Server
	// stuck ends the calls of the tool "stuck", which ignores its context.
	stuck chan struct{}
	// running reports each call of "wait" and "stuck" once it runs, and
	// cancelled each call of "wait" whose context has ended.
	running, cancelled chan struct{}
	logs               *lockedBuffer
}

func newTestServer(t testing.TB, o Options) *testServer {
	t.Helper()
	s := &testServer{
		stuck: make(chan struct{}), logs: new(lockedBuffer),
		running: make(chan struct{}, 1000), cancelled: make(chan struct{}, 1000),
	}
	o.Logger = slog.New(slog.NewTextHandler(s.logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s.Server = NewServer(o)
	s.tool("echo", func(_ context.Context, arguments json.RawMessage) (json.RawMessage, string, error) {
		var in echoInput
		if err := json.Unmarshal(arguments, &in); err != nil {
			return nil, "", err
		}
		raw, err := json.Marshal(echoOutput{MessageID: 1<<53 + 1, Arguments: in, Note: "<b> & last"})
		return raw, "echo " + in.Query, err
	})
	s.tool("fail", func(context.Context, json.RawMessage) (json.RawMessage, string, error) {
		return nil, "", errors.New("message not found")
	})
	s.tool("panic", func(context.Context, json.RawMessage) (json.RawMessage, string, error) {
		panic("the secret of the panic")
	})
	s.tool("malformed", func(context.Context, json.RawMessage) (json.RawMessage, string, error) {
		return json.RawMessage(`{"a":`), "half", nil
	})
	s.tool("wait", func(ctx context.Context, _ json.RawMessage) (json.RawMessage, string, error) {
		s.running <- struct{}{}
		<-ctx.Done()
		s.cancelled <- struct{}{}
		return nil, "", ctx.Err()
	})
	s.tool("stuck", func(context.Context, json.RawMessage) (json.RawMessage, string, error) {
		s.running <- struct{}{}
		<-s.stuck
		return json.RawMessage(`{}`), "at last", nil
	})
	s.tool("slow", func(context.Context, json.RawMessage) (json.RawMessage, string, error) {
		time.Sleep(50 * time.Millisecond)
		return json.RawMessage(`{}`), "slow", nil
	})
	s.AddPrompt(&sdk.Prompt{Name: "find", Description: "find something"},
		func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return nil, errors.New("no such conversation")
		})
	s.AddResource(&sdk.Resource{URI: "msgbrowse://overview", Name: "overview"},
		func(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{Text: "all there is"}}}, nil
		})
	return s
}

func (s *testServer) tool(name string, handler ToolFunc) {
	AddTool(s.Server, ToolDef{
		Name: name, Title: "The " + name + " tool", Description: "Tries " + name,
		Input: SchemaOf[echoInput](), Output: SchemaOf[echoOutput](), Handler: handler,
	})
}

// lockedBuffer collects what several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// answer is a decoded line of output.
type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Result  *struct {
		IsError           bool            `json:"isError"`
		Content           []textBlock     `json:"content"`
		StructuredContent json.RawMessage `json:"structuredContent"`
		Meta              map[string]any  `json:"_meta"`
		TTLMs             int             `json:"ttlMs"`
		CacheScope        string          `json:"cacheScope"`
		Version           string          `json:"protocolVersion"`
	} `json:"result"`
	Error *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

type textBlock struct {
	Type, Text string
}

// text is the text of a tool's result or of an error.
func (a answer) text() string {
	switch {
	case a.Error != nil:
		return a.Error.Message
	case a.Result != nil && len(a.Result.Content) == 1:
		return a.Result.Content[0].Text
	}
	return ""
}

// answers decodes output line by line and fails on anything but JSON-RPC.
func answers(t testing.TB, output string) []answer {
	t.Helper()
	var all []answer
	for line := range strings.Lines(output) {
		var a answer
		if !strings.HasSuffix(line, "\n") {
			t.Errorf("line is not finished: %q", line)
		}
		if err := json.Unmarshal([]byte(line), &a); err != nil || a.Version != "2.0" {
			t.Fatalf("output holds a line that is no JSON-RPC message: %q", line)
		}
		all = append(all, a)
	}
	return all
}

// initialize is the first line of a session of the older revisions.
const initialize = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n"

// callLine is a call of a tool by the given raw id and arguments.
func callLine(id, tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}` + "\n"
}

// serveAll feeds input to a session, closes it and returns all answers by raw
// id. Answers with the id null are under "null", with texts joined.
func serveAll(t testing.TB, s *testServer, input string) map[string]answer {
	t.Helper()
	out := new(lockedBuffer)
	if err := ServeStdio(t.Context(), s.Server, strings.NewReader(input), out, slog.New(slog.NewTextHandler(s.logs, nil))); err != nil {
		t.Fatalf("ServeStdio: %v", err)
	}
	byID := map[string]answer{}
	for _, a := range answers(t, out.String()) {
		if _, twice := byID[string(a.ID)]; twice && string(a.ID) != "null" {
			t.Errorf("two answers for id %s", a.ID)
		}
		byID[string(a.ID)] = a
	}
	return byID
}

// pipe starts a session over pipes. Lines are sent with send and answers
// received with receive; wait returns ServeStdio's error.
type pipe struct {
	t       *testing.T
	in      *io.PipeWriter
	answers chan answer
	done    chan error
}

func startPipe(ctx context.Context, t *testing.T, s *testServer) *pipe {
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	p := &pipe{t: t, in: inWrite, answers: make(chan answer, 100), done: make(chan error, 1)}
	go func() {
		err := ServeStdio(ctx, s.Server, inRead, outWrite, nil)
		_ = outWrite.Close()
		p.done <- err
	}()
	go func() {
		defer close(p.answers)
		dec := json.NewDecoder(outRead)
		for {
			var a answer
			if dec.Decode(&a) != nil {
				return
			}
			p.answers <- a
		}
	}()
	p.send(initialize)
	p.receive()
	return p
}

func (p *pipe) send(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line); err != nil {
		p.t.Fatalf("send: %v", err)
	}
}

func (p *pipe) receive() answer {
	p.t.Helper()
	select {
	case a, ok := <-p.answers:
		if !ok {
			p.t.Fatal("the output ended without an answer")
		}
		return a
	case <-time.After(time.Minute):
		p.t.Fatal("no answer")
	}
	return answer{}
}

func (p *pipe) wait() error {
	p.t.Helper()
	select {
	case err := <-p.done:
		return err
	case <-time.After(2 * time.Minute):
		p.t.Fatal("ServeStdio does not return")
	}
	return nil
}
