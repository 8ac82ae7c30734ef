package imessage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

const (
	// lookahead is how much of a file is searched for the owner, in bytes.
	lookahead = 256 << 10
	// tailSize is how much of a file's end is read for its last time.
	tailSize = 16 << 10
	// maxChoices bounds the senders offered as possible owners.
	maxChoices = 12
)

// Recognize implements source.Source. A file is an export when its first line
// is a date as the exporter writes it, with a sender under it, or an event.
func (Text) Recognize(ctx context.Context, c source.Candidate) (source.Recognition, error) {
	if err := ctx.Err(); err != nil {
		return source.Recognition{}, err
	}
	head := lookAt(bytes.NewReader(c.Head), false)
	if !head.mine {
		return source.Recognition{}, nil
	}
	if !head.owned && c.Size > int64(len(c.Head)) {
		more, err := readSome(c)
		if err != nil {
			return source.Recognition{}, err
		}
		head.owned = lookAt(bytes.NewReader(more), false).owned
	}
	r := source.Recognition{
		Format: "iMessage (imessage-exporter text)", Confidence: 95, Root: path.Dir(c.Path),
		Conversations: 1, Messages: head.messages, First: head.first, Last: head.last,
		Needs: []source.Need{{What: source.NeedZone, Why: "times are read as a clock on the wall, with no zone"}},
	}
	if head.messages == 1 && !head.owned {
		r.Confidence = 75
	}
	if n := int64(len(c.Head)); c.Size > n && n > 0 {
		r.Messages = head.messages * c.Size / n
		r.Last = lastTime(c)
	}
	if !head.owned {
		r.Needs = append(r.Needs, source.Need{
			What: source.NeedOwner, Choices: head.senders,
			Why: "no sender is called Me: every message counts as received",
		})
	}
	return r, nil
}

// glance is what a part of a file tells.
type glance struct {
	mine, owned bool
	messages    int64
	first, last msg.Time
	senders     []string
}

// lookAt looks at a part of a file, which must begin with a record unless it
// is inside.
func lookAt(in io.Reader, inside bool) glance {
	g := glance{mine: inside}
	split := newSplitter(in, nil)
	for n := 0; ; n++ {
		rec, err := split.next()
		if err != nil {
			return g
		}
		if n == 0 && (rec.kind == messageRecord || rec.kind == eventRecord) {
			g.mine = true
		}
		if !g.mine {
			return g
		}
		if rec.kind != messageRecord && rec.kind != eventRecord {
			continue
		}
		g.messages++
		g.last = wall(rec.when, string(rec.text[:clockLen]))
		if !g.first.Known {
			g.first = g.last
		}
		if rec.kind == messageRecord {
			g.meet(string(rec.sender()))
		}
	}
}

func (g *glance) meet(sender string) {
	if sender == ownerName {
		g.owned = true
	}
	for _, s := range g.senders {
		if s == sender {
			return
		}
	}
	if len(g.senders) < maxChoices && sender != unknownName {
		g.senders = append(g.senders, sender)
	}
}

func readSome(c source.Candidate) ([]byte, error) {
	file, err := c.FS.Open(c.Path)
	if err != nil {
		return nil, fmt.Errorf("open export: %w", err)
	}
	defer file.Close()
	some, err := io.ReadAll(io.LimitReader(file, lookahead))
	if err != nil {
		return nil, fmt.Errorf("read export: %w", err)
	}
	return some, nil
}

// lastTime reads the time of the last message of a file that can be read at
// its end; that of any other is unknown.
func lastTime(c source.Candidate) msg.Time {
	file, err := c.FS.Open(c.Path)
	if err != nil {
		return msg.Time{}
	}
	defer file.Close()
	at, ok := file.(io.ReaderAt)
	if !ok {
		return msg.Time{}
	}
	tail := make([]byte, tailSize)
	n, err := at.ReadAt(tail, max(0, c.Size-tailSize))
	if err != nil && !errors.Is(err, io.EOF) {
		return msg.Time{}
	}
	_, whole, _ := bytes.Cut(tail[:n], []byte("\n\n"))
	return lookAt(bytes.NewReader(whole), true).last
}
