// Package store keeps the archive in one SQLite file. It owns the schema,
// every SQL statement and nothing else: formats, ranking and wording live
// elsewhere. A Reader has no method that writes; a Writer is held by one
// process at a time.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
)

// FileName is the archive's name inside the data folder.
const FileName = "msgbrowse.db"

// Modes of everything the archive puts on disk: messages are for their owner.
const (
	FileMode os.FileMode = 0o600
	DirMode  os.FileMode = 0o700
)

var (
	// ErrNoArchive is returned when a data folder holds no archive.
	ErrNoArchive = errors.New("no archive")
	// ErrOldSchema is returned to readers of an archive that a writer must
	// upgrade first.
	ErrOldSchema = errors.New("archive was made by an older version")
	// ErrNewSchema is returned for an archive made by a newer version.
	ErrNewSchema = errors.New("archive was made by a newer version")
	// ErrForeign is returned for a database that another program made.
	ErrForeign = errors.New("the database of another program")
	// ErrNotFound is returned when an id or hash names nothing.
	ErrNotFound = errors.New("not found")
	// ErrAmbiguous is returned when a hash prefix names several messages.
	ErrAmbiguous = errors.New("ambiguous")
)

// PathError tells which archive an error is about.
type PathError struct {
	Path string
	Err  error
}

func (e *PathError) Error() string { return e.Err.Error() + ": " + e.Path }

func (e *PathError) Unwrap() error { return e.Err }

// dsn builds a connection string; pragmas run on every new connection.
func dsn(path string, params url.Values) string {
	escaped := (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()
	if !strings.HasPrefix(escaped, "/") { // a Windows drive
		escaped = "/" + escaped
	}
	return "file:" + escaped + "?" + params.Encode()
}

// writerPragmas favour bulk loading: a 24 MiB page cache, no sync per commit.
// In WAL mode synchronous=NORMAL keeps every commit or loses the last ones
// whole on power loss; it never tears one.
var writerPragmas = []string{
	"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)",
	"cache_size(-24576)", "temp_store(MEMORY)", "wal_autocheckpoint(8000)",
}

var readerPragmas = []string{
	"busy_timeout(5000)", "query_only(1)", "cache_size(-16384)", "temp_store(MEMORY)",
}

func openWriterDB(ctx context.Context, path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", dsn(path, url.Values{"_pragma": writerPragmas, "_txlock": {"immediate"}}))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err != nil {
		db.Close()
		return nil, err
	}
	defer conn.Close()
	// Readers map the WAL index read-only and cannot make one, so it stays
	// beside the archive when the last writer goes.
	err = conn.Raw(func(driver any) error {
		control, ok := driver.(sqlite.FileControl)
		if !ok {
			return errors.New("the SQLite driver offers no file control")
		}
		_, err := control.FileControlPersistWAL("main", 1)
		return err
	})
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("keep write-ahead log: %w", err)
	}
	return db, nil
}

// privatise makes sure the data folder and the archive's files are the
// owner's alone, also when an older umask or a copy made them wider.
func privatise(dir string) error {
	if err := os.MkdirAll(dir, DirMode); err != nil {
		return fmt.Errorf("create data folder: %w", err)
	}
	if err := os.Chmod(dir, DirMode); err != nil {
		return fmt.Errorf("protect data folder: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(dir, FileName), os.O_RDWR|os.O_CREATE, FileMode)
	if err != nil {
		return fmt.Errorf("create archive: %w", err)
	}
	if err := file.Close(); err != nil {
		return err
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		err := os.Chmod(filepath.Join(dir, FileName+suffix), FileMode)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("protect archive: %w", err)
		}
	}
	return nil
}
