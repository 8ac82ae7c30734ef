package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// MaxDescription is how many bytes of a tool's description or of the server's
// instructions clients are known to pass on to the model.
const MaxDescription = 2048

// ToolDef is a tool that reads and changes nothing. All fields are required.
type ToolDef struct {
	Name, Title, Description string
	// Input and Output are schemas made by SchemaOf. Arguments are checked
	// against Input before Handler sees them; results are not checked against
	// Output, which is for tests to do.
	Input, Output *jsonschema.Schema
	Handler       ToolFunc
}

// ToolFunc answers one call. The arguments are an object that fits the tool's
// Input: no unknown names, no nulls, IntOrText values as strings, integers
// digit for digit. Of the result, structured is a JSON object that fits
// Output, sent as it is, and text says the same in plain lines. An error's
// text is shown to the model, except that a *jsonrpc.Error fails the request
// itself. ctx ends when the client gives up or the call's time is over.
type ToolFunc func(ctx context.Context, arguments json.RawMessage) (structured json.RawMessage, text string, err error)

// AddTool registers a tool on a server made by NewServer. It panics when the
// definition is incomplete or its input cannot be checked, which is a mistake
// in the program and not in its data.
func AddTool(server *sdk.Server, def ToolDef) {
	spec, err := def.check()
	if err != nil {
		panic(fmt.Errorf("add tool %q: %w", def.Name, err))
	}
	no := false
	server.AddTool(&sdk.Tool{
		Name: def.Name, Title: def.Title, Description: def.Description,
		InputSchema: def.Input, OutputSchema: def.Output,
		Annotations: &sdk.ToolAnnotations{
			Title:           def.Title,
			ReadOnlyHint:    true,
			DestructiveHint: &no,
			IdempotentHint:  true,
			OpenWorldHint:   &no,
		},
	}, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		arguments, err := spec.prepare(req.Params.Arguments)
		if err != nil {
			return errorResult(err.Error()), nil
		}
		structured, text, err := def.Handler(ctx, arguments)
		var failed *jsonrpc.Error
		switch {
		case errors.As(err, &failed):
			return nil, failed
		case err != nil:
			return errorResult(err.Error()), nil
		case !json.Valid(structured):
			// The SDK would drop such an answer and leave the client waiting.
			panic(fmt.Errorf("tool %s returned a structured result that is not JSON", def.Name))
		}
		return &sdk.CallToolResult{
			Content:           []sdk.Content{&sdk.TextContent{Text: text}},
			StructuredContent: structured,
		}, nil
	})
}

func (def ToolDef) check() (*argumentSpec, error) {
	switch {
	case def.Name == "" || def.Title == "" || def.Description == "":
		return nil, errors.New("name, title and description are needed")
	case len(def.Description) > MaxDescription:
		return nil, fmt.Errorf("the description has %d bytes, clients cut it at %d", len(def.Description), MaxDescription)
	case def.Input == nil || def.Output == nil || def.Handler == nil:
		return nil, errors.New("input schema, output schema and handler are needed")
	}
	return newArgumentSpec(def.Name, def.Input)
}
