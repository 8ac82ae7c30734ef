package embed

import "testing"

func TestClip(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text string
		most int
		want string
	}{{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"äöü", 3, "äöü"}, {"äöüß", 3, "äöü"}, {"a\xffb", 2, "a\xff"}, {"abc", 0, ""}} {
		if got := Clip(test.text, test.most); got != test.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", test.text, test.most, got, test.want)
		}
	}
}
