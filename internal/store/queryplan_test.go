package store

import (
	"database/sql"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// observed is a query a reader ran.
type observed struct {
	text string
	args []any
}

// watched runs a reader's methods and returns the statements it ran, each
// text once.
func watched(t *testing.T, r *Reader, x *world) []observed {
	t.Helper()
	var mu sync.Mutex
	seen := map[string]bool{}
	var list []observed
	r.observe = func(text string, args []any) {
		mu.Lock()
		defer mu.Unlock()
		if !seen[text] {
			seen[text] = true
			list = append(list, observed{text, slices.Clone(args)})
		}
	}
	filters := slices.DeleteFunc(x.filters(), func(f Filter) bool {
		return len(f.Conversations) > 1 || len(f.Senders) > 1 // the same texts but for the number of ids
	})
	if err := callAll(t.Context(), everyCall(r, x, filters)); err != nil {
		t.Fatal(err)
	}
	return list
}

// scan matches a step of a plan that reads a table or an index from end to
// end.
var scan = regexp.MustCompile(`^SCAN (\S+)(?: USING (?:COVERING )?INDEX (\S+))?$`)

// readsAll returns the table that a step of a plan reads from end to end, if
// that has a row or more for every message.
func readsAll(step string) string {
	found := scan.FindStringSubmatch(step)
	if found == nil || found[2] == "messages_missing" { // an index of the few
		return ""
	}
	return grows[found[1]]
}

// grows are the tables that have a row or more for every message, by the
// aliases that statements give them. The others are as long as the lists of
// conversations, people, files, imports and URLs.
var grows = map[string]string{
	"messages": "messages", "m": "messages", "t": "messages", "attachments": "attachments", "a": "attachments", "links": "links", "l": "links",
	"specifics": "specifics", "s": "specifics", "replies": "replies", "p": "replies", "reactions": "reactions", "edits": "edits", "details": "details",
	"message_files": "message_files", "terms": "terms", "b": "messages", "spam_findings": "spam_findings", "fi": "spam_findings",
}

// TestQueryPlans reads the plan of every statement a reader runs, in an
// archive without statistics and in one with those of a large archive. None
// may read a table of messages, or of what belongs to them, from end to end.
func TestQueryPlans(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"none", "large"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newWorld(t, 40)
			x.replaceStatistics(t, name == "large")
			r := openReader(t, x.dir, ReaderOptions{})
			statements := watched(t, r, x)
			if len(statements) < 200 {
				t.Errorf("only %d statements were seen", len(statements))
			}
			for _, s := range statements {
				if strings.HasPrefix(s.text, "PRAGMA") {
					continue
				}
				for _, step := range plan(t, r, s) {
					if wrong := readsAll(step); wrong != "" {
						t.Errorf("%s of %s in\n%s", step, wrong, s.text)
					}
				}
			}
		})
	}
}

// replaceStatistics removes what ANALYZE found out about a world, and puts
// what it found out about 200,000 messages in its place.
func (x *world) replaceStatistics(t *testing.T, large bool) {
	t.Helper()
	w := openWriter(t, x.dir)
	exec := func(text string, args ...any) {
		if _, err := w.db.ExecContext(t.Context(), text, args...); err != nil {
			t.Fatal(err)
		}
	}
	exec("DELETE FROM sqlite_stat1")
	if !large {
		return
	}
	text, err := os.ReadFile("testdata/statistics.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), " ", 3)
		exec("INSERT INTO sqlite_stat1(tbl, idx, stat) VALUES(?, nullif(?, '-'), ?)", fields[0], fields[1], fields[2])
	}
}

func plan(t *testing.T, r *Reader, s observed) []string {
	t.Helper()
	rows, err := r.db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+s.text, s.args...)
	if err != nil {
		t.Fatalf("explain %s: %v", s.text, err)
	}
	steps, err := collect(rows, func(row *sql.Rows) (step string, err error) {
		var id, parent, unused int
		err = row.Scan(&id, &parent, &unused, &step)
		return step, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

// TestWholeReadsAreSeen makes sure the test above can fail.
func TestWholeReadsAreSeen(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 20)
	r := openReader(t, x.dir, ReaderOptions{})
	tests := []struct{ name, text, want string }{
		{"table", "SELECT * FROM attachments", "attachments"},
		{"index", "SELECT count(*) FROM messages m WHERE m.ts > 5", "messages"},
		{"alias", "SELECT 1 FROM links l WHERE l.direction = 2", "links"},
		{"inner query", "SELECT 1 FROM conversations c WHERE c.id IN (SELECT conversation_id FROM messages WHERE body > '')", "messages"},
		{"searched", "SELECT 1 FROM messages WHERE id = 4", ""},
		{"findings", "SELECT count(*) FROM spam_findings fi WHERE fi.body_bytes > 9", "spam_findings"},
		{"short table", "SELECT * FROM handles", ""},
		{"the few", "SELECT count(*) FROM messages INDEXED BY messages_missing WHERE missing_since IS NOT NULL", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			for _, step := range plan(t, r, observed{text: tt.text}) {
				got += readsAll(step)
			}
			if got != tt.want {
				t.Errorf("reads %q from end to end, want %q", got, tt.want)
			}
		})
	}
}
