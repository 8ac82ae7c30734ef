package signal

import (
	"bytes"
	"context"
	"fmt"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

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
		var err error
		if current, more, err = r.step(current); err != nil {
			return err
		}
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

// step hands over the message at m and returns the one after it.
func (r *transcript) step(m mark) (next mark, more bool, err error) {
	r.keep = m.at
	next, more = r.next(m.at+int64(m.bodyFrom), maxBody+2*maxHeader)
	cut := !more && !r.atEnd(next.at)
	doubt := r.doubt(m, next, more)
	chunk := r.from(m.at)
	switch {
	case more || cut:
		chunk = chunk[:next.at-m.at]
	case r.err != nil:
		r.skip(m.at, chunk, "the file could not be read to the end of this message")
		return next, false, nil
	default:
		chunk = r.cutTail(chunk)
	}
	if err := r.message(m, chunk, doubt); err != nil {
		return next, false, err
	}
	r.line += int64(bytes.Count(chunk, lineFeed))
	if cut {
		next, more = r.passOver(m, next.at)
	}
	return next, more, nil
}

// atEnd reports whether place at is the end of the file.
func (r *transcript) atEnd(at int64) bool { return r.end && at == r.reach() }

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
	for !more && !r.atEnd(next.at) {
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
