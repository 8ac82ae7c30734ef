package store

import (
	"fmt"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

func (s *shelf) hasHashIndex(t *testing.T) bool {
	t.Helper()
	var n int
	if err := s.w.db.QueryRowContext(t.Context(), `SELECT count(*) FROM sqlite_schema WHERE name = 'messages_hash'`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n == 1
}

// TestLoadWithoutHashIndex fills an archive without the index of hashes and
// makes it again in every way there is.
func TestLoadWithoutHashIndex(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		make func(t *testing.T, s *shelf, r *Record)
	}{
		{"at the end", func(t *testing.T, s *shelf, _ *Record) {
			if err := s.w.MakeHashIndex(t.Context()); err != nil {
				t.Fatal(err)
			}
		}},
		{"when a message is looked up", func(t *testing.T, s *shelf, r *Record) {
			write(t, s.w, func(b *Batch) error {
				kept, err := b.Lookup(t.Context(), []msg.Hash{r.Hash})
				if kept[r.Hash].ID != 1 {
					t.Errorf("looked up %+v, want message 1", kept)
				}
				return err
			})
		}},
		{"by the next writer", func(t *testing.T, s *shelf, _ *Record) { s.w = openWriter(t, s.w.dir()) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newShelf(t)
			schema := schemaText(t, s)
			r := s.record("first", 0)
			write(t, s.w, func(b *Batch) error {
				if err := b.GoWithoutHashIndex(t.Context()); err != nil {
					return err
				}
				_, err := b.Insert(t.Context(), []*Record{r, s.record("second", 0)})
				return err
			})
			if s.hasHashIndex(t) {
				t.Fatal("the index was not dropped")
			}
			if m := s.message(t, 1); m.Body != "first" {
				t.Errorf("a reader sees %+v meanwhile", m)
			}
			c.make(t, s, r)
			if got := schemaText(t, s); got != schema {
				t.Errorf("schema afterwards:\n%s\nwant:\n%s", got, schema)
			}
			var indexed int
			if err := s.w.db.QueryRowContext(t.Context(), `SELECT count(*) FROM messages INDEXED BY messages_hash
				WHERE substr(hash, 1, 5) = ?`, r.Hash[:hashKey]).Scan(&indexed); err != nil || indexed != 1 {
				t.Errorf("found %d messages by their hash, %v", indexed, err)
			}
			write(t, s.w, func(b *Batch) error { return b.GoWithoutHashIndex(t.Context()) })
			if !s.hasHashIndex(t) {
				t.Error("the index of an archive with messages was dropped")
			}
		})
	}
}

// TestUndoneLoad takes back the batch that dropped the index.
func TestUndoneLoad(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	b, err := s.w.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Rollback(t.Context())
	if err := b.GoWithoutHashIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !s.hasHashIndex(t) || s.w.unhashed {
		t.Errorf("after the rollback there is an index: %v; the writer thinks there is none: %v", s.hasHashIndex(t), s.w.unhashed)
	}
}

// schemaText lists what makes the schema, in no order of time.
func schemaText(t *testing.T, s *shelf) string {
	t.Helper()
	var text string
	if err := s.w.db.QueryRowContext(t.Context(), `SELECT group_concat(sql, ';' || char(10)) FROM (SELECT sql FROM sqlite_schema
		WHERE sql IS NOT NULL ORDER BY name)`).Scan(&text); err != nil {
		t.Fatal(fmt.Errorf("read schema: %w", err))
	}
	return text
}
