package search

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// TestInflections: words are found in other forms than the one typed, in
// languages whose script or spelling tells which they are.
func TestInflections(t *testing.T) {
	t.Parallel()
	s := searcherOf(t, newChat(msg.Signal, "x", morning,
		"Ana: two boats", "me: новые книги", "Ana: купил книгу вчера", "me: ключи у соседа",
		"Ana: المفاتيح عند الجيران", "me: كتاب جديد", "Ana: הספר על השולחן",
		"me: le bail de l’appartement", "Ana: mon appartement", "me: oh d'accord",
		"Ana: las hermanas de Lucía", "me: zwei Rechnungen"))
	for _, test := range []struct {
		query string
		want  []string // in any order
	}{
		{"boat", []string{"two boats"}},
		{"книга", []string{"новые книги", "купил книгу вчера"}},
		{"КНИГ", []string{"новые книги", "купил книгу вчера"}},
		{`"книги"`, []string{"новые книги"}},
		{"новый", []string{"новые книги"}},
		{"ключей", []string{"ключи у соседа"}},
		{"مفاتيح", []string{"المفاتيح عند الجيران"}},
		{"الكتاب", []string{"كتاب جديد"}},
		{"والجيران", []string{"المفاتيح عند الجيران"}},
		{"ספר", []string{"הספר על השולחן"}},
		{"l'appartement", []string{"le bail de l’appartement", "mon appartement"}},
		{"appartement", []string{"le bail de l’appartement", "mon appartement"}},
		{"d’accord", []string{"oh d'accord"}},
		{"hermana", []string{"las hermanas de Lucía"}},
	} {
		t.Run(test.query, func(t *testing.T) {
			t.Parallel()
			results := find(t, s, Query{Text: test.query})
			got := bodies(results.Hits)
			slices.Sort(got)
			slices.Sort(test.want)
			if diff := cmp.Diff(test.want, got); diff != "" || len(results.Notices) > 0 {
				t.Errorf("finds, with the notices %q (-want +got):\n%s", results.Notices, diff)
			}
		})
	}
}
