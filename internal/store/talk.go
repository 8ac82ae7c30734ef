package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// Day is a day of a conversation: what is derived from messages together is
// derived from those of one day, so that a message changes only its own.
type Day struct {
	Conversation int64
	Day          int64 // UTC, counted from 1970-01-01
}

// microsPerDay is a day in the unit of message times.
const microsPerDay = 24 * 3600 * 1_000_000

// DayOf returns the day of a time in unix microseconds.
func DayOf(micros int64) int64 {
	day := micros / microsPerDay
	if micros%microsPerDay < 0 {
		day--
	}
	return day
}

// Start and End are the bounds of the day in unix microseconds, the end
// excluded.
func (d Day) Start() int64 { return d.Day * microsPerDay }

// End is the first moment after the day.
func (d Day) End() int64 { return (d.Day + 1) * microsPerDay }

// dayOfTS is DayOf in SQL: division rounds towards zero there.
const dayOfTS = `(ts - ((ts % 86400000000) + 86400000000) % 86400000000) / 86400000000`

// revise records that a message changes, comes back or goes, on the day it
// has now.
func (b *Batch) revise(ctx context.Context, id int64) error {
	err := b.exec(ctx, `INSERT INTO revised_days(conversation_id, day, revision)
		SELECT conversation_id, `+dayOfTS+`, coalesce((SELECT max(revision) FROM revised_days), 0) + 1 FROM messages WHERE id = ?
		ON CONFLICT DO UPDATE SET revision = excluded.revision`, id)
	if err != nil {
		return fmt.Errorf("record revision: %w", err)
	}
	return nil
}

// Extremes are how far an archive has come: what is derived from it up to the
// same ones is complete.
type Extremes struct {
	LastMessage  int64 // the highest id given
	LastRevision int64 // see RevisedDays
}

// Extremes returns how far the archive has come.
func (r *Reader) Extremes(ctx context.Context) (Extremes, error) {
	var e Extremes
	err := r.row(ctx, `SELECT coalesce((SELECT max(id) FROM messages), 0), coalesce((SELECT max(revision) FROM revised_days), 0)`, nil,
		&e.LastMessage, &e.LastRevision)
	if err != nil {
		return e, fmt.Errorf("measure archive: %w", err)
	}
	return e, nil
}

// RevisedDays returns the days in which messages changed or went after the
// given revision.
func (r *Reader) RevisedDays(ctx context.Context, after int64) ([]Day, error) {
	return r.days(ctx, `SELECT conversation_id, day FROM revised_days WHERE revision > ?`, after)
}

// NewDays returns the days with messages whose id is above after and at most
// last.
func (r *Reader) NewDays(ctx context.Context, after, last int64) ([]Day, error) {
	return r.days(ctx, `SELECT DISTINCT conversation_id, `+dayOfTS+` FROM messages WHERE id > ? AND id <= ?`, after, last)
}

func (r *Reader) days(ctx context.Context, query string, args ...any) ([]Day, error) {
	rows, err := r.query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("list days: %w", err)
	}
	return collect(rows, func(row *sql.Rows) (Day, error) {
		var d Day
		return d, row.Scan(&d.Conversation, &d.Day)
	})
}

// Utterance is what somebody said, as far as its meaning goes.
type Utterance struct {
	ID       int64
	Sort     int64 // unix microseconds
	SenderID int64 // handle id, 0 for nobody
	FromMe   bool
	Kind     msg.Kind
	Body     string
}

const utteranceColumns = `id, ts, coalesce(sender_id, 0), direction = 2, traits & 15, body`

// Talk calls yield for the messages of a conversation with start <= time < end,
// unix microseconds, in chronological order and without the missing ones,
// until it returns an error.
func (r *Reader) Talk(ctx context.Context, conversation, start, end int64, yield func(Utterance) error) error {
	rows, err := r.query(ctx, `SELECT `+utteranceColumns+` FROM messages
		WHERE conversation_id = ? AND ts >= ? AND ts < ? AND missing_since IS NULL ORDER BY ts, id`, conversation, start, end)
	if err != nil {
		return fmt.Errorf("read talk: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		u, err := scanUtterance(rows)
		if err != nil {
			return fmt.Errorf("read talk: %w", err)
		}
		if err := yield(u); err != nil {
			return err
		}
	}
	return rows.Err()
}

func scanUtterance(rows *sql.Rows) (Utterance, error) {
	var u Utterance
	return u, rows.Scan(&u.ID, &u.Sort, &u.SenderID, &u.FromMe, &u.Kind, &u.Body)
}

// ArchiveID is a number that no other archive has; what is derived from an
// archive and kept outside of its file carries it.
func (r *Reader) ArchiveID(ctx context.Context) (uint64, error) {
	id, err := r.setting(ctx, "archive")
	if err != nil {
		return 0, fmt.Errorf("read archive's number: %w", err)
	}
	return uint64(id), nil
}
