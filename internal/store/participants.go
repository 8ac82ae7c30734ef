package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
)

// Participants returns the handles that take part in a conversation, by name.
func (r *Reader) Participants(ctx context.Context, conversation int64) ([]Person, error) {
	rows, err := r.query(ctx, `SELECT handle_id FROM participants WHERE conversation_id = ?`, conversation)
	if err != nil {
		return nil, fmt.Errorf("list participants: %w", err)
	}
	ids, err := collect(rows, func(row *sql.Rows) (id int64, err error) { return id, row.Scan(&id) })
	if err != nil {
		return nil, fmt.Errorf("list participants: %w", err)
	}
	n, err := r.loadNames(ctx) // after the rows, as in readMessages
	if err != nil {
		return nil, err
	}
	list := make([]Person, 0, len(ids))
	for _, id := range ids {
		if p, ok := n.handles[id]; ok {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b Person) int {
		return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(a.HandleID, b.HandleID))
	})
	return list, nil
}
