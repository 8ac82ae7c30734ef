package imessage

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
)

func TestConversation(t *testing.T) {
	t.Parallel()
	two := "May 17, 2022  5:29:42 PM\nMe\nhi\n\nMay 17, 2022  5:30:00 PM\n%\nhello\n\n"
	three := two + "May 17, 2022  5:31:00 PM\nBo Li\nhey\n\n"
	for _, test := range []struct {
		name, file, text, sender string
		want                     msg.Conversation
	}{
		{"contact", "Ana Silva.txt", two, "Ana Silva", msg.Conversation{Key: "Ana Silva", Name: "Ana Silva",
			Participants: []msg.Handle{{ID: "Ana Silva", Name: "Ana Silva"}}}},
		{"telephone", "+15555550101.txt", two, "+15555550101", msg.Conversation{Key: "+15555550101", Name: "+15555550101",
			Participants: []msg.Handle{{ID: "+15555550101", Name: "+15555550101", Kind: msg.HandlePhone}}}},
		{"telephone shown by name", "+15555550101.txt", two, "Ana", msg.Conversation{Key: "+15555550101", Name: "+15555550101",
			Participants: []msg.Handle{{ID: "Ana", Name: "Ana"}}}},
		{"address", "ana@example.com.txt", two, "ana@example.com", msg.Conversation{Key: "ana@example.com", Name: "ana@example.com",
			Participants: []msg.Handle{{ID: "ana@example.com", Name: "ana@example.com", Kind: msg.HandleEmail}}}},
		{"named group", "Sunday - Brunch - 204.txt", two, "Ana", msg.Conversation{Key: "Sunday - Brunch - 204", Name: "Sunday - Brunch", Kind: msg.Group}},
		{"group without number", "Group Trip.txt", three, "Ana", msg.Conversation{Key: "Group Trip", Name: "Group Trip", Kind: msg.Group}},
		{"list", "Ana, Bo Li.txt", three, "Ana", msg.Conversation{Key: "Ana, Bo Li", Name: "Ana, Bo Li", Kind: msg.Group,
			Participants: []msg.Handle{{ID: "Ana", Name: "Ana"}, {ID: "Bo Li", Name: "Bo Li"}}}},
		{"list with others", "Ana, +15555550101, and 2 others.txt", three, "Ana", msg.Conversation{
			Key: "Ana, +15555550101, and 2 others", Name: "Ana, +15555550101, and 2 others", Kind: msg.Group,
			Participants: []msg.Handle{{ID: "Ana", Name: "Ana"}, {ID: "+15555550101", Name: "+15555550101", Kind: msg.HandlePhone}}}},
		{"contact with a comma", "Silva, Ana.txt", two, "Silva, Ana", msg.Conversation{Key: "Silva, Ana", Name: "Silva, Ana",
			Participants: []msg.Handle{{ID: "Silva, Ana", Name: "Silva, Ana"}}}},
		{"contact with a slash", "Ana_Bo.txt", two, "Ana/Bo", msg.Conversation{Key: "Ana_Bo", Name: "Ana_Bo",
			Participants: []msg.Handle{{ID: "Ana/Bo", Name: "Ana/Bo"}}}},
		{"contact that ends like a group", "Flat - 12.txt", two, "Flat - 12", msg.Conversation{Key: "Flat - 12", Name: "Flat - 12",
			Participants: []msg.Handle{{ID: "Flat - 12", Name: "Flat - 12"}}}},
		{"orphaned", "orphaned.txt", two, "Ana", msg.Conversation{Key: "orphaned", Name: "Orphaned messages", Kind: msg.Group}},
		{"decomposed", "Jose\u0301.txt", two, "José", msg.Conversation{Key: "José", Name: "José",
			Participants: []msg.Handle{{ID: "José", Name: "José"}}}},
		{"folder and capitals", "export/Ana.TXT", two, "Ana", msg.Conversation{Key: "Ana", Name: "Ana",
			Participants: []msg.Handle{{ID: "Ana", Name: "Ana"}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := read(t, test.file, replace(test.text, test.sender)).Conversations
			if len(got) != 1 {
				t.Fatalf("got %d conversations, want 1", len(got))
			}
			if diff := cmp.Diff(test.want, got[0].Conversation); diff != "" {
				t.Errorf("conversation (-want +got):\n%s", diff)
			}
		})
	}
}
