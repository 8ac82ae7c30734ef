package telegram

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
)

func TestPeerID(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in  string
		inChannel bool
		want      string
	}{
		{"today's", `"user123"`, false, "user123"},
		{"channel", `"channel9"`, false, "channel9"},
		{"group", `"chat7"`, true, "chat7"},
		{"bare number", `123`, true, "user123"},
		{"number in quotes", `"123"`, false, "user123"},
		{"flagged user", `4294967419`, false, "user123"},
		{"flagged group", `8589934599`, false, "chat7"},
		{"flagged channel", `8589934599`, true, "channel7"},
		{"64 bits wide", `"user7123456789"`, false, "user7123456789"},
		{"null", `null`, false, ""},
		{"missing", ``, false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := peerID([]byte(tt.in), tt.inChannel); got != tt.want {
				t.Errorf("peerID(%s, %t) = %q, want %q", tt.in, tt.inChannel, got, tt.want)
			}
		})
	}
}

func TestConversation(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		header header
		oldIDs bool
		want   msg.Conversation
	}{
		{"personal", header{name: "Ben", typ: "personal_chat", id: 7}, false,
			msg.Conversation{Key: "user:7", Name: "Ben", Participants: []msg.Handle{{ID: "user7", Name: "Ben", Kind: msg.HandleAccount}}}},
		{"personal with a wide id of today", header{name: "Ben", typ: "personal_chat", id: 4294967303}, false,
			msg.Conversation{Key: "user:4294967303", Name: "Ben", Participants: []msg.Handle{{ID: "user4294967303", Name: "Ben", Kind: msg.HandleAccount}}}},
		{"personal with a flagged id", header{name: "Ben", typ: "personal_chat", id: 4294967303}, true,
			msg.Conversation{Key: "user:7", Name: "Ben", Participants: []msg.Handle{{ID: "user7", Name: "Ben", Kind: msg.HandleAccount}}}},
		{"flag of another kind of peer", header{name: "Ben", typ: "personal_chat", id: 8589934599}, true,
			msg.Conversation{Key: "user:8589934599", Name: "Ben", Participants: []msg.Handle{{ID: "user8589934599", Name: "Ben", Kind: msg.HandleAccount}}}},
		{"deleted account", header{typ: "personal_chat", id: 7}, false,
			msg.Conversation{Key: "user:7", Name: "Deleted account (7)", Participants: []msg.Handle{{ID: "user7", Kind: msg.HandleAccount}}}},
		{"saved messages", header{typ: "saved_messages", id: 1}, false, msg.Conversation{Key: "user:1", Name: "Saved Messages"}},
		{"replies", header{typ: "replies", id: 2}, false, msg.Conversation{Key: "user:2", Name: "Replies"}},
		{"verification codes", header{typ: "verify_codes", id: 3}, false, msg.Conversation{Key: "user:3", Name: "Verification Codes"}},
		{"group", header{name: "Club", typ: "private_group", id: 8589934599}, true, msg.Conversation{Key: "chat:7", Name: "Club", Kind: msg.Group}},
		{"private supergroup", header{name: "Club", typ: "private_supergroup", id: 7}, false, msg.Conversation{Key: "channel:7", Name: "Club", Kind: msg.Group}},
		{"public supergroup", header{name: "Club", typ: "public_supergroup", id: 7}, false, msg.Conversation{Key: "channel:7", Name: "Club", Kind: msg.Group}},
		{"channel", header{name: "News", typ: "public_channel", id: 7}, false, msg.Conversation{Key: "channel:7", Name: "News", Kind: msg.Group}},
		{"unknown type without a name", header{typ: "forum_of_the_future", id: 7}, false, msg.Conversation{Key: "chat:7", Name: "Unnamed group (7)", Kind: msg.Group}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newChat(tt.header, "", tt.oldIDs)
			if diff := cmp.Diff(tt.want, c.conversation()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
