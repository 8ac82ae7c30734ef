package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Limits of one line on stdin. A line beyond them is answered with an error
// and forgotten; it never ends the session.
const (
	// MaxMessageBytes is the longest line read from stdin and the longest
	// body read over HTTP.
	MaxMessageBytes = 4 << 20
	// MaxMessageDepth is how deep objects and arrays may nest. Requests of
	// this protocol nest fewer than ten levels.
	MaxMessageDepth = 200
)

// maxSafeID is the largest integer every JSON implementation keeps exactly.
const maxSafeID = 1<<53 - 1

// verdict is what one line turned out to be: a request for the SDK, an error
// to send back, or nothing worth doing (both nil).
type verdict struct {
	request *jsonrpc.Request
	reply   *errorReply
	// cancels is set on a cancellation notice: the request it is about.
	cancels jsonrpc.ID
}

// errorReply is a JSON-RPC error response. The SDK's own type cannot carry an
// id it has not parsed, nor the null id that the standard asks for when there
// is none to read.
type errorReply struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   jsonrpc.Error   `json:"error"`
}

func newErrorReply(id json.RawMessage, code int64, message string) *errorReply {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	return &errorReply{Version: "2.0", ID: id, Error: jsonrpc.Error{Code: code, Message: message}}
}

func reject(id json.RawMessage, code int64, message string) verdict {
	return verdict{reply: newErrorReply(id, code, message)}
}

// judge reads one line, which holds no line feed. Everything the SDK would
// end the session over is turned into an error reply here, with the id of
// the request wherever it can be read.
func judge(line []byte) verdict {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\uFEFF")))
	switch {
	case len(line) == 0:
		return verdict{}
	case !utf8.Valid(line):
		return reject(nil, jsonrpc.CodeParseError, "the line is not valid UTF-8")
	case nesting(line) > MaxMessageDepth:
		return reject(peekID(line), jsonrpc.CodeInvalidRequest,
			"the message nests deeper than "+strconv.Itoa(MaxMessageDepth)+" levels")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &syntax):
			return reject(nil, jsonrpc.CodeParseError, "each line must be one JSON-RPC message: "+err.Error())
		case line[0] == '[':
			return reject(nil, jsonrpc.CodeInvalidRequest, "batches are not supported; send one message per line")
		}
		return reject(nil, jsonrpc.CodeInvalidRequest, "each line must be one JSON-RPC message, an object")
	}
	return judgeFields(fields)
}

func judgeFields(fields map[string]json.RawMessage) verdict {
	rawID, hasID := fields["id"]
	id, idProblem := parseID(rawID)
	echo := rawID
	if !isScalarID(rawID) {
		echo = nil
	}
	var version string
	if json.Unmarshal(fields["jsonrpc"], &version) != nil || version != "2.0" {
		return reject(echo, jsonrpc.CodeInvalidRequest, `the message must say "jsonrpc":"2.0"`)
	}
	rawMethod, isRequest := fields["method"]
	if !isRequest {
		if fields["result"] == nil && fields["error"] == nil {
			return reject(echo, jsonrpc.CodeInvalidRequest, "the message has neither a method nor a result")
		}
		return verdict{} // an answer, but this server never asks
	}
	var method string
	if !isString(rawMethod) || json.Unmarshal(rawMethod, &method) != nil {
		return reject(echo, jsonrpc.CodeInvalidRequest, "the method must be a string")
	}
	if hasID && idProblem != "" {
		return reject(echo, jsonrpc.CodeInvalidRequest, idProblem)
	}
	params := fields["params"]
	switch {
	case bytes.Equal(params, []byte("null")):
		params = nil
	case len(params) > 0 && params[0] != '{':
		if !hasID {
			return verdict{} // a notification is never answered
		}
		return reject(echo, jsonrpc.CodeInvalidParams, "params must be an object")
	}
	v := verdict{request: &jsonrpc.Request{ID: id, Method: method, Params: params}}
	if method == "notifications/cancelled" && !hasID {
		var p map[string]json.RawMessage
		_ = json.Unmarshal(params, &p) // no readable id is the zero id, which no request has
		v.cancels, _ = parseID(p["requestId"])
	}
	return v
}

// parseID reads a request id: a string, or an integer that survives a trip
// through a double. The second result says what is wrong with any other.
func parseID(raw json.RawMessage) (jsonrpc.ID, string) {
	const want = "the id must be a string or an integer of at most 2^53"
	if isString(raw) {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return jsonrpc.ID{}, want
		}
		id, _ := jsonrpc.MakeID(s)
		return id, ""
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || !isScalarID(raw) || f != math.Trunc(f) || math.Abs(f) > maxSafeID {
		return jsonrpc.ID{}, want
	}
	id, _ := jsonrpc.MakeID(f)
	return id, ""
}

func isString(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '"' }

// isScalarID reports whether raw is a string or a number, the only values
// that may stand in a reply's id.
func isScalarID(raw json.RawMessage) bool {
	return isString(raw) || len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
}

// nesting returns how deep objects and arrays nest in b, which need not be
// valid JSON.
func nesting(b []byte) int {
	depth, deepest := 0, 0
	inString, escaped := false, false
	for _, c := range b {
		switch {
		case escaped:
			escaped = false
		case inString:
			escaped = c == '\\'
			inString = c != '"'
		case c == '"':
			inString = true
		case c == '{', c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}', c == ']':
			depth--
		}
	}
	return deepest
}

// peekID finds the id of a message that is cut off or nested too deep to be
// decoded. It returns nil when there is none before the trouble starts.
func peekID(b []byte) json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil
		}
		if key != "id" {
			if !skipValue(dec) {
				return nil
			}
			continue
		}
		switch v, err := dec.Token(); v := v.(type) {
		case string:
			raw, _ := json.Marshal(v)
			return raw
		case json.Number:
			return json.RawMessage(v)
		default:
			_ = err
			return nil
		}
	}
	return nil
}

// skipValue reads one value of any depth without recursion.
func skipValue(dec *json.Decoder) bool {
	for depth := 0; ; {
		t, err := dec.Token()
		if err != nil {
			return false
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return true
		}
	}
}
