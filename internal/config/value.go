package config

import (
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"
)

// form is how a value is written.
type form uint8

const (
	untyped form = iota // the text of a variable or a flag
	text
	number
	boolean
	list
	block
	null
	foreign // YAML that settings do not use
)

// raw is a value as it is written, before its setting gives it a type.
type raw struct {
	form   form
	text   string // a scalar's text, or a name of what a foreign value is
	list   []raw
	base   string // the folder relative paths start from
	origin Origin
}

// String says what the value is, for "got …".
func (r raw) String() string {
	switch r.form {
	case list:
		return "a list"
	case block:
		return "a block of keys"
	case number:
		return "the number " + shorten(r.text)
	case null:
		if r.text == "" {
			return "nothing"
		}
		return r.text
	case boolean, foreign:
		return r.text
	default:
		return strconv.Quote(shorten(r.text))
	}
}

// shorten keeps a value that is no value from filling the screen.
func shorten(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// set gives setting s the value r.
func (s setting) set(h Host, c *Config, r raw) error {
	var err error
	switch p := s.field(c).(type) {
	case *string:
		*p, err = s.text(h, r)
	case *[]string:
		*p, err = s.texts(h, r)
	case *bool:
		*p, err = parseBool(r)
	case *int:
		*p, err = s.wholeNumber(r)
	case *float64:
		*p, err = parseShare(r)
	case *time.Duration:
		*p, err = parseDuration(r)
	case *slog.Level:
		*p, err = parseLevel(r)
	default:
		panic(fmt.Sprintf("setting %s: no reader for %T", s.key, p))
	}
	if err != nil {
		return fmt.Errorf("%s: %s: %w", r.origin, s.key, err)
	}
	c.origins[s.key] = r.origin
	return nil
}

// text reads one text, path or not.
func (s setting) text(h Host, r raw) (string, error) {
	want := "text"
	if s.path {
		want = "a path"
	}
	switch {
	case r.form == untyped, r.form == text, r.form == number && s.numerals:
	case r.form == number, r.form == boolean, r.form == null:
		return "", fmt.Errorf("got %s, want %s (put it in quotes)", r, want)
	default:
		return "", fmt.Errorf("got %s, want %s", r, want)
	}
	switch {
	case r.text == "" && s.required:
		return "", fmt.Errorf("got nothing, want %s", want)
	case r.text == "", slices.Contains(s.words, r.text):
		return r.text, nil
	case s.path:
		return h.resolve(r.base, r.text)
	case s.check != nil:
		return s.check(r.text)
	default:
		return r.text, nil
	}
}

// texts reads a list. One text is a list of one; in a variable or a flag it
// is split at the separator of the setting's kind.
func (s setting) texts(h Host, r raw) ([]string, error) {
	items := r.list
	switch {
	case r.form == list:
	case r.form == untyped:
		separator := ","
		if s.path {
			separator = h.listSeparator()
		}
		for part := range strings.SplitSeq(r.text, separator) {
			items = append(items, raw{text: strings.TrimSpace(part), base: r.base})
		}
	case r.form == text, r.form == number && s.numerals:
		items = []raw{r}
	case r.form == number, r.form == boolean, r.form == null:
		return nil, fmt.Errorf("got %s, want a list of texts (put it in quotes)", r)
	default:
		return nil, fmt.Errorf("got %s, want a list of texts", r)
	}
	var all []string
	for i, item := range items {
		one, err := s.text(h, item)
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", i+1, err)
		}
		if one != "" {
			all = append(all, one)
		}
	}
	return all, nil
}

func parseBool(r raw) (bool, error) {
	if r.form == boolean || r.form == untyped {
		if b, err := strconv.ParseBool(strings.ToLower(r.text)); err == nil {
			return b, nil
		}
	}
	return false, fmt.Errorf("got %s, want true or false", r)
}

func (s setting) wholeNumber(r raw) (int, error) {
	if r.form == number || r.form == untyped {
		if n, err := strconv.Atoi(r.text); err == nil && n >= s.least && n <= s.most {
			return n, nil
		}
	}
	return 0, fmt.Errorf("got %s, want a whole number from %d to %d", r, s.least, s.most)
}

// parseShare reads a share of a whole: above 0, at most 1.
func parseShare(r raw) (float64, error) {
	if r.form == number || r.form == untyped {
		if f, err := strconv.ParseFloat(r.text, 64); err == nil && f > 0 && f <= 1 {
			return f, nil
		}
	}
	return 0, fmt.Errorf("got %s, want a number above 0 and at most 1, such as 0.6", r)
}

func parseDuration(r raw) (time.Duration, error) {
	if r.form == text || r.form == untyped {
		if d, err := time.ParseDuration(r.text); err == nil && d > 0 {
			return d, nil
		}
	}
	return 0, fmt.Errorf("got %s, want a positive duration with its unit, such as 90s or 2m", r)
}

func parseLevel(r raw) (slog.Level, error) {
	if r.form == text || r.form == untyped {
		switch strings.ToLower(r.text) {
		case "debug":
			return slog.LevelDebug, nil
		case "info":
			return slog.LevelInfo, nil
		case "warn":
			return slog.LevelWarn, nil
		case "error":
			return slog.LevelError, nil
		}
	}
	return 0, fmt.Errorf("got %s, want debug, info, warn or error", r)
}

// deref returns what a setting's field points to.
func deref(field any) any {
	switch p := field.(type) {
	case *string:
		return *p
	case *[]string:
		return *p
	case *bool:
		return *p
	case *int:
		return *p
	case *float64:
		return *p
	case *time.Duration:
		return *p
	case *slog.Level:
		return *p
	default:
		panic(fmt.Sprintf("no setting has the type %T", p))
	}
}
