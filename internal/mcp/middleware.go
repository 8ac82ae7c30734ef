package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// UntrustedKey is the key in the _meta of what tools and resources give that
// says it quotes what third parties wrote.
const UntrustedKey = "msgbrowse/untrusted"

// internalErrorText is all a client learns about a fault of this program.
const internalErrorText = "internal error; see the server's log"

// methodCallTool is the one method whose failures are results, so that the
// model reads them and can correct itself.
const methodCallTool = "tools/call"

// contain keeps a fault in one request from becoming more than a failed
// request: a panic is logged with its stack and answered, and every error
// leaves with a JSON-RPC code and data that can be encoded.
func contain(log *slog.Logger) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (res sdk.Result, err error) {
			defer func() {
				if p := recover(); p != nil {
					log.Error("mcp: panic while answering", "method", method, "tool", toolName(req),
						"panic", p, "stack", string(debug.Stack()))
					res, err = failure(method, internalErrorText)
				}
			}()
			res, err = next(ctx, method, req)
			if err != nil {
				return nil, codedError(method, err)
			}
			return res, nil
		}
	}
}

// failure answers a request that could not be served: as a result for the
// model where the method has one, else as a protocol error.
func failure(method, text string) (sdk.Result, error) {
	if method == methodCallTool {
		return errorResult(text), nil
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: text}
}

func errorResult(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// codedError makes err fit for the wire. Errors without a code would be sent
// with code 0, and the SDK quotes some URIs in a way that is not JSON.
func codedError(method string, err error) error {
	var coded *jsonrpc.Error
	if !errors.As(err, &coded) {
		code := int64(jsonrpc.CodeInternalError)
		if method == "initialize" { // sent twice, the one way it fails
			code = jsonrpc.CodeInvalidRequest
		}
		return &jsonrpc.Error{Code: code, Message: err.Error()}
	}
	if len(coded.Data) > 0 && !json.Valid(coded.Data) {
		return &jsonrpc.Error{Code: coded.Code, Message: coded.Message}
	}
	return err
}

func toolName(req sdk.Request) string {
	if call, ok := req.(*sdk.CallToolRequest); ok && call.Params != nil {
		return call.Params.Name
	}
	return ""
}

// label marks what tools and resources give as quoting third parties, and tells clients of the
// stateless revisions who answered in fewer bytes than the SDK would: without
// the icon, which only discovery needs.
func label(name, version string) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			res, err := next(ctx, method, req)
			if err != nil || res == nil {
				return res, err
			}
			quotes := false
			switch res.(type) {
			case *sdk.CallToolResult, *sdk.ReadResourceResult:
				quotes = true
			}
			slim := method != "server/discover" && isStateless(req)
			if !quotes && !slim {
				return res, nil
			}
			meta := map[string]any{}
			for k, v := range res.GetMeta() {
				meta[k] = v
			}
			if quotes {
				meta[UntrustedKey] = true
			}
			if slim {
				meta[sdk.MetaKeyServerInfo] = &sdk.Implementation{Name: name, Version: version}
			}
			res.SetMeta(meta)
			return res, nil
		}
	}
}

// isStateless reports whether the request names its protocol revision itself,
// as requests do since the handshake was dropped.
func isStateless(req sdk.Request) bool {
	params := req.GetParams()
	if params == nil {
		return false
	}
	_, ok := params.GetMeta()[sdk.MetaKeyProtocolVersion]
	return ok
}
