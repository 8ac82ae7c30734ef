package whatsapp

import (
	"context"
	"fmt"
	"path"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// ChatText reads the text file of "Export chat": one chat, with its media in
// the same folder or zip or without them. The zero value is ready to use.
type ChatText struct{}

var _ source.Source = ChatText{}

// Name implements source.Source.
func (ChatText) Name() msg.Source { return msg.WhatsApp }

// Read implements source.Source. It goes over the file twice.
func (ChatText) Read(ctx context.Context, c source.Candidate, r source.Recognition, o source.Options, sink source.Sink) error {
	s, err := surveyFile(ctx, c, o.Now)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if s == nil {
		return err
	}
	if err != nil {
		sink.Note("the file could not be read to its end; what the first part says was used for all of it")
	}
	p := makePlan(s, c, o)
	p.reading.files = attachmentFiles{c.FS, cleanRoot(r.Root, c.Path)}
	if s.headers > 0 {
		for _, note := range p.notes() {
			sink.Note(note)
		}
	}
	return readChat(ctx, c, p, sink)
}

// cleanRoot is the folder attachments lie in: the recognition's or else the
// file's own.
func cleanRoot(root, file string) string {
	if root == "" {
		root = path.Dir(file)
	}
	return path.Clean(root)
}

// surveyFile surveys the whole file. The survey is nil if it cannot be opened.
func surveyFile(ctx context.Context, c source.Candidate, now time.Time) (*survey, error) {
	f, err := c.FS.Open(c.Path)
	if err != nil {
		return nil, fmt.Errorf("open chat: %w", err)
	}
	defer f.Close()
	text, _ := textInput(f)
	return takeSurvey(ctx, text, now)
}

// readChat is the second pass.
func readChat(ctx context.Context, c source.Candidate, p *plan, sink source.Sink) error {
	f, err := c.FS.Open(c.Path)
	if err != nil {
		return fmt.Errorf("open chat: %w", err)
	}
	defer f.Close()
	text, wide := textInput(f)
	r := chatReader{plan: p, sink: sink, wide: wide}
	return r.read(ctx, source.NewLineReader(text))
}
