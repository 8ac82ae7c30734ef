package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// ask calls a tool that must succeed and returns its structured result and
// its text, after checking what holds for every result.
func ask[T any](t testing.TB, s *archiveServer, tool, arguments string) (result T, text string) {
	t.Helper()
	a := s.call(t, tool, arguments)
	if a.Result == nil || a.Result.IsError {
		t.Fatalf("%s %s failed: %s", tool, arguments, a.text())
	}
	s.checkResult(t, tool, a)
	decoder := json.NewDecoder(bytes.NewReader(a.Result.StructuredContent))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&result); err != nil {
		t.Fatalf("%s %s: result does not decode: %v\n%s", tool, arguments, err, a.Result.StructuredContent)
	}
	s.compareFacts(t, &result, a.text())
	if t.Failed() {
		t.Fatalf("%s %s gave\n%s\nand\n%s", tool, arguments, cut(string(a.Result.StructuredContent), 3000), cut(a.text(), 3000))
	}
	return result, a.text()
}

// refuse calls a tool that must fail and returns what it says.
func refuse(t testing.TB, s *archiveServer, tool, arguments string) string {
	t.Helper()
	a := s.call(t, tool, arguments)
	if a.Result == nil || !a.Result.IsError {
		t.Fatalf("%s %s was answered: %s", tool, arguments, a.text())
	}
	if a.Result.StructuredContent != nil || a.Result.Meta[UntrustedKey] != true {
		t.Errorf("%s %s: an error with structured content %s and labels %v", tool, arguments, a.Result.StructuredContent, a.Result.Meta)
	}
	checkHarmless(t, "error", a.text())
	return a.text()
}

func (s *archiveServer) call(t testing.TB, tool, arguments string) answer {
	t.Helper()
	return serveAll(t, s.testServer, initialize+callLine("1", tool, arguments))["1"]
}

// outputSchemas are the declared output schemas by tool.
var outputSchemas = sync.OnceValues(func() (map[string]*jsonschema.Resolved, error) {
	resolved := map[string]*jsonschema.Resolved{}
	for _, def := range new(tools).definitions() {
		schema, err := def.Output.Resolve(&jsonschema.ResolveOptions{})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", def.Name, err)
		}
		resolved[def.Name] = schema
	}
	return resolved, nil
})

// checkResult checks what holds for the result of every tool.
func (s *archiveServer) checkResult(t testing.TB, tool string, a answer) {
	t.Helper()
	if len(a.Result.Content) != 1 || a.Result.Content[0].Type != "text" {
		t.Errorf("got %d content blocks, want one of text", len(a.Result.Content))
	}
	if a.Result.Meta[UntrustedKey] != true {
		t.Errorf("the result is not labelled as quoting third parties: %v", a.Result.Meta)
	}
	schemas, err := outputSchemas()
	if err != nil {
		t.Fatal(err)
	}
	var value map[string]any
	if err := json.Unmarshal(a.Result.StructuredContent, &value); err != nil {
		t.Fatalf("structured content is no object: %v", err)
	}
	if err := schemas[tool].Validate(value); err != nil {
		t.Errorf("structured content does not fit the output schema: %v", err)
	}
	s.checkValue(t, tool, value)
	notice, _ := value["notice"].(string)
	if !strings.HasPrefix(notice, untrusted) || !strings.HasPrefix(a.text(), notice+"\n") {
		t.Errorf("the result lacks the notice that it quotes third parties: %q", notice)
	}
	for _, name := range []string{"hint", "next_cursor"} {
		if said, ok := value[name].(string); ok && !strings.Contains(a.text(), said) {
			t.Errorf("the text lacks %s: %s", name, said)
		}
	}
	if notes, ok := value["notes"].([]any); ok {
		for _, note := range notes {
			if !strings.Contains(a.text(), "Note: "+note.(string)+"\n") {
				t.Errorf("the text lacks the note: %s", note)
			}
		}
	}
	checkHarmless(t, "text block", a.text())
}

// checkValue walks a structured result: no null, nothing harmful in any
// string, and all coordinates wherever a message is meant.
func (s *archiveServer) checkValue(t testing.TB, path string, value any) {
	t.Helper()
	switch v := value.(type) {
	case nil:
		t.Errorf("%s is null", path)
	case string:
		checkHarmless(t, path, v)
		if strings.Contains(v, "\n") && !strings.HasSuffix(path, ".text") && !strings.HasSuffix(path, ".transcript") {
			t.Errorf("%s has several lines: %q", path, v)
		}
	case []any:
		for i, element := range v {
			s.checkValue(t, fmt.Sprintf("%s[%d]", path, i), element)
		}
	case map[string]any:
		for name, field := range v {
			s.checkValue(t, path+"."+name, field)
		}
		if itemPath.MatchString(path) {
			s.checkCoordinates(t, path, v)
		}
	}
}

var (
	itemPath    = regexp.MustCompile(`\.(messages|hits|media|links)\[\d+\]$`)
	wallTime    = regexp.MustCompile(`^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{3}(\d{3})?)?)?)?$`)
	instantTime = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}(\d{3})?)?Z$`)
)

// checkCoordinates compares an item's coordinates with the archive.
func (s *archiveServer) checkCoordinates(t testing.TB, path string, item map[string]any) {
	t.Helper()
	for _, name := range []string{"message_id", "hash", "conversation", "conversation_id", "source", "sender", "timestamp"} {
		if _, ok := item[name]; !ok {
			t.Errorf("%s has no %s", path, name)
			return
		}
	}
	m := s.message(t, int64(item["message_id"].(float64)))
	if item["hash"] != m.Hash || item["conversation_id"] != float64(m.ConversationID) || item["source"] != string(m.Source) || item["timestamp"] != m.Time.String() {
		t.Errorf("%s: got %v, want message %d, hash %s, conversation %d, source %s, %s", path, item, m.ID, m.Hash, m.ConversationID, m.Source, m.Time)
	}
	if item["conversation"] == "" {
		t.Errorf("%s: the conversation has no name", path)
	}
	sender := item["sender"].(string)
	if (sender == store.Owner) != (m.Direction == msg.Out) || (sender == "") != (m.Sender == "") {
		t.Errorf("%s: sender is %q of a message that is %s of %q", path, sender, m.Direction, m.Sender)
	}
	basis, isWall := item["timestamp_basis"]
	switch form := item["timestamp"].(string); {
	case !m.Time.Known:
		if isWall || form != "unknown" {
			t.Errorf("%s: unknown time is shown as %q, %v", path, form, basis)
		}
	case m.Time.Basis == msg.Wall:
		if basis != "wall" || !wallTime.MatchString(form) {
			t.Errorf("%s: wall time is shown as %q, basis %v", path, form, basis)
		}
	case isWall || !instantTime.MatchString(form):
		t.Errorf("%s: instant is shown as %q, basis %v", path, form, basis)
	}
}

// fixtureMessages are all messages of the fixture by id.
var fixtureMessages = sync.OnceValues(func() (map[int64]store.Message, error) {
	data, err := buildArchive()
	if err != nil {
		return nil, err
	}
	r, err := store.OpenReader(context.Background(), data, store.ReaderOptions{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	ids := make([]int64, 2*bulkMessages)
	for i := range ids {
		ids[i] = int64(i + 1)
	}
	list, err := r.Messages(context.Background(), ids)
	byID := make(map[int64]store.Message, len(list))
	for _, m := range list {
		byID[m.ID] = m
	}
	return byID, err
})

// message returns a message as the archive holds it.
func (s *archiveServer) message(t testing.TB, id int64) store.Message {
	t.Helper()
	if s.r.Path() == filepath.Join(temporary, "data", store.FileName) {
		known, err := fixtureMessages()
		if m, ok := known[id]; ok && err == nil {
			return m
		}
	}
	m, err := s.r.Message(t.Context(), id)
	if err != nil {
		t.Fatalf("message %d: %v", id, err)
	}
	return m
}

// checkHarmless fails on characters that move a cursor, hide or reorder text.
func checkHarmless(t testing.TB, what, text string) {
	t.Helper()
	for i, r := range text {
		switch {
		case r == '\n', r == '\t':
		case unicode.IsControl(r), r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F,
			r == 0x2028, r == 0x2029, r == 0xFEFF, r == 0x00AD, r >= 0xE0000 && r <= 0xE0FFF:
			if r == 0x200C || r == 0x200D {
				continue // joiners stay where letters and emoji need them
			}
			t.Errorf("%s holds %U at byte %d: %q", what, r, i, text[max(0, i-20):min(len(text), i+20)])
			return
		}
	}
}
