package whatsapp

import (
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// FuzzChatText reads any text as a chat: nothing panics, nothing is handed
// over out of turn, and what is handed over keeps its promises.
func FuzzChatText(f *testing.F) {
	for _, fixture := range chatFixtures(f) {
		f.Add(fixture.Files[fixture.Path], "Ana Prado")
	}
	f.Add("[13/01/2024, 09:00:00] A: "+lrm+"<attached: ../x>\n13/13/2024, 1:00 - B: y", "B")
	f.Fuzz(func(t *testing.T, text, me string) {
		got := collectAny(t, ChatText{}, "_chat.txt", text, source.Options{Me: []string{me}})
		kept := 0
		for _, m := range got.Messages() {
			kept += len(m.Body)
			if m.Suspect != "" && m.Direction == msg.Out {
				t.Errorf("line %d is suspect and the owner's", m.Position.Line)
			}
			if !utf8.ValidString(m.Body) || !utf8.ValidString(m.Time.Raw) || !utf8.ValidString(m.Sender.ID) {
				t.Errorf("line %d holds invalid UTF-8", m.Position.Line)
			}
			if m.Kind == msg.Notice && m.Direction != msg.System {
				t.Errorf("line %d is a notice and %s", m.Position.Line, m.Direction)
			}
		}
		// A replacement character is up to three times as long as what it
		// stands for.
		if kept > 3*len(text) {
			t.Errorf("bodies of %d bytes out of %d", kept, len(text))
		}
	})
}

// FuzzChatExporter does the same for JSON.
func FuzzChatExporter(f *testing.F) {
	for _, fixture := range exportFixtures(f) {
		f.Add(fixture.Files[fixture.Path])
	}
	f.Add(`{"1@g.us":{"messages":{"1":{"from_me":1,"timestamp":1e9,"reactions":{"You":"x"}}}}} `)
	f.Fuzz(func(t *testing.T, text string) {
		got := collectAny(t, ChatExporter{}, "result.json", text, source.Options{})
		for _, m := range got.Messages() {
			if p := m.Position; p.Offset <= 0 || p.Offset >= int64(len(text)) || !strings.HasPrefix(p.Pointer, "/") || text[p.Offset] != '{' {
				t.Errorf("position %+v", p)
			}
			if m.Time.Micros < 0 || !utf8.ValidString(m.Body) {
				t.Errorf("%s: time %d, body %q", m.Position.Pointer, m.Time.Micros, m.Body)
			}
		}
	})
}

// collectAny reads text, which need not be an export. The reading may fail
// for what is wrong with the text and for nothing else.
func collectAny(t *testing.T, s source.Source, path, text string, o source.Options) sourcetest.Result {
	t.Helper()
	c, err := sourcetest.Candidate(sourcetest.FixtureFS(map[string]string{path: text}), path, "folder")
	if err != nil {
		t.Fatal(err)
	}
	got, err := sourcetest.Collect(s, c, o)
	if err != nil && s == (source.Source)(ChatText{}) {
		t.Fatalf("read: %v", err)
	}
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !strings.Contains(err.Error(), "byte ") && !strings.Contains(err.Error(), "too long") {
		t.Fatalf("read: %v", err)
	}
	for _, skipped := range got.Skipped {
		if skipped.Reason == "" || len(skipped.Excerpt) > source.ExcerptSize {
			t.Errorf("skip %+v", skipped)
		}
	}
	for _, m := range got.Messages() {
		for _, a := range m.Attachments {
			if (a.Path == "") == (a.Missing == "") || a.Path != "" && a.Path != path {
				t.Errorf("attachment %+v", a)
			}
		}
	}
	return got
}
