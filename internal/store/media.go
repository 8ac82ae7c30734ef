package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

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
	// Uncounted leaves the total out, which costs the more the more there is.
	Uncounted bool
}

// ListMedia returns a page of attachments and how many there are in all, 0
// when that was not asked for.
func (r *Reader) ListMedia(ctx context.Context, q MediaQuery) ([]MediaItem, int64, error) {
	list, total, err := r.media(ctx, q, false)
	if err != nil {
		return nil, 0, fmt.Errorf("list media: %w", err)
	}
	if q.IncludeMissing {
		hidden, more, err := r.media(ctx, q, true)
		if err != nil {
			return nil, 0, fmt.Errorf("list missing media: %w", err)
		}
		list, total = latestMedia(append(list, hidden...), q.Limit), total+more
	}
	return list, total, fillMessages(ctx, r, list, func(m *MediaItem) *Message { return &m.Message })
}

// media returns a page of the attachments of messages that are missing, or of
// those that are not: each of the two can be read in order by an index. The
// messages have nothing but ID and Sort.
func (r *Reader) media(ctx context.Context, q MediaQuery, hidden bool) ([]MediaItem, int64, error) {
	c := q.conditions("a")
	c.add("a.hidden = ?", hidden)
	index := "attachments_time"
	if q.Kind != nil {
		c.add("a.kind = ?", int64(*q.Kind))
		index = "attachments_kind"
	}
	switch {
	case len(q.Conversations) > 0:
		index = "attachments_conversation"
	case len(q.Senders) > 0 && !q.FromMe:
		index = "attachments_sender"
	}
	from := ` FROM attachments a INDEXED BY ` + index
	total := int64(0)
	if !q.Uncounted {
		var err error
		if total, err = r.scalar(ctx, `SELECT count(*)`+from+c.where(), c.args...); err != nil {
			return nil, 0, err
		}
	}
	if q.After != nil {
		c.add("(a.ts, a.id) < (?, ?)", q.After.Sort, q.After.ID)
	}
	rows, err := r.query(ctx, `SELECT a.id, a.kind, a.name, a.path, a.mime, a.size, a.absent, a.sticker, a.message_id, a.ts`+from+
		c.where()+` ORDER BY a.ts DESC, a.id DESC LIMIT ?`, append(c.args, q.Limit)...)
	if err != nil {
		return nil, 0, err
	}
	list, err := collect(rows, func(row *sql.Rows) (MediaItem, error) {
		var m MediaItem
		return m, row.Scan(&m.ID, &m.Kind, &m.Name, &m.Path, &m.MIME, &m.Size, &m.Absent, &m.Sticker, &m.Message.ID, &m.Message.Sort)
	})
	return list, total, err
}

func latestMedia(list []MediaItem, limit int) []MediaItem {
	slices.SortFunc(list, func(a, b MediaItem) int {
		return cmp.Or(cmp.Compare(b.Message.Sort, a.Message.Sort), cmp.Compare(b.ID, a.ID))
	})
	return list[:min(len(list), limit)]
}

// fillMessages replaces the message of each item, which has nothing but an id,
// by the whole.
func fillMessages[T any](ctx context.Context, r *Reader, list []T, of func(*T) *Message) error {
	ids := make([]int64, len(list))
	for i := range list {
		ids[i] = of(&list[i]).ID
	}
	messages, err := r.Messages(ctx, ids)
	if err != nil {
		return err
	}
	byID := make(map[int64]Message, len(messages))
	for _, m := range messages {
		byID[m.ID] = m
	}
	for i := range list {
		m := of(&list[i])
		*m = byID[m.ID]
	}
	return nil
}

// Media returns one attachment with its message.
func (r *Reader) Media(ctx context.Context, id int64) (MediaItem, error) {
	var m MediaItem
	err := r.row(ctx, `SELECT id, kind, name, path, mime, size, absent, sticker, message_id FROM attachments WHERE id = ?`, []any{id},
		&m.ID, &m.Kind, &m.Name, &m.Path, &m.MIME, &m.Size, &m.Absent, &m.Sticker, &m.Message.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return m, ErrNotFound
	}
	if err != nil {
		return m, fmt.Errorf("read attachment: %w", err)
	}
	m.Message, err = r.Message(ctx, m.Message.ID)
	return m, err
}
