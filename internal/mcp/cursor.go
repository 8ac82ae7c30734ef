package mcp

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// A cursor says where a list goes on. It is opaque to clients, names a place
// by its keys rather than by a count, and is bound to the arguments it was
// given for.
type cursor struct {
	Query string  `json:"q"`
	Sort  int64   `json:"s,omitempty"`
	ID    int64   `json:"i,omitempty"`
	Name  []byte  `json:"a,omitempty"` // bytes, since a name may be cut within a character
	Score float64 `json:"f,omitempty"`
	Seen  int     `json:"n,omitempty"` // how many were shown before, where that is not all there are
}

var errForeignCursor = errors.New("cursor belongs to another query or is damaged; leave it out to start from the beginning, and repeat all other arguments when you pass one")

// bind fingerprints what a cursor is valid for. The limit may differ from page
// to page.
func bind(tool string, arguments json.RawMessage) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(arguments, &fields) != nil {
		return ""
	}
	delete(fields, "cursor")
	delete(fields, "limit")
	canonical, err := json.Marshal(fields) // keys come out sorted
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(append([]byte(tool+"\n"), canonical...))
	return base64.RawURLEncoding.EncodeToString(sum[:9])
}

func (c cursor) encode() string {
	raw, err := json.Marshal(c)
	if err != nil {
		return "" // a struct of numbers and a string always encodes
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

// key is the place in a list ordered by time; nil for its beginning.
func (c *cursor) key() *store.Key {
	if c == nil {
		return nil
	}
	return &store.Key{Sort: c.Sort, ID: c.ID}
}

// decodeCursor reads a cursor given for the same query; nil when there is
// none.
func decodeCursor(text, query string) (*cursor, error) {
	if text == "" {
		return nil, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil, errForeignCursor
	}
	var c cursor
	if json.Unmarshal(raw, &c) != nil || c.Query != query {
		return nil, errForeignCursor
	}
	return &c, nil
}
