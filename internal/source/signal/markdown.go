package signal

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// Markdown reads signal-export's transcripts: chat.md and its predecessor
// index.md. The file's folder names the conversation.
type Markdown struct{}

// Name implements source.Source.
func (Markdown) Name() msg.Source { return msg.Signal }

// Read implements source.Source.
func (Markdown) Read(ctx context.Context, c source.Candidate, _ source.Recognition, o source.Options, sink source.Sink) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f, err := c.FS.Open(c.Path)
	if err != nil {
		return fmt.Errorf("read transcript: %w", err)
	}
	defer f.Close()
	s, found := newScanner(f, c.Size)
	if s.err != nil {
		return fmt.Errorf("read transcript: %w", s.err)
	}
	r := &transcript{ctx: ctx, sink: sink, scanner: s, chat: newChat(c), line: 1, shelf: shelf{fsys: c.FS}}
	r.shelf.folder = r.chat.folder
	r.times = chronology{scanner: s, unsorted: r.chat.key == nullName, budget: 1 << 14}
	if !o.Now.IsZero() {
		r.times.now = reading(o.Now.UnixMicro())
	}
	if !found {
		r.skip(0, s.buf, "no message header in the file")
		return nil
	}
	return r.read(c)
}

// transcript is one reading of a transcript.
type transcript struct {
	*scanner
	ctx   context.Context
	sink  source.Sink
	chat  *chat
	shelf shelf
	times chronology
	count int
	line  int64 // of the current message

	// What follows is reused for every message.
	m           msg.Message
	parts       parts
	reply       msg.Reply
	reactions   []msg.Reaction
	attachments []msg.Attachment
}

// contextEvery is how many messages pass between two looks at the context.
const contextEvery = 512

func (r *transcript) read(c source.Candidate) error {
	r.preamble()
	if err := r.sink.Begin(r.chat.conversation()); err != nil {
		return err
	}
	current := r.firstMark()
	for more := true; more; {
		if r.count++; r.count%contextEvery == 0 {
			if err := r.ctx.Err(); err != nil {
				return err
			}
		}
		r.keep = current.at
		var next mark
		next, more = r.next(current.at+int64(current.bodyFrom), maxBody+2*maxHeader)
		cut := !more && !(r.end && next.at == r.reach())
		doubt := r.doubt(current, next, more)
		chunk := r.from(current.at)
		if more || cut {
			chunk = chunk[:next.at-current.at]
		} else {
			chunk = r.cutTail(chunk)
		}
		if err := r.message(current, chunk, doubt); err != nil {
			return err
		}
		r.line += int64(bytes.Count(chunk, lineFeed))
		if cut {
			next, more = r.passOver(current, next.at)
		}
		current = next
	}
	if err := r.sink.End(r.chat.conversation()); err != nil {
		return err
	}
	for _, n := range r.chat.notes(c.FS) {
		r.sink.Note(n)
	}
	if r.times.copies {
		r.sink.Note("the file holds the export twice, one copy after the other")
	}
	if r.err != nil {
		return fmt.Errorf("read transcript: %w", r.err)
	}
	return nil
}

var lineFeed = []byte("\n")

// preamble reports what stands before the first message.
func (r *transcript) preamble() {
	text := bytes.TrimPrefix(r.buf[:r.first], byteOrderMark)
	if len(bytes.TrimSpace(text)) > 0 {
		r.skip(int64(r.first-len(text)), text, "text before the first message")
	}
	r.line += int64(bytes.Count(text, lineFeed))
}

func (r *transcript) firstMark() mark {
	h, _ := scanHeader(r.buf[r.first:])
	return mark{h, int64(r.first), isMessage}
}

// doubt returns why m may be a line in another message's text, or "".
func (r *transcript) doubt(m, next mark, more bool) string {
	reason := r.times.doubt(m, next, more)
	switch {
	case m.verdict == isDoubtful:
		return "looks like a message but is not written like the others in this file"
	case reason != "":
		return reason
	}
	name := r.from(m.at)[m.sender:m.colon]
	if p, fresh := find(r.chat, name); fresh && r.chat.stranger(p) && !r.writesAgain(m, p.handle.ID) {
		return "its sender appears nowhere else in this chat of two"
	}
	r.times.add(m)
	return ""
}

// writesAgain reports whether a message after m, not far from it, is from the
// same sender.
func (r *transcript) writesAgain(m mark, name string) bool {
	r.ensure(m.at, bufferSize/2)
	for range ahead {
		if r.times.budget--; r.times.budget < 0 {
			return true
		}
		var found bool
		if m, found = r.seek(m.at + int64(m.bodyFrom)); !found {
			return false
		}
		if m.verdict == isMessage && string(r.from(m.at)[m.sender:m.colon]) == name {
			return true
		}
	}
	return false
}

// cutTail cuts the beginning of a header off the end of the file.
func (r *transcript) cutTail(chunk []byte) []byte {
	at := bytes.LastIndexByte(chunk, '\n') + 1
	if at == 0 || !cutHeader(chunk[at:]) || r.judgeLead(before(chunk, at)) != isMessage {
		return chunk
	}
	r.skip(r.keep+int64(at), chunk[at:], "the file ends inside a message's header")
	return chunk[:at]
}

// passOver leaves out the rest of a message that is too long, from place at
// on, and returns the next message.
func (r *transcript) passOver(m mark, at int64) (next mark, more bool) {
	from := m.at + int64(m.bodyFrom) + maxBody
	excerpt := bytes.Clone(r.from(from)[:min(maxHeader, r.reach()-from)])
	next = mark{at: at}
	line := r.line
	for !more && !(r.end && next.at == r.reach()) {
		// What a header is judged by stands right before it.
		r.keep = max(r.keep, next.at-maxHeader)
		next, more = r.next(next.at, bufferSize)
		if seen := next.at; seen > at {
			r.line += int64(bytes.Count(r.from(at)[:seen-at], lineFeed))
			at = seen
		}
	}
	r.sink.Skip(source.Skipped{
		Position: msg.Position{Line: line, Offset: from},
		Reason:   fmt.Sprintf("text longer than %d MiB: the rest of it was left out", maxBody>>20),
		Excerpt:  source.Excerpt(string(excerpt)),
	})
	return next, more
}

func (r *transcript) skip(at int64, text []byte, reason string) {
	line := r.line
	if at > r.keep {
		line += int64(bytes.Count(r.from(r.keep)[:at-r.keep], lineFeed))
	}
	r.sink.Skip(source.Skipped{
		Position: msg.Position{Line: line, Offset: at},
		Reason:   reason,
		Excerpt:  source.Excerpt(string(text[:min(len(text), 4*source.ExcerptSize)])),
	})
}

// message hands over the message with header h that fills chunk.
func (r *transcript) message(h mark, chunk []byte, doubt string) error {
	if limit := h.bodyFrom + maxBody; len(chunk) > limit {
		for limit > h.bodyFrom+maxBody-utf8.UTFMax && !utf8.RuneStart(chunk[limit]) {
			limit--
		}
		chunk = chunk[:limit]
	}
	text := string(chunk)
	p, _ := find(r.chat, chunk[h.sender:h.colon])
	m := &r.m
	*m = msg.Message{
		Time:     h.time.wall(h.precision(), text[1:h.rawEnd], r.times.last),
		Suspect:  doubt,
		Position: msg.Position{Line: r.line, Offset: h.at},
	}
	r.parts.split(r.text(text[h.bodyFrom:]), r.spaced)
	r.parts.kindOf(m)
	r.chat.attribute(m, p, m.Body == "" && m.Kind == msg.Text && r.parts.quote == "" && !r.parts.added())
	r.attach(m)
	return r.sink.Message(m)
}

func (h header) precision() msg.Precision {
	if h.shape&withSeconds != 0 {
		return msg.Second
	}
	return msg.Minute
}

// text undoes what stands after every message and, in a file written on
// Windows, what was done to its line feeds.
func (r *transcript) text(text string) string {
	if r.crlf {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	if !r.spaced {
		return strings.TrimRight(text, "\n")
	}
	text = strings.TrimSuffix(text, "\n")
	if r.blank {
		text = strings.TrimSuffix(text, "\n")
	}
	return text
}

// attach adds what stands around the text to m.
func (r *transcript) attach(m *msg.Message) {
	if r.parts.quote != "" {
		r.reply = msg.Reply{Quote: r.parts.quote}
		m.ReplyTo = &r.reply
	}
	if r.parts.reactions != "" {
		r.reactions = r.chat.react(m, r.parts.reactions, r.reactions[:0])
		m.Reactions = r.reactions
	}
	if len(r.parts.links) > 0 {
		r.attachments = r.attachments[:0]
		for _, l := range slices.Backward(r.parts.links) {
			r.attachments = append(r.attachments, l.attachment(&r.shelf))
		}
		m.Attachments = r.attachments
	}
	if m.Kind == msg.Call {
		if d := callDuration(m.Body); d != "" {
			m.Details = []msg.Detail{{Name: "duration", Value: d}}
		}
	}
	m.Links = hiddenLinks(m.Body)
}
