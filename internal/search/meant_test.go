package search

import "testing"

func TestMeantText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, query string
		asked       bool
		want        string
	}{
		{"words", "broken flat", false, "broken flat"},
		{"a question", "is it broken ?", true, "is it broken?"},
		{"words and a filter", "broken from:ana", false, "broken"},
		{"phrase", `"broken flat"`, false, ""},
		{"beginning", "brok*", false, ""},
		{"exclusion", "broken -flat", false, ""},
		{"number", "flat 12", false, ""},
		{"number in a question", "is flat 12 free ?", true, "is flat 12 free?"},
		{"letters", "C++", false, ""},
		{"single letters with a sign", "R&B", false, ""},
		{"letters beside a word", "C++ course", false, "C++ course"},
		{"a word of one character in Chinese", "爱", false, "爱"},
		{"emoji", "🎂", false, "🎂"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			root, err := parse(test.query)
			if err != nil {
				t.Fatal(err)
			}
			if got := meantText(root, test.query, test.asked); got != test.want {
				t.Errorf("meantText(%q) = %q, want %q", test.query, got, test.want)
			}
		})
	}
}
