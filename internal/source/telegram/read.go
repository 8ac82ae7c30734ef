package telegram

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// Read implements source.Source. A damaged or cut file gives what is whole
// before the damage and an error that names the place.
func (JSON) Read(ctx context.Context, c source.Candidate, rn source.Recognition, o source.Options, sink source.Sink) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r := &reader{ctx: ctx, candidate: c, sink: sink, root: rn.Root, owner: newOwner(o.Me), headers: map[string]header{}}
	if r.root == "" {
		r.root = path.Dir(c.Path)
	}
	f, err := c.FS.Open(c.Path)
	if err != nil {
		return fmt.Errorf("open telegram export: %w", err)
	}
	defer f.Close()
	s := newStream(ctx, f)
	if err = walkExport(s, r); err == nil && trailing(s) {
		sink.Skip(source.Skipped{Position: position(s, ""), Reason: "text behind the end of the export"})
	}
	if r.stop != nil {
		return r.stop
	}
	for _, note := range r.notes() {
		sink.Note(note)
	}
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("read telegram export: %w", err)
	}
	return nil
}

// reader is one Read. It is the visitor that hands messages over.
type reader struct {
	ctx       context.Context
	candidate source.Candidate
	sink      source.Sink
	root      string
	owner     owner
	// stop is an error of the sink or of ctx, which ends everything.
	stop error
	// headers are the chats' headers as far as they have been walked over;
	// outline is the second look that completes them.
	headers map[string]header
	outline *survey
	// oldIDs is set once an id from before 2021 was seen, newIDs once a later
	// one was.
	oldIDs, newIDs bool
	// left counts the chats from the list of left ones; crowded is set when a
	// chat had more ids than are remembered.
	left    int
	crowded bool

	// chat is the one being read, begun set once the sink knows of it; ids
	// are the numbers of its messages so far, micros the time of the last.
	chat   chat
	begun  bool
	ids    *idSet
	micros int64

	count   int
	record  record
	message msg.Message
}

// errStopped unwinds the walk; reader.stop holds the reason.
var errStopped = errors.New("stopped")

func (r *reader) call(err error) error {
	if err != nil {
		r.stop = err
		return errStopped
	}
	return nil
}

// member implements visitor.
func (r *reader) member(string) {}

// about implements visitor.
func (r *reader) about(string) {}

// account implements visitor.
func (r *reader) account(raw []byte) error {
	r.owner.setAccount(accountID(raw))
	return nil
}

// chatMember implements visitor.
func (r *reader) chatMember(pointer, key string, raw []byte) {
	h := r.headers[pointer]
	h.set(key, raw)
	r.headers[pointer] = h
}

// stray implements visitor.
func (r *reader) stray(s *stream, pointer, reason string) error {
	at := position(s, pointer)
	raw, err := s.raw(maxSmall)
	if err != nil && !errors.Is(err, errTooLong) {
		return err
	}
	r.sink.Skip(source.Skipped{Position: at, Reason: reason, Excerpt: excerpt(raw)})
	return nil
}

// header returns a chat's header. Exports that another program has written
// anew may state it, or the account, only behind the messages; the file is
// then looked through once more.
func (r *reader) header(pointer string) (header, error) {
	h := r.headers[pointer]
	delete(r.headers, pointer)
	if h.complete() && (r.owner.account != "" || pointer == "") {
		return h, nil
	}
	if r.outline == nil {
		f, err := r.candidate.FS.Open(r.candidate.Path)
		if err != nil {
			return h, r.call(fmt.Errorf("open telegram export: %w", err))
		}
		defer f.Close()
		r.outline = takeSurvey(newStream(r.ctx, f), true)
		if err := r.ctx.Err(); err != nil {
			return h, r.call(err)
		}
		r.owner.setAccount(r.outline.owner)
	}
	if whole, known := r.outline.chats[pointer]; known {
		return whole, nil
	}
	return h, nil
}

// messageList implements visitor.
func (r *reader) messageList(s *stream, pointer string) error {
	h, err := r.header(pointer)
	if err != nil {
		return err
	}
	if !h.complete() {
		return r.stray(s, pointer+"/messages", "chat whose type or id is missing")
	}
	r.begun, r.ids, r.micros = false, newIDSet(), 0
	err = eachElement(s, func(index int) error {
		at := position(s, pointer+"/messages/"+strconv.Itoa(index))
		raw, err := s.raw(maxRecord)
		if err == nil {
			err = r.record.parse(raw)
		} else if !errors.Is(err, errTooLong) {
			return err
		}
		if err != nil {
			r.sink.Skip(source.Skipped{Position: at, Reason: err.Error(), Excerpt: excerpt(raw)})
			return r.alive()
		}
		if err := r.begin(h, pointer); err != nil {
			return err
		}
		r.fill(&r.message, &r.record, raw)
		r.message.Position = at
		if err := r.call(r.sink.Message(&r.message)); err != nil {
			return err
		}
		return r.alive()
	})
	if r.stop != nil {
		return err
	}
	if beginErr := r.begin(h, pointer); beginErr != nil {
		return beginErr
	}
	if endErr := r.call(r.sink.End(r.chat.conversation())); endErr != nil {
		return endErr
	}
	r.crowded = r.crowded || r.ids.full
	if strings.HasPrefix(pointer, "/left_chats/") {
		r.left++
	}
	return err
}

// begin begins the chat's conversation, unless it has begun. It waits for the
// first message, which shows how the export writes ids.
func (r *reader) begin(h header, pointer string) error {
	if r.begun {
		return nil
	}
	r.begun = true
	r.noticeIDs()
	r.chat = newChat(h, pointer, r.oldIDs && !r.newIDs)
	r.owner.enter(&r.chat)
	return r.call(r.sink.Begin(r.chat.conversation()))
}

// noticeIDs learns from a message which kind of ids the export uses.
func (r *reader) noticeIDs() {
	if len(r.record.fromID) == 0 || isNull(r.record.fromID) {
		return
	}
	if isOldPeerID(r.record.fromID) {
		r.oldIDs = true
	} else {
		r.newIDs = true
	}
}

// alive looks at the context now and then.
func (r *reader) alive() error {
	if r.count++; r.count%256 == 0 {
		return r.call(r.ctx.Err())
	}
	return nil
}

func position(s *stream, pointer string) msg.Position {
	s.peek()
	return msg.Position{Line: s.line(), Offset: s.offset(), Pointer: pointer}
}

func excerpt(raw []byte) string {
	return source.Excerpt(strings.ToValidUTF8(string(raw[:min(len(raw), 4*source.ExcerptSize)]), "\ufffd"))
}

// notes says what was assumed or found out about the file as a whole.
func (r *reader) notes() []string {
	notes := r.owner.notes()
	if r.left > 0 {
		notes = append(notes, plural(int64(r.left), "chat")+" of the export had been left by the owner")
	}
	if r.crowded {
		notes = append(notes, "a chat has so many scattered message ids that repeated ones are not told apart in all of it")
	}
	return notes
}
