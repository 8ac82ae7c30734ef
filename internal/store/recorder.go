package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Recorder writes what is derived from messages and what people decide about
// them: the record of unsolicited contact, and who is who. It changes no
// message, so it needs no import lock: SQLite orders its short transactions
// among those of an import. It is safe for concurrent use.
type Recorder struct {
	db   *sql.DB
	path string
}

// OpenRecorder opens the archive in the data folder and upgrades its schema
// when it is old. Unlike OpenWriter it never makes an archive: a folder
// without one is ErrNoArchive.
func OpenRecorder(ctx context.Context, dir string) (*Recorder, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, &PathError{dir, err}
	}
	path := filepath.Join(dir, FileName)
	switch info, err := os.Stat(path); {
	case errors.Is(err, os.ErrNotExist), err == nil && info.Size() == 0:
		return nil, &PathError{path, ErrNoArchive}
	case err != nil:
		return nil, &PathError{path, err}
	}
	if err := refuseForeign(ctx, path); err != nil {
		return nil, err
	}
	db, err := openWriterDB(ctx, path)
	if err != nil {
		return nil, &PathError{path, err}
	}
	w := &Recorder{db: db, path: path}
	if err := migrate(ctx, db); err != nil {
		db.Close()
		return nil, &PathError{path, err}
	}
	return w, nil
}

// Close folds the write-ahead log into the archive, unless somebody reads it,
// and closes it.
func (w *Recorder) Close() error {
	var tidy error
	for _, statement := range []string{"PRAGMA busy_timeout = 200", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := w.db.Exec(statement); err != nil {
			tidy = fmt.Errorf("checkpoint archive: %w", err)
		}
	}
	if err := w.db.Close(); err != nil {
		return fmt.Errorf("close archive: %w", err)
	}
	return errors.Join(tidy, privatise(filepath.Dir(w.path)))
}

// Reader opens a reader beside the recorder; the caller closes it.
func (w *Recorder) Reader(ctx context.Context) (*Reader, error) {
	return OpenReader(ctx, filepath.Dir(w.path), ReaderOptions{WithWriter: true})
}

// entry is one transaction of a recorder; its statements are prepared once.
type entry struct {
	tx    *sql.Tx
	stmts map[string]*sql.Stmt
}

// transact runs do in a transaction of its own. what names it in errors.
func (w *Recorder) transact(ctx context.Context, what string, do func(*entry) error) error {
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	defer tx.Rollback()
	if err := do(&entry{tx, map[string]*sql.Stmt{}}); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

func (e *entry) stmt(ctx context.Context, query string) (*sql.Stmt, error) {
	if s := e.stmts[query]; s != nil {
		return s, nil
	}
	s, err := e.tx.PrepareContext(ctx, query)
	if err == nil {
		e.stmts[query] = s
	}
	return s, err
}

// run runs a statement that gives no rows.
func (e *entry) run(ctx context.Context, query string, args []any) (sql.Result, error) {
	s, err := e.stmt(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

// exec runs a statement and returns how many rows it changed.
func (e *entry) exec(ctx context.Context, query string, args ...any) (int64, error) {
	result, err := e.run(ctx, query, args)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// insert runs an INSERT and returns the new row's id.
func (e *entry) insert(ctx context.Context, query string, args ...any) (int64, error) {
	result, err := e.run(ctx, query, args)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// row reads the one row of a query; sql.ErrNoRows when there is none.
func (e *entry) row(ctx context.Context, query string, args []any, targets ...any) error {
	s, err := e.stmt(ctx, query)
	if err != nil {
		return err
	}
	return s.QueryRowContext(ctx, args...).Scan(targets...)
}

// texts reads a column of texts.
func (e *entry) texts(ctx context.Context, query string, args ...any) ([]string, error) {
	s, err := e.stmt(ctx, query)
	if err != nil {
		return nil, err
	}
	rows, err := s.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(row *sql.Rows) (text string, err error) { err = row.Scan(&text); return text, err })
}

// idOf returns the id that find gives, or that of the row insert makes; both
// take the same arguments.
func (e *entry) idOf(ctx context.Context, find, insert string, args ...any) (id int64, err error) {
	err = e.row(ctx, find, args, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return e.insert(ctx, insert, args...)
	}
	return id, err
}
