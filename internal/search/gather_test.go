package search

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// kites is a chat in which many messages hold a word and few, the first ones,
// another one as well; of one more person, too.
func kites() []chat {
	lines := make([]string, 0, 2*pool)
	for i := range 30 {
		lines = append(lines, fmt.Sprintf("Ana Silva: the kite is down at the harbour, number %d", i))
	}
	for i := range pool + 100 {
		lines = append(lines, fmt.Sprintf("Ana Silva: kite number %d", i))
	}
	few := make([]string, 20)
	for i := range few {
		few[i] = fmt.Sprintf("Cleo Park: my kite number %d", i)
	}
	return []chat{newChat(msg.Signal, "Others*", morning, few...), newChat(msg.Signal, "Kites*", morning.AddDate(0, 0, 1), lines...)}
}

// TestCandidates holds that what is ranked, when not all can be, is what
// matters to the query.
func TestCandidates(t *testing.T) {
	t.Parallel()
	s := searcherOf(t, kites()...)
	t.Run("messages with the most of a question's words", func(t *testing.T) {
		t.Parallel()
		for _, body := range bodies(find(t, s, Query{Text: "where did they see a kite in the harbour?", Limit: 30}).Hits) {
			if !strings.Contains(body, "harbour") {
				t.Errorf("among the best is %q", body)
			}
		}
	})
	t.Run("messages of somebody whom a question names", func(t *testing.T) {
		t.Parallel()
		for _, h := range find(t, s, Query{Text: "where does Cleo have a kite?", Limit: 20}).Hits {
			if h.Sender != "Cleo Park" {
				t.Errorf("among the best is %q by %s", h.Body, h.Sender)
			}
		}
	})
	t.Run("the latest of a conversation", func(t *testing.T) {
		t.Parallel()
		chat, err := Conversation(t.Context(), s.r, "Kites")
		if err != nil {
			t.Fatal(err)
		}
		results := find(t, s, Query{Text: "kite", Conversation: chat.ID, Limit: pool})
		if results.Total != pool+130 || !results.Counted || results.More {
			t.Errorf("%d of %d messages, counted %v, more %v", len(results.Hits), results.Total, results.Counted, results.More)
		}
		for _, h := range results.Hits {
			if strings.Contains(h.Body, "harbour") {
				t.Errorf("%q is one of the oldest", h.Body)
			}
		}
		if len(results.Notices) != 1 || !strings.Contains(results.Notices[0], "narrow") {
			t.Errorf("notices %q do not tell of the others", results.Notices)
		}
	})
}

// TestLatest holds that the latest matches are returned whichever way the
// index is read: one that should find few messages is read forward, unless it
// finds more after all.
func TestLatest(t *testing.T) {
	t.Parallel()
	s := searcherOf(t, kites()...)
	kite := quote("kite")
	all, err := s.latest(t.Context(), &compiled{}, expr{text: kite, most: unbounded}, 10*pool)
	if err != nil || len(all) != pool+150 || !slices.IsSortedFunc(all, func(a, b int64) int { return cmp.Compare(b, a) }) {
		t.Fatalf("%d matches, %v, want all %d, the latest first", len(all), err, pool+150)
	}
	for _, limit := range []int{1, 5, len(all) - 1, len(all), len(all) + 1} {
		for _, most := range []int64{1, int64(len(all)), unbounded} {
			got, err := s.latest(t.Context(), &compiled{}, expr{text: kite, most: most}, limit)
			if want := all[:min(limit, len(all))]; err != nil || !slices.Equal(got, want) {
				t.Errorf("%d of at most %d: %d matches, %v, want the latest %d", limit, most, len(got), err, len(want))
			}
		}
	}
}
