package imessage

import (
	"io/fs"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// parser turns records into messages.
type parser struct {
	files   fs.FS
	root    string
	survey  *survey
	cast    *cast
	parents *parents
	crlf    bool

	m      msg.Message
	cursor cursor
	// date and sender are the record's first two lines.
	date, sender string
	// bodyAt is where the text after the sender line begins in the file.
	bodyAt msg.Position
	// textEnd is where the empty lines at the end of the text begin; noEdit is
	// how far the text is known to hold no later version; effort bounds the
	// bytes compared to find the originals of copies. All three keep the time
	// for a record in proportion to its length, whatever stands in it.
	textEnd, noEdit, effort int
	// depth is how deep in copies of copies the record stands.
	depth int
	// copies are the replies copied under the message; loose are those of
	// them that stand nowhere else.
	copies []uint64
	loose  []copied
	// unsent and unreadable are set when the exporter says a part was taken
	// back, or could not be formatted.
	unsent, unreadable bool
}

func (p *parser) detail(name, value string) {
	p.m.Details = append(p.m.Details, msg.Detail{Name: name, Value: value})
}

// reset clears the message for the next record and keeps its slices.
func (p *parser) reset() {
	p.m = msg.Message{
		Reactions: p.m.Reactions[:0], Edits: p.m.Edits[:0],
		Attachments: p.m.Attachments[:0], Details: p.m.Details[:0],
	}
	p.copies, p.loose = p.copies[:0], p.loose[:0]
	p.unsent, p.unreadable = false, false
}

// message parses a record with a sender. What stood after bodyCap bytes of
// text is returned as cut.
func (p *parser) message(r *record) (cut string) {
	p.reset()
	all := string(r.text)
	p.date, p.sender = all[:r.senderAt-1], all[r.senderAt:r.bodyAt-1]
	p.m.Position = r.at
	p.m.Time = wall(r.when, p.date[:clockLen])
	p.address(p.cast.person(p.sender), r.verdict, r.reason)
	if read := readReceipt(p.date); read != "" {
		p.detail("read", read)
	}
	eol := int64(1)
	if p.crlf {
		eol = 2
	}
	p.bodyAt = msg.Position{
		Line:   r.at.Line + 2,
		Offset: r.at.Offset + int64(len(p.date)) + int64(len(p.sender)) + 2*eol,
	}
	p.cursor = cursor{text: all[r.bodyAt:]}
	p.textEnd = len(strings.TrimRight(p.cursor.text, "\r\n"))
	p.noEdit, p.effort = 0, effortFactor*len(all)
	body := p.body()
	if len(body) > bodyCap {
		at := runeStart(body, bodyCap)
		body, cut = body[:at], body[at:]
	}
	p.m.Body = body
	p.classify()
	return cut
}

// runeStart is the last beginning of a character at or before at.
func runeStart(s string, at int) int {
	for at > 0 && s[at]&0xC0 == 0x80 {
		at--
	}
	return at
}

// address sets sender and direction. A suspect message is never the owner's:
// whose it claims to be is a detail.
func (p *parser) address(who person, v verdict, reason string) {
	p.m.Sender, p.m.Direction = who.handle, msg.In
	if who.owner {
		p.m.Direction = msg.Out
	}
	if v != verdictSuspect {
		return
	}
	p.m.Suspect, p.m.Direction = reason, msg.In
	if who.owner {
		p.m.Sender = msg.Handle{}
		p.detail("claimed_sender", p.sender)
	}
}

// body reads the lines under the sender: text becomes the body, and what the
// exporter adds becomes what it stands for.
func (p *parser) body() string {
	text := prose{text: p.cursor.text}
	if l, ok := p.cursor.peek(0); ok && l == recentlyDeleted {
		p.cursor.next()
		p.detail("deleted", "in Recently Deleted")
	}
	for !p.cursor.done() {
		at := p.cursor.at
		before := p.cursor
		l := p.cursor.next()
		from, keep := at, true
		if l != "" {
			from, keep = p.line(l, at, before, text.any)
		}
		if keep {
			text.add(from, p.cursor.lineEnd())
		} else {
			text.part()
		}
	}
	return text.String()
}

const recentlyDeleted = "This message was deleted from the conversation!"

// line deals with one line that is not empty. It returns whether the line is
// text, and from which offset on. started is set once there is text.
func (p *parser) line(l string, at int, before cursor, started bool) (from int, isText bool) {
	switch c := l[0]; {
	case c == ' ':
		next, ok := p.cursor.peek(0)
		if ok && p.depth < maxDepth && isCopyHeader(l, next) {
			p.cursor = before
			p.copy()
			return 0, false
		}
	case (c == 'T' || c == 'R') && isTapbackTitle(l) && p.tapbacks():
		return 0, false
	case c == 'T' && l == replyMarker && p.atTextEnd():
		p.reply(before)
		return 0, false
	case c == 'T' && strings.HasPrefix(l, transcription) && p.afterAttachment(before):
		p.detail("transcription", l[len(transcription):])
		return 0, false
	case c == 'A' && missingAttachment[l]:
		p.m.Attachments = append(p.m.Attachments, msg.Attachment{Missing: "the exporter found no file"})
		return 0, false
	case c == 'S' && (started || len(p.m.Attachments) > 0) && p.effect(l):
		return 0, false
	case c == 'U' && strings.HasPrefix(l, appError):
		p.unreadable = true
		p.detail("app_message", l[len(appError):])
		return 0, false
	case mayBePath(l) && isAttachment(l):
		p.attach(l, false)
		return 0, false
	}
	if strings.HasSuffix(l, "!") && p.unsentPart(l) || strings.HasSuffix(l, ".") && p.deletedMessage(l, started) {
		return 0, false
	}
	if strings.Contains(l, stickerWord) && p.sticker(l, p.sender) {
		return 0, false
	}
	if from, ok := p.edits(l, at); ok {
		return from, true
	}
	return at, true
}

const (
	transcription = "Transcription: "
	appError      = "Unable to format app message: "
)

func isTapbackTitle[T text](l T) bool { return string(l) == "Tapbacks:" || string(l) == "Reactions:" }

// atTextEnd says whether only empty lines follow.
func (p *parser) atTextEnd() bool { return p.cursor.at >= p.textEnd }

// afterAttachment says whether the line before the one at c is the path of
// the attachment read last.
func (p *parser) afterAttachment(c cursor) bool {
	before := strings.TrimSuffix(c.text[:c.at], "\n")
	l := before[strings.LastIndexByte(before, '\n')+1:]
	return len(p.m.Attachments) > 0 && l != "" && mayBePath(l) && isAttachment(l)
}

var effects = map[string]bool{
	"Confetti": true, "Echo": true, "Fireworks": true, "Balloons": true, "Heart": true, "Lasers": true,
	"Shooting Star": true, "Shooting Start": true, "Sparkles": true, "Spotlight": true,
	"Slam": true, "Loud": true, "Gentle": true, "Invisible Ink": true,
}

func (p *parser) effect(l string) bool {
	name, ok := strings.CutPrefix(l, "Sent with ")
	if !ok || !effects[name] {
		return false
	}
	p.detail("effect", name)
	return true
}

// unsentPart reads "You unsent this message part 9 seconds after sending!".
// The one who took it back is the sender, by name or as You or They.
func (p *parser) unsentPart(l string) bool {
	who, when, ok := strings.Cut(l, " unsent this message part")
	if !ok || who != "You" && who != "They" && who != p.sender {
		return false
	}
	span, timed := strings.CutPrefix(when, " ")
	span, after := strings.CutSuffix(span, " after sending!")
	if _, ok := parseSpan(span); when != "!" && !(timed && after && ok) {
		return false
	}
	p.unsent = true
	p.detail("unsent", l)
	return true
}

// deletedMessage reads the whole text that version 1 writes for a message
// that was taken back.
func (p *parser) deletedMessage(l string, started bool) bool {
	who, ok := strings.CutSuffix(l, " deleted a message.")
	if !ok || started || !p.atTextEnd() || who != "You" && who != "They" && who != p.sender {
		return false
	}
	p.unsent = true
	p.detail("unsent", l)
	return true
}

// event parses a record of one line.
func (p *parser) event(r *record) {
	p.reset()
	l := string(r.text[:r.senderAt-1])
	p.m.Position = r.at
	p.m.Kind, p.m.Body = msg.Notice, l
	if r.kind == brokenRecord {
		p.m.Kind = msg.Unparsed
		return
	}
	p.m.Time = wall(r.when, l[:clockLen])
	p.m.Body = l[clockLen+1:]
	if r.kind == unknownRecord {
		p.m.Suspect = "is an event of an unknown kind: may be text inside the message before it"
	}
	if r.verdict == verdictSuspect {
		p.m.Suspect = r.reason
	}
	who, unsent := strings.CutSuffix(p.m.Body, unsentEvent)
	if !unsent || p.m.Suspect != "" {
		return
	}
	p.m.Kind, p.m.Body = msg.Deleted, ""
	p.detail("unsent", who+unsentEvent)
	if who == "You" {
		p.m.Sender, p.m.Direction = source.NameHandle(ownerName), msg.Out
		return
	}
	p.sender = who
	p.address(p.cast.person(who), verdictKeep, "")
}
