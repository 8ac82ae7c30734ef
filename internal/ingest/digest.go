package ingest

import (
	"encoding/binary"
	"hash"
	"hash/fnv"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// digester computes the digest by which a re-import sees that a message
// changed. It covers everything that is shown of it and leaves out its
// position and its import. It has 32 bits, to be stored with every message:
// of four billion changes one is overlooked.
type digester struct {
	hash hash.Hash32
	buf  []byte
}

func newDigester() *digester { return &digester{hash: fnv.New32a()} }

func (d *digester) text(s string) {
	d.number(int64(len(s)))
	d.buf = append(d.buf, s...)
}

func (d *digester) number(n int64) { d.buf = binary.AppendVarint(d.buf, n) }

func (d *digester) flag(b bool) {
	if b {
		d.buf = append(d.buf, 1)
	} else {
		d.buf = append(d.buf, 0)
	}
}

func (d *digester) sum(r *store.Record) uint32 {
	m := &r.Message
	d.buf = d.buf[:0]
	d.text(m.Sender.ID)
	d.number(int64(m.Direction)<<8 | int64(m.Kind))
	d.number(r.Sort)
	d.number(int64(m.Time.Basis)<<8 | int64(m.Time.Precision))
	d.flag(m.Time.Known)
	d.flag(r.ZoneOffset != nil)
	if r.ZoneOffset != nil {
		d.number(*r.ZoneOffset)
	}
	d.text(m.Time.Raw)
	d.text(m.Body)
	d.flag(m.Edited)
	d.text(m.Suspect)
	if m.ReplyTo != nil {
		d.text(m.ReplyTo.Quote)
		if r.ReplyTo != nil {
			d.buf = append(d.buf, r.ReplyTo[:]...)
		}
	}
	d.number(int64(len(m.Reactions)))
	for _, x := range m.Reactions {
		d.text(x.Sender.ID)
		d.flag(x.FromMe)
		d.text(x.Emoji)
		d.number(int64(x.Count))
		d.number(x.Time.Micros)
	}
	d.number(int64(len(m.Edits)))
	for _, x := range m.Edits {
		d.text(x.Body)
		d.number(x.Time.Micros)
	}
	d.number(int64(len(m.Attachments)))
	for _, x := range m.Attachments {
		d.number(int64(x.Kind))
		d.text(x.Name)
		d.text(x.Path)
		d.text(x.MIME)
		d.number(x.Size)
		d.text(x.Missing)
		d.flag(x.Sticker)
	}
	d.number(int64(len(m.Details)))
	for _, x := range m.Details {
		d.text(x.Name)
		d.text(x.Value)
	}
	for _, x := range r.Links {
		d.text(x.URL)
	}
	d.hash.Reset()
	d.hash.Write(d.buf)
	return d.hash.Sum32()
}

// blockDigest covers a stretch of messages with their identities, digests and
// positions, and the names of the people in it.
func blockDigest(records []*store.Record) int64 {
	h := fnv.New64a()
	var buf []byte
	for _, r := range records {
		p := r.Message.Position
		buf = append(buf[:0], r.Hash[:]...)
		for _, n := range [...]int64{int64(r.Digest), p.Line, p.Offset} {
			buf = binary.AppendVarint(buf, n)
		}
		buf = append(buf, p.Pointer...)
		buf = append(append(buf, 0), r.Message.Sender.Name...)
		for _, x := range r.Message.Reactions {
			buf = append(append(buf, 0), x.Sender.Name...)
		}
		h.Write(buf)
	}
	return int64(h.Sum64())
}
