package mcp

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// coerce turns a given value into one of the parameter's type. The second
// result is empty or says what is wrong.
func (p param) coerce(raw json.RawMessage) (json.RawMessage, string) {
	elements := p.elements(raw)
	if !p.list {
		if len(elements) != 1 {
			return nil, p.mismatch(raw)
		}
		return p.coerceOne(elements[0])
	}
	out := []byte{'['}
	for i, e := range elements {
		fixed, problem := p.coerceOne(e)
		if problem != "" {
			return nil, problem
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, fixed...)
	}
	return append(out, ']'), ""
}

// elements returns the elements of a list, or a single value as the only one.
// Where a list is wanted it may be written into a string.
func (p param) elements(raw json.RawMessage) []json.RawMessage {
	list := raw
	if text, ok := textOf(raw); ok && p.list {
		list = json.RawMessage(strings.TrimSpace(text))
	}
	var elements []json.RawMessage
	if len(list) == 0 || list[0] != '[' || json.Unmarshal(list, &elements) != nil {
		return []json.RawMessage{raw}
	}
	return elements
}

func textOf(raw json.RawMessage) (string, bool) {
	var text string
	if !isString(raw) || json.Unmarshal(raw, &text) != nil {
		return "", false
	}
	return text, true
}

func (p param) coerceOne(raw json.RawMessage) (json.RawMessage, string) {
	text, isText := textOf(raw)
	literal := string(raw)
	if isText {
		literal = strings.TrimSpace(text)
	}
	switch p.kind {
	case textKind:
		switch {
		case len(p.enum) > 0:
			return p.coerceEnum(literal, raw)
		case isText:
			return raw, ""
		case isScalarID(raw): // a number: the year 2024, a conversation's id
			return quoteJSON(literal), ""
		}
	case intOrTextKind:
		if isText {
			return quoteJSON(literal), ""
		}
		if digits, ok := integerLiteral(literal); ok {
			return quoteJSON(digits), ""
		}
	case integerKind:
		digits, ok := integerLiteral(literal)
		if _, err := strconv.ParseInt(digits, 10, 64); ok && err == nil {
			return json.RawMessage(digits), ""
		}
	case numberKind:
		if f, err := strconv.ParseFloat(literal, 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) && json.Valid([]byte(literal)) {
			return json.RawMessage(literal), ""
		}
	case booleanKind:
		switch strings.ToLower(literal) {
		case "true", "1":
			return json.RawMessage("true"), ""
		case "false", "0":
			return json.RawMessage("false"), ""
		}
	}
	return nil, p.mismatch(raw)
}

// coerceEnum finds the value that is meant, whatever its case.
func (p param) coerceEnum(literal string, raw json.RawMessage) (json.RawMessage, string) {
	for _, v := range p.enum {
		if strings.EqualFold(v, literal) {
			return quoteJSON(v), ""
		}
	}
	problem := p.mismatch(raw)
	if meant := nearest(literal, p.enum); meant != "" {
		problem += fmt.Sprintf(" (did you mean %q?)", meant)
	}
	return nil, problem
}

// integerLiteral returns the digits of an integer written plainly or, as some
// clients do, as 5.0 or 1e2. Plain digits may be of any length.
func integerLiteral(s string) (string, bool) {
	sign, digits := "", s
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign, digits = s[:1], s[1:]
	}
	if digits != "" && strings.Trim(digits, "0123456789") == "" {
		last := len(digits) - 1
		digits = strings.TrimLeft(digits[:last], "0") + digits[last:]
		if sign == "-" && digits != "0" {
			digits = "-" + digits
		}
		return digits, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !json.Valid([]byte(s)) || f != math.Trunc(f) || math.Abs(f) > maxSafeID {
		return "", false
	}
	return strconv.FormatInt(int64(f), 10), true
}

// mismatch says what a value should have been.
func (p param) mismatch(raw json.RawMessage) string {
	want := map[kind]string{
		textKind: "a string", integerKind: "an integer", numberKind: "a number",
		booleanKind: "true or false", intOrTextKind: "an integer or a string",
	}[p.kind]
	if len(p.enum) > 0 {
		want = "one of " + strings.Join(p.enum, ", ")
	}
	if p.list {
		want = "a list, each element " + want
	}
	return fmt.Sprintf("%q must be %s, not %s", p.name, want, excerptRaw(raw))
}

// excerptLength is how many characters of a client's own words an error
// message repeats.
const excerptLength = 40

// excerpt quotes the beginning of s.
func excerpt(s string) string {
	runes := []rune(s)
	if len(runes) > excerptLength {
		return strconv.Quote(string(runes[:excerptLength]) + "…")
	}
	return strconv.Quote(s)
}

// excerptRaw is excerpt for a JSON value: text in quotes, the rest bare.
func excerptRaw(raw json.RawMessage) string {
	if text, ok := textOf(raw); ok {
		return excerpt(text)
	}
	quoted := excerpt(string(raw))
	return quoted[1 : len(quoted)-1]
}
