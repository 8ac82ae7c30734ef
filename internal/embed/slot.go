package embed

import (
	"math"

	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/vector"
)

// The attributes of a slot, as this package fills them:
//
//	Ref    the message's id, of a window that of its first message
//	Group  the conversation's id
//	Owner  the sender's handle id, 0 for nobody and for windows, ownerMe for
//	       the owner; of a short text the upper half of its key
//	Time   minutes since the epoch, from the middle of the range on
//	Key    the kind in the two upper bits; below them the number of messages
//	       of a window, the number of a piece, or the lower half of a short
//	       text's key
//
// The slot of a short text has marks that put it into the other conversations
// in which messages consist of it, or did once. Their Ref is the id of one of
// these messages, or 0.
const (
	ownerMe   = math.MaxUint32
	kindShift = 30
	keyMask   = 1<<kindShift - 1
	epochAt   = 1 << 31
)

const (
	microsPerMinute = 60_000_000
	minutesPerDay   = 24 * 60
)

// indexable reports whether a message's numbers fit into a slot; only times
// thousands of years away and four thousand millions of messages do not.
func indexable(u store.Utterance) bool {
	minute := floorDiv(u.Sort, microsPerMinute)
	return minute > -epochAt && minute < epochAt && u.ID <= math.MaxUint32
}

// timeOf returns a time in unix microseconds as the attribute, the nearest
// one that there is.
func timeOf(micros int64) uint32 {
	return uint32(min(max(floorDiv(micros, microsPerMinute)+epochAt, 0), math.MaxUint32))
}

// dayOf returns the day of a slot.
func dayOf(group, at uint32) store.Day {
	return store.Day{Conversation: int64(group), Day: floorDiv(int64(at)-epochAt, minutesPerDay)}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func senderOf(u store.Utterance) uint32 {
	if u.FromMe {
		return ownerMe
	}
	return uint32(u.SenderID)
}

func kindOf(key uint32) kind { return kind(key >> kindShift) }

// shortOf returns the key of a short text's slot.
func shortOf(owner, key uint32) uint64 { return uint64(owner)<<kindShift | uint64(key&keyMask) }

// item makes the slot of a chunk.
func (c chunk) item(conversation int64, v []float32) vector.Item {
	it := vector.Item{
		Vector: v, Ref: uint32(c.first.ID), Group: uint32(conversation), Owner: senderOf(c.first), Time: timeOf(c.first.Sort),
		Key: uint32(c.kind) << kindShift,
	}
	switch c.kind {
	case short:
		it.Owner, it.Key = uint32(c.key>>kindShift), it.Key|uint32(c.key&keyMask)
	case window:
		it.Owner, it.Key = 0, it.Key|uint32(c.span)
	}
	return it
}
