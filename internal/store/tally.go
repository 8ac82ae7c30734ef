package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// ownerSender stands for the owner, under whatever handle, in the table of
// activity.
const ownerSender = -1

// activityKey is what messages are counted by.
type activityKey struct {
	conversation int64
	month        Month
	sender       int64
}

func (k activityKey) compare(o activityKey) int {
	return cmp.Or(cmp.Compare(k.conversation, o.conversation), cmp.Compare(k.month, o.month), cmp.Compare(k.sender, o.sender))
}

func activityOf(conversation, sender int64, d msg.Direction, sort int64) activityKey {
	if d == msg.Out {
		sender = ownerSender
	}
	return activityKey{conversation, MonthOf(sort), sender}
}

// changes is called before a message changes, comes back or goes.
func (b *Batch) changes(ctx context.Context, id int64) error {
	if err := b.revise(ctx, id); err != nil {
		return err
	}
	return b.recount(ctx, id, -1)
}

// changed is called once it has, unless it is gone.
func (b *Batch) changed(ctx context.Context, id int64) error {
	if err := b.revise(ctx, id); err != nil { // in its new place
		return err
	}
	return b.recount(ctx, id, 1)
}

// recount adds n to the activity that a message belongs to, unless the message
// is missing.
func (b *Batch) recount(ctx context.Context, id, n int64) error {
	find, err := b.stmt(ctx, `SELECT conversation_id, coalesce(sender_id, 0), direction, ts FROM messages WHERE id = ? AND missing_since IS NULL`)
	if err != nil {
		return err
	}
	var conversation, sender, sort int64
	var direction msg.Direction
	switch err := find.QueryRowContext(ctx, id).Scan(&conversation, &sender, &direction, &sort); {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("count activity: %w", err)
	}
	b.activity[activityOf(conversation, sender, direction, sort)] += n
	return nil
}

// saveActivity writes down what the batch added to and took from activity.
func (b *Batch) saveActivity(ctx context.Context) error {
	// In the order of the table, which writes its pages one after the other.
	keys := slices.SortedFunc(maps.Keys(b.activity), activityKey.compare)
	counts := make([]driver.Value, 0, 4*len(keys))
	for _, key := range keys {
		if n := b.activity[key]; n != 0 {
			counts = append(counts, key.conversation, int64(key.month), key.sender, n)
		}
	}
	if err := b.insertRows(ctx, `INSERT INTO activity(conversation_id, month, sender_id, messages)`, 4, counts,
		`ON CONFLICT DO UPDATE SET messages = messages + excluded.messages`); err != nil {
		return fmt.Errorf("save activity: %w", err)
	}
	for _, key := range keys {
		if b.activity[key] >= 0 {
			continue
		}
		if err := b.exec(ctx, `DELETE FROM activity WHERE conversation_id = ? AND month = ? AND sender_id = ? AND messages <= 0`,
			key.conversation, int64(key.month), key.sender); err != nil {
			return fmt.Errorf("save activity: %w", err)
		}
	}
	clear(b.activity)
	return nil
}
