package signal

import (
	"bytes"
	"context"
	"fmt"
	"path"

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
