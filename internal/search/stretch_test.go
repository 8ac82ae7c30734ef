package search

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// TestStretches asks within a conversation that has most of its messages in
// one row of ids, and some before and behind what others have there.
func TestStretches(t *testing.T) {
	t.Parallel()
	chatter := func(n int) (lines []string) {
		for i := range n {
			lines = append(lines, fmt.Sprintf("Ana: nothing new, day %d", i))
		}
		return lines
	}
	ana := func(more ...string) chat {
		lines := append([]string{"Ana: the ladder is in the shed"}, more...)
		return newChat(msg.Signal, "Ana", morning, lines...)
	}
	cleo := newChat(msg.Signal, "Cleo", morning, "Cleo: my ladder is broken")
	dora := newChat(msg.Signal, "Dora", morning, "Dora: a ladder leans on the wall")
	middle := append(chatter(400), "Ana: somebody took the ladder", "Ana: so no ladder")
	a := newArchive(t, ana(), cleo)
	a.load(t, ana(middle...), cleo)
	a.load(t, ana(append(middle, chatter(3)...)...), cleo, dora)
	a.load(t, ana(append(append(middle, chatter(3)...), "Ana: the ladder is back")...), cleo, dora)
	s := a.searcher(t)
	chat, err := Conversation(t.Context(), s.r, "Ana")
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.stretches(t.Context(), &compiled{conversations: []int64{chat.ID}})
	if err != nil || len(list) != 3 || list[0].Last-list[0].First+1 < 400 || list[1].First != 0 || list[2].Last != 0 {
		t.Fatalf("stretches %v, %v; want the block, what is before it, and what is behind", list, err)
	}
	want := []string{"so no ladder", "somebody took the ladder", "the ladder is back", "the ladder is in the shed"}
	ask := func(when, text string) {
		t.Helper()
		var got []string
		for _, h := range find(t, s, Query{Text: text, Conversation: chat.ID, Mode: Keyword, Limit: 100}).Hits {
			if h.ConversationID != chat.ID {
				t.Errorf("%s: found %q in %s", when, h.Body, h.Conversation)
			}
			if s := h.Excerpt; s != h.Body { // with a word of the question
				got = append(got, h.Body)
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: found (-want +got):\n%s", when, diff)
		}
	}
	ask("three stretches", "where is the ladder?")
	ask("and the conversation named twice", "where is the ladder? in:Ana")

	if err := s.r.Close(); err != nil { // beside which nobody of this process can write
		t.Fatal(err)
	}
	// A block is a hint: what else lies in it is not found in the conversation.
	db, err := sql.Open("sqlite", filepath.Join(a.dir, store.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), `UPDATE conversations SET block_first = 1, block_last = (SELECT max(id) FROM messages) WHERE id = ?`, chat.ID); err != nil {
		t.Fatal(err)
	}
	s = a.searcher(t)
	ask("a block with others in it", "where is the ladder?")
}
