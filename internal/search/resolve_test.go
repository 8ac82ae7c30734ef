package search

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// people are chats in which names repeat, resemble and contain each other.
func people() []chat {
	at := time.Date(2024, 1, 1, 8, 0, 0, 0, time.UTC)
	list := []chat{
		newChat(msg.Signal, "Ana Silva", at, "Ana Silva: hello", "me: hello"),
		newChat(msg.Signal, "Book club*", at, "Ana Silva: chapter one", "Björn Åkerlund: chapter two", "李小龙: 三"),
		newChat(msg.WhatsApp, "Ana Silva", at, "Ana Silva: on the other app"),
		newChat(msg.WhatsApp, "Book swap*", at, "Mariana: who has one", "12: a number for a name", "me: I do", "Me: not the owner"),
		newChat(msg.Telegram, "2", at, "Joe: a name like an id"),
		newChat(msg.Telegram, "北京手机", at, "李小龙: 你好"),
	}
	number := list[4].messages
	number = append(number, message("+15550100123", at.Add(time.Hour), "from a telephone"))
	number[len(number)-1].Sender = msg.Handle{ID: "+15550100123", Name: "Plumber", Kind: msg.HandlePhone}
	number = append(number, message("plum", at.Add(2*time.Hour), "the same person elsewhere"))
	number[len(number)-1].Sender = msg.Handle{ID: "+1 555 0100 123", Name: "Plum Man", Kind: msg.HandlePhone}
	list[4].messages = number
	return list
}

func TestConversation(t *testing.T) {
	t.Parallel()
	r := newArchive(t, people()...).reader(t)
	for _, test := range []struct {
		name, text, want string
		source           msg.Source
	}{
		{"exact name", "Book club", "Book club", msg.Signal},
		{"other case", "book CLUB", "Book club", msg.Signal},
		{"white space", "  Book club ", "Book club", msg.Signal},
		{"part of one name", "swap", "Book swap", msg.WhatsApp},
		{"part in another script", "北京", "北京手机", msg.Telegram},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := Conversation(t.Context(), r, test.text)
			if err != nil || got.Name != test.want || got.Source != test.source {
				t.Errorf("Conversation(%q) = %+v, %v; want %s of %s", test.text, got, err, test.want, test.source)
			}
		})
	}
	t.Run("id", func(t *testing.T) {
		t.Parallel()
		for _, text := range []string{"4", "c4", " 4 "} {
			if got, err := Conversation(t.Context(), r, text); err != nil || got.ID != 4 {
				t.Errorf("Conversation(%q) = %+v, %v; want the one with the id 4", text, got, err)
			}
		}
	})
}

func TestConversationRefuses(t *testing.T) {
	t.Parallel()
	r := newArchive(t, people()...).reader(t)
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"several with one name", "Ana Silva", []string{"2 conversations match", `"Ana Silva" (signal, direct)`, `"Ana Silva" (whatsapp, direct)`, "pass the id of one"}},
		{"several with one part", "book", []string{"2 conversations match", `"Book club" (signal, group)`, `"Book swap" (whatsapp, group)`}},
		{"misspelled", "Bok club", []string{`no conversation matches "Bok club"; the closest are`, `"Book club" (signal, group)`}},
		{"id that is none", "99", []string{`no conversation matches "99"`}},
		{"number with a sign", "+4", []string{`no conversation matches "+4"`}},
		{"nothing", "", []string{"no conversation matches"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := Conversation(t.Context(), r, test.text)
			if err == nil {
				t.Fatalf("Conversation(%q) = %+v, want an error", test.text, got)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("Conversation(%q) gives %q, want it to hold %q", test.text, err, want)
				}
			}
			if n := strings.Count(err.Error(), " ("); n > suggestions {
				t.Errorf("%q lists %d conversations", err, n)
			}
		})
	}
}

// labels returns the labels of handles, sorted.
func labels(t *testing.T, r *store.Reader, handles []int64) []string {
	t.Helper()
	list := []string{}
	for _, h := range handles {
		p, err := r.Person(context.Background(), h)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p.Label+" of "+string(p.Source))
	}
	slices.Sort(list)
	return list
}

func TestSenders(t *testing.T) {
	t.Parallel()
	r := newArchive(t, people()...).reader(t)
	plumber := []string{"Plum Man of telegram", "Plumber of telegram"}
	for _, test := range []struct {
		name, text string
		want       []string
		owner      bool
	}{
		{"the owner", "Me", []string{}, true},
		{"the owner in small letters", " me ", []string{}, true},
		{"the owner by name", "Robin Owner", []string{"Robin Owner of signal", "Robin Owner of whatsapp"}, true},
		{"exact name in two sources", "Ana Silva", []string{"Ana Silva of signal", "Ana Silva of whatsapp"}, false},
		{"without accents", "bjorn akerlund", []string{"Björn Åkerlund of signal"}, false},
		{"part of one name", "åker", []string{"Björn Åkerlund of signal"}, false},
		{"part of one name in two sources", "silva", []string{"Ana Silva of signal", "Ana Silva of whatsapp"}, false},
		{"another script", "小龙", []string{"李小龙 of signal", "李小龙 of telegram"}, false},
		{"a name that is a number", "12", []string{"12 of whatsapp"}, false},
		{"handle", "+15550100123", plumber, false},
		{"handle as people write it", "+1 (555) 010-0123", plumber, false},
		{"handle without its country", "555 0100123", plumber, false},
		{"one name of a person with two", "Plumber", plumber, false},
		{"a part that only one person's names have", "plum", plumber, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			handles, owner, err := Senders(t.Context(), r, test.text)
			if err != nil || owner != test.owner {
				t.Fatalf("Senders(%q): owner %v, error %v; want owner %v", test.text, owner, err, test.owner)
			}
			if diff := cmp.Diff(test.want, labels(t, r, handles)); diff != "" {
				t.Errorf("Senders(%q) (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

func TestSendersRefuses(t *testing.T) {
	t.Parallel()
	r := newArchive(t, people()...).reader(t)
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"part of several people's names", "ana", []string{"senders match", `"Ana Silva"`, `"Mariana"`, "use the whole name"}},
		{"misspelled", "Anna Silva", []string{`no sender matches "Anna Silva"; the closest are "Ana Silva"`, "Me for the owner"}},
		{"nobody", "xyz", []string{`no sender matches "xyz"`}},
		{"nothing", "", []string{"no sender matches"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			handles, _, err := Senders(t.Context(), r, test.text)
			if err == nil {
				t.Fatalf("Senders(%q) = %q, want an error", test.text, labels(t, r, handles))
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("Senders(%q) gives %q, want it to hold %q", test.text, err, want)
				}
			}
			if n := strings.Count(err.Error(), `"`); n > 2*(suggestions+1) {
				t.Errorf("%q names more than %d people", err, suggestions)
			}
		})
	}
}

// TestSenderWhoCallsThemselvesMe is not the owner.
func TestSenderWhoCallsThemselvesMe(t *testing.T) {
	t.Parallel()
	s := searcherOf(t, people()...)
	for text, want := range map[string][]string{"from:Me one": nil, "is:me do": {"I do"}, "from:whatsapp:Me owner": {"not the owner"}} {
		got := find(t, s, Query{Text: text})
		if diff := cmp.Diff(want, slices.Clip(append([]string(nil), bodies(got.Hits)...))); diff != "" {
			t.Errorf("%s finds (-want +got):\n%s", text, diff)
		}
	}
}

func TestSource(t *testing.T) {
	t.Parallel()
	r := newArchive(t, people()...).reader(t)
	for text, want := range map[string]msg.Source{"signal": msg.Signal, " WhatsApp ": msg.WhatsApp} {
		if got, err := Source(t.Context(), r, text); err != nil || got != want {
			t.Errorf("Source(%q) = %q, %v; want %q", text, got, err, want)
		}
	}
	if _, err := Source(t.Context(), r, "sms"); err == nil || err.Error() != `no source "sms"; the archive has signal, telegram, whatsapp` {
		t.Errorf("Source of another name gives %v", err)
	}
}

func TestResolveInEmptyArchive(t *testing.T) {
	t.Parallel()
	r := newArchive(t).reader(t)
	_, conversation := Conversation(t.Context(), r, "x")
	_, _, senders := Senders(t.Context(), r, "x")
	_, source := Source(t.Context(), r, "x")
	for want, err := range map[string]error{
		`no conversation matches "x"; import messages first: the archive holds none`: conversation, `no sender matches "x"; import messages first: the archive holds none`: senders,
		`no source "x"; import messages first: the archive is empty`: source,
	} {
		if err == nil || err.Error() != want {
			t.Errorf("error is %v, want %s", err, want)
		}
	}
	if _, owner, err := Senders(t.Context(), r, "me"); err != nil || !owner {
		t.Errorf("the owner is not known: %v", err)
	}
}

func TestClosest(t *testing.T) {
	t.Parallel()
	names := []string{"Book club", "Book swap", "Ana Silva", "Family", "Familie", "Work", "北京手机", "Book club"}
	for _, test := range []struct{ name, text, want string }{
		{"a letter less", "Bok club", "Book club"},
		{"another ending", "familia", "Familie"},
		{"the same letters", "family!", "Family"},
		{"another script", "北京电话", "北京手机"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			at := closest(test.text, names)
			if len(at) != suggestions || names[at[0]] != test.want {
				t.Errorf("closest(%q) begins with %q and has %d names, want %q and %d", test.text, names[at[0]], len(at), test.want, suggestions)
			}
			for i := range at {
				for j := range i {
					if names[at[i]] == names[at[j]] {
						t.Errorf("closest(%q) lists %q twice", test.text, names[at[i]])
					}
				}
			}
		})
	}
}
