package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"maps"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// Unindexed is a message the keyword index does not hold yet.
type Unindexed struct {
	ID             int64
	ConversationID int64
	SenderID       int64
	Direction      msg.Direction
	Kind           msg.Kind
	Body           string
	Edited         bool
	HasLinks       bool
	HasReactions   bool
	HasReply       bool
	Attachments    []msg.AttachmentKind
	Sort           int64 // unix microseconds
}

// Indexed is what a segmenter makes of messages: for each one its tokens,
// separated by spaces; and in how many messages each token stands, of these
// and of those since Terms was last set.
type Indexed struct {
	Entries []string
	Terms   map[string]int64
}

// Pending returns at most limit messages that are not indexed, with ids above
// after in ascending order. remade selects instead those whose entry was
// removed because they changed.
func (r *Reader) Pending(ctx context.Context, after int64, limit int, remade bool) ([]Unindexed, error) {
	from := `FROM messages m WHERE m.id > ?1 ORDER BY m.id LIMIT ?2`
	if remade {
		// A CROSS JOIN keeps the order of the tables: the list is short.
		from = `FROM reindex x CROSS JOIN messages m ON m.id = x.message_id WHERE x.message_id > ?1 ORDER BY x.message_id LIMIT ?2`
	}
	rows, err := r.query(ctx, `SELECT m.id, m.conversation_id, coalesce(m.sender_id, 0), m.direction, m.body, m.ts, m.traits `+from, after, limit)
	if err != nil {
		return nil, fmt.Errorf("list unindexed messages: %w", err)
	}
	defer rows.Close()
	list := make([]Unindexed, 0, limit)
	var withFiles []int
	for rows.Next() {
		var u Unindexed
		var t traits
		if err := rows.Scan(&u.ID, &u.ConversationID, &u.SenderID, &u.Direction, &u.Body, &u.Sort, &t); err != nil {
			return nil, err
		}
		u.Kind, u.Edited = t.kind(), t.has(traitEdited)
		u.HasLinks, u.HasReactions, u.HasReply = t.has(hasLinks), t.has(hasReactions), t.has(hasReply)
		if t.has(hasAttachments) {
			withFiles = append(withFiles, len(list))
		}
		list = append(list, u)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return list, r.fillAttachmentKinds(ctx, list, withFiles)
}

// fillAttachmentKinds reads the kinds of many messages at once; at lists
// their places, which ascend like their ids.
func (r *Reader) fillAttachmentKinds(ctx context.Context, list []Unindexed, at []int) error {
	if len(at) == 0 {
		return nil
	}
	rows, err := r.query(ctx, `SELECT DISTINCT message_id, kind FROM attachments WHERE message_id BETWEEN ? AND ? ORDER BY message_id, kind`,
		list[at[0]].ID, list[at[len(at)-1]].ID)
	if err != nil {
		return fmt.Errorf("list attachment kinds: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var kind msg.AttachmentKind
		if err := rows.Scan(&id, &kind); err != nil {
			return err
		}
		for len(at) > 0 && list[at[0]].ID < id {
			at = at[1:]
		}
		if len(at) > 0 && list[at[0]].ID == id {
			list[at[0]].Attachments = append(list[at[0]].Attachments, kind)
		}
	}
	return rows.Err()
}

// CountPending counts the messages with ids above after, up to limit.
func (r *Reader) CountPending(ctx context.Context, after int64, limit int) (int64, error) {
	return r.scalar(ctx, `SELECT count(*) FROM (SELECT 1 FROM messages WHERE id > ? LIMIT ?)`, after, limit)
}

// IndexedMark returns the highest message id below which everything is
// indexed or listed for reindexing.
func (w *Writer) IndexedMark(ctx context.Context) (int64, error) {
	var mark int64
	err := w.db.QueryRowContext(ctx, `SELECT coalesce((SELECT value FROM settings WHERE key = 'indexed'), 0)`).Scan(&mark)
	return mark, err
}

// Index adds messages to the keyword index and moves the mark past them.
// remade says that they come from the list of those to be reindexed.
func (b *Batch) Index(ctx context.Context, messages []Unindexed, indexed Indexed, remade bool) error {
	if err := b.index(ctx, messages, indexed); err != nil {
		return fmt.Errorf("index messages: %w", err)
	}
	if !remade {
		return b.exec(ctx, setSetting, "indexed", messages[len(messages)-1].ID)
	}
	for _, m := range messages {
		if err := b.exec(ctx, `DELETE FROM reindex WHERE message_id = ?`, m.ID); err != nil {
			return err
		}
	}
	return nil
}

func (b *Batch) index(ctx context.Context, messages []Unindexed, indexed Indexed) error {
	// FTS5 gathers postings in memory only while row ids ascend, and flushes
	// at every statement that inserts more than one row.
	insert, err := b.statement(`INSERT INTO fts(rowid, words) VALUES(?, ?)`)
	if err != nil {
		return err
	}
	for i, m := range messages {
		insert.reset()
		insert.add(m.ID)
		insert.add(indexed.Entries[i])
		if err := insert.run(ctx); err != nil {
			return err
		}
	}
	counts := make([]driver.Value, 0, 2*len(indexed.Terms))
	for _, term := range slices.Sorted(maps.Keys(indexed.Terms)) {
		counts = append(counts, term, indexed.Terms[term])
	}
	return b.insertRows(ctx, `INSERT INTO terms(term, docs)`, 2, counts, `ON CONFLICT DO UPDATE SET docs = docs + excluded.docs`)
}

// IndexesInBulk reports whether BulkIndexing was turned on and not off again.
func (w *Writer) IndexesInBulk(ctx context.Context) (bool, error) {
	var on bool
	err := w.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM fts_config WHERE k = 'automerge' AND v = 0)`).Scan(&on)
	return on, err
}

// BulkIndexing turns the keyword index's own merging of segments off, for a
// large load, and lets each transaction become one segment; or back on. merge
// then joins all segments into one.
func (w *Writer) BulkIndexing(ctx context.Context, on, merge bool) error {
	settings := []struct {
		name  string
		value int
	}{{"automerge", 4}, {"crisismerge", 16}, {"hashsize", 1 << 20}} // FTS5's defaults
	if on {
		settings[0].value, settings[1].value, settings[2].value = 0, 1000, 256<<20
	}
	if merge {
		if _, err := w.db.ExecContext(ctx, `INSERT INTO fts(fts) VALUES('optimize')`); err != nil {
			return fmt.Errorf("merge keyword index: %w", err)
		}
	}
	for _, s := range settings {
		if _, err := w.db.ExecContext(ctx, `INSERT INTO fts(fts, rank) VALUES(?, ?)`, s.name, s.value); err != nil {
			return fmt.Errorf("set up keyword index: %w", err)
		}
	}
	return nil
}
