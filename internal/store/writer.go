package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Writer changes the archive. It is not safe for concurrent use, and the
// caller makes sure that no other process holds one (see ingest.Lock).
type Writer struct {
	db   *sql.DB
	path string

	nextMessage, nextAttachment, nextURL int64
	unhashed                             bool // there is no index of hashes

	handles map[handleKey]handleEntry
	urls    map[string]int64
	members map[member]bool
}

// Import is one run of the importer.
type Import struct {
	ID         int64
	StartedAt  time.Time
	FinishedAt time.Time // zero while it runs or when it was cut off
	Status     string
	PID        int
	Version    string
	Tally
}

// Tally counts what an import did.
type Tally struct {
	Scanned  int64 // files recognised
	Read     int64 // files that had changed and were read
	Added    int64
	Changed  int64
	Missing  int64 // messages no longer found
	Restored int64 // missing messages found again
	Skipped  int64 // records that could not become messages
	Errors   int64 // files that could not be read to their end
}

// The states of an import.
const (
	ImportRunning     = "running"
	ImportDone        = "done"
	ImportPartial     = "partial"
	ImportFailed      = "failed"
	ImportInterrupted = "interrupted"
)

// OpenWriter opens the archive in the data folder, creating both when they
// are absent and upgrading the schema when it is old.
func OpenWriter(ctx context.Context, dir string) (*Writer, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, &PathError{dir, err}
	}
	path := filepath.Join(dir, FileName)
	if info, err := os.Stat(path); err == nil && info.Size() > 0 {
		if err := refuseForeign(ctx, path); err != nil {
			return nil, err
		}
	}
	if err := privatise(dir); err != nil {
		return nil, err
	}
	db, err := openWriterDB(ctx, path)
	if err != nil {
		return nil, &PathError{path, err}
	}
	w := &Writer{db: db, path: path}
	if err := w.prepare(ctx); err != nil {
		db.Close()
		return nil, &PathError{path, err}
	}
	return w, nil
}

// Path is where the archive lies.
func (w *Writer) Path() string { return w.path }

func (w *Writer) prepare(ctx context.Context) error {
	if err := migrate(ctx, w.db); err != nil {
		return err
	}
	if _, err := w.db.ExecContext(ctx, `INSERT OR IGNORE INTO settings(key, value) VALUES('archive', random())`); err != nil {
		return err
	}
	if _, err := w.db.ExecContext(ctx, `UPDATE imports SET status = ? WHERE status = ?`,
		ImportInterrupted, ImportRunning); err != nil {
		return err
	}
	if _, err := w.db.ExecContext(ctx, makeHashIndex); err != nil { // of a load that was cut off
		return err
	}
	return w.forget(ctx)
}

// forget drops everything remembered from uncommitted work.
func (w *Writer) forget(ctx context.Context) error {
	w.handles = map[handleKey]handleEntry{}
	w.urls = map[string]int64{}
	w.members = map[member]bool{}
	return w.db.QueryRowContext(ctx, `SELECT
		max(coalesce((SELECT value FROM settings WHERE key = 'next_message'), 1), coalesce((SELECT max(id) + 1 FROM messages), 1)),
		max(coalesce((SELECT value FROM settings WHERE key = 'next_attachment'), 1), coalesce((SELECT max(id) + 1 FROM attachments), 1)),
		coalesce((SELECT max(id) + 1 FROM urls), 1),
		NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'messages_hash')`).
		Scan(&w.nextMessage, &w.nextAttachment, &w.nextURL, &w.unhashed)
}

// Close folds the write-ahead log into the archive and closes it.
func (w *Writer) Close() error {
	_, checkpointErr := w.db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	if err := w.db.Close(); err != nil {
		return fmt.Errorf("close archive: %w", err)
	}
	if err := privatise(filepath.Dir(w.path)); err != nil {
		return err
	}
	if checkpointErr != nil {
		return fmt.Errorf("checkpoint archive: %w", checkpointErr)
	}
	return nil
}

// BeginImport records the start of a run and returns its id.
func (w *Writer) BeginImport(ctx context.Context, now time.Time, pid int, version string) (int64, error) {
	result, err := w.db.ExecContext(ctx, `INSERT INTO imports(started_at, status, pid, version) VALUES(?, ?, ?, ?)`,
		now.UnixMicro(), ImportRunning, pid, version)
	if err != nil {
		return 0, fmt.Errorf("record import: %w", err)
	}
	return result.LastInsertId()
}

// FinishImport records how a run ended and what it did. tidy brings the query
// planner's statistics up to date, which pays after a large load.
func (w *Writer) FinishImport(ctx context.Context, id int64, now time.Time, status string, t Tally, tidy bool) error {
	_, err := w.db.ExecContext(ctx, `UPDATE imports SET finished_at = ?, status = ?, scanned = ?, read = ?, added = ?,
		changed = ?, missing = ?, restored = ?, skipped = ?, errors = ? WHERE id = ?`, now.UnixMicro(), status,
		t.Scanned, t.Read, t.Added, t.Changed, t.Missing, t.Restored, t.Skipped, t.Errors, id)
	if err != nil {
		return fmt.Errorf("record end of import: %w", err)
	}
	if tidy {
		for _, statement := range []string{"PRAGMA analysis_limit = 400", "ANALYZE"} {
			if _, err := w.db.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("tidy archive: %w", err)
			}
		}
	}
	return nil
}

// Batch is one transaction. Readers see all of it or nothing.
type Batch struct {
	w    *Writer
	conn *sql.Conn
	tx   *sql.Tx
	// prepared once: what reads, by way of database/sql, and what changes
	stmts      map[string]*sql.Stmt
	statements map[string]*statement
	// urls whose figures must be recomputed before the commit
	staleURLs map[int64]bool
	// activity is what the batch added to and took from that table so far
	activity map[activityKey]int64
	rows     rowsOfIDs
	names    bool // a name changed that readers may have cached
	done     bool
}

// Begin starts a batch. Exactly one may be open at a time, until Commit or
// Rollback.
func (w *Writer) Begin(ctx context.Context) (*Batch, error) {
	conn, err := w.db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("begin batch: %w", err)
	}
	// A cancelled context must not end the transaction under statements that
	// would then run outside of it.
	tx, err := conn.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("begin batch: %w", err), conn.Close())
	}
	return &Batch{
		w: w, conn: conn, tx: tx, stmts: map[string]*sql.Stmt{}, statements: map[string]*statement{}, staleURLs: map[int64]bool{},
		activity: map[activityKey]int64{}, rows: rowsOfIDs{longest: map[int64]Block{}},
	}, nil
}

// Commit makes the batch durable and visible.
func (b *Batch) Commit(ctx context.Context) error {
	if err := b.refreshURLs(ctx); err != nil {
		return err
	}
	if err := b.saveActivity(ctx); err != nil {
		return err
	}
	if err := b.saveBlocks(ctx); err != nil {
		return err
	}
	if err := b.exec(ctx, setSetting, "next_message", b.w.nextMessage); err != nil {
		return fmt.Errorf("record message counter: %w", err)
	}
	if err := b.exec(ctx, setSetting, "next_attachment", b.w.nextAttachment); err != nil {
		return fmt.Errorf("record attachment counter: %w", err)
	}
	if err := b.exec(ctx, countUp, "changes"); err != nil {
		return fmt.Errorf("record change: %w", err)
	}
	if b.names {
		if err := b.exec(ctx, countUp, "names"); err != nil {
			return fmt.Errorf("record name change: %w", err)
		}
	}
	b.done = true
	err := b.tx.Commit()
	if err != nil {
		err = fmt.Errorf("commit batch: %w", err)
	}
	releaseErr := b.release()
	if err != nil {
		return errors.Join(err, releaseErr, b.w.forget(context.WithoutCancel(ctx)))
	}
	return releaseErr
}

// release gives the batch's connection back.
func (b *Batch) release() error {
	var errs []error
	for _, s := range b.statements {
		errs = append(errs, s.close())
	}
	return errors.Join(append(errs, b.conn.Close())...)
}

const setSetting = `INSERT INTO settings(key, value) VALUES(?, ?)
	ON CONFLICT(key) DO UPDATE SET value = excluded.value`

const countUp = `INSERT INTO settings(key, value) VALUES(?, 1)
	ON CONFLICT(key) DO UPDATE SET value = value + 1`

// Rollback undoes the batch; after Commit it does nothing.
func (b *Batch) Rollback(ctx context.Context) error {
	if b.done {
		return nil
	}
	b.done = true
	return errors.Join(b.tx.Rollback(), b.release(), b.w.forget(context.WithoutCancel(ctx)))
}

// stmt prepares a query once per batch.
func (b *Batch) stmt(ctx context.Context, query string) (*sql.Stmt, error) {
	if s := b.stmts[query]; s != nil {
		return s, nil
	}
	s, err := b.tx.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	b.stmts[query] = s
	return s, nil
}

// statement prepares a change once per batch.
func (b *Batch) statement(query string) (*statement, error) {
	if s := b.statements[query]; s != nil {
		return s, nil
	}
	s, err := prepareStatement(b.conn, query)
	if err != nil {
		return nil, err
	}
	b.statements[query] = s
	return s, nil
}

func (b *Batch) exec(ctx context.Context, query string, args ...any) error {
	s, err := b.statement(query)
	if err != nil {
		return err
	}
	return s.exec(ctx, args)
}

// Reader opens a reader beside the writer; the caller closes it.
func (w *Writer) Reader(ctx context.Context) (*Reader, error) {
	return OpenReader(ctx, filepath.Dir(w.path), ReaderOptions{WithWriter: true})
}
