package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
)

// TranscriptQuery selects a stretch of one conversation.
type TranscriptQuery struct {
	Conversation int64
	Start, End   *int64 // as in Filter
	// Backward reads from the end; the page is in chronological order all the
	// same.
	Backward bool
	// After is the last message already shown; the page goes on beyond it.
	After          *Key
	Limit          int
	IncludeMissing bool
}

// Transcript returns a page of a conversation in chronological order and
// whether there is more beyond it.
func (r *Reader) Transcript(ctx context.Context, q TranscriptQuery) (list []Message, more bool, err error) {
	f := Filter{Conversations: []int64{q.Conversation}, Start: q.Start, End: q.End}
	c := f.conditions("m")
	order := "m.ts, m.id"
	if q.After != nil {
		if q.Backward {
			c.add("(m.ts, m.id) < (?, ?)", q.After.Sort, q.After.ID)
		} else {
			c.add("(m.ts, m.id) > (?, ?)", q.After.Sort, q.After.ID)
		}
	}
	if q.Backward {
		order = "m.ts DESC, m.id DESC"
	}
	if !q.IncludeMissing {
		c.add("m.missing_since IS NULL")
	}
	rows, err := r.query(ctx, `SELECT `+readColumns+` FROM messages m`+c.where()+` ORDER BY `+order+` LIMIT ?`, append(c.args, q.Limit+1)...)
	if err != nil {
		return nil, false, fmt.Errorf("read conversation: %w", err)
	}
	list, err = r.readMessages(ctx, rows)
	if err != nil {
		return nil, false, err
	}
	if more = len(list) > q.Limit; more {
		list = list[:q.Limit]
	}
	if q.Backward {
		slices.Reverse(list)
	}
	return list, more, nil
}

// CountMessages returns how many messages the filter keeps. Its cost grows
// with the messages of the conversations and the period it names.
func (r *Reader) CountMessages(ctx context.Context, f Filter) (int64, error) {
	if len(f.Conversations) == 1 && f.Source == "" && !f.narrowsMessages() && !f.IncludeMissing {
		c, err := r.Conversation(ctx, f.Conversations[0])
		return c.Messages, err
	}
	c := f.conditions("m")
	if len(f.Conversations) == 0 && f.Source == "" {
		// Periods are found by the index that has the conversation first.
		c.add("m.conversation_id IN (SELECT id FROM conversations)")
	}
	all := `SELECT count(*) FROM messages m INDEXED BY messages_conversation` + c.where()
	if f.IncludeMissing {
		return r.scalar(ctx, all, c.args...)
	}
	missing := f.conditions("m") // they are few and have an index of their own
	missing.add("m.missing_since IS NOT NULL")
	return r.scalar(ctx, `SELECT (`+all+`) - (SELECT count(*) FROM messages m INDEXED BY messages_missing`+missing.where()+`)`,
		append(c.args, missing.args...)...)
}

func (r *Reader) scalar(ctx context.Context, query string, args ...any) (int64, error) {
	var n sql.NullInt64
	err := r.row(ctx, query, args, &n)
	return n.Int64, err
}

// Around returns the message with up to before and after neighbours of its
// conversation, in chronological order. Missing neighbours are left out, the
// message itself is not.
func (r *Reader) Around(ctx context.Context, m Message, before, after int) ([]Message, error) {
	key := &Key{m.Sort, m.ID}
	list := []Message{}
	if before > 0 {
		earlier, _, err := r.Transcript(ctx, TranscriptQuery{Conversation: m.ConversationID, After: key, Backward: true, Limit: before})
		if err != nil {
			return nil, err
		}
		list = append(list, earlier...)
	}
	list = append(list, m)
	if after > 0 {
		later, _, err := r.Transcript(ctx, TranscriptQuery{Conversation: m.ConversationID, After: key, Limit: after})
		if err != nil {
			return nil, err
		}
		list = append(list, later...)
	}
	return list, nil
}

// Neighbour is a message as the ranking of another one sees it.
type Neighbour struct {
	ID, Sort int64
	SenderID int64
	FromMe   bool
	Body     string
}

// Neighbours returns up to n messages before and n after the given place of a
// conversation, in chronological order, without the message there.
func (r *Reader) Neighbours(ctx context.Context, conversation int64, at Key, n int) ([]Neighbour, error) {
	const columns = `SELECT id, ts, coalesce(sender_id, 0), direction = 2, body FROM messages
		WHERE conversation_id = ?1 AND missing_since IS NULL AND `
	rows, err := r.query(ctx, `SELECT * FROM (`+columns+`(ts, id) < (?2, ?3) ORDER BY ts DESC, id DESC LIMIT ?4)
		UNION ALL SELECT * FROM (`+columns+`(ts, id) > (?2, ?3) ORDER BY ts, id LIMIT ?4)`, conversation, at.Sort, at.ID, n)
	if err != nil {
		return nil, fmt.Errorf("read neighbours: %w", err)
	}
	near, err := collect(rows, func(row *sql.Rows) (x Neighbour, err error) {
		return x, row.Scan(&x.ID, &x.Sort, &x.SenderID, &x.FromMe, &x.Body)
	})
	if err != nil {
		return nil, fmt.Errorf("read neighbours: %w", err)
	}
	slices.SortFunc(near, func(a, b Neighbour) int { return cmp.Or(cmp.Compare(a.Sort, b.Sort), cmp.Compare(a.ID, b.ID)) })
	return near, nil
}
