package store

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"sync"
	"time"

	"modernc.org/sqlite"
)

// connections are a reader's way to the archive's file. They keep statements
// that are prepared once.
type connections struct {
	path  string
	limit int

	guard sync.Mutex
	db    *sql.DB
	stmts map[string]*sql.Stmt
	// frozen is set while the archive is read as a file that nobody changes,
	// with the log as it was found. retired are the pools that read it so
	// before a writer came.
	frozen  bool
	log     logState
	retired []*sql.DB

	// observe, if set, sees every statement before it runs.
	observe func(text string, args []any)
}

// querier runs a query on a reader's connections or a writer's.
type querier func(ctx context.Context, text string, args ...any) (*sql.Rows, error)

// openConnections opens the archive's file for reading.
func openConnections(path string, withWriter bool, limit int) (*connections, error) {
	c := &connections{path: path, limit: limit, stmts: map[string]*sql.Stmt{}}
	var err error
	if withWriter {
		c.db, err = c.open(url.Values{})
		return c, err
	}
	if c.log, err = lookAtLog(path); err != nil {
		return nil, err
	}
	return c, c.openBeside(c.log)
}

// logState is what can be seen of a write-ahead log and its index.
type logState struct {
	indexed  bool
	size     int64 // bytes, 0 when there is none
	modified time.Time
}

func lookAtLog(path string) (s logState, err error) {
	switch _, err := os.Stat(path + "-shm"); {
	case err == nil:
		s.indexed = true
	case !errors.Is(err, os.ErrNotExist):
		return s, err
	}
	switch info, err := os.Stat(path + "-wal"); {
	case err == nil:
		s.size, s.modified = info.Size(), info.ModTime()
	case !errors.Is(err, os.ErrNotExist):
		return s, err
	default:
		s.indexed = false // an index of nothing
	}
	return s, nil
}

// logHeader is the size of a log that holds nothing yet.
const logHeader = 32

// openBeside opens the archive's file beside its log. Readers agree with
// writers by way of the log's index, a file that writers leave in place and
// readers map read-only. What cannot be read so is read as a file that nobody
// changes, until its log is another: an archive without log and index, a copy
// then, and one whose writer was killed when it had begun the log with
// nothing but its header, which SQLite cannot read without writing. Only a log
// without its index, half of a copy, makes SQLite build one.
func (c *connections) openBeside(log logState) (err error) {
	params := url.Values{}
	c.log, c.frozen = log, false
	switch {
	case log.size == logHeader, log.size == 0 && !log.indexed:
		c.frozen = true
		params.Set("immutable", "1")
	case log.indexed:
		params.Set("readonly_shm", "1")
	}
	c.db, err = c.open(params)
	return err
}

func (c *connections) open(params url.Values) (*sql.DB, error) {
	params.Set("mode", "ro")
	params["_pragma"] = readerPragmas
	db, err := sql.Open("sqlite", dsn(c.path, params))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(c.limit)
	db.SetMaxIdleConns(c.limit)
	return db, nil
}

func (c *connections) close() error {
	c.guard.Lock()
	defer c.guard.Unlock()
	err := c.db.Close()
	for _, db := range c.retired {
		err = errors.Join(err, db.Close())
	}
	return err
}

// thaw opens the archive anew when its log is no longer what it was. What
// runs already goes on with the file as it was.
func (c *connections) thaw() error {
	log, err := lookAtLog(c.path)
	if err != nil || log == c.log {
		return err
	}
	c.retired = append(c.retired, c.db)
	c.stmts = map[string]*sql.Stmt{}
	return c.openBeside(log)
}

// keptStatements bounds the statements kept; texts vary only in how many
// conditions and placeholders they have. Further texts are prepared each
// time.
const keptStatements = 256

// prepare returns the statement kept for a text, or the pool to run it on.
func (c *connections) prepare(ctx context.Context, text string, args []any) (*sql.Stmt, *sql.DB, error) {
	if c.observe != nil {
		c.observe(text, args)
	}
	c.guard.Lock()
	if c.frozen {
		if err := c.thaw(); err != nil {
			c.guard.Unlock()
			return nil, nil, err
		}
	}
	db, s, full := c.db, c.stmts[text], len(c.stmts) >= keptStatements
	c.guard.Unlock()
	if s != nil || full {
		return s, db, nil
	}
	s, err := db.PrepareContext(ctx, text)
	if err != nil {
		return nil, nil, err
	}
	c.guard.Lock()
	defer c.guard.Unlock()
	switch kept := c.stmts[text]; {
	case kept != nil:
		s.Close()
		return kept, c.db, nil
	case db != c.db || len(c.stmts) >= keptStatements:
		s.Close()
		return nil, c.db, nil
	}
	c.stmts[text] = s
	return s, db, nil
}

func (c *connections) query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	rows, err := c.queryOnce(ctx, text, args...)
	for range settleTries {
		if !unsettled(err) {
			break
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(settleTime):
		}
		rows, err = c.queryOnce(ctx, text, args...)
	}
	return rows, err
}

// A writer that commits, or starts its log anew, leaves the log's index
// unusable for a moment to those who may not repair it. The writer's process
// may have to wait for its turn meanwhile.
const (
	settleTime  = 5 * time.Millisecond
	settleTries = 400
)

// What SQLite says then: SQLITE_READONLY_RECOVERY when the index is half
// written, SQLITE_READONLY_CANTINIT when it is not initialised.
const (
	readonlyRecovery = 8 | 1<<8
	readonlyCantInit = 8 | 5<<8
)

func unsettled(err error) bool {
	var failed *sqlite.Error
	return errors.As(err, &failed) && (failed.Code() == readonlyRecovery || failed.Code() == readonlyCantInit)
}

func (c *connections) queryOnce(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	s, db, err := c.prepare(ctx, text, args)
	switch {
	case err != nil:
		return nil, err
	case s == nil:
		return db.QueryContext(ctx, text, args...)
	}
	return s.QueryContext(ctx, args...)
}

// row reads the one row of a statement into targets. It returns
// sql.ErrNoRows when there is none.
func (c *connections) row(ctx context.Context, text string, args []any, targets ...any) error {
	rows, err := c.query(ctx, text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return err
		}
		return sql.ErrNoRows
	}
	return errors.Join(rows.Scan(targets...), rows.Close())
}
