package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// Record is a message ready to be kept: resolved to ids, hashed, and with its
// links found.
type Record struct {
	Message msg.Message
	Hash    msg.Hash
	// Digest covers everything of the message a re-import may change, except
	// its position.
	Digest         uint32
	ConversationID int64
	SenderID       int64 // 0 for nobody
	// Sort is the message's place in the order, unix microseconds. It differs
	// from Message.Time.Micros when a zone was declared for wall readings;
	// ZoneOffset is then the difference in seconds.
	Sort       int64
	ZoneOffset *int64
	ReplyTo    *msg.Hash // nil when the target could not be told
	Reactors   []int64   // handle ids of Message.Reactions, 0 for nobody
	Links      []Link
	FileID     int64
	ImportID   int64
}

// Link is a URL of a message with its registrable domain.
type Link struct{ URL, Domain string }

// A message's first columns are the same for all that one statement inserts:
// one after the other are ids, and the rest is what a file gives of a
// conversation. They are bound once, as the parameters ?1 to ?4; binding a
// value costs as much as storing it does.
const (
	messageColumns  = `id, conversation_id, file_id, import_id, hash, sender_id, direction, ts, traits, body, line, offset, digest`
	messageRow      = `(?1+%d,?2,?3,?4,?,?,?,?,?,?,?,?,?)`
	messagesPerStmt = 32
)

var (
	insertOne  = insertMessages(1)
	insertMany = insertMessages(messagesPerStmt)
)

// insertMessages returns the text that inserts n messages. OR FAIL spares
// SQLite the notes it takes for undoing half of a statement; the batch is
// rolled back whole.
func insertMessages(n int) string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf(messageRow, i)
	}
	return `INSERT OR FAIL INTO messages(` + messageColumns + `) VALUES ` + strings.Join(rows, ",")
}

// Insert keeps new messages and gives them consecutive ids in the order of
// the list, starting with the one returned.
func (b *Batch) Insert(ctx context.Context, records []*Record) (first int64, err error) {
	first = b.w.nextMessage
	traits := make([]traits, len(records))
	for i, r := range records {
		traits[i] = traitsOf(r)
	}
	for start := 0; start < len(records); {
		n := 1
		if many := records[start:]; len(many) >= messagesPerStmt && sameOrigin(many[:messagesPerStmt]) {
			n = messagesPerStmt
		}
		if err := b.insertMessages(ctx, records[start:start+n], traits[start:]); err != nil {
			return 0, fmt.Errorf("insert messages: %w", err)
		}
		start += n
	}
	for i, r := range records {
		if err := b.insertSides(ctx, first+int64(i), r, traits[i], nil); err != nil {
			return 0, fmt.Errorf("insert message parts: %w", err)
		}
	}
	return first, nil
}

// sameOrigin reports whether one file gave all the records, in one import and
// of one conversation.
func sameOrigin(records []*Record) bool {
	first := records[0]
	return !slices.ContainsFunc(records, func(r *Record) bool {
		return r.ConversationID != first.ConversationID || r.FileID != first.FileID || r.ImportID != first.ImportID
	})
}

// insertMessages inserts one message, or messagesPerStmt of the same origin.
func (b *Batch) insertMessages(ctx context.Context, records []*Record, traits []traits) error {
	query := insertOne
	if len(records) > 1 {
		query = insertMany
	}
	insert, err := b.statement(query)
	if err != nil {
		return err
	}
	insert.reset()
	for _, v := range [...]int64{b.w.nextMessage, records[0].ConversationID, records[0].FileID, records[0].ImportID} {
		insert.add(v)
	}
	for i, r := range records {
		m := &r.Message
		for _, v := range [...]driver.Value{
			r.Hash[:], nullID(r.SenderID), int64(m.Direction), r.Sort, int64(traits[i]), m.Body, m.Position.Line, storedOffset(m.Position), storedDigest(r.Digest),
		} {
			insert.add(v)
		}
		b.activity[activityOf(r.ConversationID, r.SenderID, m.Direction, r.Sort)]++
	}
	b.rows.add(records[0].ConversationID, b.w.nextMessage, int64(len(records)))
	b.w.nextMessage += int64(len(records))
	return insert.run(ctx)
}

// storedDigest is a digest as a signed number, which SQLite stores in four
// bytes; half of the unsigned ones, as earlier versions wrote them, take six.
func storedDigest(d uint32) int64 { return int64(int32(d)) }

// storedOffset leaves out an offset that the line makes unnecessary.
func storedOffset(p msg.Position) int64 {
	if p.Line > 0 && p.Pointer == "" {
		return 0
	}
	return p.Offset
}

func nullID(id int64) any {
	if id == 0 {
		return nil
	}
	return id
}

func nullText(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// rawTime is what to keep of a raw time: nothing when it can be made again.
func rawTime(t msg.Time) any {
	if isPlain(t) {
		return nil
	}
	return t.Raw
}

func isPlain(t msg.Time) bool {
	if t.Raw == "" || !t.Known {
		return t.Raw == ""
	}
	var buffer [32]byte
	return string(t.UTC().AppendFormat(buffer[:0], plainLayout(t))) == t.Raw
}

// plainTime is the commonest way exports write a time; it stands for itself
// in the archive as NULL, which saves a fifth of a short message.
func plainTime(t msg.Time) string { return t.UTC().Format(plainLayout(t)) }

func plainLayout(t msg.Time) string {
	if t.Precision == msg.Minute {
		return "2006-01-02 15:04"
	}
	return "2006-01-02 15:04:05"
}

// insertSides fills the side tables. t are the message's traits, and old are
// the attachments it had.
func (b *Batch) insertSides(ctx context.Context, id int64, r *Record, t traits, old []oldAttachment) error {
	m := &r.Message
	if t.has(hasSpecifics) {
		if err := b.exec(ctx, `INSERT INTO specifics(message_id, raw_time, zone_offset, native_id, pointer, suspect) VALUES(?, ?, ?, ?, ?, ?)`,
			id, rawTime(m.Time), r.ZoneOffset, nullText(m.NativeID), nullText(m.Position.Pointer), nullText(m.Suspect)); err != nil {
			return err
		}
	}
	if m.ReplyTo != nil {
		var target any
		if r.ReplyTo != nil {
			target = r.ReplyTo[:]
		}
		if err := b.exec(ctx, `INSERT INTO replies(message_id, target_hash, quote) VALUES(?, ?, ?)`,
			id, target, nullText(m.ReplyTo.Quote)); err != nil {
			return err
		}
	}
	for i, x := range m.Reactions {
		if err := b.exec(ctx, `INSERT INTO reactions(message_id, seq, sender_id, from_me, emoji, count, ts) VALUES(?, ?, ?, ?, ?, ?, ?)`,
			id, i, nullID(r.Reactors[i]), x.FromMe, x.Emoji, max(x.Count, 1), knownMicros(x.Time)); err != nil {
			return err
		}
	}
	for i, x := range m.Edits {
		if err := b.exec(ctx, `INSERT INTO edits(message_id, seq, body, ts) VALUES(?, ?, ?, ?)`,
			id, i, x.Body, knownMicros(x.Time)); err != nil {
			return err
		}
	}
	for i, x := range m.Details {
		if err := b.exec(ctx, `INSERT INTO details(message_id, seq, name, value) VALUES(?, ?, ?, ?)`, id, i, x.Name, x.Value); err != nil {
			return err
		}
	}
	if err := b.insertAttachments(ctx, id, r, old); err != nil {
		return err
	}
	return b.insertLinks(ctx, id, r)
}

func knownMicros(t msg.Time) any {
	if !t.Known {
		return nil
	}
	return t.Micros
}

func (b *Batch) insertLinks(ctx context.Context, id int64, r *Record) error {
	for _, link := range r.Links {
		url, err := b.url(ctx, link)
		if err != nil {
			return err
		}
		b.staleURLs[url] = true
		if err := b.exec(ctx, `INSERT OR IGNORE INTO links(message_id, url_id, conversation_id, sender_id, direction, ts, hidden)
			VALUES(?, ?, ?, ?, ?, ?, 0)`, id, url, r.ConversationID, nullID(r.SenderID), int64(r.Message.Direction), r.Sort); err != nil {
			return err
		}
	}
	return nil
}

// urlCacheSize bounds the remembered URLs; most repeat within a chat.
const urlCacheSize = 10_000

func (b *Batch) url(ctx context.Context, link Link) (int64, error) {
	if id, ok := b.w.urls[link.URL]; ok {
		return id, nil
	}
	find, err := b.stmt(ctx, `SELECT id, domain FROM urls WHERE url = ?`)
	if err != nil {
		return 0, err
	}
	var id int64
	var domain string
	switch err := find.QueryRowContext(ctx, link.URL).Scan(&id, &domain); {
	case errors.Is(err, sql.ErrNoRows):
		id = b.w.nextURL
		b.w.nextURL++
		if err := b.exec(ctx, `INSERT INTO urls(id, url, domain, messages, last_ts, last_message) VALUES(?, ?, ?, 0, 0, 0)`,
			id, link.URL, link.Domain); err != nil {
			return 0, err
		}
	case err != nil:
		return 0, err
	case domain != link.Domain: // as an earlier version told it
		if err := b.exec(ctx, `UPDATE urls SET domain = ? WHERE id = ?`, link.Domain, id); err != nil {
			return 0, err
		}
	}
	if len(b.w.urls) >= urlCacheSize {
		clear(b.w.urls)
	}
	b.w.urls[link.URL] = id
	return id, nil
}

// refreshURLs recomputes the figures of every URL the batch touched.
func (b *Batch) refreshURLs(ctx context.Context) error {
	for id := range b.staleURLs {
		err := b.exec(ctx, `UPDATE urls SET
			messages = (SELECT count(*) FROM links WHERE url_id = ?1 AND hidden = 0),
			(last_ts, last_message) = (SELECT coalesce(max(ts), 0), coalesce(max(message_id), 0) FROM (
				SELECT ts, message_id FROM links WHERE url_id = ?1 AND hidden = 0 ORDER BY ts DESC, message_id DESC LIMIT 1))
			WHERE id = ?1`, id)
		if err != nil {
			return fmt.Errorf("count link: %w", err)
		}
	}
	clear(b.staleURLs)
	return nil
}
