package folder

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// newPreparation reads the normalizer of a tokenizer.json.
func newPreparation(raw json.RawMessage) (func(string) string, error) {
	var n struct {
		Type     string            `json:"type"`
		Sequence []json.RawMessage `json:"normalizers"`
		Pattern  struct{ String, Regex *string }
		Content  string
		Prepend  string
		Left     *bool `json:"strip_left"`
		Right    *bool `json:"strip_right"`
	}
	if err := json.Unmarshal(raw, &n); err != nil {
		return nil, errors.New("the normalizer cannot be read")
	}
	switch n.Type {
	case "": // null
		return func(s string) string { return s }, nil
	case "Sequence":
		return preparationSequence(n.Sequence)
	case "Precompiled":
		return precompiled, nil
	case "Nmt":
		return withoutInvisible, nil
	case "NFC":
		return norm.NFC.String, nil
	case "NFD":
		return norm.NFD.String, nil
	case "NFKC":
		return norm.NFKC.String, nil
	case "NFKD":
		return norm.NFKD.String, nil
	case "Lowercase":
		return strings.ToLower, nil
	case "StripAccents":
		return withoutMarks, nil
	case "Prepend":
		return func(s string) string {
			if s == "" {
				return s
			}
			return n.Prepend + s
		}, nil
	case "Strip":
		return func(s string) string {
			if n.Left == nil || *n.Left {
				s = strings.TrimLeftFunc(s, unicode.IsSpace)
			}
			if n.Right == nil || *n.Right {
				s = strings.TrimRightFunc(s, unicode.IsSpace)
			}
			return s
		}, nil
	case "Replace":
		return replacement(n.Pattern.String, n.Pattern.Regex, n.Content)
	default:
		return nil, fmt.Errorf("the normalizer is of type %.40q, which is not supported for Unigram", n.Type)
	}
}

func preparationSequence(raw []json.RawMessage) (func(string) string, error) {
	var all []func(string) string
	for _, one := range raw {
		f, err := newPreparation(one)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return func(s string) string {
		for _, f := range all {
			s = f(s)
		}
		return s
	}, nil
}

func replacement(literal, expression *string, content string) (func(string) string, error) {
	switch {
	case literal != nil && *literal != "":
		return func(s string) string { return strings.ReplaceAll(s, *literal, content) }, nil
	case expression != nil:
		re, err := regexp.Compile(*expression)
		if err != nil {
			return nil, fmt.Errorf("the normalizer replaces %.40q, which is not supported", *expression)
		}
		return func(s string) string { return re.ReplaceAllLiteralString(s, content) }, nil
	default:
		return nil, errors.New("the normalizer replaces nothing that is named")
	}
}

// precompiled stands for a table of SentencePiece's, of which nearly all
// models have the one called nmt_nfkc. These rules give what it gives for
// every single character of its version of Unicode; pieces differ where a
// model has another table.
func precompiled(s string) string {
	s = strings.Map(func(r rune) rune {
		switch r {
		case '\u200d': // kept, unlike by the rules nmt
			return r
		case '\u061c':
			return ' '
		}
		return withoutInvisibleRune(r)
	}, s)
	const tilde = "\uff5e" // kept, unlike by NFKC
	parts := strings.Split(s, tilde)
	for i, part := range parts {
		parts[i] = norm.NFKC.String(part)
	}
	return strings.Join(parts, tilde)
}

// withoutInvisible drops control characters and makes spaces of everything
// that separates without showing, as the rules nmt of SentencePiece do.
func withoutInvisible(s string) string { return strings.Map(withoutInvisibleRune, s) }

func withoutInvisibleRune(r rune) rune {
	switch {
	case r == '\t', r == '\n', r == '\f', r == '\r', r == 0x1680, r >= 0x200b && r <= 0x200f, r == 0x2028, r == 0x2029,
		r == 0x2581, r == 0xfeff, r == unicode.ReplacementChar:
		return ' '
	case r >= 1 && r < ' ', r == 0x7f, r == 0x8f, r == 0x9f:
		return -1
	}
	return r
}

func withoutMarks(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, s)
}
