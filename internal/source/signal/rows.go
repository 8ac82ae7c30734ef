package signal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

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
