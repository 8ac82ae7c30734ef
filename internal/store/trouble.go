package store

import (
	"context"
	"database/sql"
	"errors"
	"syscall"

	"modernc.org/sqlite"
)

// Trouble is what keeps an archive that is there from being used.
type Trouble string

// The troubles; the zero value is none that is known.
const (
	Damaged    Trouble = "damaged"      // the file is no database, or its pages contradict each other
	DiskFull   Trouble = "disk full"    // there is no room for what is to be written
	Unwritable Trouble = "not writable" // the file, its folder or the disk is read-only
	Busy       Trouble = "busy"         // another program has been writing for too long
)

// SQLite's primary result codes, https://www.sqlite.org/rescode.html.
var troubles = map[int]Trouble{5: Busy, 8: Unwritable, 11: Damaged, 13: DiskFull, 26: Damaged}

// TroubleOf tells which trouble an error speaks of.
func TroubleOf(err error) Trouble {
	var failed *sqlite.Error
	switch {
	case errors.As(err, &failed):
		return troubles[failed.Code()&0xFF]
	case errors.Is(err, syscall.ENOSPC):
		return DiskFull
	}
	return ""
}

// foreign tells whether the tables of a database are not those of an archive.
func foreign(ctx context.Context, query querier) (bool, error) {
	rows, err := query(ctx, `SELECT count(*), count(*) FILTER (WHERE name IN ('roots', 'imports', 'messages'))
		FROM sqlite_schema WHERE type = 'table'`)
	if err != nil {
		return false, err
	}
	found, err := collect(rows, func(row *sql.Rows) (tables [2]int, err error) {
		return tables, row.Scan(&tables[0], &tables[1])
	})
	return err == nil && found[0][0] > 0 && found[0][1] < 3, err
}

// refuseForeign returns ErrForeign for another program's database, before
// anything in it is changed. What cannot be read is left to the writer.
func refuseForeign(ctx context.Context, path string) error {
	c, err := openConnections(path, true, 1)
	if err != nil {
		return nil
	}
	defer c.close()
	if other, err := foreign(ctx, c.query); err == nil && other {
		return &PathError{path, ErrForeign}
	}
	return nil
}
