package macaddressbook

import (
	"crypto/sha256"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/contacts"
	"github.com/msgbrowse/msgbrowse/internal/unprivileged"
)

// schema is the part of Contacts' schema that matters, with its Core Data
// names and some columns that are not read.
const schema = `
CREATE TABLE ZABCDRECORD (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCREATIONDATE TIMESTAMP, ZFIRSTNAME VARCHAR, ZLASTNAME VARCHAR,
	ZMIDDLENAME VARCHAR, ZNICKNAME VARCHAR, ZORGANIZATION VARCHAR, ZUNIQUEID VARCHAR, ZTHUMBNAILIMAGEDATA BLOB);
CREATE TABLE ZABCDPHONENUMBER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZOWNER INTEGER, ZISPRIMARY INTEGER, ZFULLNUMBER VARCHAR, ZLABEL VARCHAR, ZLASTFOURDIGITS VARCHAR);
CREATE TABLE ZABCDEMAILADDRESS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZOWNER INTEGER, ZADDRESS VARCHAR, ZADDRESSNORMALIZED VARCHAR, ZLABEL VARCHAR);
INSERT INTO ZABCDRECORD(Z_PK, Z_ENT, ZFIRSTNAME, ZLASTNAME, ZNICKNAME, ZORGANIZATION) VALUES
	(1, 22, 'Ana', 'Moreno', 'Nan', NULL), (2, 22, NULL, NULL, NULL, 'Acme'), (3, 20, NULL, NULL, NULL, NULL), (4, 22, 'Bo', NULL, NULL, NULL);
INSERT INTO ZABCDPHONENUMBER(ZOWNER, ZFULLNUMBER) VALUES (1, '(212) 555-0142'), (1, '+1 646 555 0102'), (2, '26297'), (NULL, '+1 999'), (9, '+1 888'), (4, NULL);
INSERT INTO ZABCDEMAILADDRESS(ZOWNER, ZADDRESS) VALUES (1, 'ana@example.org');`

var want = []contacts.Card{
	{Provider: "macos", Names: []string{"Ana Moreno", "Nan"}, Phones: []string{"(212) 555-0142", "+1 646 555 0102"}, Emails: []string{"ana@example.org"}},
	{Provider: "macos", Names: []string{"Acme"}, Phones: []string{"26297"}},
	{Provider: "macos", Names: []string{"Bo"}},
}

// database makes an address book; it stays open until the test ends, as
// Contacts keeps it.
func database(t *testing.T, statements ...string) (path string, db *sql.DB) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "with space ?", "AddressBook-v22.abcddb")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path2dsn(path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	return path, db
}

func path2dsn(path string) string {
	return "file:" + strings.NewReplacer("?", "%3f", " ", "%20").Replace(path)
}

// files tells everything about the folder of a database.
func files(t *testing.T, path string) map[string][32]byte {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][32]byte{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(path), e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = sha256.Sum256(text)
	}
	return all
}

// elsewhere copies the folder of a database as it is: connections of one
// process share the index of a log, which those of two do not.
func elsewhere(t *testing.T, path string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(dir, os.DirFS(filepath.Dir(path))); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, filepath.Base(path))
}

func TestRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		statements []string
		closed     bool
	}{
		{"rollback journal", []string{schema}, false},
		{"everything in the log", []string{"PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0", schema}, false},
		{"log folded in", []string{"PRAGMA journal_mode = WAL", schema}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path, db := database(t, tt.statements...)
			if tt.closed {
				if err := db.Close(); err != nil {
					t.Fatal(err)
				}
			} else {
				path = elsewhere(t, path)
			}
			before := files(t, path)
			got, err := Read(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("cards (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, files(t, path)); diff != "" {
				t.Errorf("reading changed the folder (-before +after):\n%s", diff)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	other, _ := database(t, "CREATE TABLE x(y)")
	junk := filepath.Join(t.TempDir(), "junk")
	if err := os.WriteFile(junk, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, path, want string }{
		{"another database", other, "no such table"},
		{"no database", junk, "not a database"},
		{"no file", junk + "x", "no such file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := Read(t.Context(), tt.path); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestReadRefused(t *testing.T) {
	t.Parallel()
	path, db := database(t, schema)
	db.Close()
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	unprivileged.Run(t, func() {
		if _, err := Read(t.Context(), path); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("error %v, want %v", err, fs.ErrPermission)
		}
	})
}
