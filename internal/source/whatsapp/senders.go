package whatsapp

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

const (
	// maxSenders bounds the senders remembered of one file; WhatsApp's
	// largest groups have about a thousand members.
	maxSenders = 4096
	// longestName is in bytes. A group's name has at most a hundred letters.
	longestName = 400
	// maxAlternatives bounds the longer names tried for one short name.
	maxAlternatives = 4
	// sureAlternative is how many messages it takes to believe that a name
	// holds a colon.
	sureAlternative = 3
)

// sender is one author as the text before the first ": " names it.
type sender struct {
	name   string
	handle msg.Handle
	// main and other count messages per date order, in the file's date style
	// and in others; notices counts texts WhatsApp made in this name.
	main, other [orders]int64
	notices     int64
	// alternatives are longer names that begin with this one, for authors
	// whose name holds a colon; plain is set once a message fits none.
	alternatives []alternative
	plain        bool
	// openQuote is set for a name that opens a quotation and does not close it.
	openQuote bool

	// What a plan decides: how many messages count, the longer names that
	// hold a colon, and whether this is the owner or a third person in a chat
	// of two.
	count       int64
	longer      []int32
	owner, lone bool
}

type alternative struct {
	name  string // up to the second ": "
	count int64
}

// senders are the authors of a file in the order they appear.
type senders struct {
	list  []*sender
	index map[string]int32
	// full is set when there are more than maxSenders.
	full bool
}

// noSender stands for an author that is not in the list.
const noSender int32 = -1

// find returns the index of the author called name, and adds it if it is new.
func (s *senders) find(name []byte) int32 {
	if i, known := s.index[string(name)]; known {
		return i
	}
	if len(s.list) >= maxSenders {
		s.full = true
		return noSender
	}
	if s.index == nil {
		s.index = map[string]int32{}
	}
	return s.insert(string(name))
}

func (s *senders) insert(name string) int32 {
	i := int32(len(s.list))
	clean := strings.ToValidUTF8(name, "\ufffd")
	s.list = append(s.list, &sender{name: clean, handle: source.NameHandle(clean), openQuote: opensQuote(clean)})
	s.index[name] = i
	return i
}

// splitAuthor cuts "Name: text" at the first colon that a space, a mark or the
// end of the line follows. Without one, or with a name that is empty or too long,
// there is no author.
func splitAuthor(text []byte) (name, body []byte, ok bool) {
	from := 0
	for from <= longestName {
		at := bytes.IndexByte(text[from:min(len(text), longestName+1)], ':')
		if at < 0 {
			return nil, text, false
		}
		at += from
		rest := text[at+1:]
		switch {
		case len(rest) == 0, bytes.HasPrefix(rest, []byte(lrm)):
		case rest[0] == ' ':
			rest = rest[1:]
		default:
			from = at + 1
			continue
		}
		name = trimName(text[:at])
		return name, rest, len(name) > 0
	}
	return nil, text, false
}

// trimName cuts spaces and marks off both ends of a name, so that an author is
// one author whatever WhatsApp puts around the name.
func trimName(name []byte) []byte {
	if n := len(name); n > 0 && name[0] > ' ' && name[0] < utf8.RuneSelf && name[n-1] > ' ' && name[n-1] < utf8.RuneSelf {
		return name
	}
	return bytes.TrimFunc(name, invisible)
}

// quotePairs are what languages write around a group's name.
var quotePairs = [...][2]string{{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"„", "”"}, {"”", "”"}, {"«", "»"}, {"»", "«"}, {"「", "」"}, {"『", "』"}}

// opensQuote reports whether a quotation begins in name and does not end.
func opensQuote(name string) bool {
	for _, pair := range quotePairs {
		if at := strings.LastIndex(name, pair[0]); at >= 0 && !strings.Contains(name[at+len(pair[0]):], pair[1]) &&
			(pair[0] != pair[1] || strings.Count(name, pair[0])%2 == 1) {
			return true
		}
	}
	return false
}

// quotes reports whether "name: body" is a notice of an Android phone that
// quotes something with a colon in it, and the name is no name: such notices
// have no author.
func (s *sender) quotes(shape shape, body []byte) bool {
	if !s.openQuote || shape != dashed {
		return false
	}
	for _, pair := range quotePairs {
		if strings.Contains(s.name, pair[0]) && bytes.Contains(body, []byte(pair[1])) {
			return true
		}
	}
	return false
}

// blank reports whether b holds nothing to be seen.
func blank(b []byte) bool {
	if len(b) > 0 && b[0] > ' ' && b[0] < 0x80 {
		return false
	}
	return msg.IdentityText(string(b)) == ""
}

// watchColon notes a second ": " shortly after the first, which may belong to
// the name.
func (s *sender) watchColon(body []byte) {
	if s.plain && len(s.alternatives) == 0 {
		return
	}
	at := bytes.Index(body[:min(len(body), longestName)], []byte(": "))
	if at < 0 {
		s.plain = true
		return
	}
	for i := range s.alternatives {
		if a := &s.alternatives[i]; a.name[len(s.name)+len(": "):] == string(body[:at]) {
			a.count++
			return
		}
	}
	if s.plain || len(s.alternatives) == maxAlternatives {
		s.plain = true
		return
	}
	s.alternatives = append(s.alternatives, alternative{s.name + ": " + string(body[:at]), 1})
}

// resolveColons decides which names hold a colon: frequent ones under which
// all messages of the short name stand, and those known from elsewhere. The
// messages then belong to the longer names.
func (s *senders) resolveColons(known func(name string) bool) {
	for _, short := range s.list {
		for _, a := range short.alternatives {
			sure := !short.plain && !slices.ContainsFunc(short.alternatives, func(a alternative) bool { return a.count < sureAlternative })
			if _, taken := s.index[a.name]; taken || len(s.list) >= maxSenders || !sure && !known(a.name) {
				continue
			}
			at := s.insert(a.name)
			short.longer = append(short.longer, at)
			for o := range orders {
				s.list[at].main[o] = a.count
				short.main[o] = max(0, short.main[o]-a.count)
			}
		}
	}
}
