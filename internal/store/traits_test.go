package store

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// TestTimesAndKindsComeBack keeps a message of every kind, basis, precision
// and raw text and reads it again.
func TestTimesAndKindsComeBack(t *testing.T) {
	t.Parallel()
	moment := time.Date(2024, 2, 29, 23, 59, 58, 123456000, time.UTC)
	hour := int64(3600)
	var records []*Record
	for kind := msg.Text; kind <= msg.Unparsed; kind++ {
		for _, basis := range []msg.Basis{msg.Wall, msg.Instant} {
			for precision := msg.Second; precision <= msg.Microsecond; precision++ {
				for _, known := range []bool{true, false} {
					for _, raw := range []string{"", "2024-02-29 23:59:58", "2024-02-29 23:59", "29.02.24, 23:59", "1709251198123"} {
						for _, edited := range []bool{true, false} {
							m := msg.Message{
								Kind: kind, Edited: edited, Direction: msg.In, Body: "x",
								Time: msg.Time{Micros: moment.UnixMicro(), Basis: basis, Precision: precision, Raw: raw, Known: known},
							}
							if known && (precision == msg.Minute || precision == msg.Day) {
								m.Time.Micros = moment.Truncate(time.Second).UnixMicro()
							}
							r := &Record{Message: m, Sort: m.Time.Micros, Hash: msg.Identity("signal", "k", &m, len(records))}
							if known && basis == msg.Wall && edited { // a declared zone
								r.Sort, r.ZoneOffset = m.Time.Micros-hour*1e6, &hour
							}
							records = append(records, r)
						}
					}
				}
			}
		}
	}
	for _, micros := range []int64{0, -1, math.MinInt32 * 1e6, 253402300799e6} {
		m := msg.Message{Time: msg.Time{Micros: micros, Raw: "early or late", Known: true}, Body: "y"}
		records = append(records, &Record{Message: m, Sort: micros, Hash: msg.Identity("signal", "k", &m, len(records))})
	}
	checkRoundTrip(t, records)
}

// checkRoundTrip inserts records and compares what a reader makes of them.
func checkRoundTrip(t *testing.T, records []*Record) {
	t.Helper()
	dir := t.TempDir()
	w := openWriter(t, dir)
	var first int64
	write(t, w, func(b *Batch) error {
		id, _, err := b.Conversation(t.Context(), "signal", msg.Conversation{Key: "k"})
		if err != nil {
			return err
		}
		for _, r := range records {
			r.ConversationID = id
		}
		first, err = b.Insert(t.Context(), records)
		return err
	})
	r := openReader(t, dir, ReaderOptions{WithWriter: true})
	for i, record := range records {
		got, err := r.Message(t.Context(), first+int64(i))
		if err != nil {
			t.Fatal(err)
		}
		want := record.Message
		if got.Kind != want.Kind || got.Edited != want.Edited || got.Direction != want.Direction || got.Sort != record.Sort || got.Hash != record.Hash.String() {
			t.Errorf("message %d: got %+v, want %+v", i, got, want)
		}
		if diff := cmp.Diff(want.Time, got.Time); diff != "" {
			t.Errorf("time of message %d (-want +got):\n%s", i, diff)
		}
	}
}

func TestEverySideComesBack(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 120)
	r := openReader(t, x.dir, ReaderOptions{})
	byHash := map[string]int64{}
	for _, m := range x.messages {
		byHash[m.record.Hash.String()] = m.id
	}
	for _, m := range x.messages {
		got, err := r.Message(t.Context(), m.id)
		if err != nil {
			t.Fatal(err)
		}
		want := x.message(m, byHash)
		for i := range got.Attachments {
			got.Attachments[i].ID = 0
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("message %d (-want +got):\n%s", m.id, diff)
		}
	}
}

// message is what a reader should say of a message.
func (x *world) message(m *worldMessage, byHash map[string]int64) Message {
	in := m.record.Message
	out := Message{
		ID: m.id, Hash: m.record.Hash.String(), ConversationID: m.record.ConversationID, Source: m.source, SenderID: m.record.SenderID,
		Direction: in.Direction, Kind: in.Kind, Time: in.Time, Sort: m.record.Sort, Body: in.Body, Edited: in.Edited, Suspect: in.Suspect,
		Details: in.Details, FileID: m.record.FileID, ImportID: x.importID, Position: in.Position, NativeID: in.NativeID,
	}
	label := func(id int64) string {
		for _, h := range x.handles {
			if h.id == id {
				if h.handle.Name == "" || h.handle.Name == "Me" {
					return h.handle.ID
				}
				return h.handle.Name
			}
		}
		return ""
	}
	for _, c := range x.conversations {
		if c.id == out.ConversationID {
			out.Conversation = c.conv.Name
		}
	}
	if out.Sender = label(m.record.SenderID); in.Direction == msg.Out {
		out.Sender = Owner
	}
	if m.missing {
		out.MissingSince = x.importID
	}
	if in.ReplyTo != nil {
		out.ReplyTo = &ReplyRef{Quote: in.ReplyTo.Quote}
		if m.record.ReplyTo != nil {
			out.ReplyTo.Hash = m.record.ReplyTo.String()
			out.ReplyTo.ID = byHash[out.ReplyTo.Hash]
		}
	}
	for i, reaction := range in.Reactions {
		sender := label(m.record.Reactors[i])
		if reaction.FromMe {
			sender = Owner
		}
		out.Reactions = append(out.Reactions, Reaction{sender, reaction.Emoji, reaction.Count})
	}
	for _, e := range in.Edits {
		out.Edits = append(out.Edits, msg.Edit{Body: e.Body, Time: msg.Time{Micros: e.Time.Micros, Basis: in.Time.Basis, Known: e.Time.Known}})
	}
	for _, a := range in.Attachments {
		out.Attachments = append(out.Attachments, Attachment{Kind: a.Kind, Name: a.Name, Path: a.Path, MIME: a.MIME, Size: a.Size, Absent: a.Missing, Sticker: a.Sticker})
	}
	return out
}
