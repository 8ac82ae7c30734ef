package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
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

// saveActivity writes down what the batch added to and took from activity, and
// what that makes of the sums of it.
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
	if err := b.saveMonths(ctx, keys); err != nil {
		return fmt.Errorf("save sums of months: %w", err)
	}
	if err := b.saveSenders(ctx, keys); err != nil {
		return fmt.Errorf("save sums of senders: %w", err)
	}
	clear(b.activity)
	return nil
}

// saveMonths brings month_totals up to date with the activity of the keys.
func (b *Batch) saveMonths(ctx context.Context, keys []activityKey) error {
	find, err := b.stmt(ctx, `SELECT source FROM conversations WHERE id = ?`)
	if err != nil {
		return err
	}
	changes := map[SourceMonth]int64{}
	var last int64
	var source msg.Source
	for _, key := range keys {
		if key.conversation != last {
			if err := find.QueryRowContext(ctx, key.conversation).Scan(&source); err != nil {
				return err
			}
			last = key.conversation
		}
		changes[SourceMonth{source, MonthCount{Month: key.month}}] += b.activity[key]
	}
	for _, m := range slices.SortedFunc(maps.Keys(changes), SourceMonth.compare) {
		n := changes[m]
		if n == 0 {
			continue
		}
		if err := b.exec(ctx, `INSERT INTO month_totals(month, source, messages) VALUES(?, ?, ?)
			ON CONFLICT DO UPDATE SET messages = messages + excluded.messages`, int64(m.Month), string(m.Source), n); err != nil {
			return err
		}
		if n < 0 {
			if err := b.exec(ctx, `DELETE FROM month_totals WHERE month = ? AND source = ? AND messages <= 0`, int64(m.Month), string(m.Source)); err != nil {
				return err
			}
		}
	}
	return nil
}

// saveSenders brings what each handle sent up to date with the activity of the
// keys, which is saved.
func (b *Batch) saveSenders(ctx context.Context, keys []activityKey) error {
	changes := map[int64]*senderChange{}
	for _, key := range keys {
		n := b.activity[key]
		if key.sender <= 0 || n == 0 {
			continue
		}
		c := changes[key.sender]
		if c == nil {
			c = &senderChange{}
			changes[key.sender] = c
		}
		c.add(key.month, n)
	}
	var shrunk []int64
	for _, sender := range slices.Sorted(maps.Keys(changes)) {
		c := changes[sender]
		if c.shrunk {
			shrunk = append(shrunk, sender)
		}
		if err := b.exec(ctx, `UPDATE handles SET messages = messages + ?2, first_month = iif(messages = 0, ?3, min(first_month, ?3)),
			last_month = max(last_month, ?4) WHERE id = ?1`, sender, c.messages, int64(c.first), int64(c.last)); err != nil {
			return err
		}
	}
	return b.respanSenders(ctx, shrunk)
}

// senderChange is what a batch adds to what a handle sent: from which month to
// which there are changes, and whether some month has fewer messages now.
type senderChange struct {
	messages    int64
	first, last Month
	shrunk      bool
}

func (c *senderChange) add(month Month, n int64) {
	if c.first == 0 || month < c.first {
		c.first = month
	}
	c.last = max(c.last, month)
	c.messages += n
	c.shrunk = c.shrunk || n < 0
}

// respanSenders finds the first and the last month of handles in the saved
// activity. Nothing leads from a handle to its months, so all of it is read.
func (b *Batch) respanSenders(ctx context.Context, handles []int64) error {
	if len(handles) == 0 {
		return nil
	}
	ids, err := json.Marshal(handles)
	if err != nil {
		return err
	}
	rows, err := b.tx.QueryContext(ctx, `SELECT h.value, coalesce(a.first, 0), coalesce(a.last, 0) FROM json_each(?1) h LEFT JOIN (
		SELECT sender_id, min(month) AS first, max(month) AS last FROM activity WHERE sender_id IN (SELECT value FROM json_each(?1)) GROUP BY sender_id) a
		ON a.sender_id = h.value`, string(ids))
	if err != nil {
		return err
	}
	type span struct{ handle, first, last int64 }
	spans, err := collect(rows, func(row *sql.Rows) (s span, err error) { return s, row.Scan(&s.handle, &s.first, &s.last) })
	if err != nil {
		return err
	}
	for _, s := range spans {
		if err := b.exec(ctx, `UPDATE handles SET first_month = ?, last_month = ? WHERE id = ?`, s.first, s.last, s.handle); err != nil {
			return err
		}
	}
	return nil
}
