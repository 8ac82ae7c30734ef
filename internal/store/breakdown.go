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

// MatchFacts returns the facts of every match of a query, or false when there
// are more than its limit. It is never ranked.
func (r *Reader) MatchFacts(ctx context.Context, q MatchQuery) (facts []MatchFact, complete bool, err error) {
	where, args := q.matching()
	rows, err := r.query(ctx, `SELECT m.conversation_id, coalesce(m.sender_id, 0), m.direction = 2, m.ts
		FROM (SELECT rowid AS id FROM fts WHERE `+where+` LIMIT ?) f CROSS JOIN messages m ON m.id = f.id`, append(args, q.Limit+1)...)
	if err != nil {
		return nil, false, fmt.Errorf("break matches down: %w", err)
	}
	facts, err = collect(rows, func(row *sql.Rows) (f MatchFact, err error) {
		return f, row.Scan(&f.Conversation, &f.Sender, &f.FromMe, &f.Sort)
	})
	if err != nil {
		return nil, false, fmt.Errorf("break matches down: %w", err)
	}
	return facts, len(facts) <= q.Limit, nil
}
