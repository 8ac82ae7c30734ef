package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// Whatever is sent, the server lives, writes nothing but JSON-RPC lines, and
// answers what follows.
func FuzzServeStdio(f *testing.F) {
	for _, seed := range []string{
		"", "\n\r\n", "hello\n", "[]\n5\nnull\n{}", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`,
		initialize + callLine("1", "echo", `{"query":"x"}`) + callLine("1", "echo", `{"query":"x"}`),
		callLine("2", "panic", `{"query":"x"}`) + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`,
		`{"jsonrpc":"2.0","id":"last","method":"tools/list","params":{"cursor":"x"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"\u0001"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"notifications":{"toolsListChanged":true}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"x"}}}`,
		strings.Repeat("[", 300), "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	s := newTestServer(f, Options{})
	close(s.stuck)
	f.Fuzz(func(t *testing.T, in []byte) {
		if bytes.Contains(in, []byte(`wait`)) || bytes.Contains(in, []byte(`"what follows"`)) {
			t.Skip("the call that waits for its cancellation, or the id used below")
		}
		out := new(lockedBuffer)
		last := "\n" + `{"jsonrpc":"2.0","id":"what follows","method":"ping"}` + "\n"
		reader := iotest.OneByteReader(io.MultiReader(bytes.NewReader(in), strings.NewReader(last)))
		if err := ServeStdio(t.Context(), s.Server, reader, out, nil); err != nil {
			t.Fatalf("ServeStdio: %v", err)
		}
		answered := false
		for _, a := range answers(t, out.String()) {
			answered = answered || string(a.ID) == `"what follows"`
			if a.Method == "" && a.Result == nil && a.Error == nil {
				t.Errorf("neither request nor answer: %+v", a)
			}
		}
		if !answered {
			t.Errorf("no answer to what followed")
		}
	})
}

// judge gives every line at most one fate, and its replies are JSON.
func FuzzJudge(f *testing.F) {
	for _, seed := range []string{
		"", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":"a","method":1}`, `{"id":{}}`, `[{}]`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1e3}}`, "\ufeff{}", strings.Repeat(`{"a":`, 300),
		`{"jsonrpc":"2.0","id":-0,"method":"x","params":null}`, `{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"x"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		v := judge(line)
		if v.request != nil && v.reply != nil {
			t.Error("both accepted and refused")
		}
		if v.reply != nil {
			raw, err := json.Marshal(v.reply)
			if err != nil || !json.Valid(raw) || bytes.ContainsRune(raw, '\n') {
				t.Errorf("reply %q: %v", raw, err)
			}
		}
		if v.request != nil && v.request.IsCall() {
			if raw := rawID(v.request.ID); !json.Valid(raw) {
				t.Errorf("id %q", raw)
			}
		}
		if id := peekID(line); id != nil && !json.Valid(id) {
			t.Errorf("id found in %q is %q", line, id)
		}
	})
}
