package whatsapp

import (
	"slices"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/source/sourcetest"
)

// readChatFile reads text as the export called path, with nothing beside it.
func readChatFile(t testing.TB, path, text string, me ...string) sourcetest.Result {
	t.Helper()
	return sourcetest.Read(t, ChatText{}, sourcetest.Fixture{
		Files: map[string]string{path: text}, Path: path, Container: "Download", Options: source.Options{Me: me}})
}

// recognizeFile recognises text as the file called path.
func recognizeFile(t testing.TB, s source.Source, path, container, text string) source.Recognition {
	t.Helper()
	c, err := sourcetest.Candidate(sourcetest.FixtureFS(map[string]string{path: text}), path, container)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Recognize(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// noted returns the note that holds text, or nothing.
func noted(r sourcetest.Result, text string) string {
	for _, note := range r.Notes {
		if strings.Contains(note, text) {
			return note
		}
	}
	return ""
}

// days are the messages' days, in the form of the standard library's DateOnly.
func days(r sourcetest.Result) string {
	var all []string
	for _, m := range r.Messages() {
		all = append(all, m.Time.UTC().Format("2006-01-02"))
	}
	return strings.Join(all, " ")
}

// outline lists direction, kind, sender and the first word of each message.
func outline(r sourcetest.Result) []string {
	var all []string
	for _, m := range r.Messages() {
		line := m.Direction.String() + " " + m.Kind.String()
		if m.Sender != (msg.Handle{}) {
			line += " " + m.Sender.ID
		}
		line += ": " + m.Body
		if m.Suspect != "" {
			line += " [suspect]"
		}
		all = append(all, line)
	}
	return all
}

const clubFile = "WhatsApp Chat with Club.txt"

func splitLines(text string) []string { return slices.Collect(strings.Lines(text)) }
func joinAll(lines []string) string   { return strings.Join(lines, "") }

// addReturns ends every line in CR LF.
func addReturns(lines []string) (all []string) {
	for _, line := range lines {
		all = append(all, strings.TrimSuffix(line, "\n")+"\r\n")
	}
	return all
}
