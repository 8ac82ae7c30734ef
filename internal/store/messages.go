package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// Message is a message with its coordinates.
type Message struct {
	ID             int64
	Hash           string // 32 hex digits
	ConversationID int64
	Conversation   string
	Source         msg.Source
	SenderID       int64  // handle id, 0 for nobody
	Sender         string // Owner, a label, or empty for notices of nobody
	Direction      msg.Direction
	Kind           msg.Kind
	// Time is when it was sent. Of a wall reading, Micros shows the clock as
	// it was read; Sort is the place in the order either way.
	Time         msg.Time
	Sort         int64
	Body         string
	Edited       bool
	Suspect      string
	MissingSince int64 // id of the import that no longer found it, or 0
	ReplyTo      *ReplyRef
	Reactions    []Reaction
	Edits        []msg.Edit
	Attachments  []Attachment
	Details      []msg.Detail

	FileID   int64
	ImportID int64
	Position msg.Position
	NativeID string
}

// ReplyRef points to the message that is answered. ID and Hash are zero when
// the archive does not hold it or the export does not say which it is.
type ReplyRef struct {
	ID    int64
	Hash  string
	Quote string
}

// Reaction is an emoji with who sent it.
type Reaction struct {
	Sender string // Owner, a label, or empty
	Emoji  string
	Count  int
}

// Attachment is a file of a message.
type Attachment struct {
	ID      int64
	Kind    msg.AttachmentKind
	Name    string
	Path    string // inside the root of its file; empty when the export lacks it
	MIME    string
	Size    int64
	Absent  string
	Sticker bool
}

const readColumns = `m.id, m.hash, m.conversation_id, coalesce(m.sender_id, 0), m.direction, m.ts, m.traits, m.body, m.file_id, m.import_id,
	m.line, m.offset, coalesce(m.missing_since, 0)`

// readMessages reads rows of readColumns with everything that belongs to
// each message.
func (r *Reader) readMessages(ctx context.Context, rows *sql.Rows) ([]Message, error) {
	var facts []traits
	list, err := collect(rows, func(row *sql.Rows) (Message, error) {
		m, t, err := scanMessage(row)
		facts = append(facts, t)
		return m, err
	})
	if err != nil {
		return nil, fmt.Errorf("read messages: %w", err)
	}
	// Names are looked up after the rows: they may be newer than these, but
	// not older.
	var conversations, senders []int64
	for _, m := range list {
		conversations, senders = append(conversations, m.ConversationID), append(senders, m.SenderID)
	}
	n, err := r.namesOf(ctx, conversations, senders)
	if err != nil {
		return nil, err
	}
	for i := range list {
		n.fill(&list[i])
		if err := r.readSides(ctx, n, &list[i], facts[i]); err != nil {
			return nil, fmt.Errorf("read message parts: %w", err)
		}
	}
	return list, nil
}

func scanMessage(rows *sql.Rows) (Message, traits, error) {
	var m Message
	var hash sql.RawBytes
	var t traits
	err := rows.Scan(&m.ID, &hash, &m.ConversationID, &m.SenderID, &m.Direction, &m.Sort, &t, &m.Body, &m.FileID, &m.ImportID,
		&m.Position.Line, &m.Position.Offset, &m.MissingSince)
	if err != nil {
		return m, 0, err
	}
	m.Hash = hex.EncodeToString(hash)
	m.Kind, m.Edited, m.Time = t.kind(), t.has(traitEdited), t.time()
	m.Time.Micros = m.Time.Stated(m.Sort)
	m.Time.Raw = t.rawTime("", m.Time) // unless the specifics say otherwise
	return m, t, nil
}

// fill names what a message refers to by id.
func (n *names) fill(m *Message) {
	c := n.conversations[m.ConversationID]
	m.Conversation, m.Source = c.Name, c.Source
	m.Sender = n.sender(m.SenderID, m.Direction == msg.Out)
}

func (n *names) sender(handle int64, owner bool) string {
	if owner {
		return Owner
	}
	return n.handles[handle].Label
}

func (r *Reader) readSides(ctx context.Context, n *names, m *Message, t traits) error {
	readers := []struct {
		bit  traits
		read func(context.Context, *names, *Message) error
	}{
		{hasReply, r.readReply}, {hasReactions, r.readReactions}, {hasEdits, r.readEdits},
		{hasDetails, r.readDetails}, {hasAttachments, r.readAttachments},
	}
	if t.has(hasSpecifics) {
		if err := r.readSpecifics(ctx, m, t); err != nil {
			return err
		}
	}
	for _, side := range readers {
		if !t.has(side.bit) {
			continue
		}
		if err := side.read(ctx, n, m); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) readSpecifics(ctx context.Context, m *Message, t traits) error {
	rows, err := r.query(ctx, `SELECT coalesce(raw_time, ''), coalesce(zone_offset, 0), coalesce(native_id, ''), coalesce(pointer, ''), coalesce(suspect, '')
		FROM specifics WHERE message_id = ?`, m.ID)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var offset int64
		var raw string
		if err := rows.Scan(&raw, &offset, &m.NativeID, &m.Position.Pointer, &m.Suspect); err != nil {
			return err
		}
		m.Time.Micros = m.Time.Stated(m.Sort) + offset*1e6
		m.Time.Raw = t.rawTime(raw, m.Time)
	}
	return rows.Err()
}

func (r *Reader) readReply(ctx context.Context, _ *names, m *Message) error {
	rows, err := r.query(ctx, `SELECT coalesce(t.id, 0), coalesce(hex(p.target_hash), ''), coalesce(p.quote, '')
		FROM replies p LEFT JOIN messages t ON substr(t.hash, 1, 5) = substr(p.target_hash, 1, 5) AND t.hash = p.target_hash WHERE p.message_id = ?`, m.ID)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		m.ReplyTo = &ReplyRef{}
		if err := rows.Scan(&m.ReplyTo.ID, &m.ReplyTo.Hash, &m.ReplyTo.Quote); err != nil {
			return err
		}
		m.ReplyTo.Hash = strings.ToLower(m.ReplyTo.Hash)
	}
	return rows.Err()
}

func (r *Reader) readReactions(ctx context.Context, n *names, m *Message) error {
	rows, err := r.query(ctx, `SELECT coalesce(sender_id, 0), from_me, emoji, count FROM reactions WHERE message_id = ? ORDER BY seq`, m.ID)
	if err != nil {
		return err
	}
	type by struct {
		handle int64
		me     bool
	}
	var senders []by
	var handles []int64
	m.Reactions, err = collect(rows, func(row *sql.Rows) (x Reaction, err error) {
		var s by
		err = row.Scan(&s.handle, &s.me, &x.Emoji, &x.Count)
		senders, handles = append(senders, s), append(handles, s.handle)
		return x, err
	})
	if err != nil {
		return err
	}
	if !n.whole {
		if n, err = r.namesOf(ctx, nil, handles); err != nil {
			return err
		}
	}
	for i, s := range senders {
		m.Reactions[i].Sender = n.sender(s.handle, s.me)
	}
	return nil
}

func (r *Reader) readEdits(ctx context.Context, _ *names, m *Message) error {
	rows, err := r.query(ctx, `SELECT body, coalesce(ts, 0), ts IS NOT NULL FROM edits WHERE message_id = ? ORDER BY seq`, m.ID)
	if err != nil {
		return err
	}
	m.Edits, err = collect(rows, func(row *sql.Rows) (msg.Edit, error) {
		e := msg.Edit{Time: msg.Time{Basis: m.Time.Basis}}
		return e, row.Scan(&e.Body, &e.Time.Micros, &e.Time.Known)
	})
	return err
}

func (r *Reader) readDetails(ctx context.Context, _ *names, m *Message) error {
	rows, err := r.query(ctx, `SELECT name, value FROM details WHERE message_id = ? ORDER BY seq`, m.ID)
	if err != nil {
		return err
	}
	m.Details, err = collect(rows, func(row *sql.Rows) (msg.Detail, error) {
		var d msg.Detail
		return d, row.Scan(&d.Name, &d.Value)
	})
	return err
}

func (r *Reader) readAttachments(ctx context.Context, _ *names, m *Message) error {
	rows, err := r.query(ctx, `SELECT id, kind, name, path, mime, size, absent, sticker FROM attachments WHERE message_id = ? ORDER BY id`, m.ID)
	if err != nil {
		return err
	}
	m.Attachments, err = collect(rows, func(row *sql.Rows) (Attachment, error) {
		var a Attachment
		return a, row.Scan(&a.ID, &a.Kind, &a.Name, &a.Path, &a.MIME, &a.Size, &a.Absent, &a.Sticker)
	})
	return err
}

// Message returns one message, missing or not.
func (r *Reader) Message(ctx context.Context, id int64) (Message, error) {
	list, err := r.Messages(ctx, []int64{id})
	if err != nil {
		return Message{}, err
	}
	if len(list) == 0 {
		return Message{}, ErrNotFound
	}
	return list[0], nil
}

// Messages returns the messages with the given ids in the order of ids,
// leaving out ids that name nothing.
func (r *Reader) Messages(ctx context.Context, ids []int64) ([]Message, error) {
	byID := make(map[int64]Message, len(ids))
	for part := range slices.Chunk(ids, idsPerQuery) {
		rows, err := r.query(ctx, `SELECT `+readColumns+` FROM messages m WHERE m.id IN `+placeholders(idsPerQuery), padIDs(part, idsPerQuery)...)
		if err != nil {
			return nil, fmt.Errorf("read messages: %w", err)
		}
		list, err := r.readMessages(ctx, rows)
		if err != nil {
			return nil, err
		}
		for _, m := range list {
			byID[m.ID] = m
		}
	}
	ordered := make([]Message, 0, len(byID))
	for _, id := range ids {
		if m, ok := byID[id]; ok {
			ordered = append(ordered, m)
		}
	}
	return ordered, nil
}

const idsPerQuery = 32

func placeholders(n int) string { return "(?" + strings.Repeat(",?", n-1) + ")" }

// padIDs fills a fixed number of placeholders, so that few statements serve
// lists of every length.
func padIDs(ids []int64, size int) []any {
	args := make([]any, size)
	for i := range args {
		args[i] = int64(-1)
		if i < len(ids) {
			args[i] = ids[i]
		}
	}
	return args
}

// MessageID resolves a hash or a prefix of one (see msg.ParseHash). It
// returns ErrNotFound or ErrAmbiguous when it does not name one message.
func (r *Reader) MessageID(ctx context.Context, prefix string) (int64, error) {
	low, high, err := hashRange(prefix)
	if err != nil {
		return 0, ErrNotFound
	}
	rows, err := r.query(ctx, `SELECT id FROM messages WHERE substr(hash, 1, 5) BETWEEN ? AND ? AND hash BETWEEN ? AND ? LIMIT 2`,
		low[:hashKey], high[:hashKey], low, high)
	if err != nil {
		return 0, err
	}
	ids, err := collect(rows, func(row *sql.Rows) (id int64, err error) { err = row.Scan(&id); return id, err })
	switch {
	case err != nil:
		return 0, err
	case len(ids) == 0:
		return 0, ErrNotFound
	case len(ids) > 1:
		return 0, ErrAmbiguous
	}
	return ids[0], nil
}

// hashRange returns the least and the greatest hash with a prefix.
func hashRange(prefix string) (low, high []byte, err error) {
	rest := max(0, 2*msg.HashSize-len(prefix))
	if low, err = hex.DecodeString(prefix + strings.Repeat("0", rest)); err != nil {
		return nil, nil, err
	}
	high, err = hex.DecodeString(prefix + strings.Repeat("f", rest))
	return low, high, err
}

// Provenance says where a message was read.
type Provenance struct {
	File   SourceFile
	Root   Root
	Import Import
	Also   []SourceFile // further files that hold the same message
}

// Provenance returns where a message comes from.
func (r *Reader) Provenance(ctx context.Context, m Message) (Provenance, error) {
	var p Provenance
	rows, err := r.query(ctx, `SELECT `+fileColumns+` FROM files WHERE id = ?`, m.FileID)
	if err != nil {
		return p, fmt.Errorf("look up file: %w", err)
	}
	list, err := collect(rows, func(row *sql.Rows) (SourceFile, error) { return scanFile(row) })
	if err != nil || len(list) == 0 {
		return p, fmt.Errorf("look up file: %w", orNotFound(err))
	}
	p.File = list[0]
	all, err := r.Roots(ctx)
	if err != nil {
		return p, err
	}
	for _, root := range all {
		if root.ID == p.File.RootID {
			p.Root = root
		}
	}
	if p.Import, err = r.Import(ctx, m.ImportID); err != nil && !errors.Is(err, ErrNotFound) {
		return p, err
	}
	rows, err = r.query(ctx, `SELECT `+fileColumns+` FROM files WHERE id IN
		(SELECT file_id FROM message_files WHERE message_id = ?) ORDER BY id`, m.ID)
	if err != nil {
		return p, err
	}
	p.Also, err = collect(rows, func(row *sql.Rows) (SourceFile, error) { return scanFile(row) })
	return p, err
}

// ImportTime returns when an import started, for saying since when a message
// is missing.
func (r *Reader) ImportTime(ctx context.Context, id int64) (time.Time, error) {
	run, err := r.Import(ctx, id)
	return run.StartedAt, err
}
