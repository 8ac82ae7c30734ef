package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// crowd is an archive of n messages over two years, half of them of a word
// that stands in every one.
func crowd(t *testing.T, n int) *Searcher {
	t.Helper()
	rnd := rand.New(rand.NewPCG(5, 5))
	words := strings.Fields("rope sail anchor mast harbour tide wind crew deck chart")
	chats := []chat{newChat(msg.Signal, "Ana", morning), newChat(msg.WhatsApp, "Crew*", morning)}
	for i := range n {
		at := morning.AddDate(0, 0, -i*700/n).Add(time.Duration(rnd.IntN(3600)) * time.Second)
		c := &chats[i%2]
		c.messages = append(c.messages, message([]string{"Ana", me}[rnd.IntN(2)], at, fmt.Sprintf("boat %s %s n%d", words[rnd.IntN(10)], words[rnd.IntN(10)], i)))
	}
	for i := range chats {
		slices.Reverse(chats[i].messages)
	}
	return searcherOf(t, chats...)
}

// TestPaging walks all pages of queries: together they are what one page
// without end holds, in the same order, nothing twice and nothing left out.
func TestPaging(t *testing.T) {
	t.Parallel()
	s := crowd(t, 1500)
	for _, text := range []string{
		"boat", "rope", "rope OR sail", "boat -rope", "from:ana", "is:group rope", "what about the rope and the sail?", `"boat rope"`, "ro*", "boat before:2023-06", "n7", "rope zzyzx",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			whole := find(t, s, Query{Text: text, Limit: 10_000})
			if whole.More || len(whole.Hits) == 0 {
				t.Fatalf("one page: %d hits, more %v", len(whole.Hits), whole.More)
			}
			for _, limit := range []int{1, 7, 100} {
				if limit == 1 && len(whole.Hits) > 50 {
					continue
				}
				var walked []int64
				var after *Place
				for {
					page := find(t, s, Query{Text: text, Limit: limit, After: after})
					if page.Total != whole.Total || page.Counted != whole.Counted {
						t.Errorf("by %d, after %d: total %d, counted %v, want %d, %v", limit, len(walked), page.Total, page.Counted, whole.Total, whole.Counted)
					}
					if page.More != (len(walked)+len(page.Hits) < len(whole.Hits)) || page.More && len(page.Hits) != limit {
						t.Fatalf("by %d, after %d: %d hits, more %v", limit, len(walked), len(page.Hits), page.More)
					}
					for _, h := range page.Hits {
						walked = append(walked, h.ID)
					}
					if !page.More {
						break
					}
					last := page.Hits[len(page.Hits)-1]
					after = &Place{last.Score, last.ID}
				}
				var want []int64
				for _, h := range whole.Hits {
					want = append(want, h.ID)
				}
				if diff := cmp.Diff(want, walked); diff != "" {
					t.Errorf("pages of %d (-want +got):\n%s", limit, diff)
				}
			}
		})
	}
}

// TestBroadWords: of a word in very many messages the newest are ranked, and
// both the last page and the notice say so.
func TestBroadWords(t *testing.T) {
	t.Parallel()
	s := crowd(t, broad+500)
	got := find(t, s, Query{Text: "boat", Limit: 10_000})
	if len(got.Hits) != newestPool || got.Total != broad+500 || !got.Counted || got.More {
		t.Errorf("%d hits of %d, counted %v, more %v, want %d of %d", len(got.Hits), got.Total, got.Counted, got.More, newestPool, broad+500)
	}
	oldest := got.Hits[0].Time
	for _, h := range got.Hits {
		if h.Time.UTC().Before(oldest.UTC()) {
			oldest = h.Time
		}
	}
	want := "very many messages match; 250 of the newest, back to " + oldest.UTC().Format("2006-01") + ", were ranked: narrow by date, sender or conversation to reach the others"
	if diff := cmp.Diff([]string{want}, got.Notices); diff != "" {
		t.Errorf("notices (-want +got):\n%s", diff)
	}
	// What the notice advises works.
	narrow := find(t, s, Query{Text: "boat on:2022-08", Limit: 10_000})
	if len(narrow.Notices) > 0 || int64(len(narrow.Hits)) != narrow.Total || narrow.Total < 100 || narrow.Total > pool {
		t.Errorf("one month: %d hits of %d, notices %q", len(narrow.Hits), narrow.Total, narrow.Notices)
	}
	// Fewer, but more than are ranked: the best, said behind the last page.
	const rest = "only the best 600 of the matches are ranked: narrow by date, sender or conversation to reach the others"
	some := find(t, s, Query{Text: "rope OR sail OR anchor", Limit: 100})
	last := find(t, s, Query{Text: "rope OR sail OR anchor", Limit: 10_000})
	if !some.More || len(some.Notices) > 0 || len(last.Hits) != pool || last.Total <= pool || last.Total > broad || !last.Counted || !cmp.Equal(last.Notices, []string{rest}) {
		t.Errorf("%d hits of %d, notices %q, then %q", len(last.Hits), last.Total, some.Notices, last.Notices)
	}
}
