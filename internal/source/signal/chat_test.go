package signal

import (
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

func TestChatKey(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ path, container, key, folder string }{
		"in an export":     {"export/Aya/chat.md", "signal.zip", "Aya", "export/Aya"},
		"export at root":   {"Aya/chat.md", "signal.zip", "Aya", "Aya"},
		"chat at root":     {"chat.md", "Aya", "Aya", "."},
		"chat in a zip":    {"chat.md", "Aya.zip", "Aya", "."},
		"dot in a folder":  {"chat.md", "Aya.2024", "Aya.2024", "."},
		"no name anywhere": {"chat.md", "", "None", "."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newChat(source.Candidate{Path: tc.path, Container: tc.container})
			if c.key != tc.key || c.folder != tc.folder {
				t.Errorf("key %q in folder %q, want %q in %q", c.key, c.folder, tc.key, tc.folder)
			}
		})
	}
}

func TestPeople(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]person{
		"Aya":         {handle: msg.Handle{ID: "Aya", Name: "Aya"}},
		"Aya2":        {handle: msg.Handle{ID: "Aya2", Name: "Aya2"}},
		"15550000007": {handle: msg.Handle{ID: "15550000007", Name: "15550000007", Kind: msg.HandlePhone}},
		"4712345678":  {handle: msg.Handle{ID: "4712345678", Name: "4712345678", Kind: msg.HandlePhone}},
		"12345":       {handle: msg.Handle{ID: "12345", Name: "12345"}},
		"2024":        {handle: msg.Handle{ID: "2024", Name: "2024"}},
		"None":        {handle: msg.Handle{ID: "None", Name: "None"}},
		"Me":          {handle: msg.Handle{ID: "Me", Name: "Me"}, role: owner},
		"me":          {handle: msg.Handle{ID: "me", Name: "me"}},
		"No-Sender":   {handle: msg.Handle{ID: "No-Sender"}, role: unknown},
	} {
		c := newChat(source.Candidate{Path: "Aya/chat.md"})
		if got, fresh := find(c, name); *got != want || !fresh {
			t.Errorf("%s is %+v, fresh %t, want %+v", name, *got, fresh, want)
		}
		if again, fresh := find(c, []byte(name)); *again != want || fresh {
			t.Errorf("%s is %+v the second time, fresh %t", name, *again, fresh)
		}
	}
}

// TestManyPeople: what is remembered of senders is bounded.
func TestManyPeople(t *testing.T) {
	t.Parallel()
	c := newChat(source.Candidate{Path: "Aya/chat.md"})
	for i := range 2 * maxPeople {
		find(c, strings.Repeat("x", i+1))
	}
	if len(c.people) != maxPeople {
		t.Errorf("%d people remembered, want %d", len(c.people), maxPeople)
	}
}

func TestConversationKind(t *testing.T) {
	t.Parallel()
	line := func(sender, body string) string { return "[2024-03-20 10:00:05] " + sender + ": " + body + "  \n\n" }
	for name, tc := range map[string]struct {
		folder, text string
		want         msg.ConversationKind
	}{
		"only the owner":           {"NotetoSelf", line("Me", "a") + line("Me", "b"), msg.Direct},
		"two people":               {"Aya", line("Me", "a") + line("Aya", "b"), msg.Direct},
		"only the contact":         {"Aya", line("Aya", "a") + line("Aya", "b"), msg.Direct},
		"three people":             {"Trip", line("Me", "a") + line("Aya", "b") + line("Jim", "c"), msg.Group},
		"two contacts":             {"Trip", line("Aya", "b") + line("Jim", "c") + line("Aya", "d"), msg.Group},
		"notices do not count":     {"Aya", line("Aya", "b") + line("No-Sender", ""), msg.Direct},
		"somebody unknown counts":  {"Trip", line("Aya", "b") + line("No-Sender", "c"), msg.Group},
		"a suspect does not count": {"Aya", line("Aya", "b") + line("Jim", "c") + line("Me", "d"), msg.Direct},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := readText(t, tc.folder, tc.text).Conversations[0]
			if c.Kind != tc.want || c.Key != tc.folder || c.Name != tc.folder {
				t.Errorf("conversation %+v, want kind %s", c.Conversation, tc.want)
			}
		})
	}
}

// TestContactCalledMe: an export that holds a contact called Me says so for
// the groups they may have written in.
func TestContactCalledMe(t *testing.T) {
	t.Parallel()
	const group = "[2024-03-20 10:00:05] Aya: a  \n\n[2024-03-20 10:00:06] Jim: b  \n\n"
	const direct = "[2024-03-20 10:00:05] Aya: a  \n\n[2024-03-20 10:00:06] Me: b  \n\n"
	for name, tc := range map[string]struct {
		path, text string
		others     bool
		want       int
	}{
		"group":                {"export/Trip/chat.md", group, true, 1},
		"group without them":   {"export/Trip/chat.md", group, false, 0},
		"chat of two":          {"export/Aya/chat.md", direct, true, 0},
		"group, opened alone":  {"chat.md", group, false, 0},
		"their own chat":       {"export/Me/chat.md", direct, true, 1},
		"their chat, numbered": {"export/Me2/chat.md", direct, true, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{tc.path: tc.text}
			if tc.others {
				files["export/Me/chat.md"] = direct
			}
			result := sourcetest.Read(t, Markdown{}, sourcetest.Fixture{Files: files, Path: tc.path, Container: "Trip"})
			if len(result.Notes) != tc.want {
				t.Errorf("notes %q, want %d", result.Notes, tc.want)
			}
		})
	}
}
