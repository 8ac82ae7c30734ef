package sourcetest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// errPanic marks an error that stands for a reader's panic, errProtocol one
// for sink calls out of turn.
var (
	errPanic    = errors.New("panic")
	errProtocol = errors.New("sink called out of turn")
)

// recorder is a sink that watches the order of calls and, with keep set,
// remembers what it is given.
type recorder struct {
	keep   bool
	result Result
	open   bool
	key    string
	fault  error
	// Each hook, when set, decides what the call of its name returns.
	onBegin, onMessage, onEnd func() error
	// calls counts Begin, Message and End; messages counts Message.
	calls, messages int
}

func (r *recorder) read(ctx context.Context, s source.Source, c source.Candidate, rn source.Recognition, o source.Options) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanic, p)
		}
	}()
	err = s.Read(ctx, c, rn, o, r)
	if err == nil && r.open {
		r.outOfTurn("conversation %q was never ended", r.key)
	}
	if r.fault != nil {
		return r.fault
	}
	return err
}

func (r *recorder) outOfTurn(format string, args ...any) {
	if r.fault == nil {
		r.fault = fmt.Errorf("%w: %s", errProtocol, fmt.Sprintf(format, args...))
	}
}

// Begin implements source.Sink.
func (r *recorder) Begin(c msg.Conversation) error {
	r.calls++
	if r.open {
		r.outOfTurn("begin of %q inside %q", c.Key, r.key)
	}
	if c.Key == "" {
		r.outOfTurn("begin with an empty key")
	}
	r.open, r.key = true, c.Key
	if r.keep {
		c.Participants = slices.Clone(c.Participants)
		r.result.Conversations = append(r.result.Conversations, Conversation{Conversation: c})
	}
	return call(r.onBegin)
}

// Message implements source.Sink.
func (r *recorder) Message(m *msg.Message) error {
	r.calls++
	r.messages++
	if !r.open {
		r.outOfTurn("message %d outside a conversation", r.messages)
	} else if r.keep {
		last := &r.result.Conversations[len(r.result.Conversations)-1]
		last.Messages = append(last.Messages, cloneMessage(m))
	}
	return call(r.onMessage)
}

// End implements source.Sink.
func (r *recorder) End(c msg.Conversation) error {
	r.calls++
	if !r.open {
		r.outOfTurn("end of %q without begin", c.Key)
	} else if c.Key != "" && c.Key != r.key {
		r.outOfTurn("end of %q inside %q", c.Key, r.key)
	}
	if r.keep && r.open {
		last := &r.result.Conversations[len(r.result.Conversations)-1]
		if c.Name != "" {
			last.Name = c.Name
		}
		if c.Kind != msg.Direct {
			last.Kind = c.Kind
		}
		if c.Participants != nil {
			last.Participants = slices.Clone(c.Participants)
		}
	}
	r.open = false
	return call(r.onEnd)
}

// Skip implements source.Sink.
func (r *recorder) Skip(s source.Skipped) {
	if r.keep {
		r.result.Skipped = append(r.result.Skipped, s)
	}
}

// Note implements source.Sink.
func (r *recorder) Note(text string) {
	if r.keep {
		r.result.Notes = append(r.result.Notes, text)
	}
}

func call(hook func() error) error {
	if hook == nil {
		return nil
	}
	return hook()
}
