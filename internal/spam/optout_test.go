package spam

import (
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

func TestOptOut(t *testing.T) {
	t.Parallel()
	s := DefaultSettings()
	s.CannedNotice = "Do not contact me again. I have not given consent — 🛑 ever."
	s.StopKeywords = []string{"Halt!"}
	r := mustRules(t, s)
	tests := []struct {
		body string
		want record.OptOut
	}{
		{" stop. ", record.OptOutA}, {"ＳＴＯＰ", record.OptOutA}, {"STOP\u200b", record.OptOutA}, {"“Stop”", record.OptOutA},
		{"Stop!!! 🙏", record.OptOutA}, {"Opt-Out", record.OptOutA}, {"opt\u2011out", record.OptOutA}, {"STOP\n\nSent from my iPad", record.OptOutA},
		{"STOP 🤣", record.OptOutA}, {"Quit", record.OptOutA}, {"END", record.OptOutA}, {"revoke", record.OptOutA}, {"opt  out", record.OptOutA},
		{"Cancel", record.OptOutA}, {"UNSUBSCRIBE", record.OptOutA}, {"s\u0336top", record.NoOptOut},
		{"STOPALL", record.OptOutB}, {"please stop texting me", record.OptOutB}, {"ARRET", record.OptOutB}, {"Arrêt", record.OptOutB}, {"halt", record.OptOutB},
		{"don’t text me again", record.OptOutB},
		{"no me escriban más", record.OptOutC}, {"🛑", record.OptOutC}, {"退订", record.OptOutC}, {"no más", record.OptOutC},
		{"I told you already, stop texting my mother", record.OptOutC},
		{"START", record.OptIn}, {"unstop", record.OptIn}, {"yes", record.NoOptOut},
		{"S T 0 P", record.NoOptOut}, {"Don't stop, looks great", record.NoOptOut}, {"I'll stop by at 5", record.NoOptOut}, {"can you end it by 6?", record.NoOptOut},
		{"Liked “STOP”", record.NoOptOut}, {"Disliked “Reply STOP to end”", record.NoOptOut}, {"Disliked “please, stop texting me”", record.NoOptOut}, {"> STOP", record.NoOptOut}, {"", record.NoOptOut}, {"!!!", record.NoOptOut},
		{"do not contact me again. I have not given CONSENT, and so on", record.Notice},
		{"Do not contact me again. I have", record.OptOutC},
	}
	for _, tt := range tests {
		if got, _ := r.OptOut(tt.body, ""); got != tt.want {
			t.Errorf("OptOut(%q) = %q, want %q", tt.body, got, tt.want)
		}
	}
	if got, _ := r.OptOut("YES", "You are unsubscribed. Reply YES to resubscribe."); got != record.OptIn {
		t.Errorf("yes to an offer to resubscribe = %q, want %q", got, record.OptIn)
	}
}

func TestReplyKind(t *testing.T) {
	t.Parallel()
	r := mustRules(t, DefaultSettings())
	tests := []struct {
		body string
		want record.Reply
	}{
		{"You are unsubscribed.", record.Confirms},
		{"You have been opted out and will no longer receive texts from Acme. Reply START to resubscribe.", record.Confirms},
		{"Unsubscribed! Last chance 30% off bit.ly/x", record.ConfirmPromo},
		{"You have been removed. Come back any time!", record.ConfirmPromo},
		{`NETWORK MSG: You replied with the word "stop" which blocks all texts sent from this number.`, record.CarrierNote},
		{"Spring sale", record.NoReply},
	}
	for _, tt := range tests {
		if got := r.Read("code:12345", tt.body, true).Reply; got != tt.want {
			t.Errorf("reply %q = %q, want %q", tt.body, got, tt.want)
		}
	}
}
