package store

import (
	"context"
	"fmt"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// Vanish settles the messages of a conversation that a file gave before and
// gives no longer. seen tells which ids it still gives. A message another
// file holds is handed to that file; the others are marked missing since the
// import and returned as a count.
func (b *Batch) Vanish(ctx context.Context, fileID, conversationID, importID int64, seen func(id int64) bool) (missing int64, err error) {
	ids, err := b.vanished(ctx, fileID, conversationID, seen)
	if err != nil {
		return 0, fmt.Errorf("find missing messages: %w", err)
	}
	for _, id := range ids {
		rehomed, err := b.rehome(ctx, id, fileID)
		if err != nil {
			return missing, fmt.Errorf("settle missing message: %w", err)
		}
		if rehomed {
			continue
		}
		if err := b.setMissing(ctx, id, importID); err != nil {
			return missing, err
		}
		missing++
	}
	return missing, nil
}

func (b *Batch) vanished(ctx context.Context, fileID, conversationID int64, seen func(int64) bool) ([]int64, error) {
	rows, err := b.tx.QueryContext(ctx, `SELECT id FROM messages WHERE conversation_id = ?1 AND missing_since IS NULL AND
		(file_id = ?2 OR EXISTS (SELECT 1 FROM message_files WHERE message_id = id AND file_id = ?2))`, conversationID, fileID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		if !seen(id) {
			ids = append(ids, id)
		}
	}
	return ids, rows.Err()
}

// rehome makes another file that holds the message its provider, and reports
// whether there is one.
func (b *Batch) rehome(ctx context.Context, id, fileID int64) (bool, error) {
	if err := b.exec(ctx, `DELETE FROM message_files WHERE message_id = ? AND file_id = ?`, id, fileID); err != nil {
		return false, err
	}
	var provider int64
	if err := b.tx.QueryRowContext(ctx, `SELECT file_id FROM messages WHERE id = ?`, id).Scan(&provider); err != nil {
		return false, err
	}
	if provider != fileID {
		return true, nil
	}
	rows, err := b.tx.QueryContext(ctx, `SELECT file_id, line, offset, coalesce(pointer, '') FROM message_files
		WHERE message_id = ? ORDER BY file_id LIMIT 1`, id)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	if !rows.Next() {
		return false, rows.Err()
	}
	var other int64
	var p msg.Position
	if err := rows.Scan(&other, &p.Line, &p.Offset, &p.Pointer); err != nil {
		return false, err
	}
	rows.Close()
	if err := b.Move(ctx, id, other, p); err != nil {
		return false, err
	}
	// What is kept may be the version of the file that lost it: the other one
	// is not to skip it when it is read again.
	if err := b.exec(ctx, `DELETE FROM file_blocks WHERE file_id = ? AND conversation_id = (SELECT conversation_id FROM messages WHERE id = ?)`,
		other, id); err != nil {
		return false, err
	}
	return true, b.exec(ctx, `DELETE FROM message_files WHERE message_id = ? AND file_id = ?`, id, other)
}

// CountMissing tells how many messages a Prune would delete.
func (w *Writer) CountMissing(ctx context.Context) (int64, error) {
	var n int64
	err := w.db.QueryRowContext(ctx, `SELECT count(*) FROM messages INDEXED BY messages_missing WHERE missing_since IS NOT NULL`).Scan(&n)
	return n, err
}

// Prune deletes every missing message for good and returns how many.
func (w *Writer) Prune(ctx context.Context) (int64, error) {
	b, err := w.Begin(ctx)
	if err != nil {
		return 0, err
	}
	defer b.Rollback(ctx)
	rows, err := b.tx.QueryContext(ctx, `SELECT id, conversation_id FROM messages INDEXED BY messages_missing WHERE missing_since IS NOT NULL`)
	if err != nil {
		return 0, fmt.Errorf("list missing messages: %w", err)
	}
	defer rows.Close()
	conversations := map[int64]bool{}
	var ids []int64
	for rows.Next() {
		var id, conversation int64
		if err := rows.Scan(&id, &conversation); err != nil {
			return 0, err
		}
		ids, conversations[conversation] = append(ids, id), true
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	for _, id := range ids {
		if err := b.delete(ctx, id); err != nil {
			return 0, fmt.Errorf("delete message: %w", err)
		}
	}
	for id := range conversations {
		if err := b.CountConversation(ctx, id); err != nil {
			return 0, err
		}
		// A scan knows where it ended by how many messages were before it; a
		// late one must not make up for one that is gone.
		if err := b.exec(ctx, `DELETE FROM spam_state WHERE conversation_id = ?`, id); err != nil {
			return 0, fmt.Errorf("forget where scans ended: %w", err)
		}
	}
	return int64(len(ids)), b.Commit(ctx)
}

func (b *Batch) delete(ctx context.Context, id int64) error {
	if err := b.changes(ctx, id); err != nil {
		return err
	}
	if err := b.dropSides(ctx, id); err != nil {
		return err
	}
	for _, query := range []string{
		`DELETE FROM reindex WHERE message_id = ?`, `DELETE FROM message_files WHERE message_id = ?`, `DELETE FROM messages WHERE id = ?`,
	} {
		if err := b.exec(ctx, query, id); err != nil {
			return err
		}
	}
	return nil
}
