package imessage

import (
	"bytes"
	"strings"
	"time"
)

// opening is a line that may open a record.
type opening struct {
	kind openingKind
	when time.Time
}

type openingKind uint8

const (
	notOpening   openingKind = iota
	dateLine                 // a date alone or with a read receipt: a sender line follows
	noticeLine               // a date and a group event on one line
	unknownEvent             // a date and something else on one line
	brokenEvent              // the exporter's word for an event it could not format
	cutDate                  // the beginning of a date line: a record if the file ends there
)

const brokenEventText = "Unable to format announcement!"

// openingOf says whether line has the shape of a record's first line.
func openingOf(line []byte) opening {
	if len(line) == len(brokenEventText) && string(line) == brokenEventText {
		return opening{kind: brokenEvent}
	}
	when, ok := parseClock(line)
	if !ok {
		if isCutClock(line) {
			return opening{kind: cutDate}
		}
		return opening{}
	}
	rest := line[clockLen:]
	switch {
	case len(rest) == 0, bytes.HasPrefix(rest, []byte(" (Read by ")) && rest[len(rest)-1] == ')':
		return opening{dateLine, when}
	case rest[0] != ' ':
		return opening{}
	case isEvent(string(rest[1:])):
		return opening{noticeLine, when}
	case len(rest) < len(" (Read by ") && strings.HasPrefix(" (Read by ", string(rest)), bytes.HasPrefix(rest, []byte(" (Read by ")):
		return opening{cutDate, when}
	}
	return opening{unknownEvent, when}
}

// readReceipt returns what stands after "Read " in a date line.
func readReceipt(line string) string {
	rest := line[clockLen:]
	if rest == "" {
		return ""
	}
	return rest[len(" (Read ") : len(rest)-1]
}

// Events are "<who> <what>". Those that end in a name or a number of the
// user's come first, then those that end the line.
var (
	openEvents = []string{
		" renamed the conversation to ", " named the conversation ", " performed unknown action ",
	}
	closedEvents = []string{
		" to the conversation.", " from the conversation.", " left the conversation.",
		" changed the group photo.", " removed the group photo.",
		" changed the chat background.", " removed the chat background.",
		" changed their phone number.", " kept an audio message.", unsentEvent,
	}
)

const unsentEvent = " unsent a message!"

func isEvent(s string) bool {
	for _, what := range closedEvents {
		if strings.HasSuffix(s, what) && len(s) > len(what) {
			return true
		}
	}
	for _, what := range openEvents {
		if strings.Index(s, what) > 0 {
			return true
		}
	}
	return false
}

// maxSender is the longest sender line in bytes. Address book names are
// shorter; what is longer is prose under a date.
const maxSender = 128

// canBeSender says whether the line under a date line can be a sender at all.
// Who is plausible in this conversation is for the cast to judge.
func canBeSender(line []byte) bool {
	if len(line) == 0 || len(line) > maxSender || line[0] == ' ' || line[0] == '\t' {
		return false
	}
	_, date := parseClock(line)
	return !date && !bytes.Contains(line, []byte("://"))
}

// indent is what the exporter puts before the lines of a reply's copy.
const indent = "    "

// isCopyHeader says whether two lines open the copy of a reply.
func isCopyHeader(date, sender string) bool {
	if !strings.HasPrefix(date, indent) || !strings.HasPrefix(sender, indent) {
		return false
	}
	if _, ok := parseClock(date[len(indent):]); !ok {
		return false
	}
	return openingOf([]byte(date[len(indent):])).kind == dateLine && canBeSender([]byte(sender[len(indent):]))
}
