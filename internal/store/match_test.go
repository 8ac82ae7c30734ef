package store

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCountEach holds the counts of several expressions against those of one.
func TestCountEach(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 120)
	r := openReader(t, x.dir, ReaderOptions{})
	expressions := []string{`"nowhere"`, `"body"`, fmt.Sprintf(`"n%d"`, x.messages[5].id), `"body"`, fmt.Sprintf(`"n%d" OR "n%d"`, x.messages[3].id, x.messages[9].id)}
	want := make([]int64, len(expressions))
	for i, e := range expressions {
		for _, missing := range []bool{false, true} {
			n, err := r.CountMatches(t.Context(), MatchQuery{Expression: e, Missing: missing, Limit: 1000})
			if err != nil {
				t.Fatal(err)
			}
			want[i] += n
		}
	}
	got, err := r.CountEach(t.Context(), expressions)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if want[1] < 100 || want[4] != 2 {
		t.Errorf("counts %d: the messages do not hold the words", want)
	}
	if _, err := r.CountEach(t.Context(), []string{`"unclosed`}); err == nil {
		t.Error("no error for an expression that cannot be read")
	}
}
