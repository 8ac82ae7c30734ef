package static

import (
	"bufio"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// pair is a message and what somebody might ask to find it again.
type pair struct{ language, kind, query, message string }

// TestParaphrases looks for each message of the paraphrase set with its query
// among all messages of the set and the distractors, in all languages at once.
func TestParaphrases(t *testing.T) {
	t.Parallel()
	var pairs []pair
	var messages []string
	for _, f := range readTSV(t, "paraphrases.tsv", 4) {
		pairs = append(pairs, pair{f[0], f[1], f[2], f[3]})
		messages = append(messages, f[3])
	}
	for _, f := range readTSV(t, "distractors.tsv", 2) {
		messages = append(messages, f[1])
	}
	table := Builtin()
	vectors, err := table.Embed(t.Context(), messages)
	if err != nil {
		t.Fatal(err)
	}
	tallies := map[string]*tally{}
	for i, p := range pairs {
		query, err := table.EmbedQuery(t.Context(), p.query)
		if err != nil {
			t.Fatal(err)
		}
		better := 0
		for j := range vectors {
			if j != i && dot(query, vectors[j]) >= dot(query, vectors[i]) {
				better++
			}
		}
		for _, group := range []string{"all", "language " + p.language, "kind " + p.kind} {
			if tallies[group] == nil {
				tallies[group] = &tally{}
			}
			tallies[group].add(better)
		}
	}
	var got strings.Builder
	fmt.Fprintf(&got, "%d queries, %d messages\ngroup           queries  first  in ten\n", len(pairs), len(messages))
	for _, group := range slices.Sorted(maps.Keys(tallies)) {
		c := tallies[group]
		fmt.Fprintf(&got, "%-15s %7d %6d %7d\n", group, c.queries, c.first, c.ten)
	}
	golden := filepath.Join("testdata", "paraphrases.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("messages found (-want +got):\n%s", diff)
	}
}

type tally struct{ queries, first, ten int }

func (c *tally) add(better int) {
	c.queries++
	if better < 1 {
		c.first++
	}
	if better < 10 {
		c.ten++
	}
}

func dot(a, b []float32) float32 {
	var sum float32
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// readTSV reads a file of the embedding test data: lines of tab-separated
// fields, with '#' in front of remarks.
func readTSV(t *testing.T, name string, fields int) [][]string {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows [][]string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		row := strings.Split(lines.Text(), "\t")
		if len(row) != fields {
			t.Fatalf("%s: %q has %d fields, want %d", name, lines.Text(), len(row), fields)
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}
