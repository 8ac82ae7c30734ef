package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxRunning is how many requests of one stdio session are worked on at
	// the same time; the others wait in order. Together with the size of an
	// answer it bounds the memory held for a client that does not read.
	maxRunning = 64
	// maxQueueBytes is how much unprocessed input is held before reading
	// pauses. A client may send this much before it reads a single answer.
	maxQueueBytes = 32 << 20
)

// lineConn is the SDK's connection over a pair of streams. It stands in for
// the SDK's own stdio transport, which ends the session at the first bad line
// and drops unfinished requests at the end of input.
type lineConn struct {
	out io.Writer
	log *slog.Logger
	// inputEnded is closed when the input is over.
	inputEnded chan struct{}

	mu         sync.Mutex
	changed    sync.Cond // signalled when anything below changes
	urgent     []*jsonrpc.Request
	queue      []queued
	queueBytes int
	calls      map[jsonrpc.ID]*call // accepted and not yet answered
	unanswered int                  // calls whose answer is not written and still wanted
	running    int                  // calls handed to the SDK and not yet written
	ended      bool
	closed     bool
	readErr    error

	writing chan struct{} // full while a line is written
}

// queued is one line waiting its turn: a request or a ready error reply.
type queued struct {
	request *jsonrpc.Request
	call    *call // set when request expects an answer
	reply   *errorReply
	size    int
}

type call struct{ cancelled bool }

func newLineConn(out io.Writer, log *slog.Logger) *lineConn {
	c := &lineConn{
		out: out, log: log, inputEnded: make(chan struct{}),
		calls: map[jsonrpc.ID]*call{}, writing: make(chan struct{}, 1),
	}
	c.changed.L = &c.mu
	return c
}

// Connect implements sdk.Transport.
func (c *lineConn) Connect(context.Context) (sdk.Connection, error) { return c, nil }

// SessionID implements sdk.Connection; a pipe has one session and no name for it.
func (c *lineConn) SessionID() string { return "" }

// Close implements sdk.Connection. It makes Read return io.EOF, upon which
// the SDK cancels whatever is running.
func (c *lineConn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.changed.Broadcast()
	return nil
}

// readLines fills the queue until the input ends or the connection closes.
func (c *lineConn) readLines(in io.Reader) {
	defer close(c.inputEnded)
	lines := newLineReader(in)
	for {
		line, tooLong, err := lines.next()
		if err != nil {
			c.endInput(err)
			return
		}
		v := verdict{}
		if tooLong {
			v = reject(peekID(line), jsonrpc.CodeInvalidRequest,
				"the message is longer than "+strconv.Itoa(MaxMessageBytes)+" bytes")
		} else {
			v = judge(line)
		}
		if v.reply != nil {
			c.log.Debug("mcp: line refused", "code", v.reply.Error.Code, "reason", v.reply.Error.Message)
		}
		if !c.accept(v, len(line)) {
			return
		}
	}
}

func (c *lineConn) endInput(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if !errors.Is(err, io.EOF) {
		c.readErr = fmt.Errorf("read input: %w", err)
	}
	c.changed.Broadcast()
}

// accept puts a line's verdict in the queue, waiting while the queue is full.
// It reports false when the connection is closed.
func (c *lineConn) accept(v verdict, size int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.queueBytes > maxQueueBytes && !c.closed {
		c.changed.Wait()
	}
	item := queued{request: v.request, reply: v.reply, size: size}
	switch {
	case c.closed:
		return false
	case v.cancels.IsValid():
		c.cancel(v)
		return true
	case v.request != nil && v.request.IsCall():
		id := v.request.ID
		if c.calls[id] != nil {
			item.request = nil
			item.reply = newErrorReply(rawID(id), jsonrpc.CodeInvalidRequest, "a request with this id is still being answered")
			break
		}
		item.call = &call{}
		c.calls[id] = item.call
		c.unanswered++
	case v.request == nil && v.reply == nil:
		return true
	}
	c.queue = append(c.queue, item)
	c.queueBytes += size
	c.changed.Broadcast()
	return true
}

// cancel marks a call as no longer wanted. A running one is passed on to the
// SDK ahead of everything else; a waiting one is dropped when its turn comes.
func (c *lineConn) cancel(v verdict) {
	target := c.calls[v.cancels]
	if target == nil || target.cancelled {
		return
	}
	target.cancelled = true
	c.unanswered--
	c.urgent = append(c.urgent, v.request)
	c.changed.Broadcast()
}

// Read implements sdk.Connection: it returns the next request to work on, or
// io.EOF when the connection is closed or the input is over and everything
// has been answered. Error replies waiting in the queue are written on the
// way, so that they keep their place and never block the reading of input.
func (c *lineConn) Read(context.Context) (jsonrpc.Message, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		switch {
		case c.closed, c.ended && len(c.queue) == 0 && c.unanswered == 0:
			return nil, io.EOF
		case len(c.urgent) > 0:
			next := c.urgent[0]
			c.urgent = c.urgent[1:]
			return next, nil
		case len(c.queue) == 0, c.queue[0].call != nil && c.running >= maxRunning:
			c.changed.Wait()
			continue
		}
		item := c.queue[0]
		c.queue[0] = queued{}
		c.queue = c.queue[1:]
		c.queueBytes -= item.size
		c.changed.Broadcast()
		switch {
		case item.reply != nil:
			c.mu.Unlock()
			err := c.writeReply(item.reply)
			c.mu.Lock()
			if err != nil {
				c.closed = true
				return nil, err
			}
		case item.call == nil:
			return item.request, nil
		case item.call.cancelled:
			delete(c.calls, item.request.ID)
		default:
			c.running++
			return item.request, nil
		}
	}
}

// Write implements sdk.Connection. An answer to a call that was cancelled, or
// that abandon has answered already, is dropped.
func (c *lineConn) Write(_ context.Context, m jsonrpc.Message) error {
	response, ok := m.(*jsonrpc.Response)
	if !ok {
		data, err := jsonrpc.EncodeMessage(m)
		if err != nil {
			return fmt.Errorf("encode message: %w", err)
		}
		return c.writeLine(data)
	}
	c.mu.Lock()
	answered := c.calls[response.ID]
	delete(c.calls, response.ID)
	c.mu.Unlock()
	if answered == nil {
		return nil
	}
	defer c.finish(answered)
	if answered.cancelled {
		return nil
	}
	data, err := jsonrpc.EncodeMessage(withCode(response))
	if err != nil {
		c.log.Error("mcp: answer could not be encoded", "error", err)
		return c.writeReply(newErrorReply(rawID(response.ID), jsonrpc.CodeInternalError, internalErrorText))
	}
	return c.writeLine(data)
}

// finish records that a call's answer has been written or is not wanted.
func (c *lineConn) finish(answered *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running--
	if !answered.cancelled {
		c.unanswered--
	}
	c.changed.Broadcast()
}

// abandon answers every accepted call that has no answer yet with an error.
func (c *lineConn) abandon(reason string) {
	c.mu.Lock()
	var ids []jsonrpc.ID
	for id, pending := range c.calls {
		if !pending.cancelled {
			ids = append(ids, id)
		}
	}
	clear(c.calls)
	c.mu.Unlock()
	for _, id := range ids {
		if c.writeReply(newErrorReply(rawID(id), jsonrpc.CodeInternalError, reason)) != nil {
			return
		}
	}
}

func (c *lineConn) writeReply(reply *errorReply) error {
	data, err := json.Marshal(reply)
	if err != nil {
		return fmt.Errorf("encode error reply: %w", err)
	}
	return c.writeLine(data)
}

func (c *lineConn) writeLine(data []byte) error {
	c.writing <- struct{}{}
	defer func() { <-c.writing }()
	if _, err := c.out.Write(append(data, '\n')); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}

// withCode gives errors that the SDK answers with code 0, such as a call
// before initialize, the code of an invalid request.
func withCode(response *jsonrpc.Response) *jsonrpc.Response {
	if response.Error == nil {
		return response
	}
	var coded *jsonrpc.Error
	if errors.As(response.Error, &coded) && coded.Code != 0 {
		return response
	}
	fixed := *response
	fixed.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: response.Error.Error()}
	return &fixed
}

func rawID(id jsonrpc.ID) json.RawMessage {
	raw, err := json.Marshal(id.Raw())
	if err != nil {
		return nil
	}
	return raw
}
