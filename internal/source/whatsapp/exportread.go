package whatsapp

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// ChatExporter reads the result.json of WhatsApp-Chat-Exporter, and the files
// of its --per-chat option, which have the same shape. The zero value is
// ready to use.
type ChatExporter struct{}

var _ source.Source = ChatExporter{}

// Name implements source.Source.
func (ChatExporter) Name() msg.Source { return msg.WhatsApp }

// Read implements source.Source.
func (ChatExporter) Read(ctx context.Context, c source.Candidate, r source.Recognition, _ source.Options, sink source.Sink) error {
	f, err := c.FS.Open(c.Path)
	if err != nil {
		return fmt.Errorf("open export: %w", err)
	}
	defer f.Close()
	v := &exportReader{sink: sink, files: exportFiles{c.FS, cleanRoot(r.Root, c.Path)}, notes: map[string]bool{}, reactions: newJSONStream(strings.NewReader(""))}
	err = walkExport(ctx, newJSONStream(f), v)
	switch {
	case v.sinkErr != nil:
		return v.sinkErr
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
		return nil
	}
	if v.open != nil {
		if endErr := v.end(v.open); endErr != nil {
			return endErr
		}
	}
	return fmt.Errorf("read export: %w", err)
}

// exportReader hands over the messages of an export.
type exportReader struct {
	sink    source.Sink
	sinkErr error
	files   exportFiles
	notes   map[string]bool

	// open is the chat whose conversation was begun.
	open    *exportChat
	senders map[string]bool // of open, up to two
	keys    keyMemory
	// reactions reads those of one message after the other.
	reactions *jsonStream
	message   msg.Message
}

func (v *exportReader) note(text string) {
	if !v.notes[text] {
		v.notes[text] = true
		v.sink.Note(text)
	}
}

// skip implements exportVisitor.
func (v *exportReader) skip(at msg.Position, reason string, raw []byte) {
	v.sink.Skip(source.Skipped{Position: at, Reason: reason, Excerpt: excerpt(raw)})
}

// entry implements exportVisitor.
func (v *exportReader) entry(c *exportChat, at msg.Position, raw []byte) error {
	e, fault := parseEntry(raw)
	if fault != "" {
		v.skip(at, fault, raw)
		return nil
	}
	t, ok := parseTimestamp(e.Timestamp)
	if !ok {
		v.skip(at, "the timestamp is no time", raw)
		return nil
	}
	if !utf8.Valid(raw) {
		v.note("some messages hold bytes that are not UTF-8; each was replaced by the replacement character")
	}
	if v.open == nil {
		v.open, v.senders = c, map[string]bool{}
		v.keys.reset()
		if v.sinkErr = v.sink.Begin(v.conversation(c)); v.sinkErr != nil {
			return v.sinkErr
		}
	}
	m := &v.message
	*m = msg.Message{Position: at, Time: t}
	v.identify(m, &e)
	v.fill(m, c, &e)
	v.react(m, c, &e)
	v.sinkErr = v.sink.Message(m)
	return v.sinkErr
}

// endChat implements exportVisitor.
func (v *exportReader) endChat(c *exportChat) error {
	if v.open == nil {
		return nil
	}
	v.sinkErr = v.end(c)
	return v.sinkErr
}

func (v *exportReader) end(c *exportChat) error {
	v.open = nil
	return v.sink.End(v.conversation(c))
}

func (v *exportReader) conversation(c *exportChat) msg.Conversation {
	out := msg.Conversation{Key: cmp.Or(c.jid, "chat"), Name: c.name, Kind: jidKind(c.jid)}
	if len(v.senders) > 1 {
		out.Kind = msg.Group // a chat without a JID tells by who writes
	}
	if out.Kind == msg.Direct {
		out.Participants = []msg.Handle{contactHandle(c.jid, c.name)}
	}
	return out
}

// identify sets the message's id and the id of the message it answers.
func (v *exportReader) identify(m *msg.Message, e *exportEntry) {
	if key := e.KeyID.text; key != "" {
		m.NativeID = nativeID(key, e.FromMe.value)
		if before := v.keys.add(key, e.FromMe.value); before > 0 {
			m.NativeID += fmt.Sprintf("#%d", before+1)
			v.note("several messages of one chat have the same key; their order tells them apart")
		}
	} else {
		m.Time.Raw = string(e.Timestamp) // part of the identity where there is no id
	}
	if e.Reply.text == "" && e.QuotedData.text == "" {
		return
	}
	m.ReplyTo = &msg.Reply{Quote: e.QuotedData.text}
	if e.Reply.text != "" {
		m.ReplyTo.NativeID = nativeID(e.Reply.text, v.keys.fromMe(e.Reply.text))
	}
}
