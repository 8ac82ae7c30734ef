package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// vanished returns an archive whose second import lacks some messages of the
// first, and one conversation whole.
func vanished(t *testing.T) *Searcher {
	t.Helper()
	lines := []string{
		"Ana: the ladder is in the shed", "me: which ladder", "Ana: the long ladder, see https://example.org", "me: thanks", "Ana: we sold the ladder", "me: the saw, too?",
	}
	gone := []string{"Bo: nobody keeps a ladder", "me: nobody"}
	before := morning.AddDate(-1, 0, 0) // than anything that is left
	a := newArchive(t, newChat(msg.Signal, "Ana", morning, lines...), newChat(msg.Signal, "Bo", before, gone...))
	kept := newChat(msg.Signal, "Ana", morning, lines...)
	kept.messages = slices.DeleteFunc(kept.messages, func(m msg.Message) bool {
		return strings.Contains(m.Body, "long") || strings.Contains(m.Body, "saw")
	})
	empty := newChat(msg.Signal, "Bo", before)
	a.load(t, kept, empty)
	return a.searcher(t)
}

func TestMissing(t *testing.T) {
	t.Parallel()
	s := vanished(t)
	const long, saw, keeps = "the long ladder, see https://example.org", "the saw, too?", "nobody keeps a ladder"
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"ladder", []string{"the ladder is in the shed", "we sold the ladder", "which ladder"}},
		{"nobody saw", []string{}},
		{"is:missing", []string{"nobody", keeps, long, saw}},
		{"IS:Missing", []string{"nobody", keeps, long, saw}},
		{"ladder is:missing", []string{keeps, long}},
		{"is:missing from:ana", []string{long}},
		{"is:missing is:me", []string{"nobody", saw}},
		{"is:missing -ladder", []string{"nobody", saw}},
		{"is:missing in:ana -from:me", []string{long}},
		{"is:missing has:link", []string{long}},
		{"is:missing on:2024-03", []string{long, saw}},
		{"is:missing before:2024", []string{"nobody", keeps}},
		{"who keeps the ladder now? is:missing on:2023-03", []string{keeps}},
		{"is:missing after:2024-03", []string{}},
		{"is:missing (saw OR keeps)", []string{keeps, saw}},
		{"is:missing shed", []string{}},
		{"is:missing is:missing ladder", []string{keeps, long}},
		{"who keeps the ladder now? is:missing", []string{keeps, long}},
		{"shed saw is:missing", []string{saw}}, // loosened, the filter holds
	} {
		t.Run(test.query, func(t *testing.T) {
			t.Parallel()
			results := find(t, s, Query{Text: test.query})
			got := bodies(results.Hits)
			slices.Sort(got)
			if diff := cmp.Diff(test.want, got); diff != "" || results.Total != int64(len(test.want)) || !results.Counted {
				t.Errorf("finds (-want +got):\n%stotal %d, counted %v", diff, results.Total, results.Counted)
			}
		})
	}
	for query, want := range map[string]string{
		"ladder -is:missing":    "position 9: is:missing narrows the whole query and cannot stand inside OR or behind a minus sign; move it outside; without it missing messages are left out anyway",
		"saw OR is:missing":     "position 8: is:missing narrows the whole query",
		"is:mising":             "is:mising is not known; use is:me, is:group, is:direct, is:edited, is:call or is:missing",
		"(saw is:missing) OR x": "position 6: is:missing narrows the whole query",
	} {
		if _, err := s.Search(t.Context(), Query{Text: query}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", query, err, want)
		}
	}
}

// Totals leave missing messages out however many match.
func TestMissingIsNotCounted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ all, gone int }{{40, 7}, {pool + 100, 30}, {broad + 200, 150}} {
		t.Run(fmt.Sprint(test.all), func(t *testing.T) {
			t.Parallel()
			var lines []string
			for i := range test.all {
				lines = append(lines, fmt.Sprintf("me: ladder number%d", i))
			}
			a := newArchive(t, newChat(msg.Signal, "Ana", morning, lines...))
			a.load(t, newChat(msg.Signal, "Ana", morning, lines[:test.all-test.gone]...))
			s := a.searcher(t)
			for query, want := range map[string]int{"ladder": test.all - test.gone, "is:me": test.all - test.gone, "ladder is:missing": test.gone} {
				results := find(t, s, Query{Text: query, Limit: 2 * test.all})
				if results.Total != int64(want) || !results.Counted {
					t.Errorf("%s: total %d, counted %v, want %d", query, results.Total, results.Counted, want)
				}
				for _, h := range results.Hits {
					if gone := h.MissingSince != 0; gone != strings.Contains(query, "missing") {
						t.Errorf("%s finds %q, missing: %v", query, h.Body, gone)
					}
				}
			}
		})
	}
}
