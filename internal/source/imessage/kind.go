package imessage

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

var locationTexts = map[string]bool{
	"Started sharing location!": true, "Stopped sharing location!": true, "Shared location!": true,
}

const sharePlayText = "SharePlay Message\nEnded"

// classify sets the kind of a message whose body and attachments are known.
func (p *parser) classify() {
	m := &p.m
	empty := m.Body == "" && len(m.Attachments) == 0
	switch {
	case empty && p.unsent:
		m.Kind = msg.Deleted
	case empty && p.unreadable:
		m.Kind = msg.Unparsed
	case m.Body == "" && isStickers(m.Attachments):
		m.Kind = msg.Sticker
	case locationTexts[m.Body]:
		m.Kind = msg.Location
	case m.Body == sharePlayText:
		m.Kind = msg.Notice
	case strings.HasPrefix(m.Body, "- ") && isPoll(m.Body):
		m.Kind = msg.Poll
	}
}

func isStickers(list []msg.Attachment) bool {
	for _, a := range list {
		if !a.Sticker {
			return false
		}
	}
	return len(list) > 0
}

// isPoll says whether every line is an option with its count, "- Tuesday (2)",
// or under it one who voted, "  - Ana".
func isPoll(body string) bool {
	for _, l := range strings.Split(body, "\n") {
		if strings.HasPrefix(l, "  - ") {
			continue
		}
		at := strings.LastIndex(l, " (")
		if !strings.HasPrefix(l, "- ") || at < 0 || !strings.HasSuffix(l, ")") || !isNumber(l[at+2:len(l)-1]) {
			return false
		}
	}
	return true
}

func isNumber(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}
