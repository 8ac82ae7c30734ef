package store

import (
	"context"
	"database/sql"
	"fmt"
)

// MatchFact is what matches are told apart by.
type MatchFact struct {
	Conversation int64
	Sender       int64 // handle id, 0 for nobody
	FromMe       bool
	Sort         int64
}

// MatchFacts returns the facts of every match of an expression (see
// MatchQuery), missing messages aside, or false when there are more than
// limit.
func (r *Reader) MatchFacts(ctx context.Context, expression string, limit int) (facts []MatchFact, complete bool, err error) {
	rows, err := r.query(ctx, `SELECT m.conversation_id, coalesce(m.sender_id, 0), m.direction = 2, m.ts, m.missing_since IS NOT NULL
		FROM (SELECT rowid AS id FROM fts WHERE fts MATCH ? LIMIT ?) f CROSS JOIN messages m ON m.id = f.id`, expression, limit+1)
	if err != nil {
		return nil, false, fmt.Errorf("break matches down: %w", err)
	}
	seen := 0
	facts, err = collect(rows, func(row *sql.Rows) (f MatchFact, err error) {
		seen++
		var missing bool
		if err = row.Scan(&f.Conversation, &f.Sender, &f.FromMe, &f.Sort, &missing); missing {
			f.Conversation = 0
		}
		return f, err
	})
	if err != nil {
		return nil, false, fmt.Errorf("break matches down: %w", err)
	}
	present := facts[:0]
	for _, f := range facts {
		if f.Conversation != 0 {
			present = append(present, f)
		}
	}
	return present, seen <= limit, nil
}
