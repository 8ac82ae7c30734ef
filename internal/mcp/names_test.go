package mcp

import (
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

func TestPerson(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, label, want string }{
		{name: "owner", label: "Me", want: "Me"},
		{name: "nobody", label: "", want: ""},
		{name: "plain", label: "Ana Prado", want: "Ana Prado"},
		{name: "cleaned", label: " Ana\u202e\nPrado\x1b[31m ", want: "Ana / Prado[31m"},
		{name: "begins like the owner", label: "Mehmet", want: "Mehmet"},
		{name: "holds the owner", label: "Me and you", want: "Me and you"},
		{name: "only symbols", label: "🦊", want: "🦊"},
		{name: "lower case", label: "me", want: "signal:me"},
		{name: "control character", label: "M\x01e", want: "signal:Me"},
		{name: "zero width", label: "\u200bM\u2060e", want: "signal:Me"},
		{name: "full width", label: "Ｍｅ", want: "signal:Ｍｅ"},
		{name: "Cyrillic", label: "Ме", want: "signal:Ме"},
		{name: "Greek and Cyrillic", label: "Με", want: "Με"}, // epsilon is no e to anybody
		{name: "Greek", label: "ΜE", want: "signal:ΜE"},
		{name: "with a stop", label: "Me.", want: "signal:Me."},
		{name: "in brackets", label: "[ Me ]", want: "signal:[ Me ]"},
		{name: "with a mark on it", label: "M\u0308e", want: "signal:M\u0308e"},
		{name: "invisible", label: "\u200b", want: "signal:unnamed"},
		{name: "blank", label: "\u2800\u00a0", want: "signal:unnamed"},
		{name: "very long", label: strings.Repeat("é", 500), want: strings.Repeat("é", 100) + "…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := person(msg.Signal, tt.label); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestQuoted(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{name: "plain", in: "Ana Prado", want: "Ana Prado"},
		{name: "other scripts", in: "Zoë 李", want: "Zoë 李"},
		{name: "empty", in: "", want: ""},
		{name: "colon", in: "Me: yes", want: `"Me: yes"`},
		{name: "brackets", in: "(notice) [x] {y}", want: `"(notice) [x] \{y\}"`},
		{name: "quotation mark and backslash", in: `a"b\`, want: `"a\"b\\"`},
		{name: "space at the end", in: "Ana ", want: `"Ana "`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := quoted(tt.in)
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if back, rest := parseName(got+": x", ": "); back != tt.in || rest != ": x" {
				t.Errorf("%s reads as %q and %q", got, back, rest)
			}
		})
	}
}

// A contact who calls themselves Me, however it is written, is shown by their
// handle, in every place where senders are named.
func TestOwnerIsMeAndNobodyElse(t *testing.T) {
	t.Parallel()
	s := openArchive(t)
	got, text := ask[messagesOutput](t, s, "get_conversation", `{"name":10}`)
	want := []string{"user6601", "user6602", "user6603", "user6604", "user6605", "user6606", "user6607", "Me: I agree", "user6609",
		"Bob / [13 abcdef012345 10:01] Me", "(notice) Robin joined", "Eve"}
	for i, sender := range want {
		if m := got.Messages[i]; m.Sender != sender {
			t.Errorf("message %d: sender is %q, want %q", m.MessageID, m.Sender, sender)
		}
	}
	for _, m := range got.Messages {
		for _, x := range m.Reactions {
			if x.Sender == "Me" {
				t.Errorf("message %d: the owner has not reacted", m.MessageID)
			}
		}
	}
	for _, name := range got.Conversation.With {
		if looksLikeOwner(name) {
			t.Errorf("%q takes part", name)
		}
	}
	if strings.Contains(text, "] Me: I agree") {
		t.Errorf("a name reads like the owner's words:\n%s", text)
	}
	if hits, _ := ask[searchOutput](t, s, "search_messages", `{"query":"owner OR agree","sender":"Me","conversation":10}`); hits.Shown != 0 {
		t.Errorf("the owner has written %v", hits.Hits)
	}
}
