package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrations returns the SQL of every migration in order; migration n takes
// the schema from version n-1 to n. Released ones are never edited.
func migrations() ([]string, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql") // sorted
	if err != nil {
		return nil, err
	}
	scripts := make([]string, len(names))
	for i, name := range names {
		if want := fmt.Sprintf("%04d_", i+1); path.Base(name)[:5] != want {
			return nil, fmt.Errorf("migration %s: expected number %s", name, want)
		}
		text, err := fs.ReadFile(migrationFiles, name)
		if err != nil {
			return nil, err
		}
		scripts[i] = string(text)
	}
	return scripts, nil
}

func schemaVersion(ctx context.Context, query querier) (int, error) {
	rows, err := query(ctx, "PRAGMA user_version")
	if err != nil {
		return 0, err
	}
	versions, err := collect(rows, func(row *sql.Rows) (version int, err error) { err = row.Scan(&version); return version, err })
	if err != nil {
		return 0, err
	}
	return versions[0], nil
}

// migrate brings the schema to the newest version, each step in a
// transaction of its own together with its number.
func migrate(ctx context.Context, db *sql.DB) error {
	scripts, err := migrations()
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, db.QueryContext)
	if err != nil {
		return err
	}
	if version > len(scripts) {
		return ErrNewSchema
	}
	for n := version + 1; n <= len(scripts); n++ {
		if err := runMigration(ctx, db, n, scripts[n-1]); err != nil {
			return fmt.Errorf("migrate schema to version %d: %w", n, err)
		}
	}
	return nil
}

func runMigration(ctx context.Context, db *sql.DB, n int, script string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, script); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", n)); err != nil {
		return err
	}
	return tx.Commit()
}

// checkSchema refuses an archive of another version than this program's.
func checkSchema(ctx context.Context, query querier) error {
	scripts, err := migrations()
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, query)
	if err != nil || version == len(scripts) {
		return err
	}
	other, err := foreign(ctx, query)
	switch {
	case err != nil:
		return err
	case other:
		return ErrForeign
	case version > len(scripts):
		return ErrNewSchema
	}
	return ErrOldSchema
}
