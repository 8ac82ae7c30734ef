package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/demo"
)

// The bundled sample can be tried in one line, and leaves nothing behind.
func TestDemoOverStdio(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := connect(t, h.command(t.Context(), "demo", "--stdio"))
	conversations := c.call("list_conversations", nil)
	if conversations.Shown < 3 || conversations.Total != int64(conversations.Shown) {
		t.Errorf("got %d of %d conversations", conversations.Shown, conversations.Total)
	}
	for _, conversation := range conversations.Conversations {
		page := c.call("get_conversation", map[string]any{"name": conversation.ID, "from": "end"})
		if page.Total != conversation.Messages || len(page.Messages) == 0 {
			t.Errorf("%s: got %d of %d messages, want %d", conversation.Name, len(page.Messages), page.Total, conversation.Messages)
		}
	}
	found := c.call("search_messages", map[string]any{"query": "the"})
	if found.Shown == 0 {
		t.Error("nothing is found in the sample")
	}
	c.close()
	if left := files(t, h.dir); len(left) != 3 {
		t.Errorf("the sample leaves %v behind", left)
	}
}

// The sample's questions share few words with their answers. Most are among
// the first five all the same, and no change may lose one of these.
func TestDemoQuestions(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := connect(t, h.command(t.Context(), "demo", "--stdio"))
	defer c.close()
	among := 0
	for _, q := range demo.Questions() {
		found := c.call("search_messages", map[string]any{"query": q.Question, "limit": 5})
		if slices.ContainsFunc(found.Hits, func(m message) bool {
			return strings.ReplaceAll(m.Text, "**", "") == q.Answer && m.Conversation == q.Conversation && m.Sender == q.Sender
		}) {
			among++
		}
	}
	if want := 6; among < want {
		t.Errorf("%d of %d answers are among the first five, want %d", among, len(demo.Questions()), want)
	}
}
