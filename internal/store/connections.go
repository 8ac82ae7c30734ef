package store

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"sync"
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
	// thawed is what read it so before a writer came.
	frozen bool
	thawed *sql.DB

	// observe, if set, sees every statement before it runs.
	observe func(text string, args []any)
}

// querier runs a query on a reader's connections or a writer's.
type querier func(ctx context.Context, text string, args ...any) (*sql.Rows, error)

// openConnections opens the archive's file for reading.
//
// SQLite readers agree with writers by way of the write-ahead log's index, a
// file that writers leave in place. Without withWriter it is mapped
// read-only. Where there is none, neither log nor writer was there since the
// file came: it is read as it is, until an index appears. Only a log without
// its index, half of a copy, makes SQLite build one.
func openConnections(path string, withWriter bool, limit int) (*connections, error) {
	c := &connections{path: path, limit: limit, stmts: map[string]*sql.Stmt{}}
	params := url.Values{}
	switch indexed, err := exists(path + "-shm"); {
	case err != nil:
		return nil, err
	case withWriter:
	case indexed:
		params.Set("readonly_shm", "1")
	default:
		info, err := os.Stat(path + "-wal")
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		if c.frozen = err != nil || info.Size() == 0; c.frozen {
			params.Set("immutable", "1")
		}
	}
	var err error
	c.db, err = c.open(params)
	return c, err
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

func exists(path string) (bool, error) {
	_, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (c *connections) close() error {
	c.guard.Lock()
	defer c.guard.Unlock()
	err := c.db.Close()
	if c.thawed != nil {
		err = errors.Join(err, c.thawed.Close())
	}
	return err
}

// thaw turns to the archive as one that is written to, once a writer's index
// lies beside it. What runs already goes on with the file as it was.
func (c *connections) thaw() error {
	indexed, err := exists(c.path + "-shm")
	if err != nil || !indexed {
		return err
	}
	db, err := c.open(url.Values{"readonly_shm": {"1"}})
	if err != nil {
		return err
	}
	c.db, c.thawed, c.frozen = db, c.db, false
	c.stmts = map[string]*sql.Stmt{}
	return nil
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
