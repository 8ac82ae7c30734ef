package store

import (
	"context"
	"fmt"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// Overview sums the archive up.
type Overview struct {
	Sources       []SourceOverview
	Conversations int64
	Messages      int64
	Missing       int64
	People        int64
	Media, Links  int64
	First, Last   int64 // unix microseconds, zero when empty
	Unindexed     int64 // messages the keyword index does not hold yet
	SchemaVersion int
	Bytes         int64 // size of the archive's file
}

// SourceOverview sums one source up.
type SourceOverview struct {
	Source        msg.Source
	Conversations int64
	Messages      int64
	First, Last   int64
}

// Overview returns the archive's figures.
func (r *Reader) Overview(ctx context.Context) (Overview, error) {
	var o Overview
	rows, err := r.query(ctx, `SELECT source, count(*), sum(messages), coalesce(min(nullif(first_ts, 0)), 0), max(last_ts)
		FROM conversations GROUP BY source ORDER BY source`)
	if err != nil {
		return o, fmt.Errorf("sum up archive: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var s SourceOverview
		if err := rows.Scan(&s.Source, &s.Conversations, &s.Messages, &s.First, &s.Last); err != nil {
			return o, err
		}
		o.Sources = append(o.Sources, s)
		o.Conversations += s.Conversations
		o.Messages += s.Messages
		if o.First == 0 || s.First != 0 && s.First < o.First {
			o.First = s.First
		}
		o.Last = max(o.Last, s.Last)
	}
	if err := rows.Err(); err != nil {
		return o, err
	}
	figures := []struct {
		into  *int64
		query string
	}{
		{&o.Missing, `SELECT count(*) FROM messages INDEXED BY messages_missing WHERE missing_since IS NOT NULL`},
		{&o.People, `SELECT count(DISTINCT person_id) FROM handles`},
		{&o.Media, `SELECT count(*) FROM attachments INDEXED BY attachments_time WHERE hidden = 0`},
		{&o.Links, `SELECT count(*) FROM urls WHERE messages > 0`},
		{&o.Unindexed, `SELECT (SELECT count(*) FROM messages WHERE id > coalesce((SELECT value FROM settings WHERE key = 'indexed'), 0)) +
			(SELECT count(*) FROM reindex)`},
		{&o.Bytes, `SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()`},
	}
	for _, f := range figures {
		if *f.into, err = r.scalar(ctx, f.query); err != nil {
			return o, fmt.Errorf("sum up archive: %w", err)
		}
	}
	o.SchemaVersion, err = schemaVersion(ctx, r.query)
	return o, err
}

// Check runs SQLite's integrity check and returns what it found; nothing
// means the archive is sound.
func (r *Reader) Check(ctx context.Context) ([]string, error) {
	rows, err := r.query(ctx, `PRAGMA integrity_check`)
	if err != nil {
		return nil, fmt.Errorf("check archive: %w", err)
	}
	defer rows.Close()
	var found []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return nil, err
		}
		if line != "ok" {
			found = append(found, line)
		}
	}
	return found, rows.Err()
}
