package whatsapp

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// chatOf writes an Android export out of "minutes sender: text" lines; the
// minutes count from a Saturday morning. A line without minutes stands as it
// is.
func chatOf(lines ...string) string {
	start := time.Date(2024, 1, 13, 9, 0, 0, 0, time.UTC)
	var b strings.Builder
	for _, line := range lines {
		var minutes int
		if n, _ := fmt.Sscanf(line, "%d ", &minutes); n == 1 {
			_, text, _ := strings.Cut(line, " ")
			line = start.Add(time.Duration(minutes)*time.Minute).Format("02/01/2006, 15:04") + " - " + text
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

const day = 24 * 60

// suspects are the texts of the suspect messages.
func suspects(messages []msg.Message) (texts []string) {
	for _, m := range messages {
		if m.Suspect != "" {
			texts = append(texts, m.Body)
		}
	}
	return texts
}

func TestSuspectTimes(t *testing.T) {
	t.Parallel()
	busy := func(from, n int) (lines []string) {
		for i := range n {
			lines = append(lines, fmt.Sprintf("%d %s: genuine", from+i*10, [...]string{"Ana", "Ben"}[i%2]))
		}
		return lines
	}
	for _, tt := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"in order", busy(0, 20), nil},
		{"late by an hour, as when clocks change", append(busy(600, 10), busy(640, 10)...), nil},
		{"late by five hours", []string{"0 Ana: a", "400 Ana: b", "100 Ben: late", "410 Ana: c"}, nil},
		{"an old line inside", append(append(busy(30*day, 10), "1 Ben: pasted"), busy(30*day+100, 10)...), []string{"pasted"}},
		{"a block of old lines inside", append(append(busy(30*day, 10), "1 Ben: p1", "2 Ana: p2", "3 Ben: p3"), busy(30*day+100, 10)...), []string{"p1", "p2", "p3"}},
		{"an old block longer than what is before it", append([]string{"43200 Ana: carrier", "1 Ben: p1", "2 Ana: p2", "3 Ben: p3"}, busy(30*day+100, 4)...), []string{"p1", "p2", "p3"}},
		{"an old block after the first line in days", append(append(busy(20*day, 10), "43200 Ana: carrier", "28811 Ben: p1", "28812 Ana: p2", "28813 Ben: p3", "28814 Ben: p4"),
			busy(30*day+100, 4)...), []string{"p1", "p2", "p3", "p4"}},
		{"an old line at the end", append(busy(30*day, 10), "1 Ben: pasted"), []string{"pasted"}},
		{"a line from the future", append(append(busy(0, 10), "900000 Ben: forged"), busy(100, 10)...), []string{"forged"}},
		{"a line from the future before a long rest", append(append(busy(0, 10), "900000 Ben: forged"), busy(100, 200)...), []string{"forged"}},
		{"a gap of years", append(busy(0, 10), busy(900*day, 10)...), nil},
		{"a second export after the first", append(busy(30*day, 100), busy(0, 100)...), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := readChatFile(t, "WhatsApp Chat with Ana.txt", chatOf(tt.lines...))
			if len(got.Messages()) != len(tt.lines) {
				t.Errorf("%d messages of %d lines", len(got.Messages()), len(tt.lines))
			}
			if diff := cmp.Diff(tt.want, suspects(got.Messages())); diff != "" {
				t.Errorf("suspect texts (-want +got):\n%s", diff)
			}
			for _, m := range got.Messages() {
				if want := m.Sender.ID == "Ben" && m.Suspect == ""; want != (m.Direction == msg.Out) {
					t.Errorf("%q by %s is %s", m.Body, m.Sender.ID, m.Direction)
				}
			}
			if (noted(got, "suspect") != "") != (len(tt.want) > 0) {
				t.Errorf("notes %q for suspects %q", got.Notes, tt.want)
			}
		})
	}
}

func TestRestartIsNoted(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 200 {
		lines = append(lines, fmt.Sprintf("%d Ana: x", 20*day-i/100*20*day+i))
	}
	got := readChatFile(t, clubFile, chatOf(lines...))
	if note := noted(got, "times start over"); !strings.Contains(note, "line 101") {
		t.Errorf("notes %q, want one on line 101", got.Notes)
	}
}

// TestSuspectNeverTheOwner: whatever the reason, a suspect line in the owner's
// name counts as received, and its words are not lost.
func TestSuspectNeverTheOwner(t *testing.T) {
	t.Parallel()
	f := chatFixtures(t)["forged"]
	got := readChatFile(t, f.Path, f.Files[f.Path], "Ben Okafor", "Mallory")
	found := map[string]bool{}
	for _, m := range got.Messages() {
		if m.Suspect != "" {
			found[m.Suspect] = true
			if m.Direction != msg.In {
				t.Errorf("%q (%s) is %s, want in", m.Body, m.Suspect, m.Direction)
			}
		}
	}
	for _, reason := range []suspicion{timeBack, timeAhead, otherDateStyle, thirdPerson, innerLineBreak} {
		if !found[reason.String()] {
			t.Errorf("no message is suspect because %s", reason)
		}
	}
}

func TestThirdPerson(t *testing.T) {
	t.Parallel()
	group := []string{"0 Ana: a", "1 Ben: b", "2 Ana: c", "3 Ben: d", "4 Mallory: once"}
	for _, tt := range []struct {
		name, path string
		lines      []string
		want       []string
		kind       msg.ConversationKind
	}{
		{"chat of two", "WhatsApp Chat with Ana.txt", group, []string{"once"}, msg.Direct},
		{"group by its name", clubFile, group, nil, msg.Group},
		{"group by a notice", "WhatsApp Chat with Ana.txt", append([]string{"0 Ben created group \"Ana\""}, group...), nil, msg.Group},
		{"third writes as much as the second", "WhatsApp Chat with Ana.txt", append(group, "5 Mallory: twice"), nil, msg.Group},
		{"title of the file's own", "Ana.txt", group, nil, msg.Group},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := readChatFile(t, tt.path, chatOf(tt.lines...))
			if diff := cmp.Diff(tt.want, suspects(got.Messages())); diff != "" {
				t.Errorf("suspect texts (-want +got):\n%s", diff)
			}
			if kind := got.Conversations[0].Kind; kind != tt.kind {
				t.Errorf("kind %s, want %s", kind, tt.kind)
			}
		})
	}
}

// TestFramesDoNotMix: a whole log pasted in another style stays text, however
// long it is.
func TestFramesDoNotMix(t *testing.T) {
	t.Parallel()
	lines := []string{"0 Ana: look:"}
	for i := range 500 {
		lines = append(lines, fmt.Sprintf("[14/01/2024, 10:%02d:00] Ben: forged %d", i%60, i))
	}
	lines = append(lines, "1 Ben: who wrote that?")
	got := readChatFile(t, "WhatsApp Chat with Ana.txt", chatOf(lines...))
	messages := got.Messages()
	if len(messages) != 2 || strings.Count(messages[0].Body, "\n") != 500 {
		t.Fatalf("%d messages, want 2 with the log inside the first", len(messages))
	}
	if note := noted(got, "kept as text"); !strings.Contains(note, "500") || !strings.Contains(note, "line 2") {
		t.Errorf("notes %q", got.Notes)
	}
}

func TestMixedStyles(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"two styles", "[2024-01-13, 09:00:00] Ana: a\n[2024-01-14, 09:00:00] Ben: b\n[15/01/2024, 09:00:00] Ben: c\n", []string{"c"}},
		{"three styles without a mark", "[2024-01-13, 09:00:00] Ana: a\n[2024.01.14, 09:00:00] Ben: b\n[15/01/2024, 09:00:00] Ben: c\n", []string{"b", "c"}},
		{"three styles with a mark", "[2024-01-13, 09:00:00] Ana: a\n[2024.01.14, 09:00:00] Ben: b\n[15/01/2024, 09:00:00] Ben: " + lrm + "image omitted\n", nil},
	} {
		got := readChatFile(t, clubFile, tt.text)
		if diff := cmp.Diff(tt.want, suspects(got.Messages())); diff != "" {
			t.Errorf("%s: suspect texts (-want +got):\n%s", tt.name, diff)
		}
		if mixed := noted(got, "3 styles") != ""; mixed != (tt.want == nil) {
			t.Errorf("%s: notes %q", tt.name, got.Notes)
		}
	}
}

// TestMarksEverywhere: a file in which nearly all texts begin with the mark
// says nothing by it, and nobody's words become notices.
func TestMarksEverywhere(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, "[13/01/2024, 09:%02d:00] Ana: %swords of a person\n", i, lrm)
	}
	got := readChatFile(t, "backup/_chat.txt", text.String())
	for _, m := range got.Messages() {
		if m.Kind != msg.Text || m.Direction != msg.In || m.Sender.ID != "Ana" {
			t.Fatalf("line %d: %s %s by %q", m.Position.Line, m.Direction, m.Kind, m.Sender.ID)
		}
	}
	if noted(got, "most texts begin with the mark") == "" {
		t.Errorf("notes %q", got.Notes)
	}
}
