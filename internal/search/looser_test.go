package search

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLooserThan(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, query string
		want        []Looser
	}{
		{"a word", "harbour", []Looser{{"harbour*", "words that begin with harbour"}}},
		{"words", "boat harbour", []Looser{{"boat OR harbour", "any of the words"}}},
		{"an exclusion", "lease -flat", []Looser{{"lease", "without -flat"}, {"lease* -flat", "words that begin with lease"}}},
		{"a phrase", `"signed the lease"`, []Looser{{"signed the lease", "the words in any order"}}},
		{"a phrase and a word", `boat "late ferry"`, []Looser{{"boat late ferry", "the words in any order"}, {`boat OR "late ferry"`, "any of the words"}}},
		{"filters and words", `from:me lease AND flat after:2024-03`, []Looser{
			{"lease flat after:2024-03", "without from:me"}, {"from:me lease flat", "without after:2024-03"}, {"(lease OR flat) from:me after:2024-03", "any of the words"},
		}},
		{"a name of two words", `in:"Book club" lease`, []Looser{{"lease", `without in:"Book club"`}, {`in:"Book club" lease*`, "words that begin with lease"}}},
		{"filters alone", "from:me has:image", []Looser{{"has:image", "without from:me"}, {"from:me", "without has:image"}}},
		{"one filter", "from:me", nil},
		{"the beginning of a word", "kitch*", nil},
		{"alternatives", "boat OR ferry", nil},
		{"parentheses", "(boat ferry)", nil},
		{"unreadable", `"lease`, nil},
		{"nothing", " ", nil},
		{"short", "ok", nil},
		{"a number with marks", "4:30", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := LooserThan(test.query)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("LooserThan(%q) (-want +got):\n%s", test.query, diff)
			}
			for _, l := range got {
				if _, err := parse(l.Query); err != nil {
					t.Errorf("%q cannot be read: %v", l.Query, err)
				}
			}
		})
	}
}

// TestNamesInstead repeats a query with each of the names that may be meant.
func TestNamesInstead(t *testing.T) {
	t.Parallel()
	s := newArchive(t, people()...).searcher(t)
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"hello from:an -club", []string{`hello from:"Ana Silva" -club`, `hello from:"Mariana" -club`, `hello from:"Plum Man" -club`}},
		{`with:"an" hello`, []string{`with:"Ana Silva" hello`, `with:"Mariana" hello`, `with:"Plum Man" hello`}},
		{"in:book hello", []string{`in:"2" hello`, `in:"4" hello`}},
		{"hello source:sgnal", []string{`hello source:"signal"`, `hello source:"telegram"`, `hello source:"whatsapp"`}},
	} {
		_, err := s.Search(t.Context(), Query{Text: test.query, Mode: Keyword})
		var named *NameError
		if !errors.As(err, &named) {
			t.Errorf("%q gives %v, want a *NameError", test.query, err)
			continue
		}
		if diff := cmp.Diff(test.want, named.Instead); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.query, diff)
		}
		for _, query := range named.Instead {
			if _, err := s.Search(t.Context(), Query{Text: query, Mode: Keyword}); err != nil {
				t.Errorf("instead of %q: %q gives %v", test.query, query, err)
			}
		}
	}
}
