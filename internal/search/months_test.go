package search

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// TestNewest holds what is ranked of broad words against the newest messages
// that hold them, in archives whose months are as uneven as can be: full and
// nearly empty ones, a word that came into use late or went out of it, chats
// that were imported in another order than they were written in.
func TestNewest(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 7))
	const months = 60
	walked := 0
	for _, archive := range []struct {
		name     string
		perMonth func(month int) int
	}{
		{"even", func(int) int { return 120 }},
		{"few at the end", func(month int) int { return max(1, 240-month*240/months) }},
		{"few before", func(month int) int { return max(1, month*240/months) }},
		{"many in some", func(month int) int { return 5 + 900*(1-min(1, month%8)) }},
		{"gaps of a year", func(month int) int { return 250 * (month / 12 % 2) }},
		{"all in the last", func(month int) int { return 1 + 4000*(month/(months-1)) }},
	} {
		for _, word := range []struct {
			name  string
			holds func(month int) bool
		}{
			{"everywhere", func(int) bool { return r.IntN(20) > 0 }},
			{"early", func(month int) bool { return month < 30 || r.IntN(50) == 0 }},
			{"late", func(month int) bool { return month > 40 || r.IntN(3) == 0 }},
		} {
			t.Run(archive.name+", "+word.name, func(t *testing.T) {
				chats := []chat{newChat(msg.Signal, "Ana", morning), newChat(msg.WhatsApp, "Björn", morning), newChat(msg.Signal, "Cleo", morning)}
				var with []time.Time
				for month := range months {
					for i := range archive.perMonth(month) {
						// Minutes apart, so that no two messages are of one time.
						at := time.Date(2016, time.Month(1+month), 1, 0, 7*i, month%60, 0, time.UTC)
						body := fmt.Sprintf("note %d of %d", i, month)
						if word.holds(month) {
							body, with = "boat "+body, append(with, at)
						}
						c := &chats[i%len(chats)]
						c.messages = append(c.messages, message(c.conv.Name, at, body))
					}
				}
				s := searcherOf(t, chats...)
				results := find(t, s, Query{Text: "boat", Limit: 10_000})
				if len(with) <= broad {
					if len(results.Hits) != min(pool, len(with)) {
						t.Fatalf("%d hits of %d", len(results.Hits), len(with))
					}
					return
				}
				walked++
				slices.SortFunc(with, func(a, b time.Time) int { return cmp.Compare(b.UnixMicro(), a.UnixMicro()) })
				var got []time.Time
				for _, h := range results.Hits {
					got = append(got, h.Time.UTC())
				}
				slices.SortFunc(got, func(a, b time.Time) int { return cmp.Compare(b.UnixMicro(), a.UnixMicro()) })
				if archive.name == "all in the last" && word.name != "early" {
					// A month with more than are read: any of its messages.
					for _, at := range got {
						if at.Before(time.Date(2020, 12, 1, 0, 0, 0, 0, time.UTC)) {
							t.Errorf("%s is not of the last month", at)
						}
					}
					got, with = got[:0], with[:0]
				}
				if diff := gocmp.Diff(with[:min(newestPool, len(with))], got); diff != "" {
					t.Errorf("the newest (-want +got):\n%s", diff)
				}
			})
		}
	}
	if walked < 12 {
		t.Errorf("only in %d archives the word was a broad one", walked)
	}
}
