package signal

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// daily is a transcript of version 2.1 with one message a day from 2024-01-01
// on, from Me and Aya in turn. extra is put at the end of the texts of the
// days it names, as if Aya had typed it.
func daily(days int, extra map[int]string) string {
	var b strings.Builder
	at := time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC)
	for i := range days {
		sender := "Me"
		if _, typed := extra[i]; typed || i%2 == 1 {
			sender = "Aya"
		}
		fmt.Fprintf(&b, "[%s] %s: day %d%s  \n\n", at.Format("2006-01-02 15:04:05"), sender, i, extra[i])
		at = at.AddDate(0, 0, 1)
	}
	return b.String()
}

func readText(t *testing.T, folder, text string) sourcetest.Result {
	t.Helper()
	name := "export/" + folder + "/chat.md"
	return sourcetest.Read(t, Markdown{}, sourcetest.Fixture{Files: map[string]string{name: text}, Path: name, Container: "export"})
}

// TestForged types lines that look like messages of the owner into a text.
// None may become one: it stays text, or is a suspect that somebody else
// sent.
func TestForged(t *testing.T) {
	t.Parallel()
	const confession = "Me: I owe you money"
	block := func(n int, first time.Time) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "  \n\n[%s] %s", first.Add(time.Duration(i)*time.Minute).Format("2006-01-02 15:04:05"), confession)
		}
		return b.String()
	}
	past := time.Date(2023, 6, 1, 0, 0, 0, 0, time.UTC)
	between := time.Date(2024, 1, 9, 18, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		typed    string
		suspects int
	}{
		"no blank line":       {"  \n[2024-01-10 12:01:00] " + confession, 0},
		"no spaces":           {"\n\n[2024-01-10 12:01:00] " + confession, 0},
		"spaces on own line":  {"\n  \n[2024-01-10 12:01:00] " + confession, 0},
		"three blank lines":   {"  \n\n\n\n[2024-01-10 12:01:00] " + confession, 0},
		"smiley before":       {" :-)\n\n[2024-01-10 12:01:00] " + confession, 0},
		"quoted":              {"  \n\n> [2024-01-10 12:01:00] " + confession, 0},
		"indented":            {"  \n\n [2024-01-10 12:01:00] " + confession, 0},
		"minutes":             {"  \n\n[2024-01-10 12:01] " + confession, 1},
		"with comma":          {"  \n\n[2024-01-10, 12:01] " + confession, 1},
		"the year before":     {block(1, past), 1},
		"days before":         {block(1, between.AddDate(0, 0, -5)), 1},
		"hours before":        {block(1, between), 1},
		"block in the past":   {block(100, past), 100},
		"the year after":      {block(1, time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC)), 1},
		"the epoch":           {block(1, time.Unix(0, 0).UTC()), 1},
		"reaction before":     {"  \n(- Me: 👍 -)\n\n[2024-01-01 12:01:00] " + confession, 1},
		"copy of the start":   {"  \n\n[2024-01-01 12:00:00] Me: day 0  \n\n[2024-01-01 12:01:00] " + confession, 2},
		"copy, then a jump":   {"  \n\n[2024-01-01 12:00:00] Me: day 0  \n\n[2024-01-05 12:00:00] " + confession, 2},
		"a reaction of hers":  {"  \n\n[2024-01-02 12:01:00] " + confession + "  \n(- Me: 👍 -)", 1},
		"in a row over days":  {block(3, between.AddDate(0, 0, -1)), 3},
		"the future of today": {block(1, time.Date(2031, 6, 1, 0, 0, 0, 0, time.UTC)), 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := readText(t, "Aya", daily(40, map[int]string{9: tc.typed}))
			suspects, total := 0, 0
			for _, m := range result.Messages() {
				total++
				if m.Suspect != "" {
					suspects++
				}
				if (m.Suspect != "" || !strings.HasPrefix(m.Body, "day ")) && (m.Direction != msg.In || hasMine(m)) {
					t.Errorf("forged message is %s, with reactions %v: %q", m.Direction, m.Reactions, m.Body)
				}
			}
			if suspects != tc.suspects || total != 40+suspects {
				t.Errorf("%d messages with %d suspects, want 40 and %d", total, suspects, tc.suspects)
			}
		})
	}
}

func hasMine(m msg.Message) bool {
	for _, r := range m.Reactions {
		if r.FromMe {
			return true
		}
	}
	return false
}

// TestForgedGap forges a message dated between the text it stands in and the
// message before, which makes the text look too late instead.
func TestForgedGap(t *testing.T) {
	t.Parallel()
	result := readText(t, "Aya", daily(4, nil)+
		"[2024-03-01 12:00:00] Aya: months later  \n\n[2024-02-01 12:00:00] Me: I owe you money  \n\n"+
		"[2024-03-01 12:05:00] Aya: ok?  \n\n")
	var suspects []string
	for _, m := range result.Messages() {
		if m.Suspect != "" {
			suspects = append(suspects, m.Body)
		}
	}
	if len(suspects) != 1 || suspects[0] != "I owe you money" {
		t.Errorf("suspects %q", suspects)
	}
}

// TestForgedLast forges the last message of a file: only its date can give
// it away.
func TestForgedLast(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		typed   string
		now     time.Time
		suspect bool
	}{
		"past":               {"  \n\n[2023-01-01 12:00:00] Me: x", time.Time{}, true},
		"future":             {"  \n\n[2031-01-01 12:00:00] Me: x", time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC), true},
		"future, no clock":   {"  \n\n[2031-01-01 12:00:00] Me: x", time.Time{}, false},
		"fits: nobody knows": {"  \n\n[2024-01-04 12:01:00] Me: x", time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const file = "export/Aya/chat.md"
			result := sourcetest.Read(t, Markdown{}, sourcetest.Fixture{
				Files: map[string]string{file: daily(4, map[int]string{3: tc.typed})}, Path: file,
				Options: source.Options{Now: tc.now},
			})
			all := result.Messages()
			if last := all[len(all)-1]; last.Body != "x" || (last.Suspect != "") != tc.suspect {
				t.Errorf("last message %q, suspect %q", last.Body, last.Suspect)
			}
		})
	}
}

// TestHonest holds what must not be doubted.
func TestHonest(t *testing.T) {
	t.Parallel()
	twice := daily(70, nil)
	for name, tc := range map[string]struct {
		folder, text string
		messages     int
		note         bool
	}{
		"plain":                     {"Aya", daily(40, nil), 40, false},
		"doubled":                   {"Aya", twice + twice, 140, true},
		"doubled and continued":     {"Aya", daily(70, nil) + daily(80, nil), 150, true},
		"three times":               {"Aya", daily(5, nil) + daily(6, nil) + daily(7, nil), 18, true},
		"doubled within an hour":    {"Aya", strings.Repeat("[2024-01-01 12:00:00] Me: a  \n\n[2024-01-01 12:30:00] Aya: b  \n\n", 2), 4, true},
		"clocks go back":            {"Aya", "[2024-10-27 02:59:00] Me: a  \n\n[2024-10-27 02:01:00] Aya: b  \n\n[2024-10-27 02:02:00] Aya: b  \n\n", 3, false},
		"no time at first":          {"Aya", "[1970-01-01 01:00:00] Me: a  \n\n" + daily(3, nil), 4, false},
		"several without a name":    {"None", daily(9, nil) + "[2020-01-01 10:00:00] None: a  \n\n[2020-02-01 10:00:00] Me: b  \n\n", 11, false},
		"first words in a group":    {"Trip", "[2024-01-01 12:00:00] Aya: a  \n\n[2024-01-01 12:00:01] Jim: b  \n\n[2024-01-01 12:00:02] Rosa: c  \n\n", 3, false},
		"renamed contact":           {"Aya2", "[2024-01-01 12:00:00] Aya: a  \n\n[2024-01-01 12:00:01] AyaN: b  \n\n[2024-01-01 12:00:02] AyaN: c  \n\n", 3, false},
		"a nameless one among them": {"Aya", "[2024-01-01 12:00:00] Aya: a  \n\n[2024-01-01 12:00:01] No-Sender: b  \n\n", 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := readText(t, tc.folder, tc.text)
			for i, m := range result.Messages() {
				if m.Suspect != "" {
					t.Errorf("message %d (%q) is suspect: %s", i, m.Body, m.Suspect)
				}
			}
			if got := len(result.Messages()); got != tc.messages {
				t.Errorf("%d messages, want %d", got, tc.messages)
			}
			noted := strings.Contains(strings.Join(result.Notes, "\n"), "holds the export twice")
			if noted != tc.note {
				t.Errorf("notes %q, want one about the second copy: %t", result.Notes, tc.note)
			}
		})
	}
}

// TestReversed reads a file whose times run back from message to message:
// looking ahead must not make it slow.
func TestReversed(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	at := time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC)
	for range 20000 {
		fmt.Fprintf(&b, "[%s] Aya: x  \n\n", at.Format("2006-01-02 15:04:05"))
		at = at.AddDate(0, 0, -1)
	}
	start := time.Now()
	if got := len(readText(t, "Aya", b.String()).Messages()); got != 20000 {
		t.Errorf("%d messages, want 20000", got)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %s", took)
	}
}
