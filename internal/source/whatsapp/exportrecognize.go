package whatsapp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// Recognize implements source.Source.
func (ChatExporter) Recognize(ctx context.Context, c source.Candidate) (source.Recognition, error) {
	if !beginsNestedObject(c.Head) {
		return source.Recognition{}, nil
	}
	var in io.Reader = bytes.NewReader(c.Head)
	size := int64(len(c.Head))
	if c.Size > size {
		f, err := c.FS.Open(c.Path)
		if err != nil {
			return source.Recognition{}, fmt.Errorf("open export: %w", err)
		}
		defer f.Close()
		in, size = io.LimitReader(f, lookSize), min(c.Size, lookSize)
	}
	look := exportLook{}
	err := walkExport(ctx, newJSONStream(in), &look)
	var pathErr *fs.PathError
	if ctx.Err() != nil || errors.As(err, &pathErr) {
		return source.Recognition{}, fmt.Errorf("look at export: %w", errors.Join(ctx.Err(), err))
	}
	r := source.Recognition{
		Format:        "WhatsApp-Chat-Exporter JSON",
		Root:          look.root(c),
		Conversations: look.chats,
		Messages:      look.messages,
		First:         look.first,
	}
	switch {
	case look.messages > 0:
		r.Confidence = 96
	case look.known >= 3:
		r.Confidence, r.Why = 60, "no message stands in the part that was looked at"
	default:
		return source.Recognition{}, nil
	}
	if c.Size > size {
		r.Conversations = max(1, look.chats*c.Size/size)
		r.Messages = look.messages * c.Size / size
	} else {
		r.Last = look.last
	}
	return r, nil
}

// beginsNestedObject reports whether head begins like an object whose first
// value is an object or a value that a damaged chat could be.
func beginsNestedObject(head []byte) bool {
	s := newJSONStream(bytes.NewReader(head))
	if s.take('{') != nil {
		return false
	}
	_, err := s.key()
	return err == nil
}

// exportLook counts what is in the beginning of an export.
type exportLook struct {
	chats, messages int64
	known           int
	first, last     msg.Time
	begun           *exportChat
	// media are references to files, with the media base of each.
	media [][2]string
}

// mediaLooked is how many references decide where the media lie.
const mediaLooked = 8

// entry implements exportVisitor.
func (l *exportLook) entry(c *exportChat, _ msg.Position, raw []byte) error {
	e, fault := parseEntry(raw)
	if fault != "" || !e.KeyID.set {
		return nil
	}
	t, ok := parseTimestamp(e.Timestamp)
	if !ok {
		return nil
	}
	if l.begun != c {
		l.begun = c
		l.chats++
	}
	if l.messages++; l.messages == 1 {
		l.first = t
	}
	if !l.first.Known || t.Known && t.Micros < l.first.Micros {
		l.first = t
	}
	if t.Micros > l.last.Micros {
		l.last = t
	}
	if e.Media.value && e.Data.text != "" && e.Data.text != dataMissing && len(l.media) < mediaLooked {
		l.media = append(l.media, [2]string{e.Data.text, c.mediaBase})
	}
	return nil
}

// endChat implements exportVisitor.
func (l *exportLook) endChat(c *exportChat) error {
	l.known = max(l.known, c.known)
	return nil
}

// skip implements exportVisitor.
func (l *exportLook) skip(msg.Position, string, []byte) {}

// root is the folder of the file or the one above it, whichever holds more of
// the media: the exporter writes result.json into a folder of its own and
// refers to media from where it ran.
func (l *exportLook) root(c source.Candidate) string {
	folder := path.Dir(c.Path)
	best, bestFound := folder, 0
	for _, root := range []string{folder, path.Dir(folder)} {
		found := 0
		for _, m := range l.media {
			if file, _ := (exportFiles{c.FS, root}).find(m[0], m[1]); file != "" {
				found++
			}
		}
		if found > bestFound {
			best, bestFound = root, found
		}
	}
	return best
}
