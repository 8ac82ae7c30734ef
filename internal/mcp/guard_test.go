package mcp

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	tests := []struct {
		name, line string
		// wantID and wantCode describe the error reply; wantMethod and the
		// id's value the request. None of them: the line is ignored.
		wantID     string
		wantCode   int64
		wantMethod string
		wantValue  any
	}{
		{name: "call with integer id", line: `{"jsonrpc":"2.0","id":7,"method":"ping"}`, wantMethod: "ping", wantValue: int64(7)},
		{name: "call with string id", line: `{"jsonrpc":"2.0","id":"7","method":"ping"}`, wantMethod: "ping", wantValue: "7"},
		{name: "empty string id", line: `{"jsonrpc":"2.0","id":"","method":"ping"}`, wantMethod: "ping", wantValue: ""},
		{name: "largest safe id", line: `{"jsonrpc":"2.0","id":9007199254740991,"method":"ping"}`, wantMethod: "ping", wantValue: int64(9007199254740991)},
		{name: "integer written as a fraction", line: `{"jsonrpc":"2.0","id":7.0,"method":"ping"}`, wantMethod: "ping", wantValue: int64(7)},
		{name: "notification", line: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, wantMethod: "notifications/initialized"},
		{name: "params null", line: `{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`, wantMethod: "ping", wantValue: int64(1)},
		{name: "byte order mark and carriage return", line: "\uFEFF" + `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\r", wantMethod: "ping", wantValue: int64(1)},
		{name: "deepest allowed", line: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":` + deep(MaxMessageDepth-2) + `}}`, wantMethod: "ping", wantValue: int64(1)},
		{name: "brackets inside a string", line: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"` + strings.Repeat(`[\"{`, 300) + `"}}`, wantMethod: "ping", wantValue: int64(1)},
		{name: "unknown fields", line: `{"jsonrpc":"2.0","id":1,"method":"ping","ID":2,"extra":[]}`, wantMethod: "ping", wantValue: int64(1)},

		{name: "empty line", line: ""},
		{name: "blank line", line: " \t\r"},
		{name: "answer to nothing", line: `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{name: "error answer to nothing", line: `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`},
		{name: "notification with bad params", line: `{"jsonrpc":"2.0","method":"notifications/progress","params":5}`},

		{name: "not JSON", line: "hello", wantID: "null", wantCode: -32700},
		{name: "cut off", line: `{"jsonrpc":"2.0","id":3,"method":"pi`, wantID: "null", wantCode: -32700},
		{name: "two messages on a line", line: `{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}`, wantID: "null", wantCode: -32700},
		{name: "not UTF-8", line: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", wantID: "null", wantCode: -32700},
		{name: "NUL bytes", line: "\x00\x00", wantID: "null", wantCode: -32700},
		{name: "cut off batch", line: `[{"jsonrpc":"2.0"`, wantID: "null", wantCode: -32700},
		{name: "batch", line: `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, wantID: "null", wantCode: -32600},
		{name: "empty batch", line: `[]`, wantID: "null", wantCode: -32600},
		{name: "number", line: `5`, wantID: "null", wantCode: -32600},
		{name: "string", line: `"ping"`, wantID: "null", wantCode: -32600},
		{name: "null", line: `null`, wantID: "null", wantCode: -32600},
		{name: "empty object", line: `{}`, wantID: "null", wantCode: -32600},
		{name: "no version", line: `{"id":4,"method":"ping"}`, wantID: "4", wantCode: -32600},
		{name: "old version", line: `{"jsonrpc":"1.0","id":"x","method":"ping"}`, wantID: `"x"`, wantCode: -32600},
		{name: "version as number", line: `{"jsonrpc":2.0,"id":4,"method":"ping"}`, wantID: "4", wantCode: -32600},
		{name: "keys are case-sensitive", line: `{"JSONRPC":"2.0","id":4,"method":"ping"}`, wantID: "4", wantCode: -32600},
		{name: "no method", line: `{"jsonrpc":"2.0","id":4}`, wantID: "4", wantCode: -32600},
		{name: "method null", line: `{"jsonrpc":"2.0","id":4,"method":null}`, wantID: "4", wantCode: -32600},
		{name: "method number", line: `{"jsonrpc":"2.0","id":4,"method":1}`, wantID: "4", wantCode: -32600},
		{name: "id null", line: `{"jsonrpc":"2.0","id":null,"method":"ping"}`, wantID: "null", wantCode: -32600},
		{name: "id boolean", line: `{"jsonrpc":"2.0","id":true,"method":"ping"}`, wantID: "null", wantCode: -32600},
		{name: "id object", line: `{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, wantID: "null", wantCode: -32600},
		{name: "id fraction", line: `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, wantID: "1.5", wantCode: -32600},
		{name: "id too large", line: `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, wantID: "9007199254740993", wantCode: -32600},
		{name: "id beyond every number", line: `{"jsonrpc":"2.0","id":1e999,"method":"ping"}`, wantID: "1e999", wantCode: -32600},
		{name: "params a list", line: `{"jsonrpc":"2.0","id":4,"method":"ping","params":[1]}`, wantID: "4", wantCode: -32602},
		{name: "params a number", line: `{"jsonrpc":"2.0","id":4,"method":"ping","params":5}`, wantID: "4", wantCode: -32602},
		{name: "too deep, id first", line: `{"jsonrpc":"2.0","id":9,"method":"ping","params":{"a":` + deep(MaxMessageDepth) + `}}`, wantID: "9", wantCode: -32600},
		{name: "too deep, id last", line: `{"jsonrpc":"2.0","params":{"a":` + deep(5000) + `},"id":"z"}`, wantID: `"z"`, wantCode: -32600},
		{name: "too deep, no object", line: deep(100_000), wantID: "null", wantCode: -32600},
		{name: "too deep and cut off", line: strings.Repeat(`{"a":`, 100_000), wantID: "null", wantCode: -32600},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := judge([]byte(tt.line))
			var gotID string
			var gotCode int64
			if v.reply != nil {
				gotID, gotCode = string(v.reply.ID), v.reply.Error.Code
			}
			if gotID != tt.wantID || gotCode != tt.wantCode {
				t.Errorf("reply: got id %q code %d, want id %q code %d", gotID, gotCode, tt.wantID, tt.wantCode)
			}
			var gotMethod string
			var gotValue any
			if v.request != nil {
				gotMethod, gotValue = v.request.Method, v.request.ID.Raw()
			}
			if gotMethod != tt.wantMethod || gotValue != tt.wantValue {
				t.Errorf("request: got %q id %v, want %q id %v", gotMethod, gotValue, tt.wantMethod, tt.wantValue)
			}
		})
	}
}

func TestJudgeCancellation(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, params string
		want         any
	}{
		{name: "integer", params: `{"requestId":3,"reason":"x"}`, want: int64(3)},
		{name: "string", params: `{"requestId":"3"}`, want: "3"},
		{name: "no id", params: `{}`},
		{name: "id of no kind", params: `{"requestId":[3]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := judge([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":` + tt.params + `}`))
			if got := v.cancels.Raw(); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestPeekID(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{name: "first", text: `{"id":12,"method":"tools/call","params":{"name":"x`, want: "12"},
		{name: "after nested values", text: `{"a":{"id":1,"b":[{"id":2}]},"id":"\u0041\"","x`, want: `"A\""`},
		{name: "only nested", text: `{"a":{"id":1}`, want: ""},
		{name: "cut off before", text: `{"params":{"a":"`, want: ""},
		{name: "cut off inside", text: `{"id":"ab`, want: ""},
		{name: "no object", text: `[{"id":1}]`, want: ""},
		{name: "null", text: `{"id":null}`, want: ""},
		{name: "not JSON", text: `}{`, want: ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := string(peekID([]byte(tt.text))); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLineReader(t *testing.T) {
	t.Parallel()
	type line struct {
		Text    string
		TooLong bool
	}
	long := strings.Repeat("x", MaxMessageBytes)
	tests := []struct {
		name, in string
		want     []line
	}{
		{name: "empty", in: ""},
		{name: "last line unfinished", in: "a\nb", want: []line{{Text: "a"}, {Text: "b"}}},
		{name: "blank lines", in: "\n\r\n", want: []line{{}, {Text: "\r"}}},
		{name: "longest allowed", in: long + "\nb\n", want: []line{{Text: long}, {Text: "b"}}},
		{name: "one byte too long", in: long + "y\nb\n", want: []line{{Text: long[:peekBytes], TooLong: true}, {Text: "b"}}},
		{name: "too long and unfinished", in: "a\n" + long + long, want: []line{{Text: "a"}, {Text: long[:peekBytes], TooLong: true}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := newLineReader(iotest.HalfReader(strings.NewReader(tt.in)))
			var got []line
			for {
				text, tooLong, err := r.next()
				if err != nil {
					if !errors.Is(err, io.EOF) {
						t.Fatalf("next: %v", err)
					}
					break
				}
				got = append(got, line{string(bytes.Clone(text)), tooLong})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("lines differ (-want +got):\n%.500s", diff)
			}
		})
	}
}
