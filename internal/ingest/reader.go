package ingest

import (
	"context"
	"slices"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// parcel is a piece of a file's stream on its way from the goroutine that
// parses to the one that writes. Exactly one of its fields begins, ends and
// records is set.
type parcel struct {
	begins  *msg.Conversation
	ends    *msg.Conversation
	records []*store.Record
	// repeats is set when records may hold messages handed over before.
	repeats bool
	offset  int64 // how far into the file the stream is
	// block numbers the records' parcel within its conversation and digest
	// covers everything in it, positions included.
	block, digest int64
}

// parcelSize is how many messages travel together. A re-import looks up all
// of a parcel when one of them is new.
const parcelSize = 128

// reader is the Sink of one file: it copies, hashes and completes messages
// and sends them on in parcels.
type reader struct {
	ctx      context.Context
	source   msg.Source
	zone     *time.Location
	out      chan<- parcel
	free     <-chan []*store.Record
	problems *problems
	path     string

	conversation msg.Conversation
	ordinals     ordinals
	replies      replyFinder
	digest       *digester
	pending      []*store.Record
	native       bool // messages carry native ids
	block        int64
}

// Begin implements source.Sink.
func (r *reader) Begin(c msg.Conversation) error {
	r.conversation = copyConversation(c)
	r.ordinals, r.replies, r.native, r.block = ordinals{}, replyFinder{}, false, 0
	begins := r.conversation
	return r.send(parcel{begins: &begins})
}

func copyConversation(c msg.Conversation) msg.Conversation {
	c.Participants = slices.Clone(c.Participants)
	return c
}

// Message implements source.Sink.
func (r *reader) Message(m *msg.Message) error {
	record := r.record()
	copyMessage(&record.Message, m)
	ordinal := 0
	if m.NativeID == "" {
		ordinal = r.ordinals.next(m)
	} else {
		r.native = true
	}
	record.Hash = msg.Identity(r.source, r.conversation.Key, m, ordinal)
	record.Sort, record.ZoneOffset = place(m.Time, r.zone)
	record.ReplyTo = r.replies.target(r.source, r.conversation.Key, m)
	r.replies.remember(m, record.Hash)
	record.Links = links(m.Body, m.Links, record.Links)
	record.Digest = r.digest.sum(record)
	r.pending = append(r.pending, record)
	if len(r.pending) >= parcelSize {
		return r.flush(m.Position.Offset)
	}
	return nil
}

// record takes an empty record from those the writer has done with.
func (r *reader) record() *store.Record {
	if r.pending == nil {
		select {
		case r.pending = <-r.free:
		default:
			r.pending = make([]*store.Record, 0, parcelSize)
		}
		r.pending = r.pending[:0]
	}
	if spare := r.pending[:cap(r.pending)]; len(r.pending) < len(spare) && spare[len(r.pending)] != nil {
		return spare[len(r.pending)]
	}
	return &store.Record{}
}

// copyMessage copies m into a message whose slices are reused.
func copyMessage(into, m *msg.Message) {
	reactions, edits, attachments, details := into.Reactions, into.Edits, into.Attachments, into.Details
	*into = *m
	into.Reactions = append(reactions[:0], m.Reactions...)
	into.Edits = append(edits[:0], m.Edits...)
	into.Attachments = append(attachments[:0], m.Attachments...)
	into.Details = append(details[:0], m.Details...)
	into.Links = nil
	if m.ReplyTo != nil {
		reply := *m.ReplyTo
		into.ReplyTo = &reply
	}
}

// place returns a time's place in the order. A wall reading with a declared
// zone is the instant at which that zone's clocks showed it.
func place(t msg.Time, zone *time.Location) (sort int64, offset *int64) {
	if t.Basis != msg.Wall || zone == nil || !t.Known {
		return t.Micros, nil
	}
	w := t.UTC()
	instant := time.Date(w.Year(), w.Month(), w.Day(), w.Hour(), w.Minute(), w.Second(), w.Nanosecond(), zone).UnixMicro()
	seconds := (t.Micros - instant) / 1e6
	return instant, &seconds
}

// End implements source.Sink.
func (r *reader) End(c msg.Conversation) error {
	if err := r.flush(0); err != nil {
		return err
	}
	ends := copyConversation(c)
	return r.send(parcel{ends: &ends})
}

// Skip implements source.Sink.
func (r *reader) Skip(s source.Skipped) {
	r.problems.add(store.Problem{Severity: store.SeveritySkipped, Path: r.path, Position: s.Position, Reason: s.Reason, Excerpt: s.Excerpt})
}

// Note implements source.Sink.
func (r *reader) Note(text string) {
	r.problems.add(store.Problem{Severity: store.SeverityNote, Path: r.path, Reason: text})
}

func (r *reader) flush(offset int64) error {
	if len(r.pending) == 0 {
		return nil
	}
	p := parcel{records: r.pending, repeats: r.native || r.ordinals.repeats, offset: offset, block: r.block, digest: blockDigest(r.pending)}
	r.pending = nil
	r.block++
	return r.send(p)
}

func (r *reader) send(p parcel) error {
	select {
	case r.out <- p:
		return nil
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
}

// problems gathers what one file has to report. Beyond problemLimit skipped
// records are only counted.
type problems struct {
	list    []store.Problem
	skipped int64
}

const problemLimit = 1000

func (p *problems) add(x store.Problem) {
	if x.Severity == store.SeveritySkipped {
		p.skipped++
	}
	if len(p.list) < problemLimit {
		p.list = append(p.list, x)
	}
}
