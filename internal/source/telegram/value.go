package telegram

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// errMalformed is returned for a value that does not have the shape it
// should have.
var errMalformed = errors.New("record is no JSON object")

// fields calls f for every member of the object raw, in order.
func fields(raw []byte, f func(key string, value []byte) error) error {
	return members(raw, '{', '}', f)
}

// elements calls f for every element of the array raw, in order.
func elements(raw []byte, f func(value []byte) error) error {
	return members(raw, '[', ']', func(_ string, value []byte) error { return f(value) })
}

func members(raw []byte, opening, closing byte, f func(string, []byte) error) error {
	if len(raw) == 0 || raw[0] != opening {
		return errMalformed
	}
	rest := trimSpace(raw[1:])
	for first := true; ; first = false {
		if len(rest) == 0 {
			return errMalformed
		}
		if rest[0] == closing {
			return nil
		}
		if !first {
			if rest[0] != ',' {
				return errMalformed
			}
			if rest = trimSpace(rest[1:]); len(rest) > 0 && rest[0] == closing {
				return nil
			}
		}
		key := ""
		if opening == '{' {
			text, after, ok := cutValue(rest)
			if !ok || text[0] != '"' {
				return errMalformed
			}
			rest = trimSpace(after)
			if len(rest) == 0 || rest[0] != ':' {
				return errMalformed
			}
			rest = trimSpace(rest[1:])
			key = knownWord(text)
		}
		value, after, ok := cutValue(rest)
		if !ok {
			return errMalformed
		}
		if err := f(key, value); err != nil {
			return err
		}
		rest = trimSpace(after)
	}
}

// cutValue splits b behind its first value.
func cutValue(b []byte) (value, rest []byte, ok bool) {
	var w walk
	n, done := w.over(b)
	if n == 0 || w.bad || !done && !w.scalar {
		return nil, nil, false
	}
	return b[:n], b[n:], true
}

func trimSpace(b []byte) []byte {
	i := 0
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return b[i:]
}

func isNull(raw []byte) bool { return string(raw) == "null" }

// decodeString returns what the JSON string raw says, quotes included. It
// takes what exporters really write: Telegram Desktop escapes control
// characters as \xHH, which JSON does not know. Bytes that are no UTF-8
// become U+FFFD. Anything but a string is returned as it stands.
func decodeString(raw []byte) string {
	if len(raw) < 2 || raw[0] != '"' {
		return strings.ToValidUTF8(string(raw), "\ufffd")
	}
	raw = raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		if !utf8.Valid(raw) {
			return strings.ToValidUTF8(string(raw), "\ufffd")
		}
		return string(raw)
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		if raw[i] != '\\' || i+1 == len(raw) {
			out = append(out, raw[i])
			i++
			continue
		}
		r, n := unescape(raw[i:])
		out = utf8.AppendRune(out, r)
		i += n
	}
	if !utf8.Valid(out) {
		out = bytes.ToValidUTF8(out, []byte("\ufffd"))
	}
	return string(out)
}

// unescape reads the escape at the start of b, which begins with a backslash
// and one more byte. An escape nobody knows stands for its backslash.
func unescape(b []byte) (rune, int) {
	switch b[1] {
	case 'n':
		return '\n', 2
	case 't':
		return '\t', 2
	case 'r':
		return '\r', 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case '"', '\\', '/':
		return rune(b[1]), 2
	case 'x':
		if r, ok := hexDigits(b, 2, 2); ok {
			return r, 4
		}
	case 'u':
		r, ok := hexDigits(b, 2, 4)
		if !ok {
			break
		}
		if utf16.IsSurrogate(r) && len(b) >= 8 && b[6] == '\\' && b[7] == 'u' {
			if low, ok := hexDigits(b, 8, 4); ok {
				if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
					return pair, 12
				}
			}
		}
		return r, 6 // a lone surrogate is written as U+FFFD
	}
	return '\\', 1
}

func hexDigits(b []byte, from, n int) (rune, bool) {
	if len(b) < from+n {
		return 0, false
	}
	v, err := strconv.ParseUint(string(b[from:from+n]), 16, 32)
	return rune(v), err == nil
}

// integer reads a number, or a string that holds one.
func integer(raw []byte) (int64, bool) {
	text := strings.Trim(string(raw), `"`)
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// plain renders any value for a Detail: a string as what it says, a list of
// strings joined by commas, everything else as JSON on one line.
func plain(raw []byte) string {
	switch {
	case len(raw) == 0:
		return ""
	case raw[0] == '"':
		return decodeString(raw)
	case raw[0] == '[':
		if names, ok := stringList(raw); ok {
			return strings.Join(names, ", ")
		}
	}
	return compact(raw)
}

// stringList reads a list of strings and nulls; a null is a person whose
// account is gone.
func stringList(raw []byte) ([]string, bool) {
	var list []string
	err := elements(raw, func(value []byte) error {
		switch {
		case value[0] == '"':
			list = append(list, decodeString(value))
		case isNull(value):
			list = append(list, deletedAccount)
		default:
			return errMalformed
		}
		return nil
	})
	return list, err == nil
}

// compact drops the white space between the tokens of raw.
func compact(raw []byte) string {
	out := make([]byte, 0, len(raw))
	inString := false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case inString && c == '\\' && i+1 < len(raw):
			out = append(out, c)
			i++
			c = raw[i]
		case c == '"':
			inString = !inString
		case !inString && isSpace(c):
			continue
		}
		out = append(out, c)
	}
	return strings.ToValidUTF8(string(out), "\ufffd")
}
