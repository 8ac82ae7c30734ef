package signal

import (
	"context"
	"fmt"

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
	r := &transcript{ctx: ctx, sink: sink, scanner: s, chat: newChat(c), line: 1, shelf: shelf{fsys: c.FS}}
	r.shelf.folder = r.chat.folder
	r.times = chronology{scanner: s, unsorted: r.chat.key == nullName, budget: 1 << 14}
	if !o.Now.IsZero() {
		r.times.now = reading(o.Now.UnixMicro())
	}
	switch {
	case found:
		return r.read(c)
	case s.err != nil:
		return fmt.Errorf("read transcript: %w", s.err)
	}
	r.skip(0, s.buf, "no message header in the file")
	return nil
}
