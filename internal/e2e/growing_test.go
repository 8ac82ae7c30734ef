package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// How an export grows while it is read.
const (
	growingReaders = 3
	growingRounds  = 6
	growingBatch   = 400 // messages that each import adds to each chat
)

var growingChats = []string{"Lin", "Max"}

// grow writes an export of two chats with so many messages each, as a program
// that synchronises does: beside the old files, then in their place.
func grow(dir string, messages int) error {
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, chat := range growingChats {
		var b strings.Builder
		for i := range messages {
			fmt.Fprintf(&b, "[%s] %s: number %d of the talk  \n\n", start.Add(time.Duration(i)*time.Minute).Format(time.DateTime), []string{chat, "Me"}[i%2], i)
		}
		folder := filepath.Join(dir, chat)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
		file := filepath.Join(folder, "chat.md")
		if err := os.WriteFile(file+".new", []byte(b.String()), 0o600); err != nil {
			return err
		}
		if err := os.Rename(file+".new", file); err != nil {
			return err
		}
	}
	return nil
}

// Several servers answer while exports grow and are imported again and
// again: no call fails, none sees half of what an import brings, and what was
// cited before stays what it was.
func TestReadingWhileImporting(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	data, export := h.path("data"), h.path("export")
	if err := grow(export, growingBatch); err != nil {
		t.Fatal(err)
	}
	h.must("--data-dir", data, "import", export)

	var imported atomic.Int64 // messages of each chat that are there for certain
	imported.Store(growingBatch)
	stop := make(chan struct{})
	var all sync.WaitGroup
	for n := range growingReaders {
		r := &growingReader{client: connect(t, h.command(t.Context(), "--data-dir", data, "mcp")), imported: &imported}
		defer r.close()
		all.Go(func() {
			if err := r.read(stop); err != nil {
				t.Errorf("reader %d, after %d rounds: %v", n, r.rounds, err)
			}
		})
	}
	for round := 2; round <= growingRounds; round++ {
		if err := grow(export, round*growingBatch); err != nil {
			t.Error(err)
		}
		if o := h.run("--data-dir", data, "import", "--quiet"); o.status != 0 {
			t.Errorf("import %d: status %d, %s", round, o.status, o.stderr)
		}
		imported.Store(int64(round * growingBatch))
	}
	close(stop)
	all.Wait()
}

// growingReader is a server with what it has said so far.
type growingReader struct {
	*client
	imported *atomic.Int64
	rounds   int
	seen     map[string]int64 // messages by chat
}

// read asks until stop is closed, and once more.
func (r *growingReader) read(stop <-chan struct{}) error {
	r.seen = map[string]int64{}
	first, err := r.ask("get_conversation", map[string]any{"name": growingChats[0], "limit": 3})
	if err != nil {
		return err
	}
	for last := false; !last; r.rounds++ {
		select {
		case <-stop:
			last = true
		default:
		}
		for _, chat := range growingChats {
			if err := r.look(chat); err != nil {
				return fmt.Errorf("%s: %w", chat, err)
			}
		}
		if _, err := r.ask("search_messages", map[string]any{"query": "number talk", "conversation": growingChats[r.rounds%2], "context": 1}); err != nil {
			return err
		}
	}
	for chat, messages := range r.seen {
		if messages != growingRounds*growingBatch {
			return fmt.Errorf("in the end %s has %d messages", chat, messages)
		}
	}
	again, err := r.ask("get_conversation", map[string]any{"name": growingChats[0], "limit": 3})
	if diff := cmp.Diff(first.Messages, again.Messages); diff != "" || err != nil {
		return fmt.Errorf("citations changed, %w (-before +after):\n%s", err, diff)
	}
	found, err := r.ask("search_messages", map[string]any{"query": fmt.Sprintf("number %d", growingRounds*growingBatch-1)})
	if err != nil || found.Shown != len(growingChats) {
		return fmt.Errorf("the latest messages are found %d times, %w", found.Shown, err)
	}
	return nil
}

// look reads the end of a chat: whole imports only, never less than before,
// and every message in its place.
func (r *growingReader) look(chat string) error {
	certain := r.imported.Load()
	listed, err := r.ask("list_conversations", map[string]any{"query": chat})
	if err != nil || len(listed.Conversations) != 1 {
		return fmt.Errorf("listed %d times: %w", len(listed.Conversations), err)
	}
	page, err := r.ask("get_conversation", map[string]any{"name": chat, "from": "end", "limit": 20})
	if err != nil || len(page.Messages) != 20 {
		return fmt.Errorf("a page of %d messages: %w", len(page.Messages), err)
	}
	total := int64(0)
	for i, m := range page.Messages {
		var number int64
		if _, err := fmt.Sscanf(m.Text, "number %d of the talk", &number); err != nil {
			return fmt.Errorf("%q: %w", m.Text, err)
		}
		if i > 0 && number != total {
			return fmt.Errorf("message %d follows on %d", number, total-1)
		}
		total = number + 1
	}
	switch {
	case total%growingBatch != 0 || listed.Conversations[0].Messages%growingBatch != 0:
		return fmt.Errorf("%d messages, %d listed: half an import", total, listed.Conversations[0].Messages)
	case total < certain, total < r.seen[chat], total < listed.Conversations[0].Messages:
		return fmt.Errorf("%d messages after %d imported, %d seen and %d listed", total, certain, r.seen[chat], listed.Conversations[0].Messages)
	}
	r.seen[chat] = total
	return nil
}
