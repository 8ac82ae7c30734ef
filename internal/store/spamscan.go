package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// ScanThreads lists every conversation by id, as a scan sees it. It reads no
// body.
func (r *Reader) ScanThreads(ctx context.Context) ([]record.Thread, error) {
	rows, err := r.query(ctx, `SELECT c.id, c.source, c.key, c.name, c.kind, c.messages +
		(SELECT count(*) FROM messages INDEXED BY messages_missing WHERE conversation_id = c.id AND missing_since IS NOT NULL),
		coalesce(lower(hex(last.hash)), ''), coalesce(last.ts, 0) FROM conversations c LEFT JOIN messages last ON last.id =
		(SELECT m.id FROM messages m INDEXED BY messages_conversation WHERE m.conversation_id = c.id ORDER BY m.ts DESC, m.id DESC LIMIT 1) ORDER BY c.id`)
	if err != nil {
		return nil, fmt.Errorf("list threads: %w", err)
	}
	at := map[int64]int{}
	threads, err := collect(rows, func(row *sql.Rows) (record.Thread, error) {
		t := record.Thread{Senders: []int64{}}
		err := row.Scan(&t.ID, &t.Source, &t.Key, &t.Name, &t.Kind, &t.Messages, &t.Last, &t.LastSort)
		at[t.ID] = len(at)
		return t, err
	})
	if err != nil {
		return nil, fmt.Errorf("list threads: %w", err)
	}
	pairs, err := r.inboundSenders(ctx, 0)
	if err != nil {
		return nil, fmt.Errorf("list senders of threads: %w", err)
	}
	for _, p := range pairs {
		if i, ok := at[p.conversation]; ok { // there since the threads were read
			threads[i].Senders = append(threads[i].Senders, p.sender)
		}
	}
	return threads, nil
}

// ThreadSenders returns the handles that have inbound messages in a
// conversation, in ascending order.
func (r *Reader) ThreadSenders(ctx context.Context, conversation int64) ([]int64, error) {
	pairs, err := r.inboundSenders(ctx, conversation)
	if err != nil {
		return nil, fmt.Errorf("list senders of thread: %w", err)
	}
	list := make([]int64, len(pairs))
	for i, p := range pairs {
		list[i] = p.sender
	}
	return list, nil
}

// threadWriter is somebody who wrote in a conversation.
type threadWriter struct{ conversation, sender int64 }

// monthMicros is the first moment of a month of activity in unix microseconds
// as a part of statements, without a bound for the first and the last month,
// which hold all that lies beyond.
func monthMicros(month string) string {
	return `CASE WHEN ` + month + ` <= 12 THEN -9223372036854775808 WHEN ` + month + ` >= 120000 THEN 9223372036854775807
		ELSE unixepoch(printf('%04d-%02d-01', (` + month + `) / 12, (` + month + `) % 12 + 1)) * 1000000 END`
}

// inboundSenders returns who has inbound messages in a conversation, in all
// of them for 0, sorted. Who wrote anything is known by the month; of these,
// some have nothing but service lines.
func (r *Reader) inboundSenders(ctx context.Context, conversation int64) ([]threadWriter, error) {
	only, args := "", []any{int64(msg.In)}
	if conversation != 0 {
		only, args = " AND conversation_id = ?2", append(args, conversation)
	}
	rows, err := r.query(ctx, `SELECT conversation_id, sender_id FROM
		(SELECT conversation_id, sender_id, min(month) AS first, max(month) AS last FROM activity WHERE sender_id > 0`+only+` GROUP BY conversation_id, sender_id) who
		WHERE EXISTS (SELECT 1 FROM messages m INDEXED BY messages_conversation WHERE m.conversation_id = who.conversation_id
			AND m.ts >= `+monthMicros("who.first")+` AND m.ts < `+monthMicros("who.last + 1")+` AND m.sender_id = who.sender_id AND m.direction = ?1)
		UNION SELECT conversation_id, sender_id FROM messages INDEXED BY messages_missing
		WHERE missing_since IS NOT NULL AND direction = ?1 AND sender_id IS NOT NULL`+only+` ORDER BY 1, 2`, args...)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(row *sql.Rows) (w threadWriter, err error) { return w, row.Scan(&w.conversation, &w.sender) })
}

const scanColumns = `SELECT m.id, m.hash, coalesce(m.sender_id, 0), m.direction, m.ts, m.traits, m.body, s.zone_offset, s.raw_time
	FROM messages m LEFT JOIN specifics s ON s.message_id = m.id WHERE m.conversation_id = ? AND `

// ScanMessages returns up to limit messages of a conversation behind a
// position, in order, missing ones among them.
func (r *Reader) ScanMessages(ctx context.Context, conversation int64, after record.Position, limit int) ([]record.Message, error) {
	rows, err := r.query(ctx, scanColumns+`(m.ts, m.id) > (?, ?) ORDER BY m.ts, m.id LIMIT ?`, conversation, after.Sort, after.ID, limit)
	if err != nil {
		return nil, fmt.Errorf("read messages to scan: %w", err)
	}
	return r.scanRows(ctx, rows)
}

// ownPage is how many of the owner's messages are read at once.
const ownPage = 256

// ScanOwn yields the owner's messages of a conversation in order until yield
// returns false.
func (r *Reader) ScanOwn(ctx context.Context, conversation int64, yield func(record.Message) bool) error {
	var after record.Position
	for {
		rows, err := r.query(ctx, scanColumns+`m.direction = ? AND (m.ts, m.id) > (?, ?) ORDER BY m.ts, m.id LIMIT ?`,
			conversation, int64(msg.Out), after.Sort, after.ID, ownPage)
		if err != nil {
			return fmt.Errorf("read own messages: %w", err)
		}
		page, err := r.scanRows(ctx, rows)
		if err != nil {
			return err
		}
		for _, m := range page {
			if !yield(m) {
				return nil
			}
		}
		if len(page) < ownPage {
			return nil
		}
		after = page[len(page)-1].Position
	}
}

func (r *Reader) scanRows(ctx context.Context, rows *sql.Rows) ([]record.Message, error) {
	var detailed, attached []int64
	at := map[int64]int{}
	list, err := collect(rows, func(row *sql.Rows) (record.Message, error) {
		var m record.Message
		var hash sql.RawBytes
		var t traits
		var offset sql.NullInt64
		var raw sql.NullString
		if err := row.Scan(&m.ID, &hash, &m.Handle, &m.Direction, &m.Sort, &t, &m.Body, &offset, &raw); err != nil {
			return m, err
		}
		m.Hash, m.Kind, m.Time = hex.EncodeToString(hash), t.kind(), t.time()
		m.Time.Micros = m.Time.Stated(m.Sort) + offset.Int64*1e6
		m.Time.Raw = t.rawTime(raw.String, m.Time)
		if m.Time.Basis == msg.Wall && !offset.Valid {
			m.Clock = record.Readings
		}
		if t.has(hasDetails) {
			detailed = append(detailed, m.ID)
		}
		if t.has(hasAttachments) {
			attached = append(attached, m.ID)
		}
		at[m.ID] = len(at)
		return m, nil
	})
	if err != nil {
		return nil, fmt.Errorf("read messages to scan: %w", err)
	}
	if err := r.fillDetails(ctx, list, at, detailed); err != nil {
		return nil, fmt.Errorf("read details to scan: %w", err)
	}
	if err := r.countAttachments(ctx, list, at, attached); err != nil {
		return nil, fmt.Errorf("count attachments to scan: %w", err)
	}
	return list, nil
}

func (r *Reader) fillDetails(ctx context.Context, list []record.Message, at map[int64]int, ids []int64) error {
	for part := range slices.Chunk(ids, idsPerQuery) {
		rows, err := r.query(ctx, `SELECT message_id, name, value FROM details WHERE message_id IN `+placeholders(idsPerQuery)+
			` ORDER BY message_id, seq`, padIDs(part, idsPerQuery)...)
		if err != nil {
			return err
		}
		_, err = collect(rows, func(row *sql.Rows) (none struct{}, err error) {
			var id int64
			var d msg.Detail
			err = row.Scan(&id, &d.Name, &d.Value)
			m := &list[at[id]]
			m.Details = append(m.Details, d)
			return none, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) countAttachments(ctx context.Context, list []record.Message, at map[int64]int, ids []int64) error {
	for part := range slices.Chunk(ids, idsPerQuery) {
		rows, err := r.query(ctx, `SELECT message_id, count(*) FROM attachments WHERE message_id IN `+placeholders(idsPerQuery)+
			` GROUP BY message_id`, padIDs(part, idsPerQuery)...)
		if err != nil {
			return err
		}
		_, err = collect(rows, func(row *sql.Rows) (none struct{}, err error) {
			var id, n int64
			err = row.Scan(&id, &n)
			list[at[id]].Attachments = n
			return none, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ScanPosition resolves a message's hash to its place in a conversation and
// says how many messages of it stand there or before. ok is false when the
// conversation does not hold it.
func (r *Reader) ScanPosition(ctx context.Context, conversation int64, hash string) (at record.Position, messages int64, ok bool, err error) {
	raw, err := hex.DecodeString(hash)
	if err != nil || len(raw) != msg.HashSize {
		return at, 0, false, fmt.Errorf("read hash of cursor: %q is none", hash)
	}
	err = r.row(ctx, `SELECT m.id, m.ts, (SELECT count(*) FROM messages b WHERE b.conversation_id = m.conversation_id AND b.ts < m.ts) +
		(SELECT count(*) FROM messages b WHERE b.conversation_id = m.conversation_id AND b.ts = m.ts AND b.id <= m.id)
		FROM messages m WHERE substr(m.hash, 1, 5) = ? AND m.hash = ? AND m.conversation_id = ?`,
		[]any{raw[:hashKey], raw, conversation}, &at.ID, &at.Sort, &messages)
	if errors.Is(err, sql.ErrNoRows) {
		return at, 0, false, nil
	}
	if err != nil {
		return at, 0, false, fmt.Errorf("find cursor: %w", err)
	}
	return at, messages, true, nil
}
