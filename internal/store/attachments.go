package store

import (
	"context"
	"database/sql"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// oldAttachment is an attachment of a message that is being replaced. The new
// one of the same kind and name gets its id, so that what points to it still
// does.
type oldAttachment struct {
	id   int64
	kind msg.AttachmentKind
	name string
}

func (b *Batch) oldAttachments(ctx context.Context, message int64) ([]oldAttachment, error) {
	query, err := b.stmt(ctx, `SELECT id, kind, name FROM attachments WHERE message_id = ? ORDER BY id`)
	if err != nil {
		return nil, err
	}
	rows, err := query.QueryContext(ctx, message)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(row *sql.Rows) (old oldAttachment, err error) {
		err = row.Scan(&old.id, &old.kind, &old.name)
		return old, err
	})
}

func (b *Batch) insertAttachments(ctx context.Context, message int64, r *Record, old []oldAttachment) error {
	for _, a := range r.Message.Attachments {
		id := b.w.nextAttachment
		at := slices.IndexFunc(old, func(o oldAttachment) bool { return o.kind == a.Kind && o.name == a.Name })
		if at >= 0 {
			id = old[at].id
			old = slices.Delete(old, at, at+1)
		} else {
			b.w.nextAttachment++
		}
		if err := b.exec(ctx, `INSERT INTO attachments(id, message_id, conversation_id, sender_id, direction, ts, hidden, kind, name,
			path, mime, size, absent, sticker) VALUES(?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?)`, id, message, r.ConversationID,
			nullID(r.SenderID), int64(r.Message.Direction), r.Sort, int64(a.Kind), a.Name, a.Path, a.MIME, a.Size, a.Missing, a.Sticker); err != nil {
			return err
		}
	}
	return nil
}
