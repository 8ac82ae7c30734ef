package ingest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// line is a line of a file that fakeSource reads: exactly one of its fields
// is set.
type line struct {
	Begin   *msg.Conversation `json:",omitempty"`
	Message *msg.Message      `json:",omitempty"`
	Skip    string            `json:",omitempty"`
	Note    string            `json:",omitempty"`
	// Panic and Fail end the reading with a panic or an error.
	Panic string `json:",omitempty"`
	Fail  string `json:",omitempty"`
}

// lines makes a file of fakeSource.
func lines(list ...line) string {
	var b strings.Builder
	for _, l := range list {
		text, err := json.Marshal(l)
		if err != nil {
			panic(err) // a test's own value
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	return b.String()
}

// chat makes the lines of one conversation.
func chat(key string, messages ...msg.Message) []line {
	list := []line{{Begin: &msg.Conversation{Key: key, Name: "Chat " + key}}}
	for i := range messages {
		list = append(list, line{Message: &messages[i]})
	}
	return list
}

// said makes a message without an id of its own, at a wall reading.
func said(sender, at, body string) msg.Message {
	t := mustTime(at)
	return msg.Message{
		Sender: msg.Handle{ID: sender, Name: sender}, Direction: msg.In, Body: body,
		Time: msg.WallTime(t, msg.Minute, at),
	}
}

// numbered makes a message with an id of its own, at an instant.
func numbered(id, sender, at, body string) msg.Message {
	return msg.Message{
		NativeID: id, Sender: msg.Handle{ID: sender, Name: sender, Kind: msg.HandleAccount}, Direction: msg.In, Body: body,
		Time: msg.InstantTime(mustTime(at), msg.Minute, at),
	}
}

// fakeSource reads files of lines. It counts what it is asked to look at.
type fakeSource struct {
	name msg.Source

	mu         sync.Mutex
	recognised map[string]int
	read       map[string]int
	// onMessage, if set, is called before each message is handed over.
	onMessage func(n int)
}

func newFake() *fakeSource {
	return &fakeSource{name: "fake", recognised: map[string]int{}, read: map[string]int{}}
}

// Name implements source.Source.
func (s *fakeSource) Name() msg.Source { return s.name }

// Recognize implements source.Source. A file with "superseded" in its name
// gives way to one with "better" in its place.
func (s *fakeSource) Recognize(_ context.Context, c source.Candidate) (source.Recognition, error) {
	s.mu.Lock()
	s.recognised[c.Path]++
	s.mu.Unlock()
	switch head := string(c.Head); {
	case strings.HasPrefix(head, `{"Panic":"recognise`):
		panic("as the file says")
	case strings.HasPrefix(head, `{"Fail":"recognise`):
		return source.Recognition{}, errors.New("as the file says")
	case strings.HasPrefix(head, `{"Skip":"guess`):
		return source.Recognition{Format: "fake", Confidence: Sure - 1, Why: "as the file says"}, nil
	case !strings.HasPrefix(head, `{"`):
		return source.Recognition{}, nil
	}
	r := source.Recognition{Format: "fake lines", Confidence: 90, Root: path.Dir(c.Path)}
	if better := strings.Replace(c.Path, "superseded", "better", 1); better != c.Path {
		if _, err := fs.Stat(c.FS, better); err == nil {
			r.Superseded = better
		}
	}
	return r, nil
}

// Read implements source.Source.
func (s *fakeSource) Read(ctx context.Context, c source.Candidate, _ source.Recognition, o source.Options, sink source.Sink) error {
	s.mu.Lock()
	s.read[c.Path]++
	s.mu.Unlock()
	file, err := c.FS.Open(c.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 1<<16)
	r := fakeReading{sink: sink, owner: o, source: s}
	for {
		text, err := in.ReadBytes('\n')
		if len(text) > 0 {
			if err := r.line(ctx, text); err != nil {
				return err
			}
		}
		if err != nil {
			break
		}
	}
	return r.end()
}

type fakeReading struct {
	sink    source.Sink
	owner   source.Options
	source  *fakeSource
	open    *msg.Conversation
	number  int64
	offset  int64
	message msg.Message // reused, as sources may
	count   int
}

func (r *fakeReading) line(ctx context.Context, text []byte) error {
	r.number++
	defer func() { r.offset += int64(len(text)) }()
	l := line{Message: &r.message}
	r.message = msg.Message{}
	if err := json.Unmarshal(text, &l); err != nil {
		r.sink.Skip(source.Skipped{Position: msg.Position{Line: r.number, Offset: r.offset}, Reason: "no line of a fake", Excerpt: source.Excerpt(string(text))})
		return nil
	}
	switch {
	case l.Begin != nil:
		if err := r.end(); err != nil {
			return err
		}
		r.open = l.Begin
		return r.sink.Begin(*l.Begin)
	case l.Skip != "":
		r.sink.Skip(source.Skipped{Position: msg.Position{Line: r.number, Offset: r.offset}, Reason: l.Skip})
		return nil
	case l.Note != "":
		r.sink.Note(l.Note)
		return nil
	case l.Panic != "":
		panic(l.Panic)
	case l.Fail != "":
		return errors.New(l.Fail)
	case !bytes.HasPrefix(text, []byte(`{"Message"`)):
		return fmt.Errorf("line %d says nothing", r.number)
	}
	r.count++
	if r.source.onMessage != nil {
		r.source.onMessage(r.count)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.owner.IsOwner(r.message.Sender) {
		r.message.Direction = msg.Out
	}
	r.message.Position = msg.Position{Line: r.number, Offset: r.offset, Pointer: r.message.Position.Pointer}
	return r.sink.Message(&r.message)
}

func (r *fakeReading) end() error {
	if r.open == nil {
		return nil
	}
	c := *r.open
	r.open = nil
	return r.sink.End(c)
}
