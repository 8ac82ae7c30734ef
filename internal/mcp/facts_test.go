package mcp

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// fact is what a line of text says about a message.
type fact struct {
	ID           int64
	Hash         string
	Timestamp    string
	Conversation string // hits only
	Source       string
	In           int64
	Sender       string // or the kind of a notice, in parentheses
	Text         string
	Remarks      string
}

var (
	messageLine = regexp.MustCompile(`^\[(\d+) ([0-9a-f]+)(?: (\S+))?\] (.*)$`)
	hitPlace    = regexp.MustCompile(`^ \((\w+), conversation (\d+)\) (.*)$`)
	dayLine     = regexp.MustCompile(`^== (\S+) ==$`)
)

// parseFacts reads the lines of a transcript, or of hits, the way a reader
// takes them: a day header or one message each.
func parseFacts(t testing.TB, lines string, hits bool) []fact {
	t.Helper()
	list := []fact{}
	day := ""
	for line := range strings.Lines(lines) {
		line = strings.TrimSuffix(line, "\n")
		if m := dayLine.FindStringSubmatch(line); m != nil && !hits {
			if m[1] == day {
				t.Errorf("day header %q stands twice", line)
			}
			day = m[1]
			continue
		}
		m := messageLine.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("line is neither a message nor a day: %q", line)
			continue
		}
		f := fact{Hash: m[2], Timestamp: m[3]}
		f.ID, _ = strconv.ParseInt(m[1], 10, 64)
		rest := m[4]
		if hits {
			f.Conversation, rest = parseName(rest, " (")
			place := hitPlace.FindStringSubmatch(rest)
			if place == nil {
				t.Errorf("line does not say where the message stands: %q", line)
				continue
			}
			f.Source, rest = place[1], place[3]
			f.In, _ = strconv.ParseInt(place[2], 10, 64)
		} else if f.Timestamp = day; m[3] != "" {
			f.Timestamp += "T" + m[3]
		}
		if kind, text, ok := strings.Cut(rest, ") "); ok && strings.HasPrefix(rest, "(") {
			f.Sender, rest = kind+")", text
		} else {
			f.Sender, rest = parseName(rest, ": ")
			rest = strings.TrimPrefix(rest, ": ")
		}
		f.Text = rest
		if at := strings.LastIndex(rest, " {"); at >= 0 && strings.HasSuffix(rest, "}") {
			f.Text, f.Remarks = rest[:at], rest[at+2:len(rest)-1]
		}
		list = append(list, f)
	}
	return list
}

// parseName reads a name at the beginning of s: quoted, or up to a delimiter.
func parseName(s, delimiter string) (name, rest string) {
	if !strings.HasPrefix(s, `"`) {
		at := max(0, strings.Index(s, delimiter))
		return s[:at], s[at:]
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
			name += s[i : i+1]
		case '"':
			return name, s[i+1:]
		default:
			name += s[i : i+1]
		}
	}
	return name, ""
}
