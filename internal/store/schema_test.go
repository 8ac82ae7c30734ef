package store

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the fixture of the newest schema")

// newest returns the number of the newest schema and its fixture's name.
func newest(t *testing.T) (int, string) {
	t.Helper()
	scripts, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	return len(scripts), fmt.Sprintf("testdata/schema/%04d.sql", len(scripts))
}

// schemaOf dumps the schema of an archive in the order it was made, so that
// the dump makes it again.
func schemaOf(t *testing.T, dir string) string {
	t.Helper()
	w := openWriter(t, dir)
	rows, err := w.db.QueryContext(t.Context(), `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
		AND name NOT LIKE 'fts\_%' ESCAPE '\' ORDER BY rowid`)
	if err != nil {
		t.Fatal(err)
	}
	statements, err := collect(rows, func(row *sql.Rows) (s string, err error) { err = row.Scan(&s); return s, err })
	if err != nil {
		t.Fatal(err)
	}
	version, err := schemaVersion(t.Context(), w.db.QueryContext)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(statements, ";\n") + fmt.Sprintf(";\nPRAGMA user_version = %d;\n", version)
}

// TestFreshSchema compares the schema that the migrations make with the one
// that was released under its number. A released fixture is never rewritten:
// a change of schema is a new migration.
func TestFreshSchema(t *testing.T) {
	t.Parallel()
	_, name := newest(t)
	got := schemaOf(t, t.TempDir())
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("schema (-%s +fresh):\n%s", name, diff)
	}
}

// TestReleasedSchemas makes an archive of every schema there has been, puts a
// message into it and brings it to the newest one.
func TestReleasedSchemas(t *testing.T) {
	t.Parallel()
	last, newestName := newest(t)
	names, err := filepath.Glob("testdata/schema/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) != last || names[last-1] != newestName {
		t.Fatalf("fixtures %q, want one for each of %d schemas", names, last)
	}
	want, err := os.ReadFile(newestName)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			script, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			makeArchive(t, dir, string(script))
			got := schemaOf(t, dir)
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("migrated schema (-want +got):\n%s", diff)
			}
			r := openReader(t, dir, ReaderOptions{WithWriter: true})
			m, err := r.Message(t.Context(), 7)
			if err != nil {
				t.Fatal(err)
			}
			if m.Body != "Bring the ladder" || m.Conversation != "Garden club" || m.Sender != "Ana" {
				t.Errorf("message after migration: %+v", m)
			}
			ids, err := r.Matches(t.Context(), MatchQuery{Expression: "ladder", Limit: 5})
			if err != nil || len(ids) != 1 || ids[0] != 7 {
				t.Errorf("found %v, %v, want message 7", ids, err)
			}
		})
	}
}

// makeArchive makes an archive of an old schema with one message, as the
// first version wrote it.
func makeArchive(t *testing.T, dir, script string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range []string{
		"PRAGMA journal_mode = WAL", script,
		`INSERT INTO roots(id, path, added_at) VALUES(1, '/exports', 5)`,
		`INSERT INTO imports(id, started_at, status, pid, version) VALUES(1, 5, 'done', 1, 'v0')`,
		`INSERT INTO files(id, root_id, path, source, format, size, mtime, import_id) VALUES(1, 1, '/exports/chat.md', 'signal', 'f', 1, 1, 1)`,
		`INSERT INTO people(id, name) VALUES(1, 'Ana')`,
		`INSERT INTO handles(id, source, native, normal, kind, name, person_id) VALUES(1, 'signal', 'Ana', 'ana', 0, 'Ana', 1)`,
		`INSERT INTO conversations(id, source, key, name, kind, messages, first_ts, last_ts) VALUES(1, 'signal', 'garden', 'Garden club', 1, 1, 9, 9)`,
		`INSERT INTO messages(id, hash, conversation_id, sender_id, direction, ts, traits, body, file_id, import_id, line, offset, digest)
			VALUES(7, x'00112233445566778899aabbccddeeff', 1, 1, 1, 9, 256, 'Bring the ladder', 1, 1, 1, 0, 0)`,
		`INSERT INTO fts(rowid, words) VALUES(7, 'bring the ladder')`,
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func TestWriterUpgradesOldSchema(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	// A database of version 0, as a first import leaves it that was cut off.
	if _, err := db.ExecContext(t.Context(), "PRAGMA journal_mode = WAL; CREATE TABLE fleeting(x); DROP TABLE fleeting; PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReader(t.Context(), dir, ReaderOptions{}); !errors.Is(err, ErrOldSchema) {
		t.Errorf("reader: error %v, want %v", err, ErrOldSchema)
	}
	openWriter(t, dir)
	openReader(t, dir, ReaderOptions{WithWriter: true})
}

func TestNewSchemaIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	setSchemaVersion(t, dir, 1000)
	before, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	_, err = OpenWriter(t.Context(), dir)
	if !errors.Is(err, ErrNewSchema) || !strings.Contains(err.Error(), filepath.Join(dir, FileName)) {
		t.Errorf("error %v, want %v with the path", err, ErrNewSchema)
	}
	after, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	if string(before) != string(after) {
		t.Error("the archive of a newer version was changed")
	}
}

// TestMigrationFailsWhole cuts a migration short: neither its first half nor
// its number may stay.
func TestMigrationFailsWhole(t *testing.T) {
	t.Parallel()
	w := openWriter(t, t.TempDir())
	last, _ := newest(t)
	err := runMigration(t.Context(), w.db, last+1, "CREATE TABLE half(x); CREATE TABLE messages(y);")
	if err == nil {
		t.Fatal("a migration that repeats a table succeeded")
	}
	version, err := schemaVersion(t.Context(), w.db.QueryContext)
	if err != nil || version != last {
		t.Errorf("version %d, %v, want %d", version, err, last)
	}
	if _, err := w.db.ExecContext(t.Context(), "SELECT 1 FROM half"); err == nil {
		t.Error("half of the migration stayed")
	}
}
