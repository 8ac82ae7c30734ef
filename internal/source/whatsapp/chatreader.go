package whatsapp

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// maxBody is how much of one message is kept, in bytes. WhatsApp sends texts
// of up to 64 KiB.
const maxBody = 4 << 20

// chatReader is the second pass over a file: it hands over the messages.
type chatReader struct {
	*plan
	sink source.Sink
	wide bool // the file is UTF-16 and has no useful offsets

	open openMessage
	// headers counts messages begun, nextFlag is the next of plan.flags.
	headers  int64
	nextFlag int
	crlf     bool // the line before ended in CR LF

	before   leftover // lines above the first message
	kept     leftover // header-like lines that were kept as text
	suspects int64
	invalid  int64 // messages with bytes that are not UTF-8

	message msg.Message
}

// openMessage is the message whose lines are being read.
type openMessage struct {
	set bool
	// text is the message from its date on; date ends where its date and
	// time end, body begins where the sender's text does.
	text       []byte
	date, body int
	header     header
	micros     int64
	at         msg.Position
	reason     suspicion
	authored   bool
	author     *sender // nil if not remembered
	name       msg.Handle
	notice     bool
	over       leftover // what did not fit
}

// leftover is text that became no message, or none of its own.
type leftover struct {
	lines int64
	at    msg.Position
	text  string
}

func (l *leftover) add(at msg.Position, text []byte) {
	if l.lines == 0 {
		l.at = at
		l.text = excerpt(text)
	}
	l.lines++
}

func (r *chatReader) read(ctx context.Context, lines *source.LineReader) error {
	for n := 0; ; n++ {
		if n%linesPerLook == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		line, err := lines.Next()
		if err != nil {
			return r.finish(err)
		}
		if err := r.addLine(line); err != nil {
			return err
		}
		// The pieces of an endless line belong to one message.
		for line.Partial {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if line, err = lines.Next(); err != nil {
				return r.finish(err)
			}
			r.grow(line, false)
		}
		r.crlf = bytes.HasSuffix(line.Text, []byte("\r"))
	}
}

// addLine takes a line as the beginning of a message, or as more of the one
// that is open.
func (r *chatReader) addLine(line source.Line) error {
	h, ok := scanHeader(line.Text)
	micros := int64(0)
	if ok {
		if micros, ok = h.moment(r.order); !ok || h.frame != r.frame {
			ok = false
			if r.open.set {
				r.kept.add(r.position(line, 0), line.Text)
			}
		}
	}
	if !ok {
		r.grow(line, true)
		return nil
	}
	if err := r.flush(); err != nil {
		return err
	}
	if r.headers == 0 {
		r.skipBefore()
		if err := r.sink.Begin(r.conversation()); err != nil {
			return err
		}
	}
	r.headers++
	r.begin(line, &h, micros)
	return nil
}

// begin opens the message of a header.
func (r *chatReader) begin(line source.Line, h *header, micros int64) {
	first := trimBreak(line)
	rest := first[h.text:]
	m := &r.open
	m.set, m.header, m.micros, m.at = true, *h, micros, r.position(line, 0)
	m.author, m.notice, m.over = nil, false, leftover{}
	name, body, authored := splitAuthor(rest)
	if authored {
		m.author, m.name, body = r.authorOf(name, body, rest)
		authored = m.author == nil || !m.author.quotes(r.frame.shape, body)
	}
	if m.authored = authored; !authored {
		m.author, m.name, body = nil, msg.Handle{}, rest
	} else {
		m.notice = !r.reading.marks && r.headers <= earlyHeaders && unmarkedNotice(body)
	}
	m.reason = r.suspicion(line.Number, m)
	bodyAt := len(first) - len(body)
	m.date, m.body = h.to-h.from, bodyAt-h.from
	m.text = append(m.text[:0], first[h.from:bodyAt]...)
	r.append(body, line, bodyAt)
}

// authorOf finds the author called name, or the one with a longer name that
// begins so and holds a colon.
func (r *chatReader) authorOf(name, body, text []byte) (*sender, msg.Handle, []byte) {
	i, known := r.senders.index[string(name)]
	if !known {
		return nil, source.NameHandle(validText(name)), body
	}
	author := r.senders.list[i]
	for _, i := range author.longer {
		longer := r.senders.list[i]
		if rest, ok := bytes.CutPrefix(text, []byte(longer.name+": ")); ok {
			return longer, longer.handle, rest
		}
	}
	return author, author.handle, body
}

// suspicion finds the reason, if any, why the line may be part of a message.
func (r *chatReader) suspicion(line int64, m *openMessage) suspicion {
	for r.nextFlag < len(r.flags) && r.flags[r.nextFlag].line < line {
		r.nextFlag++
	}
	switch {
	case r.nextFlag < len(r.flags) && r.flags[r.nextFlag].line == line:
		return r.flags[r.nextFlag].reason
	case m.header.dateStyle != r.main && !r.mixed:
		return otherDateStyle
	case m.author != nil && m.author.lone:
		return thirdPerson
	case r.crlfOnly && r.headers > 1 && !r.crlf:
		return innerLineBreak
	}
	return noSuspicion
}

// grow adds a line, or a piece of one, to the open message.
func (r *chatReader) grow(line source.Line, newLine bool) {
	text := trimBreak(line)
	if !r.open.set {
		if !blank(text) {
			r.before.add(r.position(line, 0), text)
		}
		return
	}
	if newLine {
		r.append([]byte("\n"), line, 0)
	}
	r.append(text, line, 0)
}

// append adds text, which begins at skip in line, as far as there is room.
func (r *chatReader) append(text []byte, line source.Line, skip int) {
	m := &r.open
	if m.over.lines > 0 {
		return
	}
	room := maxBody - (len(m.text) - m.body)
	if len(text) <= room {
		m.text = append(m.text, text...)
		return
	}
	cut := runeStart(text, room)
	m.text = append(m.text, text[:cut]...)
	m.over.add(r.position(line, skip+cut), text[cut:])
}

func (r *chatReader) position(line source.Line, skip int) msg.Position {
	at := msg.Position{Line: line.Number, Offset: line.Offset + int64(skip)}
	if r.wide {
		at.Offset = 0
	}
	return at
}

func (r *chatReader) conversation() msg.Conversation {
	return msg.Conversation{Key: r.title.text, Name: r.title.text, Kind: r.kind}
}

func (r *chatReader) skipBefore() {
	if r.before.lines > 0 {
		r.sink.Skip(source.Skipped{Position: r.before.at, Excerpt: r.before.text,
			Reason: fmt.Sprintf("%d lines above the first message belong to none", r.before.lines)})
	}
}

// finish hands over what is open when reading ends with err.
func (r *chatReader) finish(err error) error {
	if r.open.set { // blank lines at the end are the file's, not the message's
		kept := len(bytes.TrimRight(r.open.text[r.open.body:], "\n"))
		r.open.text = r.open.text[:r.open.body+kept]
	}
	if flushErr := r.flush(); flushErr != nil {
		return flushErr
	}
	if r.headers == 0 {
		r.skipBefore()
	} else if endErr := r.sink.End(r.conversation()); endErr != nil {
		return endErr
	}
	r.noteCounts()
	if err == io.EOF {
		return nil
	}
	return fmt.Errorf("read chat: %w", err)
}
