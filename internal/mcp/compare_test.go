package mcp

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// compareFacts checks that a result's text says what its structured form
// does.
func (s *archiveServer) compareFacts(t testing.TB, result any, text string) {
	t.Helper()
	switch r := result.(type) {
	case *messagesOutput:
		body := textBody(t, &r.listing, "messages", text)
		if r.Conversation != nil {
			head := conversationLines([]conversationItem{*r.Conversation})
			if !strings.HasPrefix(body, head) {
				t.Errorf("the text does not name the conversation: %q", body)
			}
			checkConversationLine(t, head, *r.Conversation)
			body = strings.TrimPrefix(body, head)
		}
		if r.Transcript != "" {
			if body != r.Transcript {
				t.Errorf("the text does not hold the transcript (-structured +text):\n%s", cmp.Diff(r.Transcript, body))
			}
			s.compareTranscript(t, parseFacts(t, body, false))
			return
		}
		compareItems(t, r.Messages, parseFacts(t, body, false), false)
	case *searchOutput:
		body := textBody(t, &r.listing, "hits, mode "+r.Mode, text)
		if r.Transcript != "" {
			if body != r.Transcript {
				t.Errorf("the text does not hold the transcript (-structured +text):\n%s", cmp.Diff(r.Transcript, body))
			}
			return
		}
		compareItems(t, r.Hits, parseFacts(t, body, true), true)
	case *listConversationsOutput:
		lines := splitLines(textBody(t, &r.listing, "conversations", text))
		if len(lines) != len(r.Conversations) {
			t.Fatalf("got %d lines for %d conversations", len(lines), len(r.Conversations))
		}
		for i, c := range r.Conversations {
			checkConversationLine(t, lines[i], c)
		}
	case *listMediaOutput:
		lines := splitLines(textBody(t, &r.listing, "files", text))
		if len(lines) != len(r.Media) {
			t.Fatalf("got %d lines for %d files", len(lines), len(r.Media))
		}
		for i, m := range r.Media {
			checkHolds(t, lines[i], fmt.Sprintf("media %d %s ", m.MediaID, m.Kind), quoted(m.Name), quoted(m.Path), quoted(m.MIME), m.Missing)
			checkCoordinateLine(t, lines[i], m.coordinates)
			if size := strconv.FormatInt(m.Size, 10) + " bytes"; m.Size > 0 && !strings.Contains(lines[i], size) {
				t.Errorf("line lacks the size %s: %q", size, lines[i])
			}
		}
	case *listLinksOutput:
		lines := splitLines(textBody(t, &r.listing, "links", text))
		if len(lines) != len(r.Links) {
			t.Fatalf("got %d lines for %d links", len(lines), len(r.Links))
		}
		for i, l := range r.Links {
			checkHolds(t, lines[i], l.URL, fmt.Sprintf("(%s, %d×)", l.Domain, l.Count))
			checkCoordinateLine(t, lines[i], l.coordinates)
		}
	default:
		t.Fatalf("no comparison for %T", result)
	}
}

// textBody cuts the frame of a list off its text and checks it.
func textBody(t testing.TB, l *listing, what, text string) string {
	t.Helper()
	count := fmt.Sprintf("Showing %d %s.\n", l.Shown, what)
	if l.Total != nil {
		count = fmt.Sprintf("Showing %d of %d %s.\n", l.Shown, *l.Total, what)
	}
	_, body, ok := strings.Cut(text, count)
	if !ok {
		t.Fatalf("the text does not say %q:\n%s", count, text)
	}
	if l.Hint != "" {
		body = strings.TrimSuffix(body, "Hint: "+l.Hint+"\n")
	}
	if l.NextCursor != "" {
		body = strings.TrimSuffix(body, "next_cursor: "+l.NextCursor+"\n")
	}
	return body
}

func splitLines(s string) (lines []string) {
	for line := range strings.Lines(s) {
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
	return lines
}

func checkHolds(t testing.TB, line string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(line, part) {
			t.Errorf("line lacks %q: %q", part, line)
		}
	}
}

func checkConversationLine(t testing.TB, line string, c conversationItem) {
	t.Helper()
	checkHolds(t, line, fmt.Sprintf("%d %s (%s, %s) %d messages", c.ID, quoted(c.Name), c.Source, c.Kind, c.Messages), quotedAll(c.With))
	if c.Messages > 0 {
		checkHolds(t, line, c.First+" to "+c.Last)
	}
	if c.People > 0 {
		checkHolds(t, line, fmt.Sprintf("(%d people)", c.People))
	}
}

func checkCoordinateLine(t testing.TB, line string, c coordinates) {
	t.Helper()
	checkHolds(t, line, fmt.Sprintf("[%d %s %s] %s (%s, conversation %d) %s", c.MessageID, c.Hash, c.Timestamp, quoted(c.Conversation), c.Source, c.ConversationID, quoted(c.Sender)))
}

// compareItems compares messages with the lines that show them.
func compareItems(t testing.TB, items []messageItem, facts []fact, hits bool) {
	t.Helper()
	want := make([]fact, len(items))
	for i, m := range items {
		want[i] = fact{ID: m.MessageID, Hash: m.Hash, Timestamp: m.Timestamp, Sender: m.Sender, Text: inert.Line(m.Text)}
		if m.Sender == "" {
			want[i].Sender = "(" + m.Kind + ")"
		}
		if hits {
			want[i].Conversation, want[i].Source, want[i].In = m.Conversation, m.Source, m.ConversationID
		}
		if i < len(facts) { // what remarks say is TestRemarks' to hold
			want[i].Remarks = strings.Join(m.remarks(m.URL != "" && strings.HasSuffix(facts[i].Remarks, m.URL)), "; ")
		}
	}
	if diff := cmp.Diff(want, facts); diff != "" {
		t.Errorf("the text says something else (-structured +text):\n%s", diff)
	}
}

// compareTranscript compares lines with the archive they come from.
func (s *archiveServer) compareTranscript(t testing.TB, facts []fact) {
	t.Helper()
	for _, f := range facts {
		m := s.message(t, f.ID)
		cutAt, isCut := strings.CutSuffix(f.Text, fmt.Sprintf("get_context message_id=%d window=0]", m.ID))
		if isCut {
			cutAt = cutAt[:strings.LastIndex(cutAt, " [cut, ")]
		}
		switch {
		case len(f.Hash) < hashPrefix || !strings.HasPrefix(m.Hash, f.Hash), f.Timestamp != m.Time.String(), (f.Sender == store.Owner) != (m.Direction == msg.Out),
			!isCut && f.Text != inert.Line(m.Body), isCut && !strings.HasPrefix(inert.Line(m.Body), cutAt):
			t.Errorf("the transcript says %+v of message %d: %s %s %s %q", f, m.ID, m.Hash, m.Time, m.Direction, m.Body)
		}
	}
}
