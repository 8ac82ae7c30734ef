// Package macaddressbook reads the databases in which macOS keeps its address
// book. It opens them so that not a byte beside or in them changes.
package macaddressbook

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver

	"github.com/msgbrowse/msgbrowse/internal/contacts"
)

// maxCards bounds what is read of one database; a larger one is none.
const maxCards = 1_000_000

// The tables, named by Core Data: an entry, and what belongs to it by ZOWNER.
const (
	selectEntries = `SELECT Z_PK, coalesce(ZFIRSTNAME, ''), coalesce(ZLASTNAME, ''), coalesce(ZNICKNAME, ''), coalesce(ZORGANIZATION, '')
		FROM ZABCDRECORD ORDER BY Z_PK LIMIT ?`
	selectPhones = `SELECT ZOWNER, coalesce(ZFULLNUMBER, '') FROM ZABCDPHONENUMBER WHERE ZOWNER IS NOT NULL ORDER BY Z_PK LIMIT ?`
	selectEmails = `SELECT ZOWNER, coalesce(ZADDRESS, '') FROM ZABCDEMAILADDRESS WHERE ZOWNER IS NOT NULL ORDER BY Z_PK LIMIT ?`
)

// Read returns the cards of one AddressBook-v22.abcddb. When the system
// refuses to show the file, the error is a fs.ErrPermission with its path.
func Read(ctx context.Context, path string) ([]contacts.Card, error) {
	// SQLite words a refusal without its cause, so the file is opened first.
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	address, err := dsn(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", address)
	if err != nil {
		return nil, fmt.Errorf("open address book: %w", err)
	}
	defer db.Close()
	cards, err := read(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("read address book: %w", err)
	}
	return cards, nil
}

// dsn opens the file read-only: with its write-ahead log where Contacts keeps
// the log's index ready, else as a file that nobody changes.
func dsn(path string) (string, error) {
	params := url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(2000)", "query_only(1)", "trusted_schema(0)"}}
	log, err := os.Stat(path + "-wal")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	_, err = os.Stat(path + "-shm")
	if log != nil && log.Size() > 32 && err == nil {
		params.Set("readonly_shm", "1")
	} else {
		params.Set("immutable", "1")
	}
	escaped := (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()
	if !strings.HasPrefix(escaped, "/") { // a Windows drive
		escaped = "/" + escaped
	}
	return "file:" + escaped + "?" + params.Encode(), nil
}

func read(ctx context.Context, db *sql.DB) ([]contacts.Card, error) {
	var cards []contacts.Card
	at := map[int64]int{} // place in cards by Z_PK
	err := each(ctx, db, selectEntries, func(rows *sql.Rows) error {
		var id int64
		var first, last, nickname, organisation string
		if err := rows.Scan(&id, &first, &last, &nickname, &organisation); err != nil {
			return err
		}
		at[id] = len(cards)
		card := contacts.Card{Provider: contacts.ProviderMacOS}
		for _, name := range []string{strings.TrimSpace(first + " " + last), nickname, organisation} {
			if name = strings.TrimSpace(name); name != "" {
				card.Names = append(card.Names, name)
			}
		}
		cards = append(cards, card)
		return nil
	})
	if err != nil {
		return nil, err
	}
	belongings := []struct {
		query string
		list  func(*contacts.Card) *[]string
	}{
		{selectPhones, func(c *contacts.Card) *[]string { return &c.Phones }},
		{selectEmails, func(c *contacts.Card) *[]string { return &c.Emails }},
	}
	for _, of := range belongings {
		err := each(ctx, db, of.query, func(rows *sql.Rows) error {
			var owner int64
			var text string
			if err := rows.Scan(&owner, &text); err != nil {
				return err
			}
			if i, ok := at[owner]; ok && text != "" {
				list := of.list(&cards[i])
				*list = append(*list, text)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	// Groups and the book itself are entries without any of these.
	kept := cards[:0]
	for _, c := range cards {
		if len(c.Names)+len(c.Phones)+len(c.Emails) > 0 {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

func each(ctx context.Context, db *sql.DB, query string, row func(*sql.Rows) error) error {
	rows, err := db.QueryContext(ctx, query, maxCards)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
