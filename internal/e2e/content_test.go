package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// content renders everything an archive says, without the numbers that depend
// on how it came to say it: the ids of rows and of imports.
func content(t testing.TB, data string) string {
	t.Helper()
	r, err := store.OpenReader(t.Context(), data, store.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if found, err := r.Check(t.Context()); err != nil || len(found) > 0 {
		t.Fatalf("integrity check: %v %v", found, err)
	}
	overview, err := r.Overview(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if overview.Unindexed > 0 {
		t.Errorf("%d messages are not searchable", overview.Unindexed)
	}
	list, _, err := r.ListConversations(t.Context(), store.ConversationQuery{})
	if err != nil {
		t.Fatal(err)
	}
	files, err := r.Files(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	names := map[int64]string{}
	for _, f := range files {
		names[f.ID] = filepath.Base(f.Path)
	}
	var conversations []string
	for _, c := range list {
		conversations = append(conversations, conversationContent(t, r, names, c))
	}
	slices.Sort(conversations)
	return strings.Join(conversations, "")
}

func conversationContent(t testing.TB, r *store.Reader, files map[int64]string, c store.Conversation) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "== %s %s %q %s, %d messages, with %q\n", c.Source, c.Key, c.Name, c.Kind, c.Messages, c.Others)
	q := store.TranscriptQuery{Conversation: c.ID, Limit: 1000, IncludeMissing: true}
	for more := true; more; {
		var page []store.Message
		var err error
		if page, more, err = r.Transcript(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		for _, m := range page {
			fmt.Fprintln(&b, messageContent(files[m.FileID], m))
			q.After = &store.Key{Sort: m.Sort, ID: m.ID}
		}
	}
	return b.String()
}

func messageContent(file string, m store.Message) string {
	line := fmt.Sprintf("%s %s %s %s %q %s %v %v %q %v", m.Hash, m.Time, m.Direction, m.Kind, m.Sender, file, m.Position,
		m.MissingSince != 0, m.Body, m.Reactions)
	for _, a := range m.Attachments {
		line += fmt.Sprintf(" %s %s %s", a.Kind, a.Name, a.Path)
	}
	return line
}

// withoutPositions lists the messages of an archive with all they say but
// where they stand: of two files that hold one, either may be cited.
func withoutPositions(t testing.TB, data string) string {
	t.Helper()
	r, err := store.OpenReader(t.Context(), data, store.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	refs, err := r.ConversationRefs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range refs {
		list, _, err := r.Transcript(t.Context(), store.TranscriptQuery{Conversation: c.ID, Limit: 1000, IncludeMissing: true})
		if err != nil {
			t.Fatal(err)
		}
		lines := []string{}
		for _, m := range list {
			lines = append(lines, fmt.Sprintf("%s %s %s %q %q %v\n", m.Hash, m.Time, m.Direction, m.Sender, m.Body, m.MissingSince != 0))
		}
		slices.Sort(lines)
		fmt.Fprintf(&b, "== %s %q\n%s", c.Key, c.Name, strings.Join(lines, ""))
	}
	return b.String()
}

// found returns the hashes of all messages with a word, by way of the keyword
// index.
func found(t testing.TB, data, word string) []string {
	t.Helper()
	r, err := store.OpenReader(t.Context(), data, store.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	ids, err := r.Matches(t.Context(), store.MatchQuery{Expression: `"` + word + `"`, Limit: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	messages, err := r.Messages(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	if len(messages) != len(ids) {
		t.Errorf("the index holds %d messages, the archive %d of them", len(ids), len(messages))
	}
	var hashes []string
	for _, m := range messages {
		hashes = append(hashes, m.Hash)
	}
	slices.Sort(hashes)
	return hashes
}
