package store

import (
	"context"
	"database/sql"
	"fmt"
)

// Of the messages of one minute, a source of that precision says by nothing
// but their order in the file which came first. The archive orders by time and
// then by id, and ids are given once, in the order of imports. Where they
// contradict a file, messages are put later within the first second of their
// minute, a microsecond for each. Nobody is shown that: see msg.Time.Stated.

// sequenceSpan is how far a message may be put later, in microseconds.
const sequenceSpan = 1_000_000 - 1

// MaxSequence is how many messages of one time are put in order at the most.
const MaxSequence = 4096

// Sequence is how a file has the messages of one time.
type Sequence struct {
	Conversation int64
	Sort         int64 // Record.Sort of them all; their time is Coarse
	IDs          []int64
	New          map[int64]bool // those that the archive did not hold before
}

// PutInOrder puts the new messages of a sequence before the older one that
// follows them in it, or else behind the one they follow. The order of older
// ones stays. It returns how many messages had to be moved.
func (b *Batch) PutInOrder(ctx context.Context, s Sequence) (moved int, err error) {
	held, err := b.heldAt(ctx, s)
	if err != nil {
		return 0, fmt.Errorf("put messages in order: %w", err)
	}
	if len(held) > MaxSequence {
		return 0, nil
	}
	least := Key{Sort: s.Sort}
	for _, at := range s.merge(held) {
		if at.Sort < least.Sort || at.Sort == least.Sort && at.ID < least.ID {
			at.Sort = least.Sort
			if at.ID < least.ID {
				at.Sort++
			}
			if at.Sort > s.Sort+sequenceSpan {
				return moved, nil // after a million such imports
			}
			if err := b.putLater(ctx, at); err != nil {
				return moved, fmt.Errorf("put messages in order: %w", err)
			}
			moved++
		}
		least = at
	}
	return moved, nil
}

// heldAt returns where the conversation's messages of that time stand, in
// order.
func (b *Batch) heldAt(ctx context.Context, s Sequence) ([]Key, error) {
	find, err := b.stmt(ctx, `SELECT id, ts FROM messages INDEXED BY messages_conversation
		WHERE conversation_id = ? AND ts BETWEEN ? AND ? ORDER BY ts, id LIMIT ?`)
	if err != nil {
		return nil, err
	}
	rows, err := find.QueryContext(ctx, s.Conversation, s.Sort, s.Sort+sequenceSpan, MaxSequence+1)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(row *sql.Rows) (at Key, err error) { return at, row.Scan(&at.ID, &at.Sort) })
}

// merge returns the messages held in the order they should have.
func (s Sequence) merge(held []Key) []Key {
	places := make(map[int64]Key, len(held))
	for _, at := range held {
		places[at.ID] = at
	}
	var waiting []Key
	var last int64 // the older one before them
	before, behind := map[int64][]Key{}, map[int64][]Key{}
	for _, id := range s.IDs {
		switch at, ok := places[id]; {
		case !ok: // another file says another time
		case s.New[id]:
			waiting = append(waiting, at)
		default:
			before[id], waiting, last = waiting, nil, id
		}
	}
	if last == 0 {
		return held
	}
	behind[last] = waiting
	list := make([]Key, 0, len(held))
	for _, at := range held {
		if !s.New[at.ID] {
			list = append(append(append(list, before[at.ID]...), at), behind[at.ID]...)
		}
	}
	return list
}

// putLater moves a message within its minute. What is counted by months and
// days stays.
func (b *Batch) putLater(ctx context.Context, at Key) error {
	if err := b.revise(ctx, at.ID); err != nil {
		return err
	}
	if err := b.markURLs(ctx, at.ID); err != nil {
		return err
	}
	for _, change := range []string{
		`UPDATE messages SET ts = ? WHERE id = ?`,
		`UPDATE attachments SET ts = ? WHERE message_id = ?`,
		`UPDATE links SET ts = ? WHERE message_id = ?`,
	} {
		if err := b.exec(ctx, change, at.Sort, at.ID); err != nil {
			return err
		}
	}
	return nil
}

// inPlace returns a record of a message that is kept already, with the place
// that the message was put in if it states the same time.
func (b *Batch) inPlace(ctx context.Context, id int64, r *Record) (*Record, error) {
	if !r.Message.Time.Coarse() {
		return r, nil
	}
	find, err := b.stmt(ctx, `SELECT ts FROM messages WHERE id = ?`)
	if err != nil {
		return nil, fmt.Errorf("find place of message: %w", err)
	}
	placed := *r
	if err := find.QueryRowContext(ctx, id).Scan(&placed.Sort); err != nil {
		return nil, fmt.Errorf("find place of message: %w", err)
	}
	if placed.Sort < r.Sort || placed.Sort > r.Sort+sequenceSpan {
		return r, nil
	}
	return &placed, nil
}
