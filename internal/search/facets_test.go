package search

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestFacets breaks queries down and compares the parts with what searching
// for each of them finds.
func TestFacets(t *testing.T) {
	t.Parallel()
	a := newArchive(t, house()...)
	s := a.searcher(t)
	for _, query := range []string{"keys", "read", "the", "has:link", "keys OR plan", "is:me", "on:2024-03-04 the", "nowhere"} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			f, complete, err := s.Facets(t.Context(), Query{Text: query})
			if err != nil || !complete {
				t.Fatalf("complete %t, %v", complete, err)
			}
			if query == "nowhere" {
				if f.Total != 0 {
					t.Errorf("%d matches of nothing", f.Total)
				}
				return
			}
			all := find(t, s, Query{Text: query, Limit: 100})
			want := Facets{Conversations: map[int64]int64{}, Senders: map[int64]int64{}, Years: map[int]int64{}}
			for _, hit := range all.Hits {
				want.Total++
				want.Conversations[hit.ConversationID]++
				want.Years[time.UnixMicro(hit.Sort).UTC().Year()]++
				if hit.Sender == "Me" {
					want.FromMe++
				} else {
					want.Senders[hit.SenderID]++
				}
			}
			if diff := cmp.Diff(want, f); diff != "" {
				t.Errorf("facets (-of the hits +got):\n%s", diff)
			}
		})
	}
	if _, _, err := s.Facets(t.Context(), Query{Text: `"unclosed`}); err == nil {
		t.Error("an unreadable query was broken down")
	}
}

// TestFacetsOfMany says when there are too many matches to count them.
func TestFacetsOfMany(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("imports ten thousand messages")
	}
	lines := make([]string, countLimit+1)
	for i := range lines {
		lines[i] = "Ana: hello"
	}
	s := searcherOf(t, newChat("signal", "Ana", morning, lines...))
	if _, complete, err := s.Facets(t.Context(), Query{Text: "hello"}); err != nil || complete {
		t.Errorf("complete %t, %v", complete, err)
	}
	if f, complete, err := s.Facets(t.Context(), Query{Text: "hello has:link"}); err != nil || !complete || f.Total != 0 {
		t.Errorf("%+v, complete %t, %v", f, complete, err)
	}
}
