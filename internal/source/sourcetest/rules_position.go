package sourcetest

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

func needsOwner(s *subject) bool {
	for _, n := range s.recognition.Needs {
		if n.What == source.NeedOwner {
			return true
		}
	}
	return false
}

// checkOrder: messages come in the order they stand in the file.
func checkOrder(r reporter, s *subject) {
	r.Helper()
	all := s.result.Messages()
	for i := 1; i < len(all); i++ {
		before, now := all[i-1].Position, all[i].Position
		if now.Offset <= before.Offset && (now.Offset != 0 || before.Offset != 0) {
			r.Errorf("message %d at offset %d follows one at offset %d", i, now.Offset, before.Offset)
		}
		if now.Line < before.Line {
			r.Errorf("message %d at line %d follows one at line %d", i, now.Line, before.Line)
		}
	}
}

// checkPosition: every message says where it stands, and there it stands.
func checkPosition(r reporter, s *subject) {
	r.Helper()
	all := s.result.Messages()
	bodyIn := s.fixture.BodyIn
	if bodyIn == nil {
		bodyIn = textBodyIn
	}
	for i := range all {
		m := &all[i]
		p := m.Position
		if p.Line == 0 && p.Offset == 0 && p.Pointer == "" {
			r.Errorf("message %d has no position", i)
			continue
		}
		if p.Offset < 0 || p.Offset >= int64(len(s.text)) {
			r.Errorf("message %d at offset %d lies outside the file of %d bytes", i, p.Offset, len(s.text))
			continue
		}
		if p.Offset == 0 && i > 0 {
			continue // a format without offsets; checkOrder has seen the lines
		}
		if line := 1 + int64(strings.Count(s.text[:p.Offset], "\n")); p.Line != 0 && p.Line != line {
			r.Errorf("message %d at offset %d says line %d, want %d", i, p.Offset, p.Line, line)
		}
		if s.fixture.SelfDelimiting && !strings.ContainsRune(`{["`, rune(s.text[p.Offset])) {
			r.Errorf("message %d: no JSON value begins at offset %d", i, p.Offset)
		}
		end := int64(len(s.text))
		if i+1 < len(all) {
			end = all[i+1].Position.Offset
		}
		if end <= p.Offset {
			continue // reported by checkOrder
		}
		if record := s.text[p.Offset:end]; !bodyIn(m, record) {
			r.Errorf("message %d: body %q does not stand in its record\n%s", i, m.Body, record)
		}
	}
}

// textBodyIn looks for the first bytes of a text message's first line.
func textBodyIn(m *msg.Message, record string) bool {
	body, _, _ := strings.Cut(m.Body, "\n")
	body = strings.TrimRight(body, "\r")
	if m.Kind != msg.Text || body == "" {
		return true
	}
	cut := min(8, len(body))
	for cut > 0 && cut < len(body) && !utf8.RuneStart(body[cut]) {
		cut--
	}
	return strings.Contains(record, body[:cut]) || strings.Contains(unescape(record), body[:cut])
}

// unescape undoes the escapes of JSON strings anywhere in s.
func unescape(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		at := strings.IndexByte(s, '\\')
		if at < 0 || at+1 == len(s) {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:at])
		n := 0
		for strings.HasPrefix(s[at+n:], `\u`) && len(s) >= at+n+6 {
			n += 6 // keeps surrogate pairs together
		}
		n = max(n, 2)
		var plain string
		if json.Unmarshal([]byte(`"`+s[at:at+n]+`"`), &plain) != nil {
			plain = s[at : at+n]
		}
		b.WriteString(plain)
		s = s[at+n:]
	}
	return b.String()
}

// checkPointer: in a JSON file a message's pointer leads to its record.
func checkPointer(r reporter, s *subject) {
	r.Helper()
	text := strings.TrimPrefix(s.text, "\ufeff")
	shift := int64(len(s.text) - len(text))
	if !json.Valid([]byte(text)) {
		return
	}
	for i, m := range s.result.Messages() {
		if m.Position.Pointer == "" {
			continue
		}
		value, ok := follow(json.RawMessage(text), m.Position.Pointer)
		if !ok {
			r.Errorf("message %d: pointer %s leads nowhere", i, m.Position.Pointer)
			continue
		}
		at := m.Position.Offset - shift
		if m.Position.Offset == 0 || at < 0 || at >= int64(len(text)) {
			continue
		}
		// An offset is the value's own or that of the key before it.
		rest := text[at:]
		if !strings.HasPrefix(rest, string(value)) && (rest[0] != '"' || !strings.Contains(rest, string(value))) {
			r.Errorf("message %d: pointer %s and offset %d lead to different places", i, m.Position.Pointer, m.Position.Offset)
		}
	}
}

// follow resolves an RFC 6901 pointer.
func follow(value json.RawMessage, pointer string) (json.RawMessage, bool) {
	for _, part := range strings.Split(pointer, "/")[1:] {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		var object map[string]json.RawMessage
		var array []json.RawMessage
		if json.Unmarshal(value, &object) == nil && object != nil {
			next, ok := object[part]
			if !ok {
				return nil, false
			}
			value = next
		} else if json.Unmarshal(value, &array) == nil {
			n, err := strconv.Atoi(part)
			if err != nil || n < 0 || n >= len(array) {
				return nil, false
			}
			value = array[n]
		} else {
			return nil, false
		}
	}
	return value, strings.HasPrefix(pointer, "/") || pointer == ""
}
