package main

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"

	_ "modernc.org/sqlite"
	_ "modernc.org/sqlite/vec"

	"github.com/msgbrowse/msgbrowse/internal/vector/vectortest"
)

// sqlite is a table of SQLite's vector extension.
type sqlite struct {
	db   *sql.DB
	rows int
}

func newSQLite(ctx context.Context, dir string, rows int, s *vectortest.Clusters) (*sqlite, error) {
	db, err := sql.Open("sqlite", filepath.Join(dir, "vec.db")+"?_pragma=journal_mode(wal)&_pragma=cache_size(-400000)&_pragma=mmap_size(1000000000)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, fmt.Sprintf("create virtual table v using vec0(embedding float[%d] distance_metric=cosine)", s.Dims())); err != nil {
		return nil, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	insert, err := tx.PrepareContext(ctx, "insert into v (rowid, embedding) values (?, ?)")
	if err != nil {
		return nil, err
	}
	for i := range rows {
		if _, err := insert.ExecContext(ctx, i+1, blob(s.Next())); err != nil {
			return nil, err
		}
	}
	return &sqlite{db, rows}, tx.Commit()
}

func blob(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func (q *sqlite) search(ctx context.Context, vec []float32, k int) error {
	rows, err := q.db.QueryContext(ctx, "select rowid, distance from v where embedding match ? and k = ?", blob(vec), k)
	if err != nil {
		return err
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		var id int
		var distance float64
		if err := rows.Scan(&id, &distance); err != nil {
			return err
		}
		n++
	}
	if n != k {
		return fmt.Errorf("SQLite found %d, want %d (%v)", n, k, rows.Err())
	}
	return rows.Err()
}
