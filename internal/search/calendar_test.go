package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

func TestDateSpellings(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, words, want string }{
		{"day behind the month", "march 3", "map[0:[mar] 1:[3rd]]"},
		{"day before the month", "21 Sept lunch", "map[0:[21st] 1:[september sep]]"},
		{"ordinal", "July 20th", "map[0:[jul] 1:[20]]"},
		{"ordinal of", "the 12th of june", "map[1:[12] 3:[jun]]"},
		{"the ordinal", "may the 4th,", "map[2:[4]]"},
		{"year behind it", "March 3, 2025", "map[0:[mar] 1:[3rd]]"},
		{"eleventh", "nov 11", "map[0:[november] 1:[11th]]"},
		{"twenty-second", "nov 22", "map[0:[november] 1:[22nd]]"},
		{"no day", "march 2025", "map[]"},
		{"no month", "3rd floor", "map[]"},
		{"no such day", "april 32", "map[]"},
		{"apart", "march about 3", "map[]"},
		{"a month alone", "may", "map[]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := fmt.Sprint(dateSpellings(strings.Fields(test.words))); got != test.want {
				t.Errorf("dateSpellings(%q) = %s, want %s", test.words, got, test.want)
			}
		})
	}
}

// TestDates: a day is found however it is written beside its month.
func TestDates(t *testing.T) {
	t.Parallel()
	s := searcherOf(t, newChat(msg.Signal, "x", morning,
		"Ana: the lease ends on March 3, 2025", "me: or the 3rd of March", "Ana: Mar 3 at the latest", "me: march to the 4th floor", "Ana: the 3rd time"))
	all := []string{"Mar 3 at the latest", "or the 3rd of March", "the lease ends on March 3, 2025"}
	for query, want := range map[string][]string{
		"march 3":          all,
		"3 march":          all,
		"Mar 3rd":          all,
		"3rd":              {"or the 3rd of March", "the 3rd time"},
		`"march 3"`:        {"the lease ends on March 3, 2025"},
		"march 3 OR lease": all,
		"march 3 -lease":   all[:2],
		"march 3 lease":    all[2:],
		"lease -(march 3)": nil,
	} {
		var got []string
		if results := find(t, s, Query{Text: query}); len(results.Notices) == 0 {
			got = bodies(results.Hits)
		}
		slices.Sort(got)
		if diff := cmp.Diff(append([]string{}, want...), append([]string{}, got...)); diff != "" {
			t.Errorf("%s finds (-want +got):\n%s", query, diff)
		}
	}
	if got := bodies(find(t, s, Query{Text: "what ends on the 3rd of march?", Limit: 1}).Hits); got[0] != "the lease ends on March 3, 2025" {
		t.Errorf("a question finds %q first", got)
	}
}
