package store

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// Kept is what a re-import needs to know of a message already in the archive.
type Kept struct {
	ID      int64
	Digest  uint32
	FileID  int64
	ModTime int64 // of that file, unix nanoseconds
	Line    int64
	Offset  int64
	Pointer string
	Missing bool
	Held    int64 // attachments whose file the export holds
}

const lookupSize = 128

// hashKey is how many bytes of a hash are indexed.
const hashKey = 5

var lookupQuery = fmt.Sprintf(`SELECT m.hash, m.id, m.digest, m.file_id, coalesce(f.mtime, 0), m.line, m.offset, coalesce(s.pointer, ''),
	m.missing_since IS NOT NULL,
	CASE WHEN m.traits & %d THEN (SELECT count(*) FROM attachments a WHERE a.message_id = m.id AND a.path <> '') ELSE 0 END
	FROM messages m LEFT JOIN files f ON f.id = m.file_id LEFT JOIN specifics s ON s.message_id = m.id
	WHERE substr(m.hash, 1, 5) IN (?%s)`, hasAttachments, strings.Repeat(",?", lookupSize-1))

// Lookup finds which of the hashes are in the archive.
func (b *Batch) Lookup(ctx context.Context, hashes []msg.Hash) (map[msg.Hash]Kept, error) {
	if err := b.needHashIndex(ctx); err != nil {
		return nil, err
	}
	found := make(map[msg.Hash]Kept, len(hashes))
	args := make([]any, lookupSize)
	query, err := b.stmt(ctx, lookupQuery)
	if err != nil {
		return nil, err
	}
	wanted := make(map[msg.Hash]bool, len(hashes))
	for _, h := range hashes {
		wanted[h] = true
	}
	for part := range slices.Chunk(hashes, lookupSize) {
		for i := range args {
			args[i] = nil
			if i < len(part) {
				args[i] = part[i][:hashKey]
			}
		}
		rows, err := query.QueryContext(ctx, args...)
		if err != nil {
			return nil, fmt.Errorf("look up messages: %w", err)
		}
		var hash sql.RawBytes
		for rows.Next() {
			var k Kept
			var digest int64
			if err := rows.Scan(&hash, &k.ID, &digest, &k.FileID, &k.ModTime, &k.Line, &k.Offset, &k.Pointer, &k.Missing, &k.Held); err != nil {
				rows.Close()
				return nil, err
			}
			k.Digest = uint32(digest) // also of one that was stored unsigned
			if h := msg.Hash(bytes.Clone(hash)); wanted[h] {
				found[h] = k
			}
		}
		if err := rows.Err(); err != nil {
			return nil, fmt.Errorf("look up messages: %w", err)
		}
	}
	return found, nil
}

// Update replaces everything of a message but its id, hash and first import,
// and brings it back when it was missing.
func (b *Batch) Update(ctx context.Context, id int64, r *Record) error {
	r, err := b.inPlace(ctx, id, r)
	if err != nil {
		return err
	}
	old, err := b.oldAttachments(ctx, id)
	if err != nil {
		return fmt.Errorf("list attachments: %w", err)
	}
	if err := b.dropSides(ctx, id); err != nil {
		return err
	}
	if err := b.changes(ctx, id); err != nil {
		return err
	}
	m, t := &r.Message, traitsOf(r)
	err = b.exec(ctx, `UPDATE messages SET conversation_id = ?, sender_id = ?, direction = ?, ts = ?, traits = ?, body = ?, file_id = ?,
		line = ?, offset = ?, digest = ?, missing_since = NULL WHERE id = ?`,
		r.ConversationID, nullID(r.SenderID), int64(m.Direction), r.Sort, int64(t), m.Body, r.FileID,
		m.Position.Line, storedOffset(m.Position), storedDigest(r.Digest), id)
	if err != nil {
		return fmt.Errorf("update message: %w", err)
	}
	if err := b.changed(ctx, id); err != nil {
		return err
	}
	if err := b.insertSides(ctx, id, r, t, old); err != nil {
		return fmt.Errorf("update message parts: %w", err)
	}
	return b.exec(ctx, `DELETE FROM message_files WHERE message_id = ? AND file_id = ?`, id, r.FileID)
}

// dropSides removes a message's rows in the side tables and its index entry;
// the entry is remade by the next IndexPending.
func (b *Batch) dropSides(ctx context.Context, id int64) error {
	if err := b.unindex(ctx, id); err != nil {
		return err
	}
	if err := b.markURLs(ctx, id); err != nil {
		return err
	}
	for _, table := range []string{"specifics", "replies", "reactions", "edits", "details", "attachments", "links"} {
		if err := b.exec(ctx, `DELETE FROM `+table+` WHERE message_id = ?`, id); err != nil {
			return fmt.Errorf("clear %s: %w", table, err)
		}
	}
	return nil
}

func (b *Batch) unindex(ctx context.Context, id int64) error {
	find, err := b.stmt(ctx, `SELECT coalesce((SELECT value FROM settings WHERE key = 'indexed'), 0)`)
	if err != nil {
		return fmt.Errorf("look up index mark: %w", err)
	}
	var mark int64
	if err := find.QueryRowContext(ctx).Scan(&mark); err != nil {
		return fmt.Errorf("look up index mark: %w", err)
	}
	if id > mark {
		return nil
	}
	if err := b.exec(ctx, `DELETE FROM fts WHERE rowid = ?`, id); err != nil {
		return fmt.Errorf("remove index entry: %w", err)
	}
	return b.exec(ctx, `INSERT OR IGNORE INTO reindex(message_id) VALUES(?)`, id)
}

// unindexConversation removes the index entries of all messages of a
// conversation, to be remade.
func (b *Batch) unindexConversation(ctx context.Context, conversation int64) error {
	const indexed = `SELECT id FROM messages INDEXED BY messages_conversation WHERE conversation_id = ? AND
		id <= coalesce((SELECT value FROM settings WHERE key = 'indexed'), 0)`
	for _, change := range []string{
		`INSERT OR IGNORE INTO reindex(message_id) ` + indexed,
		`DELETE FROM fts WHERE rowid IN (` + indexed + `)`,
	} {
		if err := b.exec(ctx, change, conversation); err != nil {
			return fmt.Errorf("remove index entries: %w", err)
		}
	}
	return nil
}

func (b *Batch) markURLs(ctx context.Context, id int64) error {
	find, err := b.stmt(ctx, `SELECT url_id FROM links WHERE message_id = ?`)
	if err != nil {
		return err
	}
	rows, err := find.QueryContext(ctx, id)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var url int64
		if err := rows.Scan(&url); err != nil {
			return err
		}
		b.staleURLs[url] = true
	}
	return rows.Err()
}

// Move records that a message now stands elsewhere in the file that provides
// it, or that another file provides it from now on.
func (b *Batch) Move(ctx context.Context, id, fileID int64, p msg.Position) error {
	err := b.exec(ctx, `UPDATE messages SET file_id = ?, line = ?, offset = ? WHERE id = ?`, fileID, p.Line, storedOffset(p), id)
	if err != nil {
		return fmt.Errorf("move message: %w", err)
	}
	if p.Pointer == "" {
		return b.exec(ctx, `UPDATE specifics SET pointer = NULL WHERE message_id = ?`, id)
	}
	if err := b.exec(ctx, `INSERT INTO specifics(message_id, pointer) VALUES(?, ?)
		ON CONFLICT DO UPDATE SET pointer = excluded.pointer`, id, p.Pointer); err != nil {
		return fmt.Errorf("move message: %w", err)
	}
	return b.exec(ctx, `UPDATE messages SET traits = traits | ? WHERE id = ?`, int64(hasSpecifics), id)
}

// At reports whether the archive has the message at this place.
func (k Kept) At(p msg.Position) bool {
	return k.Line == p.Line && k.Offset == storedOffset(p) && k.Pointer == p.Pointer
}

// AlsoIn records that a message provided by one file stands in another, too.
func (b *Batch) AlsoIn(ctx context.Context, id, fileID int64, p msg.Position) error {
	return b.exec(ctx, `INSERT INTO message_files(message_id, file_id, line, offset, pointer) VALUES(?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET line = excluded.line, offset = excluded.offset, pointer = excluded.pointer
		WHERE (line, offset) <> (excluded.line, excluded.offset) OR pointer IS NOT excluded.pointer`,
		id, fileID, p.Line, storedOffset(p), nullText(p.Pointer))
}

// Restore takes the mark off a message that was missing.
func (b *Batch) Restore(ctx context.Context, id int64) error { return b.setMissing(ctx, id, nil) }

func (b *Batch) setMissing(ctx context.Context, id int64, since any) error {
	if err := b.markURLs(ctx, id); err != nil {
		return err
	}
	if err := b.changes(ctx, id); err != nil {
		return err
	}
	for _, query := range []string{
		`UPDATE messages SET missing_since = ? WHERE id = ?`,
		`UPDATE attachments SET hidden = ? IS NOT NULL WHERE message_id = ?`,
		`UPDATE links SET hidden = ? IS NOT NULL WHERE message_id = ?`,
	} {
		if err := b.exec(ctx, query, since, id); err != nil {
			return fmt.Errorf("mark message: %w", err)
		}
	}
	return b.changed(ctx, id)
}
