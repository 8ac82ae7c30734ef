package sourcetest

import (
	"context"
	"fmt"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// Result is everything a Read handed to its sink.
type Result struct {
	Conversations []Conversation
	Skipped       []source.Skipped
	Notes         []string
}

// Conversation is one Begin … End stretch with its messages.
type Conversation struct {
	msg.Conversation
	Messages []msg.Message
}

// Messages returns all messages in the order they were handed over.
func (r Result) Messages() []msg.Message {
	var all []msg.Message
	for _, c := range r.Conversations {
		all = append(all, c.Messages...)
	}
	return all
}

// Collect recognises and reads c and returns deep copies of what was handed
// over, up to the error if there is one. A sink call out of turn (a message
// outside a conversation, a Begin inside one) is an error too.
func Collect(s source.Source, c source.Candidate, o source.Options) (Result, error) {
	ctx := context.Background()
	r, err := s.Recognize(ctx, c)
	if err != nil {
		return Result{}, fmt.Errorf("recognize: %w", err)
	}
	return collect(ctx, s, c, r, o)
}

// Read collects a fixture and ends the test when that fails.
func Read(t testing.TB, s source.Source, f Fixture) Result {
	t.Helper()
	c, err := f.candidate(f.Files[f.Path])
	if err != nil {
		t.Fatal(err)
	}
	result, err := Collect(s, c, f.Options)
	if err != nil {
		t.Fatalf("read %s: %v", f.Path, err)
	}
	return result
}

// collect reads c; a panic of the reader comes back as an error.
func collect(ctx context.Context, s source.Source, c source.Candidate, r source.Recognition, o source.Options) (Result, error) {
	rec := &recorder{keep: true}
	err := rec.read(ctx, s, c, r, o)
	return rec.result, err
}
