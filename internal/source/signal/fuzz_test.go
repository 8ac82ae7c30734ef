package signal

import (
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// FuzzMarkdown reads any bytes as a transcript: something comes of them,
// messages stand where they say, and only Me is the owner, suspects never.
func FuzzMarkdown(f *testing.F) {
	for _, name := range fixtureNames(f) {
		if x := fixture(f, name); reader(x) == (Markdown{}) {
			f.Add(x.Files[x.Path], uint8(len(x.Path)))
		}
	}
	f.Add(daily(5, nil)+daily(6, nil), uint8(3))
	f.Add(strings.ReplaceAll(daily(5, nil), "\n", "\r\n"), uint8(0))
	f.Fuzz(func(t *testing.T, text string, folder uint8) {
		name := []string{"Aya", "None", "Me", "Trip"}[folder%4]
		result := readText(t, name, text)
		last := int64(-1)
		for i, m := range result.Messages() {
			p := m.Position
			if p.Offset <= last || p.Offset >= int64(len(text)) || text[p.Offset] != '[' {
				t.Fatalf("message %d at %+v after one at %d", i, p, last)
			}
			last = p.Offset
			if line := int64(1 + strings.Count(text[:p.Offset], "\n")); p.Line != line {
				t.Fatalf("message %d says line %d, want %d", i, p.Line, line)
			}
			if !strings.HasPrefix(text[p.Offset+1:], m.Time.Raw) {
				t.Fatalf("message %d: time %q does not stand at its place", i, m.Time.Raw)
			}
			checkFuzzed(t, &m)
		}
		if len(result.Messages()) == 0 && len(result.Skipped) == 0 {
			t.Fatal("neither message nor skip")
		}
	})
}

// FuzzLines reads any bytes as data.json: every line that is not blank is a
// message or a Skip.
func FuzzLines(f *testing.F) {
	for _, name := range fixtureNames(f) {
		if x := fixture(f, name); reader(x) == (Lines{}) {
			f.Add(x.Files[x.Path])
		}
	}
	for _, s := range rowSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		result := readLines(t, text)
		lines := 0
		for _, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
			if strings.TrimSpace(line) != "" {
				lines++
			}
		}
		if got := len(result.Messages()) + len(result.Skipped); got != max(lines, 1) && text == "" || got != lines && text != "" {
			t.Fatalf("%d messages and %d skipped from %d lines", len(result.Messages()), len(result.Skipped), lines)
		}
		for _, m := range result.Messages() {
			checkFuzzed(t, &m)
		}
	})
}

func checkFuzzed(t *testing.T, m *msg.Message) {
	t.Helper()
	if m.Suspect != "" && m.Direction != msg.In {
		t.Fatalf("suspect goes %s", m.Direction)
	}
	if m.Direction == msg.Out && m.Sender.ID != ownerName {
		t.Fatalf("message of %q goes out", m.Sender.ID)
	}
	if m.ReplyTo != nil && m.ReplyTo.Quote == "" {
		t.Fatal("reply without a quote")
	}
	for _, r := range m.Reactions {
		if r.Emoji == "" || r.FromMe && (r.Sender.ID != ownerName || m.Suspect != "") {
			t.Fatalf("reaction %+v", r)
		}
	}
	for _, a := range m.Attachments {
		if (a.Path == "") == (a.Missing == "") {
			t.Fatalf("attachment %+v", a)
		}
	}
}

// FuzzRecognize looks at any bytes: nothing panics, and what is recognised
// can be read.
func FuzzRecognize(f *testing.F) {
	for _, name := range fixtureNames(f) {
		x := fixture(f, name)
		f.Add(x.Files[x.Path])
	}
	f.Fuzz(func(t *testing.T, text string) {
		files := map[string]string{"Aya/chat.md": text, "Aya/data.json": text}
		for path, s := range map[string]source.Source{"Aya/chat.md": Markdown{}, "Aya/data.json": Lines{}} {
			c, err := sourcetest.Candidate(sourcetest.FixtureFS(files), path, "export")
			if err != nil {
				t.Fatal(err)
			}
			r, err := s.Recognize(t.Context(), c)
			if err != nil || r.Confidence < 0 || r.Confidence > 100 {
				t.Fatalf("recognised as %+v, %v", r, err)
			}
		}
	})
}
