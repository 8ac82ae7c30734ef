package search

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/embed"
	"github.com/msgbrowse/msgbrowse/internal/embed/bert"
	"github.com/msgbrowse/msgbrowse/internal/embed/static"
	"github.com/msgbrowse/msgbrowse/internal/msg"
)

var update = flag.Bool("update", false, "write golden files anew")

const rankingDir = "testdata/ranking/"

// readRankingArchive reads the hand-made archive: "# service: name", with a
// star behind a group's name, then "date time sender: text".
func readRankingArchive(t *testing.T) []chat {
	t.Helper()
	var chats []chat
	for line := range strings.Lines(readText(t, rankingDir+"archive.txt")) {
		line = strings.TrimSpace(line)
		if head, isHead := strings.CutPrefix(line, "# "); isHead {
			service, name, _ := strings.Cut(head, ": ")
			chats = append(chats, newChat(msg.Source(service), name, morning))
			continue
		}
		if line == "" {
			continue
		}
		const layout = "2006-01-02 15:04"
		at, err := time.Parse(layout, line[:min(len(line), len(layout))])
		if err != nil || len(chats) == 0 {
			t.Fatalf("line %q: %v", line, err)
		}
		sender, body, _ := strings.Cut(line[len(layout)+1:], ": ")
		c := &chats[len(chats)-1]
		c.messages = append(c.messages, message(sender, at, body))
	}
	return chats
}

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestRanking ranks a small archive in six languages. What must come first
// is written by hand beside each query; the golden file shows whole orders
// for a person to agree with, and -update writes it anew.
func TestRanking(t *testing.T) {
	t.Parallel()
	checkRanking(t, searcherOf(t, readRankingArchive(t)...), "queries.txt", "orders.golden")
}

// TestRankingByMeaning ranks the same archive with the models of the program:
// what is to come first by words alone comes first still, and so do answers
// that share hardly a word with what is asked.
func TestRankingByMeaning(t *testing.T) {
	t.Parallel()
	table := static.Builtin()
	judge, err := bert.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	if !judge.Fast() {
		t.Skip("the judge takes seconds for a question here")
	}
	r, dir := newArchive(t, readRankingArchive(t)...).reader(t), t.TempDir()
	if _, err := embed.Update(t.Context(), r, dir, table, embed.UpdateOptions{Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	finder := embed.NewFinder(r, dir, table)
	t.Cleanup(func() { finder.Close() })
	s := New(r, func() time.Time { return now }).WithMeaning(&Meaning{
		Models: []Model{{Embedder: table, Finder: finder, Judged: true, Alike: 0.42}}, Judge: judge, JudgeTime: time.Hour,
	})
	checkRanking(t, s, "queries.txt", "orders-by-meaning.golden")
	checkRanking(t, s, "meant.txt", "meant.golden")
}

// checkRanking asks the queries of a file and compares whole orders with a
// golden file.
func checkRanking(t *testing.T, s *Searcher, queries, golden string) {
	t.Helper()
	var got strings.Builder
	for line := range strings.Lines(readText(t, rankingDir+queries)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		query, first, ok := strings.Cut(line, " = ")
		if !ok {
			t.Fatalf("query %q says nothing of what comes first", line)
		}
		results := find(t, s, Query{Text: query, Limit: 5})
		fmt.Fprintf(&got, "%s\n", query)
		for _, notice := range results.Notices {
			fmt.Fprintf(&got, "  ! %s\n", notice)
		}
		for i, h := range results.Hits {
			fmt.Fprintf(&got, "  %d. %s: %s\n", i+1, h.Sender, h.Body)
		}
		got.WriteByte('\n')
		for i, want := range strings.Split(first, " | ") {
			if i >= len(results.Hits) || !strings.HasPrefix(results.Hits[i].Body, want) {
				t.Errorf("%s: hit %d is not %q: %q", query, i+1, want, bodies(results.Hits))
			}
		}
	}
	if *update {
		if err := os.WriteFile(rankingDir+golden, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(readText(t, rankingDir+golden), got.String()); diff != "" {
		t.Errorf("orders (-want +got):\n%s", diff)
	}
}
