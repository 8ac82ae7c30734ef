package signal

import (
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// parse reads a line. What the exporter writes for almost every message is
// read by hand, several times faster than encoding/json does it; whatever is
// not exactly that is left to encoding/json, so that both give the same.
func (r *row) parse(line []byte) error {
	*r = row{}
	if utf8.Valid(line) {
		s := rowScan{text: string(line)}
		if s.object(r) {
			return nil
		}
		*r = row{}
	}
	return json.Unmarshal(line, r)
}

// rowScan reads a JSON object from a string that its results share.
type rowScan struct {
	text string
	at   int
}

// object reads the whole text into r. It returns false at the first thing it
// does not know for sure.
func (s *rowScan) object(r *row) bool {
	if !s.token('{') {
		return false
	}
	for first := true; !s.token('}'); first = false {
		if !first && !s.token(',') {
			return false
		}
		key, ok := s.string()
		if !ok || !s.token(':') || !s.field(r, key) {
			return false
		}
	}
	s.space()
	return s.at == len(s.text)
}

func (s *rowScan) field(r *row, key string) (ok bool) {
	switch key {
	case "date":
		r.Date, ok = s.string()
	case "sender":
		var name string
		if s.word("null") {
			r.Sender = nil
			return true
		}
		name, ok = s.string()
		r.Sender = &name
	case "body":
		r.Body, ok = s.string()
	case "quote":
		r.Quote, ok = s.string()
	case "id":
		r.ID, ok = s.string()
	case "sticker":
		return (s.word("null") || s.word(`""`)) && r.Sticker == rowSticker{} || s.other(&r.Sticker)
	case "reactions":
		return s.emptyList() && r.Reactions == nil || s.other(&r.Reactions)
	case "attachments":
		return s.emptyList() && r.Attachments == nil || s.other(&r.Attachments)
	case "edits":
		return s.emptyList() && r.Edits == nil || s.other(&r.Edits)
	case "deleted":
		r.Deleted, ok = s.bool()
	case "missed":
		r.Missed, ok = s.bool()
	case "disappearing":
		r.Vanishing, ok = s.bool()
	case "call":
		var call bool
		call, ok = s.bool()
		r.Call = &call
	}
	return ok
}

func (s *rowScan) space() {
	for ; s.at < len(s.text); s.at++ {
		if c := s.text[s.at]; c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return
		}
	}
}

// token reads c and the white space before it.
func (s *rowScan) token(c byte) bool {
	s.space()
	if s.at == len(s.text) || s.text[s.at] != c {
		return false
	}
	s.at++
	return true
}

func (s *rowScan) word(w string) bool {
	s.space()
	if !strings.HasPrefix(s.text[s.at:], w) {
		return false
	}
	s.at += len(w)
	return true
}

func (s *rowScan) bool() (v, ok bool) {
	if s.word("true") {
		return true, true
	}
	return false, s.word("false")
}

func (s *rowScan) emptyList() bool { return s.word("null") || s.word("[]") }

// other leaves an array or an object to encoding/json.
func (s *rowScan) other(v any) bool {
	s.space()
	end := s.valueEnd()
	if end < 0 || json.Unmarshal([]byte(s.text[s.at:end]), v) != nil {
		return false
	}
	s.at = end
	return true
}

// valueEnd finds the end of the array or object at s.at, or -1.
func (s *rowScan) valueEnd() int {
	depth := 0
	quoted := false
	for i := s.at; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
			if depth == 0 && !quoted {
				return i + 1
			}
		case quoted:
		case c == '[', c == '{':
			depth++
		case c == ']', c == '}':
			depth--
			if depth == 0 {
				return i + 1
			}
		case depth == 0:
			return -1
		}
	}
	return -1
}

// string reads a string.
func (s *rowScan) string() (v string, ok bool) {
	if !s.token('"') {
		return "", false
	}
	rest := s.text[s.at:]
	escaped := false
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '"':
			s.at += i + 1
			if escaped {
				return unescape(rest[:i])
			}
			return rest[:i], true
		case c == '\\':
			escaped = true
			i++
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

// unescape undoes the escapes of a JSON string.
func unescape(s string) (string, bool) {
	var b strings.Builder
	b.Grow(len(s))
	for {
		at := strings.IndexByte(s, '\\')
		if at < 0 {
			b.WriteString(s)
			return b.String(), true
		}
		b.WriteString(s[:at])
		if at+1 == len(s) {
			return "", false
		}
		c := s[at+1]
		s = s[at+2:]
		if c != 'u' {
			i := strings.IndexByte(`"\/bfnrt`, c)
			if i < 0 {
				return "", false
			}
			b.WriteByte("\"\\/\b\f\n\r\t"[i])
			continue
		}
		r, ok := hex4(s)
		if !ok {
			return "", false
		}
		s = s[4:]
		if utf16.IsSurrogate(r) {
			low, paired := rune(0), false
			if strings.HasPrefix(s, `\u`) {
				low, paired = hex4(s[2:])
			}
			if r = utf16.DecodeRune(r, low); !paired || r == utf8.RuneError {
				return "", false
			}
			s = s[6:]
		}
		b.WriteRune(r)
	}
}

func hex4(s string) (r rune, ok bool) {
	if len(s) < 4 {
		return 0, false
	}
	for i := range 4 {
		digit := strings.IndexByte("0123456789abcdef", s[i]|0x20)
		if digit < 0 {
			return 0, false
		}
		r = r<<4 | rune(digit)
	}
	return r, true
}
