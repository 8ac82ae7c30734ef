package sourcetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// fake reads a JSON array of messages, one object a line. Each flaw in flaws
// makes it break one promise; without flaws it keeps them all.
type fake struct {
	flaws  []string
	reads  *atomic.Int64
	active *atomic.Int64
}

func newFake(flaws ...string) fake {
	return fake{flaws: flaws, reads: new(atomic.Int64), active: new(atomic.Int64)}
}

func (f fake) has(flaw string) bool { return slices.Contains(f.flaws, flaw) }

type fakeRecord struct {
	Chat, ID, Date, From, Text, File string
}

const fakeStart = "[\n{\"Chat\":"

func (f fake) Name() msg.Source {
	if f.has("nameless") {
		return ""
	}
	return "fake"
}

func (f fake) Recognize(_ context.Context, c source.Candidate) (source.Recognition, error) {
	head := bytes.TrimPrefix(c.Head, []byte("\ufeff"))
	if f.has("knows no byte order mark") {
		head = c.Head
	}
	mine := bytes.HasPrefix(head, []byte(fakeStart))
	if f.has("reads UTF-16 as text") {
		mine = mine || bytes.HasPrefix(head, []byte("\xff\xfe[")) || bytes.HasPrefix(head, []byte("\xfe\xff\x00["))
	}
	if !mine && !f.has("claims everything") {
		return source.Recognition{}, nil
	}
	if f.has("recognises by reading it all") {
		file, err := c.FS.Open(c.Path)
		if err != nil {
			return source.Recognition{}, err
		}
		defer file.Close()
		if _, err := io.Copy(io.Discard, file); err != nil {
			return source.Recognition{}, err
		}
	}
	r := source.Recognition{Format: "Fake", Confidence: 90, Root: ".",
		Needs: []source.Need{{What: source.NeedOwner, Why: "the file does not say"}}}
	if f.has("unsure of itself") {
		r.Confidence = 40
	}
	if f.has("recognises by mood") {
		r.Confidence -= int(f.reads.Add(1) % 7)
	}
	return r, nil
}

func (f fake) Read(ctx context.Context, c source.Candidate, _ source.Recognition, o source.Options, sink source.Sink) error {
	f.active.Add(1)
	defer f.active.Add(-1)
	if f.has("one reader at a time") {
		for deadline := time.Now().Add(20 * time.Millisecond); time.Now().Before(deadline); {
			if f.active.Load() > 1 {
				return errors.New("already reading")
			}
		}
	}
	file, err := c.FS.Open(c.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	var in io.Reader = file
	if f.has("waits for the whole file") {
		all, err := io.ReadAll(file)
		if err != nil {
			return err
		}
		if !bytes.HasSuffix(all, []byte("]\n")) || bytes.IndexByte(all, 0) >= 0 {
			return errors.New("file is damaged")
		}
		in = bytes.NewReader(all)
	}
	w := &fakeReading{fake: f, options: o, sink: sink, lines: source.NewLineReader(in)}
	if !f.has("never looks at the context") {
		w.ctx = ctx
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if len(o.Me) == 0 {
		sink.Note("nobody is taken for the owner")
		if f.has("repeats its notes") {
			sink.Note("nobody is taken for the owner")
		}
	}
	err = w.all()
	switch {
	case err != nil && f.has("swallows errors"):
		return nil
	case err != nil && f.has("loses the cause"):
		return errors.New(err.Error())
	}
	return err
}

// fakeReading is one Read of a fake.
type fakeReading struct {
	fake
	ctx     context.Context
	options source.Options
	sink    source.Sink
	lines   *source.LineReader
	chat    string
	count   int
	kept    []string
	late    []msg.Message
}

var errFakeCut = errors.New("file ends inside the array")

func (w *fakeReading) all() error {
	for {
		line, err := w.lines.Next()
		if err != nil {
			if w.has("panics at a cut") {
				panic("unexpected end")
			}
			if w.has("silent about cuts") {
				return w.end()
			}
			return errors.Join(errFakeCut, w.end())
		}
		if w.ctx != nil && w.count%100 == 0 && !w.has("looks at the context once") {
			if err := w.ctx.Err(); err != nil {
				return err
			}
		}
		text := line.Text
		if line.Number == 1 && !w.has("knows no byte order mark") {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		switch string(text) {
		case "[":
			continue
		case "]":
			return w.end()
		}
		if err := w.record(line, bytes.TrimSuffix(text, []byte(","))); err != nil {
			return err
		}
	}
}

func (w *fakeReading) record(line source.Line, text []byte) error {
	index := w.count
	w.count++
	if w.has("panics at NUL bytes") && bytes.IndexByte(text, 0) >= 0 {
		panic("NUL")
	}
	var r fakeRecord
	if err := json.Unmarshal(text, &r); err != nil {
		if w.has("drops bad records") {
			return nil
		}
		if w.has("invents messages") {
			r = fakeRecord{Chat: "x", Text: fmt.Sprint("made up ", w.reads.Add(1))}
			if err := w.begin(r.Chat); err != nil {
				return err
			}
			return errors.Join(w.sink.Message(&msg.Message{Body: r.Text}), w.sink.Message(&msg.Message{Body: r.Text}))
		}
		excerpt := source.Excerpt(string(text))
		if w.has("long excerpts") {
			excerpt = strings.Repeat("x", 1000)
		}
		w.sink.Skip(source.Skipped{Position: msg.Position{Line: line.Number, Offset: line.Offset}, Reason: "not JSON", Excerpt: excerpt})
		return nil
	}
	if err := w.begin(r.Chat); err != nil && !w.has("goes on after errors") {
		return err
	}
	m := w.message(r)
	m.Position = msg.Position{Line: line.Number, Offset: line.Offset, Pointer: "/" + strconv.Itoa(index)}
	w.spoilPosition(&m)
	if w.has("keeps everything") {
		w.kept = append(w.kept, strings.Repeat(m.Body, 4))
	}
	if w.has("hands over backwards") {
		w.late = append(w.late, m)
		return nil
	}
	err := w.sink.Message(&m)
	if w.has("goes on after errors") {
		return nil
	}
	return err
}

func (w *fakeReading) spoilPosition(m *msg.Message) {
	switch {
	case w.has("no positions"):
		m.Position = msg.Position{}
	case w.has("offset inside the record"):
		m.Position.Offset += 7
		m.Position.Line = 0
	case w.has("offset of another record"):
		m.Position.Offset = int64(2 + w.count)
		m.Position.Line = 0
	case w.has("counts lines from zero"):
		m.Position.Line--
	case w.has("pointer one off"):
		m.Position.Pointer = "/" + strconv.Itoa(w.count)
	}
}

func (w *fakeReading) message(r fakeRecord) msg.Message {
	m := msg.Message{NativeID: r.ID, Sender: source.NameHandle(r.From), Direction: msg.In, Body: r.Text}
	zone := time.UTC
	if w.has("reads dates in the machine's zone") {
		zone = time.Local
	}
	if at, err := time.ParseInLocation("2006-01-02T15:04", r.Date, zone); err == nil {
		m.Time = msg.InstantTime(at, msg.Minute, r.Date)
	}
	if w.options.IsOwner(m.Sender) || w.has("guesses the owner") {
		m.Direction = msg.Out
	}
	if w.has("counts readings in bodies") {
		m.Body += fmt.Sprint(w.reads.Add(1))
	}
	if w.has("same id twice") {
		m.NativeID = "1"
	}
	if w.has("empty replies") {
		m.ReplyTo = &msg.Reply{}
	}
	if w.has("empty reactions") {
		m.Reactions = []msg.Reaction{{}}
	}
	if r.File != "" && !w.has("drops attachments") {
		a := msg.Attachment{Name: r.File, Path: r.File}
		if !w.has("trusts paths") {
			path, err := source.Resolve(".", r.File, false)
			if err != nil && !w.has("says no reason") {
				a.Missing = "unsafe path"
			}
			a.Path = path
		}
		m.Attachments = []msg.Attachment{a}
	}
	return m
}

func (w *fakeReading) begin(chat string) error {
	if chat == w.chat {
		return nil
	}
	if err := w.end(); err != nil {
		return err
	}
	w.chat = chat
	if w.has("forgets to begin") {
		return nil
	}
	return w.sink.Begin(msg.Conversation{Key: chat, Name: chat})
}

func (w *fakeReading) end() error {
	if w.chat == "" || w.has("forgets to end") {
		return nil
	}
	for _, m := range slices.Backward(w.late) {
		if err := w.sink.Message(&m); err != nil {
			return err
		}
	}
	w.late = nil
	chat := w.chat
	w.chat = ""
	return w.sink.End(msg.Conversation{Key: chat})
}
