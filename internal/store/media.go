package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// MediaItem is an attachment with the coordinates of its message.
type MediaItem struct {
	Attachment
	Message Message
}

// MediaQuery selects attachments, newest first.
type MediaQuery struct {
	Filter
	Kind  *msg.AttachmentKind
	After *Key // the last attachment already shown: its message's Sort and its own ID
	Limit int
}

// ListMedia returns a page of attachments and how many there are in all.
func (r *Reader) ListMedia(ctx context.Context, q MediaQuery) ([]MediaItem, int64, error) {
	c := q.conditions("a")
	if !q.IncludeMissing {
		c.add("a.hidden = 0")
	}
	if q.Kind != nil {
		c.add("a.kind = ?", int64(*q.Kind))
	}
	total, err := r.scalar(ctx, `SELECT count(*) FROM attachments a`+c.where(), c.args...)
	if err != nil {
		return nil, 0, fmt.Errorf("count media: %w", err)
	}
	if q.After != nil {
		c.add("(a.ts, a.id) < (?, ?)", q.After.Sort, q.After.ID)
	}
	rows, err := r.query(ctx, `SELECT a.id, a.kind, a.name, a.path, a.mime, a.size, a.absent, a.sticker, a.message_id FROM attachments a`+
		c.where()+` ORDER BY a.ts DESC, a.id DESC LIMIT ?`, append(c.args, q.Limit)...)
	if err != nil {
		return nil, 0, fmt.Errorf("list media: %w", err)
	}
	list, err := collect(rows, func(row *sql.Rows) (MediaItem, error) {
		var m MediaItem
		return m, row.Scan(&m.ID, &m.Kind, &m.Name, &m.Path, &m.MIME, &m.Size, &m.Absent, &m.Sticker, &m.Message.ID)
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list media: %w", err)
	}
	ids := make([]int64, len(list))
	for i, m := range list {
		ids[i] = m.Message.ID
	}
	byID, err := r.messageMap(ctx, ids)
	if err != nil {
		return nil, 0, err
	}
	for i := range list {
		list[i].Message = byID[list[i].Message.ID]
	}
	return list, total, nil
}

func (r *Reader) messageMap(ctx context.Context, ids []int64) (map[int64]Message, error) {
	messages, err := r.Messages(ctx, ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]Message, len(messages))
	for _, m := range messages {
		byID[m.ID] = m
	}
	return byID, nil
}

// Media returns one attachment with its message.
func (r *Reader) Media(ctx context.Context, id int64) (MediaItem, error) {
	var m MediaItem
	err := r.db.QueryRowContext(ctx, `SELECT id, kind, name, path, mime, size, absent, sticker, message_id FROM attachments WHERE id = ?`, id).
		Scan(&m.ID, &m.Kind, &m.Name, &m.Path, &m.MIME, &m.Size, &m.Absent, &m.Sticker, &m.Message.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return m, ErrNotFound
	}
	if err != nil {
		return m, fmt.Errorf("read attachment: %w", err)
	}
	m.Message, err = r.Message(ctx, m.Message.ID)
	return m, err
}
