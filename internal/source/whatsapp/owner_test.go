package whatsapp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/source"
)

func TestOwner(t *testing.T) {
	t.Parallel()
	two := []string{"0 Ana: a", "1 Ben: b"}
	for _, tt := range []struct {
		name, path string
		lines      []string
		me         []string
		want       []string
		note       string
		// needs are the choices offered, nil when nobody is asked.
		needs []string
	}{
		{"chat of two with a title", "WhatsApp Chat with Ana.txt", two, nil,
			[]string{"in text Ana: a", "out text Ben: b"}, `"Ben", is taken for you`, nil},
		{"chat of two with another title", clubFile, two, nil,
			[]string{"in text Ana: a", "in text Ben: b"}, "nobody is taken for you", []string{"Ana", "Ben"}},
		{"given", clubFile, two, []string{"ben"}, []string{"in text Ana: a", "out text Ben: b"}, "", []string{"Ana", "Ben"}},
		{"given against the title", "WhatsApp Chat with Ana.txt", two, []string{"Ana"}, []string{"out text Ana: a", "in text Ben: b"}, "", nil},
		{"given, one of several names", clubFile, two, []string{"Benjamin", "+49 1", "Ben"}, []string{"in text Ana: a", "out text Ben: b"}, "", []string{"Ana", "Ben"}},
		{"given, but not there", clubFile, two, []string{"Carl"}, []string{"in text Ana: a", "in text Ben: b"}, "none of the names given", []string{"Ana", "Ben"}},
		{"given, but not there, in a chat of two with a title", "WhatsApp Chat with Ana.txt", two, []string{"Carl"},
			[]string{"in text Ana: a", "out text Ben: b"}, `"Ben", is taken for you`, nil},
		{"a contact called Me", "WhatsApp Chat with Ana.txt", []string{"0 Ana: a", "1 Me: b", "2 Carl: c", "3 Me: d", "4 Carl: e"}, nil,
			[]string{"in text Ana: a", "in text Me: b", "in text Carl: c", "in text Me: d", "in text Carl: e"}, "nobody is taken for you", []string{"Me", "Carl", "Ana"}},
		{"one sender", "WhatsApp Chat with Ana.txt", []string{"0 Ana: a"}, nil, []string{"in text Ana: a"}, "nobody is taken for you", []string{"Ana"}},
		{"a group of two", "WhatsApp Chat with Ana.txt", []string{"0 You created group \"Ana\"", "0 Ana: a", "1 Ben: b"}, nil,
			[]string{"system notice: You created group \"Ana\"", "in text Ana: a", "in text Ben: b"}, "nobody is taken for you", []string{"Ana", "Ben"}},
		{"you in a notice is no name", clubFile, []string{"0 You: changed the subject", "1 Ben: b"}, nil,
			[]string{"in text You: changed the subject", "in text Ben: b"}, "nobody is taken for you", []string{"You", "Ben"}},
		{"a number with no-break spaces", "WhatsApp Chat with +49 151 0000 0001.txt",
			[]string{"0 \u202a+49" + nbsp + "151" + nbsp + "0000" + nbsp + "0001\u202c: a", "1 Ben: b"}, nil,
			[]string{"in text +49 151 0000 0001: a", "out text Ben: b"}, `"Ben", is taken for you`, nil},
		{"marks around a name", "WhatsApp Chat with Ana.txt", []string{"0 " + lrm + "Ana: a", "1 Ana: b", "2 Ben: c"}, nil,
			[]string{"in text Ana: a", "in text Ana: b", "out text Ben: c"}, `"Ben", is taken for you`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			text := chatOf(tt.lines...)
			got := readChatFile(t, tt.path, text, tt.me...)
			if diff := cmp.Diff(tt.want, outline(got)); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
			if tt.note == "" && noted(got, "taken for you") != "" || noted(got, tt.note) == "" && tt.note != "" {
				t.Errorf("notes %q, want %q", got.Notes, tt.note)
			}
			var choices []string
			for _, need := range recognizeFile(t, ChatText{}, tt.path, "", text).Needs {
				if need.What == source.NeedOwner {
					choices = need.Choices
				}
			}
			if diff := cmp.Diff(tt.needs, choices); diff != "" {
				t.Errorf("choices (-want +got):\n%s", diff)
			}
		})
	}
}

// TestOwnerHint: a text that says "you" hints at the owner and settles nothing.
func TestOwnerHint(t *testing.T) {
	t.Parallel()
	text := "[13/01/2024, 09:00:00] Ana: a\r\n[13/01/2024, 09:01:00] Ben: " + lrm + "You deleted this message.\r\n[13/01/2024, 09:02:00] Carl: c\r\n"
	r := recognizeFile(t, ChatText{}, "_chat.txt", "WhatsApp Chat - Club.zip", text)
	if need := r.Needs[0]; need.What != source.NeedOwner || !strings.Contains(need.Why, `"Ben"`) {
		t.Errorf("need %+v, want one for the owner that names Ben", need)
	}
}

func TestTitles(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, path, container, want string }{
		{"english", "WhatsApp Chat with Ana Prado.txt", "Download", "Ana Prado"},
		{"second download", "WhatsApp Chat with Ana Prado (1).txt", "Download", "Ana Prado"},
		{"second download of a zip", "_chat.txt", "WhatsApp Chat - Ana Prado (12).zip", "Ana Prado"},
		{"zip of a zip's name", "_chat.txt", "WhatsApp Chat - Ana Prado.zip", "Ana Prado"},
		{"folder in a container", "WhatsApp Chat - Ana Prado/_chat.txt", "Backup", "Ana Prado"},
		{"folder before container", "WhatsApp Chat - Ana Prado/_chat.txt", "WhatsApp Chat - Ben.zip", "Ana Prado"},
		{"german", "WhatsApp Chat mit Ana Prado.txt", "", "Ana Prado"},
		{"german zip", "_chat.txt", "WhatsApp-Chat - Ana Prado.zip", "Ana Prado"},
		{"spanish", "Chat de WhatsApp con Ana Prado.txt", "", "Ana Prado"},
		{"portuguese", "Conversa do WhatsApp com Ana Prado.txt", "", "Ana Prado"},
		{"french", "Discussion WhatsApp avec Ana Prado.txt", "", "Ana Prado"},
		{"italian", "Chat WhatsApp con Ana Prado.txt", "", "Ana Prado"},
		{"dutch", "WhatsApp-chat met Ana Prado.txt", "", "Ana Prado"},
		{"russian", "Чат WhatsApp с контактом Ana Prado.txt", "", "Ana Prado"},
		{"turkish", "Ana Prado ile WhatsApp Sohbeti.txt", "", "Ana Prado"},
		{"arabic", "محادثة واتساب مع Ana Prado.txt", "", "Ana Prado"},
		{"hindi", "Ana Prado के साथ WhatsApp चैट.txt", "", "Ana Prado"},
		{"japanese", "Ana PradoとのWhatsAppトーク.txt", "", "Ana Prado"},
		{"file before zip", "WhatsApp Chat with Ana Prado.txt", "WhatsApp Chat - Ben.zip", "Ana Prado"},
		{"accents composed and not", "WhatsApp Chat with Zoe\u0308.txt", "", "Zoë"},
		{"invisible marks", "WhatsApp Chat with \u202a+49" + nbsp + "151\u202c.txt", "", "+49 151"},
		{"own file name", "trail.txt", "Download", "trail"},
		{"own folder name", "trail/_chat.txt", "Download", "trail"},
		{"container's name", "_chat.txt", "trail.zip", "trail"},
		{"nothing to go by", "_chat.txt", ".", "_chat"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := chatTitle(source.Candidate{Path: tt.path, Container: tt.container}, "")
			if got.text != tt.want {
				t.Errorf("title %q, want %q", got.text, tt.want)
			}
		})
	}
}

// TestTitleOfNotice: without a telling name, the author of the encryption
// notice is the title, on iPhones and on phones that do not mark texts.
func TestTitleOfNotice(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"marked":     "[13/01/2024, 09:00:00] Club: " + lrm + "Los mensajes y las llamadas están cifrados de extremo a extremo.\n[13/01/2024, 09:01:00] Ana: a\n",
		"not marked": "[14.06.2018 12:52:43] Club: Mesajlar ve aramalar uçtan uca şifrelidir.\n[14.06.2018 12:52:44] Ana: a\n",
	} {
		got := readChatFile(t, "backup/_chat.txt", text)
		c, first := got.Conversations[0], got.Messages()[0]
		if c.Key != "Club" || first.Kind.String() != "notice" || first.Direction.String() != "system" || !first.Sender.IsZero() {
			t.Errorf("%s: chat %q, first message %s", name, c.Key, outline(got)[0])
		}
	}
	got := readChatFile(t, "backup/_chat.txt", "[13/01/2024, 09:00:00] Ana: is this thing end-to-end encrypted, or can anybody read along?\n")
	if c := got.Conversations[0]; c.Key != "backup" || got.Messages()[0].Kind.String() != "text" {
		t.Errorf("a question is taken for the notice: chat %q, %q", c.Key, outline(got))
	}
}

// TestGroupOfTwoOnIPhone: an author of notices who bears the chat's title and
// is neither of the two who write is the group.
func TestGroupOfTwoOnIPhone(t *testing.T) {
	t.Parallel()
	got := readChatFile(t, "backup/_chat.txt", "[13/01/2024, 09:00:00] Club: "+lrm+"Messages and calls are end-to-end encrypted.\r\n"+
		"[13/01/2024, 09:01:00] Ana: a\r\n[13/01/2024, 09:02:00] Ben: b\r\n")
	if c := got.Conversations[0]; c.Key != "Club" || c.Kind.String() != "group" || noted(got, "nobody is taken for you") == "" {
		t.Errorf("%s %q, notes %q", c.Kind, c.Key, got.Notes)
	}
}

func TestColonNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, path string
		lines      []string
		want       []string
	}{
		{"frequent", clubFile, []string{"0 Dr: Who: a", "1 Dr: Who: b", "2 Dr: Who: c"}, []string{"Dr: Who", "Dr: Who", "Dr: Who"}},
		{"two with one beginning", clubFile, []string{"0 Dr: Who: a", "1 Dr: No: b", "2 Dr: Who: c", "3 Dr: No: d", "4 Dr: Who: e", "5 Dr: No: f"},
			[]string{"Dr: Who", "Dr: No", "Dr: Who", "Dr: No", "Dr: Who", "Dr: No"}},
		{"not frequent enough", clubFile, []string{"0 Dr: Who: a", "1 Dr: Who: b"}, []string{"Dr", "Dr"}},
		{"a habit of one sender", clubFile, []string{"0 Dr: PS: a", "1 Dr: PS: b", "2 Dr: PS: c", "3 Dr: d"}, []string{"Dr", "Dr", "Dr", "Dr"}},
		{"known by the title", "WhatsApp Chat with Dr: Who.txt", []string{"0 Dr: Who: a", "1 Ana: b"}, []string{"Dr: Who", "Ana"}},
		{"marks around the name", clubFile, []string{"0 " + lrm + "Ana: a", "1 Ana: b", "2 \u202aAna\u202c: c"}, []string{"Ana", "Ana", "Ana"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := readChatFile(t, tt.path, chatOf(tt.lines...))
			var senders []string
			for _, m := range got.Messages() {
				senders = append(senders, m.Sender.ID)
			}
			if diff := cmp.Diff(tt.want, senders); diff != "" {
				t.Errorf("senders (-want +got):\n%s", diff)
			}
		})
	}
}
