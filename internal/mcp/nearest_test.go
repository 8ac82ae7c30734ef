package mcp

import "testing"

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"query", "conversation", "message_id", "has", "limit", "start", "end"}
	tests := []struct{ name, word, want string }{
		{name: "letter doubled", word: "querry", want: "query"},
		{name: "letter missing", word: "limt", want: "limit"},
		{name: "letters swapped", word: "strat", want: "start"},
		{name: "letter wrong", word: "lamit", want: "limit"},
		{name: "camel case", word: "messageId", want: "message_id"},
		{name: "hyphen", word: "message-id", want: "message_id"},
		{name: "beginning", word: "conv", want: "conversation"},
		{name: "longer", word: "query_text", want: "query"},
		{name: "short and near", word: "ends", want: "end"},
		{name: "nothing near", word: "weather"},
		{name: "empty", word: ""},
		{name: "only separators", word: "_-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := nearest(tt.word, names); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestEditDistance(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "abc", 3}, {"abc", "abc", 0},
		{"abc", "acb", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}, {"é", "e", 1},
	}
	for _, tt := range tests {
		t.Run(tt.a+"_"+tt.b, func(t *testing.T) {
			t.Parallel()
			if got := editDistance([]rune(tt.a), []rune(tt.b)); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}
