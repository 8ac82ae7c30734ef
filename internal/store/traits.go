package store

import "github.com/msgbrowse/msgbrowse/internal/msg"

// Traits are the small facts about a message, packed into one integer because
// an archive is mostly short messages: as columns of their own they would make
// up a tenth of it. The layout is part of the schema.
//
//	bits 0-3   kind
//	bit  4     basis is instant
//	bits 5-7   precision
//	bit  8     time is known
//	bit  9     edited
//	bits 10-16 which side tables hold rows, see has…
//	bit  17    the time has no raw text
type traits int64

// Which side tables hold rows for a message, so that reading a plain message
// touches one table.
const (
	hasReactions traits = 1 << (10 + iota)
	hasEdits
	hasDetails
	hasAttachments
	hasLinks
	hasReply
	hasSpecifics
)

const (
	traitInstant traits = 1 << 4
	traitKnown   traits = 1 << 8
	traitEdited  traits = 1 << 9
	traitBare    traits = 1 << 17
)

func traitsOf(r *Record) traits {
	m := &r.Message
	t := traits(m.Kind)&15 | traits(m.Time.Precision)&7<<5
	set := func(bit traits, ok bool) {
		if ok {
			t |= bit
		}
	}
	set(traitInstant, m.Time.Basis == msg.Instant)
	set(traitKnown, m.Time.Known)
	set(traitEdited, m.Edited)
	set(traitBare, m.Time.Raw == "")
	set(hasReactions, len(m.Reactions) > 0)
	set(hasEdits, len(m.Edits) > 0)
	set(hasDetails, len(m.Details) > 0)
	set(hasAttachments, len(m.Attachments) > 0)
	set(hasLinks, len(r.Links) > 0)
	set(hasReply, m.ReplyTo != nil)
	set(hasSpecifics, needsSpecifics(r))
	return t
}

func (t traits) kind() msg.Kind { return msg.Kind(t & 15) }

func (t traits) has(bit traits) bool { return t&bit != 0 }

// rawTime returns a time's raw text, given what was kept of it.
func (t traits) rawTime(kept string, of msg.Time) string {
	if kept == "" && of.Known && !t.has(traitBare) {
		return plainTime(of)
	}
	return kept
}

// time returns the time fields that the traits hold.
func (t traits) time() msg.Time {
	basis := msg.Wall
	if t.has(traitInstant) {
		basis = msg.Instant
	}
	return msg.Time{Basis: basis, Precision: msg.Precision(t >> 5 & 7), Known: t.has(traitKnown)}
}

// needsSpecifics reports whether a message has a row in specifics.
func needsSpecifics(r *Record) bool {
	m := &r.Message
	return r.ZoneOffset != nil || m.NativeID != "" || m.Position.Pointer != "" || m.Suspect != "" || !isPlain(m.Time)
}
