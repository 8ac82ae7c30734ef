package telegram

import (
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

func TestSentence(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, members, want string }{
		{"created", `"action":"create_group","title":"Club","members":["Ana",null]`, `Ana created the group "Club" with Ana, Deleted account`},
		{"created without members", `"action":"create_group","title":"Club"`, `Ana created the group "Club"`},
		{"created without anything", `"action":"create_group"`, `Ana created the group`},
		{"values are no forms", `"action":"edit_group_title","title":"[{actor}]"`, `Ana changed the name of the group to "[{actor}]"`},
		{"null member", `"action":"join_group_by_link","inviter":null`, `Ana joined by a link`},
		{"joined", `"action":"invite_members","members":["Ana"]`, `Ana joined the group`},
		{"added", `"action":"invite_members","members":["Ben","Cleo"]`, `Ana added Ben, Cleo`},
		{"left", `"action":"remove_members","members":["Ana"]`, `Ana left the group`},
		{"removed", `"action":"remove_members","members":["Ben"]`, `Ana removed Ben`},
		{"call", `"action":"phone_call","duration_seconds":3661,"discard_reason":"hangup"`, `Call from Ana, 1 h 1 min`},
		{"call without a reason", `"action":"phone_call"`, `Call from Ana`},
		{"missed call", `"action":"phone_call","discard_reason":"missed"`, `Missed call from Ana`},
		{"declined call", `"action":"phone_call","discard_reason":"busy"`, `Declined call from Ana`},
		{"broken call", `"action":"phone_call","duration_seconds":59,"discard_reason":"disconnect"`, `Call from Ana, 59 s, cut off`},
		{"call of the future", `"action":"phone_call","discard_reason":"allow_group_call"`, `Call from Ana (allow_group_call)`},
		{"group call", `"action":"group_call","duration":60`, `Ana held a group call, 1 min`},
		{"deletion timer", `"action":"set_messages_ttl","period":90000`, `Ana set messages to be deleted after 1 day 1 h`},
		{"deletion timer off", `"action":"set_messages_ttl"`, `Ana turned the automatic deletion of messages off`},
		{"payment", `"action":"send_payment","amount":1250,"currency":"EUR"`, `A payment of 1250 EUR was sent`},
		{"words only", `"information_text":"You allowed this"`, `You allowed this`},
		{"nothing", ``, `Ana: service message`},
		{"unknown", `"action":"star_gift_upgraded"`, `Ana: star gift upgraded`},
	}
	actor := msg.Handle{ID: "user1", Name: "Ana", Kind: msg.HandleAccount}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var rec record
			if err := rec.parse([]byte("{" + tt.members + "}")); err != nil {
				t.Fatal(err)
			}
			if got := sentence(&rec, actor); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestSentencesAreWellFormed holds the table to the two things a form may
// hold: the actor, and bracketed stretches with one member each.
func TestSentencesAreWellFormed(t *testing.T) {
	t.Parallel()
	for action, form := range sentences {
		var rec record
		got := fillIn(form, "X", &rec)
		if got == "" || strings.ContainsAny(got, "[]{}") {
			t.Errorf("%s: %q becomes %q", action, form, got)
		}
		if open := strings.Count(form, "["); open != strings.Count(form, "]") || open != strings.Count(form, "{")-strings.Count(form, "{actor}") {
			t.Errorf("%s: %q has stretches without a member, or members outside of stretches", action, form)
		}
	}
}

func TestCalled(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		in   msg.Handle
		want string
	}{
		{"name", msg.Handle{ID: "user1", Name: "Ana"}, "Ana"},
		{"no name", msg.Handle{ID: "user1"}, "Deleted account (1)"},
		{"nobody", msg.Handle{}, "Somebody"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := called(tt.in); got != tt.want {
				t.Errorf("called(%+v) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}
