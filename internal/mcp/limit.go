package mcp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// limited are the methods that run code of a tool, resource, prompt or
// completion and may take their time; the rest is answered from memory.
var limited = map[string]bool{
	methodCallTool:        true,
	"resources/read":      true,
	"prompts/get":         true,
	"completion/complete": true,
}

// carrierKey is the context key of the HTTP request that carries a call. The
// SDK cuts handlers off from it for clients of the older revisions.
type carrierKey struct{}

// limiter bounds how many calls run at once and how long each may take.
type limiter struct {
	slots   chan struct{}
	timeout time.Duration
}

func newLimiter(concurrent int, timeout time.Duration) *limiter {
	return &limiter{slots: make(chan struct{}, concurrent), timeout: timeout}
}

type outcome struct {
	res sdk.Result
	err error
}

// middleware waits for a free slot and runs the call, both within one
// timeout. A call that does not stop when its time is up is answered without
// it and keeps its slot until it ends, so that stuck calls cannot pile up.
func (l *limiter) middleware(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if !limited[method] {
			return next(ctx, method, req)
		}
		ctx, cancel := context.WithTimeout(ctx, l.timeout)
		defer cancel()
		if carrier, ok := ctx.Value(carrierKey{}).(context.Context); ok {
			defer context.AfterFunc(carrier, cancel)()
		}
		subject := toolName(req)
		if subject == "" {
			subject = method
		}
		select {
		case l.slots <- struct{}{}:
		case <-ctx.Done():
			return stopped(ctx, method, fmt.Sprintf(
				"%s could not start within %s: %d other calls are still running; try again in a moment",
				subject, l.timeout, cap(l.slots)))
		}
		done := make(chan outcome, 1)
		go func() {
			defer func() { <-l.slots }()
			res, err := next(ctx, method, req)
			done <- outcome{res, err}
		}()
		overdue := fmt.Sprintf(
			"%s did not finish within %s and was stopped; ask for less (a narrower filter or a smaller limit) and try again",
			subject, l.timeout)
		select {
		case o := <-done:
			if ctx.Err() != nil && failed(o) {
				return stopped(ctx, method, overdue) // its own message would only say "context deadline exceeded"
			}
			return o.res, o.err
		case <-ctx.Done():
			return stopped(ctx, method, overdue)
		}
	}
}

func failed(o outcome) bool {
	res, ok := o.res.(*sdk.CallToolResult)
	return o.err != nil || ok && res.IsError
}

// stopped answers a call whose context ended: with text when its time was
// up, and with an error that nobody is waiting for when it was cancelled.
func stopped(ctx context.Context, method, text string) (sdk.Result, error) {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return failure(method, text)
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the request was cancelled"}
}
