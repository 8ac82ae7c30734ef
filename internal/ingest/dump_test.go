package ingest

import (
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// dump says what an archive holds: its messages by hash with everything that
// belongs to them, people, conversations, files and the keyword index. It has
// names instead of ids and nothing of when it was imported, so that two
// archives with the same content have the same dump. Of the files that hold a
// message it does not say which one was read first.
func (d *desk) dump() string {
	d.t.Helper()
	path := filepath.Join(d.data, store.FileName)
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro&_pragma=temp_store(memory)")
	if err != nil {
		d.t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(d.t.Context(), `CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, fts, instance)`); err != nil {
		d.t.Fatal(err)
	}
	var b strings.Builder
	for _, part := range dumpParts {
		fmt.Fprintf(&b, "== %s\n", part.name)
		dumpRows(d.t, db, &b, part.query)
	}
	return d.withoutIDs(db, strings.ReplaceAll(b.String(), d.exports, "$EXPORTS"))
}

// The names of things in the dump's queries.
const (
	handleName       = `(SELECT h.source || ':' || h.native FROM handles h WHERE h.id = %s)`
	conversationName = `(SELECT c.source || ':' || c.key FROM conversations c WHERE c.id = %s)`
	filePlace        = `(SELECT f.path || '!' || f.member FROM files f WHERE f.id = %s)`
	messageName      = `(SELECT lower(hex(m.hash)) FROM messages m WHERE m.id = %s)`
)

func named(format, column string) string { return fmt.Sprintf(format, column) }

var dumpParts = []struct{ name, query string }{
	{"messages", `SELECT lower(hex(hash)), ` + named(conversationName, "conversation_id") + `, ` + named(handleName, "sender_id") + `, direction, ts, traits, body,
		missing_since IS NOT NULL, digest FROM messages ORDER BY hash`},
	{"places", `SELECT ` + named(messageName, "p.message_id") + ` AS hash, ` + named(filePlace, "p.file_id") + ` AS file, p.line, p.offset, p.pointer FROM (
		SELECT id AS message_id, file_id, line, offset, (SELECT pointer FROM specifics WHERE message_id = id) AS pointer FROM messages WHERE missing_since IS NULL
		UNION ALL SELECT message_id, file_id, line, offset, pointer FROM message_files) p ORDER BY hash, file`},
	{"specifics", `SELECT ` + named(messageName, "message_id") + ` AS hash, raw_time, zone_offset, native_id, suspect FROM specifics
		WHERE coalesce(raw_time, zone_offset, native_id, suspect) IS NOT NULL ORDER BY hash`},
	{"replies", `SELECT ` + named(messageName, "message_id") + ` AS hash, lower(hex(target_hash)), quote FROM replies ORDER BY hash`},
	{"reactions", `SELECT ` + named(messageName, "message_id") + ` AS hash, seq, ` + named(handleName, "sender_id") + `, from_me, emoji, count, ts FROM reactions ORDER BY hash, seq`},
	{"edits", `SELECT ` + named(messageName, "message_id") + ` AS hash, seq, body, ts FROM edits ORDER BY hash, seq`},
	{"details", `SELECT ` + named(messageName, "message_id") + ` AS hash, seq, name, value FROM details ORDER BY hash, seq`},
	{"attachments", `SELECT ` + named(messageName, "message_id") + ` AS hash, ` + named(conversationName, "conversation_id") + `, ` + named(handleName, "sender_id") + `,
		direction, ts, hidden, kind, name, path, mime, size, absent, sticker FROM attachments ORDER BY hash, id`},
	{"links", `SELECT ` + named(messageName, "l.message_id") + ` AS hash, u.url, ` + named(conversationName, "l.conversation_id") + `, ` + named(handleName, "l.sender_id") + `,
		l.direction, l.ts, l.hidden FROM links l JOIN urls u ON u.id = l.url_id ORDER BY hash, u.url`},
	{"urls", `SELECT url, domain, messages, last_ts FROM urls WHERE messages > 0 ORDER BY url`},
	{"conversations", `SELECT source, key, name, kind, messages, first_ts, last_ts FROM conversations ORDER BY source, key`},
	{"participants", `SELECT ` + named(conversationName, "conversation_id") + ` AS c, ` + named(handleName, "handle_id") + ` AS h FROM participants ORDER BY c, h`},
	{"handles", `SELECT source, native, normal, kind, name, owner, (SELECT min(o.source || ':' || o.native) FROM handles o WHERE o.person_id = h.person_id)
		FROM handles h ORDER BY source, native`},
	{"files", `SELECT path, member, folder, source, format, size, hex(sha256), import_id IS NOT NULL FROM files ORDER BY path, member`},
	{"given", `SELECT ` + named(filePlace, "file_id") + ` AS f, ` + named(conversationName, "conversation_id") + ` AS c, messages FROM file_conversations ORDER BY f, c`},
	{"index", `SELECT ` + named(messageName, "doc") + ` AS hash, group_concat(term, ' ' ORDER BY offset) FROM temp.vocabulary GROUP BY doc ORDER BY hash`},
	{"unindexed", `SELECT ` + named(messageName, "message_id") + ` AS hash FROM reindex ORDER BY hash`},
}

func dumpRows(t testing.TB, db *sql.DB, b *strings.Builder, query string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	values, targets := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		targets[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			switch v := v.(type) {
			case nil:
				values[i] = "-"
			case string:
				values[i] = fmt.Sprintf("%q", v)
			}
		}
		fmt.Fprintln(b, values...)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

var (
	conversationTag = strings.TrimSuffix(segment.ConversationTag(0), "0")
	senderTag       = strings.TrimSuffix(segment.SenderTag(0), "0")
	idTag           = regexp.MustCompile(`(` + conversationTag + `|` + senderTag + `)\d+`)
)

// withoutIDs replaces the ids in the index's tags by names.
func (d *desk) withoutIDs(db *sql.DB, text string) string {
	names := map[string]string{}
	for kind, query := range map[string]string{conversationTag: `SELECT id, source || ':' || key FROM conversations`, senderTag: `SELECT id, source || ':' || native FROM handles`} {
		rows, err := db.QueryContext(d.t.Context(), query)
		if err != nil {
			d.t.Fatal(err)
		}
		for rows.Next() {
			var id, name string
			if err := rows.Scan(&id, &name); err != nil {
				d.t.Fatal(err)
			}
			names[kind+id] = fmt.Sprintf("%s(%s)", kind, name)
		}
		if err := rows.Close(); err != nil {
			d.t.Fatal(err)
		}
	}
	return idTag.ReplaceAllStringFunc(text, func(tag string) string { return names[tag] })
}

// same compares two dumps.
func same(t testing.TB, what, want, got string) {
	t.Helper()
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
		if len(diff) > 4000 {
			diff = diff[:4000] + "…"
		}
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// checkSound checks what must hold of every archive, however it came about.
func (d *desk) checkSound() {
	d.t.Helper()
	r := d.reader()
	defer r.Close()
	if found, err := r.Check(d.t.Context()); err != nil || len(found) > 0 {
		d.t.Errorf("the archive is broken: %v, %v", found, err)
	}
	d.checkSums()
	o, err := r.Overview(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	if o.Unindexed != 0 {
		d.t.Errorf("%d messages are not indexed", o.Unindexed)
	}
	dump := d.dump()
	if n := strings.Count(dump[strings.Index(dump, "== index"):strings.Index(dump, "== unindexed")], "\n") - 1; int64(n) != o.Messages+o.Missing {
		d.t.Errorf("the index holds %d messages, the archive %d", n, o.Messages+o.Missing)
	}
}
