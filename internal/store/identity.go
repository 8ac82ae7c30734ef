package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

type handleKey struct {
	source msg.Source
	native string
}

type handleEntry struct {
	id    int64
	name  string
	owner bool
}

type member struct{ conversation, handle int64 }

// Handle returns the id of a handle, recording it when it is new and its
// display name when that changed; a name that only repeats the id replaces
// none. normal is its comparable form; handles with
// the same normal form belong to one person when the kind is a telephone
// number or an e-mail address. owner marks the archive's owner.
func (b *Batch) Handle(ctx context.Context, source msg.Source, h msg.Handle, normal string, owner bool) (int64, error) {
	key := handleKey{source, h.ID}
	if known, ok := b.w.handles[key]; ok && (known.name == h.Name || h.Name == "" || h.Name == h.ID) && (known.owner || !owner) {
		return known.id, nil
	}
	entry := handleEntry{name: h.Name, owner: owner}
	var stored string
	var wasOwner bool
	find, err := b.stmt(ctx, `SELECT id, name, owner FROM handles WHERE source = ? AND native = ?`)
	if err != nil {
		return 0, err
	}
	switch err := find.QueryRowContext(ctx, string(source), h.ID).Scan(&entry.id, &stored, &wasOwner); {
	case errors.Is(err, sql.ErrNoRows):
		entry.id, err = b.addHandle(ctx, source, h, normal, owner)
		if err != nil {
			return 0, fmt.Errorf("record handle: %w", err)
		}
	case err != nil:
		return 0, fmt.Errorf("look up handle: %w", err)
	default:
		if entry.name == "" || entry.name == h.ID && stored != "" {
			entry.name = stored // an id is no better name
		}
		entry.owner = owner || wasOwner
		if entry.name != stored || entry.owner != wasOwner {
			b.names = true
			if err := b.exec(ctx, `UPDATE handles SET name = ?, owner = ? WHERE id = ?`,
				entry.name, entry.owner, entry.id); err != nil {
				return 0, fmt.Errorf("rename handle: %w", err)
			}
		}
	}
	b.w.handles[key] = entry
	return entry.id, nil
}

func (b *Batch) addHandle(ctx context.Context, source msg.Source, h msg.Handle, normal string, owner bool) (int64, error) {
	person, err := b.personOf(ctx, h, normal)
	if err != nil {
		return 0, err
	}
	b.names = true
	result, err := b.tx.ExecContext(ctx, `INSERT INTO handles(source, native, normal, kind, name, owner, person_id)
		VALUES(?, ?, ?, ?, ?, ?, ?)`, string(source), h.ID, normal, h.Kind, h.Name, owner, person)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

func (b *Batch) personOf(ctx context.Context, h msg.Handle, normal string) (int64, error) {
	if normal != "" && (h.Kind == msg.HandlePhone || h.Kind == msg.HandleEmail) {
		var person int64
		err := b.tx.QueryRowContext(ctx, `SELECT person_id FROM handles WHERE normal = ? AND kind IN (?, ?)
			ORDER BY id LIMIT 1`, normal, msg.HandlePhone, msg.HandleEmail).Scan(&person)
		if !errors.Is(err, sql.ErrNoRows) {
			return person, err
		}
	}
	name := h.Name
	if name == "" {
		name = h.ID
	}
	result, err := b.tx.ExecContext(ctx, `INSERT INTO people(name) VALUES(?)`, name)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// SettleOwners takes the owner's mark off every handle that no message of the
// owner has as its sender and no reaction of the owner as its own: the user
// may have been wrong about who they are. It reads every message.
func (b *Batch) SettleOwners(ctx context.Context) error {
	result, err := b.tx.ExecContext(ctx, `UPDATE handles SET owner = 0 WHERE owner AND
		id NOT IN (SELECT sender_id FROM messages WHERE direction = ? AND sender_id IS NOT NULL) AND
		id NOT IN (SELECT sender_id FROM reactions WHERE from_me AND sender_id IS NOT NULL)`, int64(msg.Out))
	if err != nil {
		return fmt.Errorf("settle owners: %w", err)
	}
	changed, err := result.RowsAffected()
	if changed > 0 {
		b.names = true
		clear(b.w.handles)
	}
	return err
}

// Conversation returns the id of a conversation and whether it was unknown
// until now.
func (b *Batch) Conversation(ctx context.Context, source msg.Source, c msg.Conversation) (id int64, fresh bool, err error) {
	find, err := b.stmt(ctx, `SELECT id FROM conversations WHERE source = ? AND key = ?`)
	if err != nil {
		return 0, false, err
	}
	err = find.QueryRowContext(ctx, string(source), c.Key).Scan(&id)
	if !errors.Is(err, sql.ErrNoRows) {
		return id, false, err
	}
	b.names = true
	result, err := b.tx.ExecContext(ctx, `INSERT INTO conversations(source, key, name, kind) VALUES(?, ?, ?, ?)`,
		string(source), c.Key, conversationName(c), c.Kind)
	if err != nil {
		return 0, false, fmt.Errorf("record conversation: %w", err)
	}
	id, err = result.LastInsertId()
	return id, true, err
}

func conversationName(c msg.Conversation) string {
	if c.Name != "" {
		return c.Name
	}
	return c.Key
}

// DescribeConversation updates what is known of a conversation as a whole:
// its name and kind, and that the handles take part in it. shared tells that
// other files give its messages, too: a group in one of them stays one.
func (b *Batch) DescribeConversation(ctx context.Context, id int64, c msg.Conversation, handles []int64, shared bool) error {
	find, err := b.stmt(ctx, `SELECT name, kind FROM conversations WHERE id = ?`)
	if err != nil {
		return fmt.Errorf("look up conversation: %w", err)
	}
	var name string
	var kind msg.ConversationKind
	if err := find.QueryRowContext(ctx, id).Scan(&name, &kind); err != nil {
		return fmt.Errorf("look up conversation: %w", err)
	}
	if c.Name == "" {
		c.Name = name
	}
	if shared {
		c.Kind = max(c.Kind, kind)
	}
	if c.Name != name || c.Kind != kind {
		b.names = true
		if err := b.exec(ctx, `UPDATE conversations SET name = ?, kind = ? WHERE id = ?`, c.Name, c.Kind, id); err != nil {
			return fmt.Errorf("describe conversation: %w", err)
		}
	}
	if c.Kind != kind { // which every index entry of the conversation tells
		if err := b.unindexConversation(ctx, id); err != nil {
			return err
		}
	}
	return b.AddMembers(ctx, id, handles)
}

// AddMembers records that the handles take part in a conversation.
func (b *Batch) AddMembers(ctx context.Context, id int64, handles []int64) error {
	for _, h := range handles {
		m := member{id, h}
		if b.w.members[m] {
			continue
		}
		b.w.members[m] = true
		if err := b.exec(ctx, `INSERT OR IGNORE INTO participants(conversation_id, handle_id) VALUES(?, ?)`, id, h); err != nil {
			return fmt.Errorf("record participant: %w", err)
		}
	}
	return nil
}

// CountConversation brings a conversation's figures up to date with its
// messages.
func (b *Batch) CountConversation(ctx context.Context, id int64) error {
	err := b.exec(ctx, `UPDATE conversations SET
		messages = (SELECT count(*) FROM messages INDEXED BY messages_conversation WHERE conversation_id = ?1)
		         - (SELECT count(*) FROM messages INDEXED BY messages_missing WHERE conversation_id = ?1 AND missing_since IS NOT NULL),
		first_ts = coalesce((SELECT ts FROM messages WHERE conversation_id = ?1 AND missing_since IS NULL ORDER BY ts, id LIMIT 1), 0),
		last_ts = coalesce((SELECT ts FROM messages WHERE conversation_id = ?1 AND missing_since IS NULL ORDER BY ts DESC, id DESC LIMIT 1), 0)
		WHERE id = ?1`, id)
	if err != nil {
		return fmt.Errorf("count conversation: %w", err)
	}
	return nil
}
