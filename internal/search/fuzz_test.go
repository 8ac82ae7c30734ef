package search

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// FuzzSearch runs whole queries against a small archive: any text gives
// results, or says where in it the fault is and what to write instead.
func FuzzSearch(f *testing.F) {
	for _, seed := range []string{
		"keys", `"about keys" -car`, "(keys OR 手机) is:me", "happ* book", "from:ana in:\"Book club\" after:2024-01", "is:missing", "สวัส", "👍🏽", "domain:example.org",
		"when do we read the book about keys?", "5\"x7\" 27\"", "accomodation", "-(a OR b) c", "before:7d on:today", "with:björn has:link source:signal", "§me §klink zq",
		"a NEAR(b c, 2)", "body:x ^a {b} + c", "a\x00b", "\xff\"\xfe\"", "OR AND ()", "from:\"\"", "is:edited is:call has:reply has:", "昼に出発しますか？", "in:1 in:c2",
		"+1 (555) 010-2233 1,200", "3rd of march keys", "l'e-mail don't NOT", "from：ana :) 0049 89 5551234", "где ключи от дома", "المفاتيح؟", "👨‍👩‍👧 anas",
	} {
		f.Add(seed, uint8(0))
	}
	a := newArchive(f, house()...)
	lost := house()
	lost[0].messages = slices.Clone(lost[0].messages)[:8]
	a.load(f, lost...)
	s := a.searcher(f)
	f.Fuzz(func(t *testing.T, text string, beside uint8) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		q := Query{Text: text, FromMe: beside&1 != 0, Limit: int(beside >> 4)}
		if beside&2 != 0 {
			q.Source = msg.WhatsApp
		}
		if beside&4 != 0 {
			q.Has = "link"
		}
		results, err := s.Search(ctx, q)
		var syntax *SyntaxError
		switch {
		case errors.As(err, &syntax):
			if syntax.Position < 0 || syntax.Position > len(text) || syntax.Problem == "" || syntax.Remedy == "" {
				t.Errorf("%q: the error is of no help: %+v", text, *syntax)
			}
			return
		case err != nil:
			t.Fatalf("%q: %v", text, err)
		}
		limit := q.Limit
		if limit == 0 {
			limit = usualLimit
		}
		if results.Hits == nil || len(results.Hits) > limit || int64(len(results.Hits)) > results.Total || results.More && len(results.Hits) < limit {
			t.Errorf("%q: %d hits of %d, at most %d wanted, more %v", text, len(results.Hits), results.Total, limit, results.More)
		}
		for i, h := range results.Hits {
			if i > 0 && (h.Score > results.Hits[i-1].Score || h.Score == results.Hits[i-1].Score && h.ID >= results.Hits[i-1].ID) {
				t.Errorf("%q: hit %d is out of order", text, i)
			}
			if q.FromMe && h.Direction != msg.Out || q.Source != "" && h.Source != q.Source {
				t.Errorf("%q finds %q by %q of %s, which a filter excludes", text, h.Body, h.Sender, h.Source)
			}
			if utf8.ValidString(h.Body) && !utf8.ValidString(h.Excerpt) {
				t.Errorf("%q: the excerpt %q is broken", text, h.Excerpt)
			}
		}
	})
}
