// Package mcp is the door for language models: a Model Context Protocol server
// that reads the archive and changes nothing.
//
// NewServer makes a server without features; AddTool adds tools to it, and
// resources and prompts are added with the SDK's own methods. ServeStdio
// serves one client over standard input and output, ServeHTTP many over
// streamable HTTP. What the SDK leaves open is settled here once for both:
// faults are contained, calls are bounded in number and time, arguments are
// read leniently and refused with a sentence that helps, and every result is
// labelled as quoting third parties.
package mcp

import (
	"context"
	_ "embed"
	"encoding/base64"
	"log/slog"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Defaults of Options.
const (
	DefaultCallTimeout   = 45 * time.Second // clients give up after 60
	DefaultMaxConcurrent = 8
)

// listTTL is how long clients may keep lists and resources. Only imports
// change them, and they happen seldom.
const listTTL = time.Minute

// serverName is what the server calls itself towards clients.
const serverName = "msgbrowse"

//go:embed icon.svg
var icon []byte

// Options configure NewServer. The zero value works.
type Options struct {
	// Version is the program's version, "dev" if empty.
	Version string
	// Instructions tell the model how to use the server. Clients cut them at
	// MaxDescription bytes.
	Instructions string
	// Logger receives faults, never message text; nil means no log.
	Logger *slog.Logger
	// CallTimeout bounds a call of a tool, resource, prompt or completion,
	// waiting for a free slot included; DefaultCallTimeout if 0.
	CallTimeout time.Duration
	// MaxConcurrent is how many such calls run at once over all clients;
	// DefaultMaxConcurrent if 0.
	MaxConcurrent int
	// Callers, if set, remember which clients ask.
	Callers *Callers
	// Complete answers completion requests; nil completes nothing.
	Complete func(context.Context, *sdk.CompleteRequest) (*sdk.CompleteResult, error)
}

// NewServer returns a server with no tools, resources or prompts. What it
// offers must not change while it serves: clients are told that lists do not.
func NewServer(o Options) *sdk.Server {
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.CallTimeout == 0 {
		o.CallTimeout = DefaultCallTimeout
	}
	if o.MaxConcurrent == 0 {
		o.MaxConcurrent = DefaultMaxConcurrent
	}
	if o.Complete == nil {
		o.Complete = completeNothing
	}
	server := sdk.NewServer(&sdk.Implementation{
		Name: serverName, Title: "msgbrowse", Version: o.Version,
		Description: "Read-only access to a private archive of messages, with exact citations",
		Icons: []sdk.Icon{{
			Source:   "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(icon),
			MIMEType: "image/svg+xml",
			Sizes:    []string{"any"},
		}},
	}, &sdk.ServerOptions{
		Instructions:      o.Instructions,
		Logger:            slog.New(quietHandler{o.Logger.Handler()}),
		CompletionHandler: o.Complete,
		Capabilities: &sdk.ServerCapabilities{
			Tools:       &sdk.ToolCapabilities{},
			Resources:   &sdk.ResourceCapabilities{},
			Prompts:     &sdk.PromptCapabilities{},
			Completions: &sdk.CompletionCapabilities{},
		},
		SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) {
			c.TTLMs, c.CacheScope = int(listTTL.Milliseconds()), "private"
		},
	})
	if o.Callers != nil {
		server.AddReceivingMiddleware(o.Callers.middleware)
	}
	server.AddReceivingMiddleware(
		contain(o.Logger),
		label(serverName, o.Version),
		newLimiter(o.MaxConcurrent, o.CallTimeout).middleware,
		contain(o.Logger), // again, for the limiter runs calls in goroutines of their own
	)
	return server
}

func completeNothing(context.Context, *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{}}}, nil
}
