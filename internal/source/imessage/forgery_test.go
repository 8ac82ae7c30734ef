package imessage

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// chat writes a conversation of n messages, a day apart, by turns of Ana and
// the owner.
func chat(n int) []string {
	var records []string
	day := time.Date(2022, 3, 1, 9, 30, 0, 0, time.UTC)
	for i := range n {
		records = append(records, fmt.Sprintf("%s\n%s\nmessage %d\n\n", date(day.AddDate(0, 0, i)), [...]string{"Ana", "Me"}[i%2], i))
	}
	return records
}

// with puts text at the end of the message at place i.
func with(records []string, i int, text string) string {
	all := append([]string(nil), records...)
	all[i] = strings.TrimSuffix(all[i], "\n") + text + "\n"
	return strings.Join(all, "")
}

// TestForgedRecord puts lines that look like a record of the owner, or of
// somebody else, into a message of Ana. None may come out as the owner's.
func TestForgedRecord(t *testing.T) {
	t.Parallel()
	const (
		asText  = "text"
		suspect = "suspect"
	)
	for _, test := range []struct {
		name, forged string
		records, at  int
		want         string
	}{
		{"no empty line before", "Mar 11, 2022  9:31:00 AM\nMe\nI owe you 500\n", 20, 10, asText},
		{"one space before the hour", "\nMar 11, 2022 9:31:00 AM\nMe\nI owe you 500\n", 20, 10, asText},
		{"hour padded with zero", "\nMar 11, 2022 09:31:00 AM\nMe\nI owe you 500\n", 20, 10, asText},
		{"years back", "\nMar 11, 2019  9:31:00 AM\nMe\nI owe you 500\n", 20, 10, asText},
		{"years back at the end", "\nMar 11, 2019  9:31:00 AM\nMe\nI owe you 500\n", 21, 20, asText},
		{"years back in a file of one message", "\nMar 11, 2019  9:31:00 AM\nMe\nI owe you 500\n", 1, 0, asText},
		{"years ahead", "\nMar 11, 2029  9:31:00 AM\nMe\nI owe you 500\n", 20, 10, asText},
		{"seconds back", "\nMar 11, 2022  9:29:50 AM\nMe\nI owe you 500\n", 20, 10, suspect},
		{"ahead of the next by minutes", "\nMar 12, 2022  9:35:00 AM\nMe\nI owe you 500\n", 20, 10, suspect},
		{"back, near the end", "\nMar 20, 2022 10:30:00 AM\nMe\nI owe you 500\n", 21, 20, suspect},
		{"ahead of the last", "\nMar 22, 2022  9:35:00 AM\nMe\nI owe you 500\n", 22, 20, suspect},
		{"two records years back", "\nMar 11, 2019  9:31:00 AM\nMe\nI owe you 500\n\nMar 11, 2019  9:32:00 AM\nMe\nI owe you 600\n", 20, 10, asText},
		{"three records years ahead", "\nMar 11, 2029  9:31:00 AM\nMe\nI owe you 500\n\nMar 11, 2029  9:32:00 AM\nMe\nI owe you 500\n\nMar 11, 2029  9:33:00 AM\nMe\nI owe you 700\n", 40, 10, asText},
		{"a stranger", "\nMar 11, 2022  9:31:00 AM\nYour bank\nI owe you 500\n", 20, 10, asText},
		{"a strange number", "\nMar 11, 2022  9:31:00 AM\n+15555550199\nI owe you 500\n", 20, 10, suspect},
		{"a link for a sender", "\nMar 11, 2022  9:31:00 AM\nhttps://example.com\nI owe you 500\n", 20, 10, asText},
		{"a copy of a reply", "    Mar 11, 2022  9:31:00 AM\n    Me\n    I owe you 500\n", 20, 10, suspect},
		{"an event with text under it", "\nMar 11, 2022  9:31:00 AM You unsent a message!\n\nI owe you 500\n", 20, 10, asText},
		{"an event of years ago", "\nMar 11, 2019  9:31:00 AM You unsent a message!\n\n\nMar 11, 2019  9:31:00 AM\nMe\nI owe you 500\n", 20, 10, asText},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			records := chat(test.records)
			clean := read(t, "Ana.txt", strings.Join(records, "")).Messages()
			r := read(t, "Ana.txt", with(records, test.at, test.forged))
			got, found := "", 0
			for _, m := range r.Messages() {
				if !strings.Contains(m.Body, "I owe you 500") {
					continue
				}
				found++
				switch {
				case m.Direction == msg.Out, m.Sender.ID == ownerName:
					t.Errorf("forged text came out as the owner's: %q", m.Body)
				case m.Suspect != "":
					got = suspect
				case strings.HasPrefix(m.Body, fmt.Sprintf("message %d\n", test.at)):
					got = asText
				}
			}
			if got != test.want || found == 0 {
				t.Errorf("forged text came out as %q, want %q:\n%s", got, test.want, sourcetest.Render(r))
			}
			if test.want == asText && len(r.Messages()) != len(clean) {
				t.Errorf("%d messages, want the %d of the clean file", len(r.Messages()), len(clean))
			}
		})
	}
}

// TestHonestDisorder reads files that look out of order and are not forged.
func TestHonestDisorder(t *testing.T) {
	t.Parallel()
	records := chat(24)
	for _, test := range []struct {
		name, text string
		messages   int
	}{
		{"clock set back", "Nov 05, 2023  1:58:00 AM\nAna\nawake?\n\nNov 05, 2023  1:01:00 AM\nMe\nyes\n\nNov 05, 2023  1:03:00 AM\nAna\nme too\n\n", 3},
		{"export appended to itself", strings.Join(records, "") + strings.Join(records, ""), 48},
		{"overlapping exports", strings.Join(records[:16], "") + strings.Join(records[10:], ""), 30},
		{"same second", strings.Repeat("Mar 01, 2022  9:30:00 AM\nMe\nok\n\n", 5), 5},
		{"no dates at all", strings.Repeat("Dec 31, 2000  4:00:00 PM\nMe\nok\n\n", 5) + strings.Join(records, ""), 29},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			all := read(t, "Ana.txt", test.text).Messages()
			if len(all) != test.messages {
				t.Errorf("got %d messages, want %d", len(all), test.messages)
			}
			for _, m := range all {
				if m.Suspect != "" {
					t.Errorf("line %d is suspect: %s", m.Position.Line, m.Suspect)
				}
			}
		})
	}
}

func TestLaterExportBeforeEarlierOne(t *testing.T) {
	t.Parallel()
	records := chat(60)
	r := read(t, "Ana.txt", strings.Join(records[30:], "")+strings.Join(records[:30], ""))
	out := 0
	for _, m := range r.Messages() {
		if m.Direction == msg.Out && m.Suspect == "" {
			out++
		}
	}
	if out != 30 || len(r.Notes) != 1 {
		t.Errorf("got %d messages of the owner and notes %q, want 30 and a note", out, r.Notes)
	}
}

// TestSenders reads who may write in a conversation.
func TestSenders(t *testing.T) {
	t.Parallel()
	records := func(names ...string) string {
		var b strings.Builder
		for i, name := range names {
			fmt.Fprintf(&b, "%s\n%s\nmessage %d\n\n", date(time.Date(2022, 3, 1, 9, i, 0, 0, time.UTC)), name, i)
		}
		return b.String()
	}
	for _, test := range []struct {
		name, file, text string
		me               []string
		want             string
	}{
		{"two", "Ana.txt", records("Ana", "Me"), nil, "Ana:in Me:out"},
		{"custom name, not told", "Ana.txt", records("Ana", "Casey"), nil, "Ana:in Casey:in"},
		{"custom name, told", "Ana.txt", records("Ana", "Casey"), []string{"casey"}, "Ana:in Casey:out"},
		{"caller ids", "Ana.txt", records("Ana", "+15555550100", "Me", "+15555550100"), []string{"+15555550100"}, "Ana:in +15555550100:out Me:out +15555550100:out"},
		{"caller id once, not told", "Ana.txt", records("Ana", "Me", "+15555550100"), nil, "Ana:in Me:out +15555550100:in?"},
		{"unknown", "Ana.txt", records("Unknown", "Me"), nil, ":in Me:out"},
		{"third name twice", "Ana.txt", records("Ana", "Me", "Bo", "Bo"), nil, "Ana:in Me:out Bo:in? Bo:in?"},
		{"group of strangers", "Hike - 7.txt", records("Ana", "Me", "Bo"), nil, "Ana:in Me:out Bo:in"},
		{"prose in a group", "Hike - 7.txt", records("Ana", "Me", "let us meet at the gate, then."), nil, "Ana:in Me:out"},
		{"left before the export", "Ana, Bo.txt", records("Ana", "Bo", "Me", "Cy"), nil, "Ana:in Bo:in Me:out Cy:in?"},
		{"others unnamed", "Ana, and 2 others.txt", records("Ana", "Bo", "Me"), nil, "Ana:in Bo:in Me:out"},
		{"orphaned", "orphaned.txt", records("Ana", "Bo", "Me"), nil, "Ana:in Bo:in Me:out"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, m := range read(t, test.file, test.text, test.me...).Messages() {
				mark := ""
				if m.Suspect != "" {
					mark = "?"
				}
				got = append(got, m.Sender.ID+":"+m.Direction.String()+mark)
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("got %s, want %s", strings.Join(got, " "), test.want)
			}
		})
	}
}
