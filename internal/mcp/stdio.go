package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// drainTime is how long after the end of input ServeStdio keeps working on
	// the requests it has accepted.
	drainTime = 30 * time.Second
	// stopTime bounds how long ServeStdio waits for calls that do not notice
	// that they were stopped, and for a client that does not read.
	stopTime = time.Second
)

// ServeStdio serves one client over in and out, one JSON-RPC message per
// line, and returns when the client is gone: at the end of in, once every
// request read before it has been answered (at the latest 30 seconds later;
// what is unfinished then is answered with an error), or at once when ctx
// ends. Both are normal ends and return nil; an error means that in or out
// failed.
//
// A line that is no JSON-RPC 2.0 message, a batch, a line of more than
// MaxMessageBytes or one nested deeper than MaxMessageDepth is answered with
// a JSON-RPC error and otherwise ignored. Nothing but JSON-RPC messages is
// written to out. A goroutine may stay blocked in in.Read after ServeStdio
// has returned, for there is no portable way to interrupt it.
func ServeStdio(ctx context.Context, server *sdk.Server, in io.Reader, out io.Writer, log *slog.Logger) error {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	conn := newLineConn(out, log)
	session, err := server.Connect(context.WithoutCancel(ctx), conn, nil)
	if err != nil {
		return fmt.Errorf("serve stdio: %w", err)
	}
	go conn.readLines(in)
	done := make(chan error, 1)
	go func() { done <- session.Wait() }()

	var reason string
	select {
	case err := <-done:
		return conn.result(err)
	case <-ctx.Done():
		reason = "the server is stopping; the request was not finished"
	case <-conn.inputEnded:
		select {
		case err := <-done:
			return conn.result(err)
		case <-ctx.Done():
			reason = "the server is stopping; the request was not finished"
		case <-time.After(drainTime):
			reason = fmt.Sprintf("the input ended %s ago and the request was not finished", drainTime)
			log.Warn("mcp: requests left unfinished at the end of input")
		}
	}
	_ = conn.Close() // ends the session, which cancels what is running
	abandoned := make(chan struct{})
	go func() {
		defer close(abandoned)
		conn.abandon(reason)
	}()
	deadline := time.After(stopTime)
	for range 2 {
		select {
		case <-abandoned:
			abandoned = nil
		case err := <-done:
			done = nil
			if err != nil {
				log.Debug("mcp: session ended", "error", err)
			}
		case <-deadline:
			return conn.result(nil)
		}
	}
	return conn.result(nil)
}

// result combines how the session ended with how reading ended.
func (c *lineConn) result(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err = errors.Join(c.readErr, err); err != nil {
		return fmt.Errorf("serve stdio: %w", err)
	}
	return nil
}
