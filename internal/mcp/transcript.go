package mcp

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/inert"
)

// day and clock are the two halves of a timestamp.
func (m *messageItem) day() string {
	day, _, _ := strings.Cut(m.Timestamp, "T")
	return day
}

func (m *messageItem) clock() string {
	_, clock, _ := strings.Cut(m.Timestamp, "T")
	return clock
}

// hashPrefix is how much of a hash a transcript shows: enough to be unique and
// to be passed to get_context.
const hashPrefix = 12

// line is a message as one line of a transcript: coordinates in brackets,
// then who and what. Nothing in it can begin another line. full adds what the
// shorter form leaves to get_context: the whole hash and the permalink.
func (m *messageItem) line(full bool) string {
	hash := m.Hash
	if !full {
		hash = hash[:hashPrefix]
	}
	at := strings.TrimRight(fmt.Sprintf("[%d %s %s", m.MessageID, hash, m.clock()), " ")
	return at + "] " + m.words(full)
}

// hitLine is line with all coordinates, for messages of several conversations.
func (m *messageItem) hitLine() string {
	return fmt.Sprintf("[%d %s %s] %s (%s, conversation %d) %s", m.MessageID, m.Hash, m.Timestamp,
		quoted(m.Conversation), m.Source, m.ConversationID, m.words(true))
}

// words are who and what. A text that ends like remarks is followed by empty
// ones, so that the last braces of a line are never the sender's.
func (m *messageItem) words(full bool) string {
	who := quoted(m.Sender) + ": "
	if m.Sender == "" {
		who = "(" + cmp.Or(m.Kind, "sender in doubt") + ") "
	}
	text := inert.Line(m.Text)
	remarks := strings.Join(m.remarks(full), "; ")
	if remarks == "" && !strings.HasSuffix(text, "}") {
		return who + text
	}
	return who + text + " {" + remarks + "}"
}

// remarks are the facts about a message that are not its text.
func (m *messageItem) remarks(full bool) (parts []string) {
	if m.Kind != "" && m.Sender != "" {
		parts = append(parts, m.Kind)
	}
	if m.ReplyTo != nil {
		parts = append(parts, m.ReplyTo.remark())
	}
	for _, a := range m.Attachments {
		part := fmt.Sprintf("%s, media %d", fileText(a.Kind, a.Name), a.MediaID)
		if a.Missing != "" {
			part += ", " + a.Missing
		}
		parts = append(parts, part)
	}
	for _, x := range m.Reactions {
		part := quoted(x.Emoji)
		if x.Sender != "" {
			part += " by " + quoted(x.Sender)
		}
		if x.Count > 1 {
			part += fmt.Sprintf(" ×%d", x.Count)
		}
		parts = append(parts, part)
	}
	if m.Edited {
		parts = append(parts, "edited")
	}
	if m.MissingSince != "" {
		parts = append(parts, "missing since "+m.MissingSince)
	}
	if m.Suspect != "" {
		parts = append(parts, "suspect: "+m.Suspect)
	}
	if m.Match != "" {
		part := m.Match
		if m.Score != 0 {
			part += " " + strconv.FormatFloat(m.Score, 'f', -1, 64)
		}
		parts = append(parts, part)
	}
	if full && m.URL != "" {
		parts = append(parts, m.URL)
	}
	return parts
}

// fileText is what kind of file and, where the export says it, its name.
func fileText(kind, name string) string { return strings.TrimSpace(kind + " " + quoted(name)) }

func (r *replyItem) remark() string {
	switch {
	case r.MessageID != 0:
		return "replies to " + strconv.FormatInt(r.MessageID, 10)
	case r.Quote != "":
		return "replies to: " + quoted(r.Quote)
	}
	return "replies to a message that is not in the archive"
}

// transcript writes messages as lines under day headers.
func transcript(list []messageItem, fullHash bool) string {
	var b strings.Builder
	day := ""
	for i := range list {
		if d := list[i].day(); d != day {
			day = d
			b.WriteString("== " + day + " ==\n")
		}
		b.WriteString(list[i].line(fullHash))
		b.WriteByte('\n')
	}
	return b.String()
}

// hitLines shows messages of several conversations, each on one line.
func hitLines(items []messageItem) string {
	var b strings.Builder
	for i := range items {
		b.WriteString(items[i].hitLine() + "\n")
	}
	return b.String()
}
