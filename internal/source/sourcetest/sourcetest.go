// Package sourcetest is the conformance suite that every source passes.
package sourcetest

import (
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// Fixture is one export the suite reads.
type Fixture struct {
	// Name is the subtest's name.
	Name string
	// Files maps slash-separated paths to contents; Path is the one to read.
	Files map[string]string
	Path  string
	// Container is the candidate's container name.
	Container string
	Options   source.Options
}

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

// Run runs the suite over one source.
func Run(t *testing.T, s source.Source, fixtures []Fixture) {
	t.Helper()
	t.Fatal("the suite is empty")
}
