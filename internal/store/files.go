package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// Root is a file or folder the user pointed at.
type Root struct {
	ID      int64
	Path    string   // absolute
	Owner   []string // the owner's names in its files, as the user gave them
	Zone    string   // declared IANA zone of its wall clock readings, or empty
	AddedAt time.Time
	// Forgotten is set for one that imports no longer look at by themselves.
	Forgotten bool
}

// SourceFile is a file messages were read from. Member is the path inside
// Path when that is a zip.
type SourceFile struct {
	ID           int64
	RootID       int64
	Path, Member string
	Folder       string
	Source       msg.Source
	Format       string
	Size         int64
	ModTime      int64 // unix nanoseconds
	SHA256       []byte
	ImportID     int64 // the import that last read it to the end, or 0
}

// Roots lists every root in the order they were added.
func (w *Writer) Roots(ctx context.Context) ([]Root, error) { return roots(ctx, w.db.QueryContext) }

// Roots lists every root in the order they were added.
func (r *Reader) Roots(ctx context.Context) ([]Root, error) { return roots(ctx, r.query) }

func roots(ctx context.Context, query querier) ([]Root, error) {
	rows, err := query(ctx, `SELECT id, path, owner, zone, added_at, EXISTS (SELECT 1 FROM settings WHERE key = '`+forgotten+`' || id) FROM roots ORDER BY id`)
	if err != nil {
		return nil, fmt.Errorf("list roots: %w", err)
	}
	return collect(rows, func(row *sql.Rows) (Root, error) {
		var root Root
		var owner string
		var added int64
		if err := row.Scan(&root.ID, &root.Path, &owner, &root.Zone, &added, &root.Forgotten); err != nil {
			return root, err
		}
		root.AddedAt = time.UnixMicro(added).UTC()
		return root, json.Unmarshal([]byte(owner), &root.Owner)
	})
}

// collect reads rows to their end and closes them.
func collect[T any](rows *sql.Rows, scan func(*sql.Rows) (T, error)) ([]T, error) {
	defer rows.Close()
	list := []T{}
	for rows.Next() {
		item, err := scan(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, rows.Err()
}

// SaveRoot records a root in a batch of its own.
func (w *Writer) SaveRoot(ctx context.Context, root Root) (int64, error) {
	b, err := w.Begin(ctx)
	if err != nil {
		return 0, err
	}
	defer b.Rollback(ctx)
	id, err := b.SaveRoot(ctx, root)
	if err != nil {
		return 0, err
	}
	return id, b.Commit(ctx)
}

// SaveRoot records a root or what the user now says about it, and returns
// its id. One that was forgotten is looked at again.
func (b *Batch) SaveRoot(ctx context.Context, root Root) (int64, error) {
	if root.Owner == nil {
		root.Owner = []string{}
	}
	owner, err := json.Marshal(root.Owner)
	if err != nil {
		return 0, err
	}
	var id int64
	err = b.tx.QueryRowContext(ctx, `INSERT INTO roots(path, owner, zone, added_at) VALUES(?, ?, ?, ?)
		ON CONFLICT(path) DO UPDATE SET owner = excluded.owner, zone = excluded.zone RETURNING id`,
		root.Path, string(owner), root.Zone, root.AddedAt.UnixMicro()).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("record root: %w", err)
	}
	if err := b.exec(ctx, `DELETE FROM settings WHERE key = '`+forgotten+`' || ?`, id); err != nil {
		return 0, fmt.Errorf("record root: %w", err)
	}
	return id, nil
}

const fileColumns = `id, root_id, path, member, folder, source, format, size, mtime, sha256, coalesce(import_id, 0)`

func scanFile(row interface{ Scan(...any) error }) (SourceFile, error) {
	var f SourceFile
	err := row.Scan(&f.ID, &f.RootID, &f.Path, &f.Member, &f.Folder, &f.Source, &f.Format, &f.Size, &f.ModTime, &f.SHA256, &f.ImportID)
	return f, err
}

// Files lists every file messages were read from.
func (w *Writer) Files(ctx context.Context) ([]SourceFile, error) {
	return files(ctx, w.db.QueryContext)
}

// Files lists every file messages were read from.
func (r *Reader) Files(ctx context.Context) ([]SourceFile, error) { return files(ctx, r.query) }

func files(ctx context.Context, query querier) ([]SourceFile, error) {
	rows, err := query(ctx, `SELECT `+fileColumns+` FROM files ORDER BY id`)
	if err != nil {
		return nil, fmt.Errorf("list files: %w", err)
	}
	return collect(rows, func(row *sql.Rows) (SourceFile, error) { return scanFile(row) })
}

// BeginFile records that a file is about to be read and returns its id. Its
// fingerprint counts as unread until FinishFile.
func (b *Batch) BeginFile(ctx context.Context, f SourceFile) (int64, error) {
	record, err := b.stmt(ctx, `INSERT INTO files(root_id, path, member, folder, source, format, size, mtime, sha256)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT(path, member) DO UPDATE SET root_id = excluded.root_id, folder = excluded.folder, source = excluded.source,
			format = excluded.format, size = excluded.size, mtime = excluded.mtime, sha256 = excluded.sha256, import_id = NULL
		RETURNING id`)
	if err != nil {
		return 0, fmt.Errorf("record file: %w", err)
	}
	var id int64
	err = record.QueryRowContext(ctx, f.RootID, f.Path, f.Member, f.Folder, string(f.Source), f.Format, f.Size, f.ModTime, f.SHA256).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("record file: %w", err)
	}
	return id, nil
}

// FinishFile records that the file was read to its end in this import.
func (b *Batch) FinishFile(ctx context.Context, fileID, importID int64) error {
	if err := b.exec(ctx, `UPDATE files SET import_id = ? WHERE id = ?`, importID, fileID); err != nil {
		return fmt.Errorf("record end of file: %w", err)
	}
	return nil
}

// TouchFile records a new modification time of a file whose content is what
// it was.
func (b *Batch) TouchFile(ctx context.Context, fileID, size, modTime int64) error {
	return b.exec(ctx, `UPDATE files SET size = ?, mtime = ? WHERE id = ?`, size, modTime, fileID)
}

// ForgetReading makes a file count as one that was never read to its end.
func (b *Batch) ForgetReading(ctx context.Context, fileID int64) error {
	return b.exec(ctx, `UPDATE files SET import_id = NULL WHERE id = ?`, fileID)
}

// CutOff reports whether a file is known and was not read to its end.
func (b *Batch) CutOff(ctx context.Context, path, member string) (bool, error) {
	query, err := b.stmt(ctx, `SELECT EXISTS (SELECT 1 FROM files WHERE path = ? AND member = ? AND import_id IS NULL)`)
	if err != nil {
		return false, fmt.Errorf("look up file: %w", err)
	}
	var cutOff bool
	if err := query.QueryRowContext(ctx, path, member).Scan(&cutOff); err != nil {
		return false, fmt.Errorf("look up file: %w", err)
	}
	return cutOff, nil
}

// Given counts how many messages of each conversation the file gives, missing
// ones aside. It reads these conversations; FileConversations, which says what
// was counted before, is enough for a file that was read to its end.
func (b *Batch) Given(ctx context.Context, fileID int64) (map[int64]int64, error) {
	return b.countByConversation(ctx, `SELECT conversation_id, count(*) FROM messages INDEXED BY messages_conversation
		WHERE conversation_id IN (SELECT conversation_id FROM file_conversations WHERE file_id = ?1) AND missing_since IS NULL AND
		(file_id = ?1 OR EXISTS (SELECT 1 FROM message_files WHERE message_id = id AND file_id = ?1)) GROUP BY conversation_id`, fileID)
}

// FileConversations returns how many messages of each conversation the file
// gave when it was last read.
func (b *Batch) FileConversations(ctx context.Context, fileID int64) (map[int64]int64, error) {
	return b.countByConversation(ctx, `SELECT conversation_id, messages FROM file_conversations WHERE file_id = ?1`, fileID)
}

func (b *Batch) countByConversation(ctx context.Context, text string, fileID int64) (map[int64]int64, error) {
	query, err := b.stmt(ctx, text)
	if err != nil {
		return nil, fmt.Errorf("list conversations of file: %w", err)
	}
	rows, err := query.QueryContext(ctx, fileID)
	if err != nil {
		return nil, fmt.Errorf("list conversations of file: %w", err)
	}
	defer rows.Close()
	counts := map[int64]int64{}
	for rows.Next() {
		var id, n int64
		if err := rows.Scan(&id, &n); err != nil {
			return nil, err
		}
		counts[id] = n
	}
	return counts, rows.Err()
}

// SetFileConversation records how many messages of a conversation the file
// gives; zero removes the record.
func (b *Batch) SetFileConversation(ctx context.Context, fileID, conversationID, messages int64) error {
	if messages == 0 {
		return b.exec(ctx, `DELETE FROM file_conversations WHERE file_id = ? AND conversation_id = ?`, fileID, conversationID)
	}
	return b.exec(ctx, `INSERT INTO file_conversations(file_id, conversation_id, messages) VALUES(?, ?, ?)
		ON CONFLICT DO UPDATE SET messages = excluded.messages`, fileID, conversationID, messages)
}

// Blocks returns the digests of the stretches of a conversation that a file
// gave when it was last read, by their number.
func (b *Batch) Blocks(ctx context.Context, fileID, conversationID int64) (map[int64]int64, error) {
	query, err := b.stmt(ctx, `SELECT block, digest FROM file_blocks WHERE file_id = ? AND conversation_id = ?`)
	if err != nil {
		return nil, err
	}
	rows, err := query.QueryContext(ctx, fileID, conversationID)
	if err != nil {
		return nil, fmt.Errorf("list blocks of file: %w", err)
	}
	defer rows.Close()
	blocks := map[int64]int64{}
	for rows.Next() {
		var block, digest int64
		if err := rows.Scan(&block, &digest); err != nil {
			return nil, err
		}
		blocks[block] = digest
	}
	return blocks, rows.Err()
}

// SetBlock records the digest of a stretch.
func (b *Batch) SetBlock(ctx context.Context, fileID, conversationID, block, digest int64) error {
	return b.exec(ctx, `INSERT INTO file_blocks(file_id, conversation_id, block, digest) VALUES(?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET digest = excluded.digest`, fileID, conversationID, block, digest)
}

// DropBlock forgets a stretch.
func (b *Batch) DropBlock(ctx context.Context, fileID, conversationID, block int64) error {
	return b.exec(ctx, `DELETE FROM file_blocks WHERE file_id = ? AND conversation_id = ? AND block = ?`, fileID, conversationID, block)
}

// DropBlocks forgets the stretches of a conversation from a number on.
func (b *Batch) DropBlocks(ctx context.Context, fileID, conversationID, from int64) error {
	return b.exec(ctx, `DELETE FROM file_blocks WHERE file_id = ? AND conversation_id = ? AND block >= ?`, fileID, conversationID, from)
}

// Shared reports whether another file gives messages of the conversation,
// too.
func (b *Batch) Shared(ctx context.Context, conversationID, fileID int64) (bool, error) {
	query, err := b.stmt(ctx, `SELECT EXISTS (SELECT 1 FROM file_conversations WHERE conversation_id = ? AND file_id <> ?)`)
	if err != nil {
		return false, err
	}
	var shared bool
	err = query.QueryRowContext(ctx, conversationID, fileID).Scan(&shared)
	return shared, err
}

// Problem is a note, a skipped record or an error of an import.
type Problem struct {
	ID       int64  // in the order they happened; set by the reader
	Severity string // "note", "skipped" or "error"
	Path     string
	Position msg.Position
	Reason   string
	Excerpt  string
}

// The severities of a Problem.
const (
	SeverityNote    = "note"
	SeveritySkipped = "skipped"
	SeverityError   = "error"
)

// AddProblem records a problem of an import.
func (b *Batch) AddProblem(ctx context.Context, importID int64, p Problem) error {
	err := b.exec(ctx, `INSERT INTO import_problems(import_id, severity, path, line, offset, pointer, reason, excerpt)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?)`, importID, p.Severity, p.Path, p.Position.Line, p.Position.Offset, p.Position.Pointer, p.Reason, p.Excerpt)
	if err != nil {
		return fmt.Errorf("record problem: %w", err)
	}
	return nil
}

// Problems lists what went wrong in an import, in the order it happened:
// behind the problem with the id after, and at most limit of them; all when it
// is 0.
func (r *Reader) Problems(ctx context.Context, importID, after int64, limit int) ([]Problem, error) {
	if limit == 0 {
		limit = -1 // SQLite's word for all
	}
	rows, err := r.query(ctx, `SELECT id, severity, path, line, offset, pointer, reason, excerpt FROM import_problems
		WHERE import_id = ? AND id > ? ORDER BY id LIMIT ?`, importID, after, limit)
	if err != nil {
		return nil, fmt.Errorf("list problems: %w", err)
	}
	return collect(rows, func(row *sql.Rows) (Problem, error) {
		var p Problem
		err := row.Scan(&p.ID, &p.Severity, &p.Path, &p.Position.Line, &p.Position.Offset, &p.Position.Pointer, &p.Reason, &p.Excerpt)
		return p, err
	})
}

// Imports lists the newest runs first, at most limit of them.
func (r *Reader) Imports(ctx context.Context, limit int) ([]Import, error) {
	rows, err := r.query(ctx, `SELECT `+importColumns+` FROM imports ORDER BY id DESC LIMIT ?`, limit)
	if err != nil {
		return nil, fmt.Errorf("list imports: %w", err)
	}
	return collect(rows, func(row *sql.Rows) (Import, error) { return scanImport(row) })
}

// Import returns one run.
func (r *Reader) Import(ctx context.Context, id int64) (Import, error) {
	rows, err := r.query(ctx, `SELECT `+importColumns+` FROM imports WHERE id = ?`, id)
	if err != nil {
		return Import{}, fmt.Errorf("look up import: %w", err)
	}
	list, err := collect(rows, func(row *sql.Rows) (Import, error) { return scanImport(row) })
	if err != nil || len(list) == 0 {
		return Import{}, orNotFound(err)
	}
	return list[0], nil
}

// orNotFound is the error of a look-up that gave nothing.
func orNotFound(err error) error {
	if err == nil {
		return ErrNotFound
	}
	return err
}

const importColumns = `id, started_at, finished_at, status, pid, version, scanned, read, added, changed, missing, restored, skipped, errors`

func scanImport(row interface{ Scan(...any) error }) (Import, error) {
	var run Import
	var started int64
	var finished sql.NullInt64
	err := row.Scan(&run.ID, &started, &finished, &run.Status, &run.PID, &run.Version, &run.Scanned, &run.Read,
		&run.Added, &run.Changed, &run.Missing, &run.Restored, &run.Skipped, &run.Errors)
	run.StartedAt = time.UnixMicro(started).UTC()
	if finished.Valid {
		run.FinishedAt = time.UnixMicro(finished.Int64).UTC()
	}
	return run, err
}
