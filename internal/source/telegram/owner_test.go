package telegram

import (
	"slices"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

func TestOwner(t *testing.T) {
	t.Parallel()
	ana := msg.Handle{ID: "user1", Name: "Ana", Kind: msg.HandleAccount}
	anaToo := msg.Handle{ID: "user2", Name: "ANA", Kind: msg.HandleAccount}
	ben := msg.Handle{ID: "user3", Name: "Ben", Kind: msg.HandleAccount}
	all := []msg.Handle{ana, anaToo, ben, {}}
	tests := []struct {
		name    string
		account int64
		typ     string
		me      []string
		want    []string
		note    string
	}{
		{"the account decides", 1, "personal_chat", nil, []string{"user1"}, ""},
		{"the account decides alone", 1, "personal_chat", []string{"Ben"}, []string{"user1"}, ""},
		{"nothing known", 0, "personal_chat", nil, nil, "does not say whose"},
		{"by name", 0, "personal_chat", []string{"ben"}, []string{"user3"}, ""},
		{"by id", 0, "personal_chat", []string{"user2"}, []string{"user2"}, ""},
		{"by number", 0, "personal_chat", []string{"2"}, []string{"user2"}, ""},
		{"a name of two", 0, "personal_chat", []string{"Ana"}, []string{"user1"}, "several accounts"},
		{"two accounts", 0, "personal_chat", []string{"1", "user3"}, []string{"user1", "user3"}, ""},
		{"nobody of that name", 0, "personal_chat", []string{"Cleo"}, nil, "none of the names"},
		{"saved messages", 0, "saved_messages", nil, []string{"user1"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := newOwner(tt.me)
			o.setAccount(tt.account)
			c := newChat(header{typ: tt.typ, id: 1}, "", false)
			o.enter(&c)
			for range 2 {
				for _, h := range all {
					if got, want := o.is(h), slices.Contains(tt.want, h.ID); got != want {
						t.Errorf("is(%s) = %t, want %t", h.ID, got, want)
					}
				}
			}
			notes := strings.Join(o.notes(), "\n")
			if (tt.note == "") != (notes == "") || !strings.Contains(notes, tt.note) {
				t.Errorf("notes %q, want %q in them", notes, tt.note)
			}
		})
	}
}
