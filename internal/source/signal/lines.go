package signal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// Lines reads signal-export's data.json, which holds one JSON object per
// line. Its times are exact to the millisecond, and nothing in a text can
// look like another message.
type Lines struct{}

// Name implements source.Source.
func (Lines) Name() msg.Source { return msg.Signal }

// Recognize implements source.Source.
func (Lines) Recognize(_ context.Context, c source.Candidate) (source.Recognition, error) {
	first, known := readRow(c.Head)
	if known == 0 {
		return source.Recognition{}, nil
	}
	r := source.Recognition{
		Format:        "signal-export data (JSON lines)",
		Confidence:    45 + 10*known,
		Root:          path.Dir(newChat(c).folder),
		Conversations: 1,
		First:         first.when(0),
		Needs:         []source.Need{zoneNeed},
	}
	if known < rowFields {
		r.Confidence = 40
		r.Why = "the first line has a date, a sender and a body, but not the other fields of signal-export"
	}
	lines := int64(bytes.Count(c.Head, lineFeed))
	if whole := int64(len(c.Head)) >= c.Size; whole {
		r.Messages = max(lines, 1)
	} else if lines > 0 {
		r.Messages = lines * c.Size / int64(len(c.Head))
	}
	return r, nil
}

// Read implements source.Source.
func (Lines) Read(ctx context.Context, c source.Candidate, _ source.Recognition, _ source.Options, sink source.Sink) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f, err := c.FS.Open(c.Path)
	if err != nil {
		return fmt.Errorf("read data: %w", err)
	}
	defer f.Close()
	r := &rows{sink: sink, chat: newChat(c), shelf: shelf{fsys: c.FS}}
	r.shelf.folder = r.chat.folder
	if err := sink.Begin(r.chat.conversation()); err != nil {
		return err
	}
	failed, err := r.read(ctx, f)
	if err != nil {
		return err
	}
	if err := sink.End(r.chat.conversation()); err != nil {
		return err
	}
	for _, n := range r.chat.notes(c.FS) {
		sink.Note(n)
	}
	if r.copies {
		sink.Note("the file holds the export twice, one copy after the other")
	}
	if failed != nil {
		return fmt.Errorf("read data: %w", failed)
	}
	return nil
}

// rows is one reading of a data.json.
type rows struct {
	sink  source.Sink
	chat  *chat
	shelf shelf
	queue mergeQueue
	last  reading
	count int
	// early are the hashes of the first lines; copies is set once one of
	// them comes again with the time running back.
	early  [remembered]uint64
	copies bool
}

// read hands over every line. failed is an error of the file, err one that
// ends the reading.
func (r *rows) read(ctx context.Context, f io.Reader) (failed, err error) {
	lines := source.NewLineReader(f)
	for n := 1; ; n++ {
		if n%contextEvery == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		line, err := lines.Next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				failed = err
			} else if n == 1 {
				r.skip(msg.Position{Line: 1}, nil, "the file is empty")
			}
			return failed, r.flush()
		}
		if line.Partial {
			failed := r.passOver(ctx, lines, line)
			if failed != nil {
				return failed, r.flush()
			}
			continue
		}
		if err := r.line(line); err != nil {
			return nil, err
		}
	}
}

// passOver leaves out a line that is too long to be held.
func (r *rows) passOver(ctx context.Context, lines *source.LineReader, line source.Line) error {
	s := source.Skipped{
		Position: msg.Position{Line: line.Number, Offset: line.Offset},
		Reason:   fmt.Sprintf("line longer than %d MiB", source.MaxLine>>20),
		Excerpt:  source.Excerpt(string(line.Text[:4*source.ExcerptSize])),
	}
	for line.Partial {
		var err error
		if line, err = lines.Next(); err != nil {
			if errors.Is(err, io.EOF) {
				break
			}
			r.sink.Skip(s)
			return err
		}
		if ctx.Err() != nil {
			break
		}
	}
	r.sink.Skip(s)
	return nil
}

// line hands over one line, or says why not.
func (r *rows) line(line source.Line) error {
	text := line.Text
	at := msg.Position{Line: line.Number, Offset: line.Offset}
	if line.Number == 1 {
		text = bytes.TrimPrefix(text, byteOrderMark)
		at.Offset += int64(len(line.Text) - len(text))
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	var v row
	if err := v.parse(text); err != nil {
		r.skip(at, text, fault(err))
		return nil
	}
	if v.Date == "" && v.Sender == nil && v.Body == "" {
		r.skip(at, text, "JSON object without date, sender and body")
		return nil
	}
	e := r.queue.take()
	r.build(e, &v, at)
	r.noteCopy(e, text)
	return r.queue.add(e, r.deliver)
}

// fault names what is wrong with a line in one clause.
func fault(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return "field " + kind.Field + " is of type " + kind.Value
	}
	return "line is not a JSON object"
}

func (r *rows) skip(at msg.Position, text []byte, reason string) {
	r.sink.Skip(source.Skipped{
		Position: at,
		Reason:   reason,
		Excerpt:  source.Excerpt(string(text[:min(len(text), 4*source.ExcerptSize)])),
	})
}

func (r *rows) flush() error { return r.queue.flush(r.deliver) }

// deliver hands over e, or reports it as the copy of a better one.
func (r *rows) deliver(e *entry) error {
	if e.better == 0 {
		return r.sink.Message(&e.m)
	}
	r.sink.Skip(source.Skipped{
		Position: e.m.Position,
		Reason:   fmt.Sprintf("copy with a coarser time, left by a merge, of the message on line %d", e.better),
		Excerpt:  source.Excerpt(e.m.Time.Raw + " " + e.m.Sender.ID + ": " + e.m.Body[:min(len(e.m.Body), 4*source.ExcerptSize)]),
	})
	return nil
}

// noteCopy looks for the file's first lines to come again.
func (r *rows) noteCopy(e *entry, text []byte) {
	now := reading(e.m.Time.Micros)
	back := r.count > 0 && now < r.last
	if !r.copies && (back || r.count < remembered) {
		h := hashBytes(text)
		for _, seen := range r.early[:min(r.count, remembered)] {
			r.copies = r.copies || back && seen == h
		}
		if r.count < remembered {
			r.early[r.count] = h
		}
	}
	r.count++
	r.last = now
}

// build makes e the message of v.
func (r *rows) build(e *entry, v *row, at msg.Position) {
	m := &e.m
	*m = msg.Message{
		NativeID:    v.ID,
		Time:        v.when(r.last),
		Reactions:   m.Reactions[:0],
		Attachments: m.Attachments[:0],
		Position:    at,
	}
	e.reply = msg.Reply{}
	e.unit = mergeUnit(m.Time)
	body := strings.TrimSuffix(v.Body, spaces)
	e.reply.Quote, body = r.quote(v, e, body)
	if e.reply.Quote != "" {
		m.ReplyTo = &e.reply
	}
	p, _ := find(r.chat, v.sender())
	r.fill(m, v, body)
	empty := m.Body == "" && m.Kind == msg.Text && m.ReplyTo == nil && len(m.Reactions)+len(m.Attachments) == 0
	r.chat.attribute(m, p, empty)
	e.key(m, body)
	if len(m.Reactions) == 0 {
		m.Reactions = nil
	}
	if len(m.Attachments) == 0 {
		m.Attachments = nil
	}
}

// quote returns the quoted text and the body. A message that was read back
// from a transcript keeps the quote at the head of its body.
func (r *rows) quote(v *row, e *entry, body string) (quote, rest string) {
	if v.Quote != "" {
		if quote, _ := cutQuote(v.Quote); quote != "" {
			return quote, body
		}
		return strings.TrimSpace(v.Quote), body
	}
	if e.unit > 0 {
		return cutQuote(body)
	}
	return "", body
}

// fill sets kind, body and what came with the text.
func (r *rows) fill(m *msg.Message, v *row, body string) {
	for _, re := range v.Reactions {
		if re[1] == nil || *re[1] == "" {
			continue
		}
		name := nullName
		if re[0] != nil {
			name = *re[0]
		}
		m.Reactions = append(m.Reactions, r.chat.reaction(name, strings.TrimSpace(*re[1]), false))
	}
	r.attach(m, v)
	for _, ed := range v.Edits {
		m.Edits = append(m.Edits, msg.Edit{Body: strings.TrimSuffix(ed.Body, spaces), Time: isoTime(ed.Date, r.last)})
	}
	m.Edited = len(m.Edits) > 0
	if v.Vanishing {
		m.Details = append(m.Details, msg.Detail{Name: "disappearing", Value: "true"})
	}
	m.Body = body
	switch {
	case v.Deleted:
		m.Kind, m.Body = msg.Deleted, ""
	case v.Sticker.set && body == "":
		m.Kind = msg.Sticker
		if v.Sticker.Emoji != unnamedSticker {
			m.Body = v.Sticker.Emoji
		}
	case v.Call != nil && *v.Call, v.Call == nil && isCall(body):
		m.Kind = msg.Call
		if d := callDuration(body); d != "" {
			m.Details = append(m.Details, msg.Detail{Name: "duration", Value: d})
		}
		if v.Missed {
			m.Details = append(m.Details, msg.Detail{Name: "missed", Value: "true"})
		}
	}
	m.Links = append(m.Links, hiddenLinks(m.Body)...)
}

// attach adds attachments and the sticker's image.
func (r *rows) attach(m *msg.Message, v *row) {
	if v.Sticker.set && v.Sticker.Extension != "" {
		l := link{sticker: true, ref: stickerPrefix + v.Sticker.Pack + "/" + v.Sticker.ID + "." + v.Sticker.Extension}
		m.Attachments = append(m.Attachments, l.attachment(&r.shelf))
	}
	for _, a := range v.Attachments {
		l := link{label: a.Name}
		if a.Missing != nil {
			l.missing = *a.Missing + " not exported"
			m.Attachments = append(m.Attachments, l.attachment(&r.shelf))
			continue
		}
		var ok bool
		if l.ref, l.sticker, ok = isReference(a.Path); !ok {
			// Reading a transcript back takes every Markdown link in a text
			// for an attachment.
			if isWeb(a.Path) {
				m.Links = append(m.Links, a.Path)
			} else {
				m.Attachments = append(m.Attachments, msg.Attachment{Name: a.Name, Missing: missingUnsafe})
			}
			continue
		}
		l.exact = madeFrom(l.ref[strings.LastIndexByte(l.ref, '/')+1:], a.Name)
		m.Attachments = append(m.Attachments, l.attachment(&r.shelf))
	}
}
