package mcp

import (
	"strings"
	"testing"
)

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

func TestClosest(t *testing.T) {
	t.Parallel()
	domains := []string{"a", "example.org", "example.com", "news.example", "com.de"}
	tests := []struct{ name, word, want string }{
		{name: "typing error", word: "exampel.com", want: "example.com example.org"},
		{name: "part", word: "news", want: "news.example a"},
		{name: "too short to be a part", word: "comx", want: "com.de a"},
		{name: "longer than any", word: strings.Repeat("x", 1<<20), want: "example.org example.com"},
		{name: "nothing", word: "", want: "a com.de"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(closest(tt.word, domains, 2), " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if got := closest("x", nil, 5); len(got) != 0 {
		t.Errorf("of nothing: got %q", got)
	}
}
