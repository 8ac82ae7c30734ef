package imessage

import (
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

const (
	// maxParents bounds how many replies may be awaited at once.
	maxParents = 1 << 13
	// parentBody is how much of an answered text a reference repeats, in bytes.
	parentBody = 200
	// effortFactor is how many times its own length may be compared to find
	// the originals of the copies in a record.
	effortFactor = 8
	// maxDepth is how deep copies may stand inside copies. The exporter writes
	// one level.
	maxDepth = 4
)

// parents remembers which message a reply answers, from the copy under that
// message until the reply in its own place. The oldest is forgotten first.
type parents struct {
	refs  map[uint64]*msg.Ref
	queue []uint64
	head  int
}

func newParents() *parents { return &parents{refs: map[uint64]*msg.Ref{}} }

func (p *parents) put(sum uint64, ref *msg.Ref) {
	if _, known := p.refs[sum]; known {
		return
	}
	if len(p.queue) < maxParents {
		p.queue = append(p.queue, sum)
	} else {
		delete(p.refs, p.queue[p.head])
		p.queue[p.head] = sum
		p.head = (p.head + 1) % maxParents
	}
	p.refs[sum] = ref
}

func (p *parents) take(sum uint64) (*msg.Ref, bool) {
	ref, ok := p.refs[sum]
	delete(p.refs, sum)
	return ref, ok
}

// copied is the copy of a reply that stands nowhere else.
type copied struct {
	text string
	at   msg.Position
}

// copy reads the copy of a reply at the cursor. One whose original stands in
// the file leaves a trace for it and nothing else.
func (p *parser) copy() {
	start := p.cursor
	date, sender := p.cursor.next(), p.cursor.next()
	key := p.survey.digest.key([]byte(date), []byte(sender))
	for n := uint64(0); n < maxEqualReplies; n++ {
		original, ok := p.survey.replies[key+n]
		if !ok {
			break
		}
		if end, ok := p.matches(start, original); ok {
			p.cursor = end
			p.cursor.skipEmpty()
			p.copies = append(p.copies, original.sum)
			return
		}
	}
	p.cursor = start
	text := p.copyText()
	if len(p.survey.replies) < maxReplies {
		p.loose = append(p.loose, copied{text, p.positionOf(start)})
	}
}

// matches says whether the lines at c are the original but for indentation,
// and returns the cursor past them.
func (p *parser) matches(c cursor, original shape) (cursor, bool) {
	var sum uint64
	for range original.lines {
		if c.done() || p.effort <= 0 {
			return c, false
		}
		l := c.next()
		p.effort -= len(l) + 1
		sum = p.survey.digest.line(sum, []byte(l))
	}
	return c, sum == original.sum
}

// copyText takes the lines of a copy off the cursor, without indentation.
// Version 4 indents all of them; before it only the first line of each part
// is, and an empty line ends the copy.
func (p *parser) copyText() string {
	var b strings.Builder
	gaps, title := 0, false
	for n := 0; !p.cursor.done(); n++ {
		l, _ := p.cursor.peek(0)
		next, _ := p.cursor.peek(1)
		text, indented := strings.CutPrefix(l, indent)
		if l == "" {
			gaps++
			p.cursor.next()
			continue
		}
		if gaps > 0 && !indented || n > 0 && isCopyHeader(l, next) {
			break
		}
		for ; gaps > 0; gaps-- {
			b.WriteByte('\n')
		}
		// Before version 4 the first reaction is indented twice, the others once.
		if title && strings.HasPrefix(next, indent) && !strings.HasPrefix(next, indent+indent) {
			text = strings.TrimPrefix(text, indent)
		}
		title = isTapbackTitle(text)
		b.WriteString(text)
		b.WriteByte('\n')
		p.cursor.next()
	}
	return b.String()
}

// positionOf is where the line at c stands in the file.
func (p *parser) positionOf(c cursor) msg.Position {
	at := msg.Position{Line: p.bodyAt.Line + int64(c.line), Offset: p.bodyAt.Offset + int64(c.at)}
	if p.crlf {
		at.Offset += int64(c.line)
	}
	return at
}

// looseRecord is the record of a copy that stands nowhere else.
func looseRecord(c copied) *record {
	text := []byte(c.text)
	when, _ := parseClock(text)
	date := strings.IndexByte(c.text, '\n') + 1
	sender := strings.IndexByte(c.text[date:], '\n') + 1
	return &record{
		kind: messageRecord, at: c.at, when: when, text: text, senderAt: date, bodyAt: date + sender,
		verdict: verdictSuspect,
		reason:  "is a reply copied under the message it answers and stands nowhere else: may be text inside that message",
	}
}

// reply points the message to the one it answers, if its copy was met.
func (p *parser) reply(marker cursor) {
	d := p.survey.digest
	sum := d.line(d.line(0, []byte(p.date)), []byte(p.sender))
	last := sum
	for c := (cursor{text: marker.text[:marker.at]}); !c.done(); {
		l := c.next()
		if sum = d.line(sum, []byte(l)); l != "" {
			last = sum
		}
	}
	if ref, found := p.parents.take(last); found {
		p.m.ReplyTo = &msg.Reply{Target: ref}
		return
	}
	p.detail("reply", "to an earlier message that the export does not name")
}

// ref names the message for the replies to it.
func (p *parser) ref() *msg.Ref {
	body := p.m.Body
	if len(body) > parentBody {
		body = body[:runeStart(body, parentBody)]
	}
	return &msg.Ref{
		RawTime: strings.Clone(p.m.Time.Raw), Sender: strings.Clone(p.m.Sender.ID), Body: strings.Clone(body),
	}
}
