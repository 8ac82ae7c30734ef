package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// forgotten begins the settings that mark roots, each with the root's id.
const forgotten = "forgotten_root_"

// ForgetRoot has imports no longer look at a root by themselves, or look at it
// again. What came from there stays. A root that is not there is ErrNotFound.
func (w *Recorder) ForgetRoot(ctx context.Context, id int64, forget bool) error {
	return w.transact(ctx, "forget root", func(e *entry) error {
		var known bool
		if err := e.row(ctx, `SELECT EXISTS (SELECT 1 FROM roots WHERE id = ?)`, []any{id}, &known); err != nil {
			return err
		}
		if !known {
			return ErrNotFound
		}
		change := `DELETE FROM settings WHERE key = '` + forgotten + `' || ?`
		if forget {
			change = `INSERT OR IGNORE INTO settings(key, value) VALUES('` + forgotten + `' || ?, 1)`
		}
		_, err := e.exec(ctx, change, id)
		return err
	})
}

// RootSummary says what the files of one format under a root gave.
type RootSummary struct {
	Root
	Source                         msg.Source
	Format                         string
	Files, Conversations, Messages int64
	// ReadAt is when the import began that last read one of them; zero when
	// none did.
	ReadAt time.Time
}

// RootSummaries lists the roots, once for every format found there.
func (r *Reader) RootSummaries(ctx context.Context) ([]RootSummary, error) {
	summed, err := r.whole.roots.get(ctx, r, r.sumRoots)
	if err != nil {
		return nil, fmt.Errorf("sum up roots: %w", err)
	}
	all, err := r.Roots(ctx) // what people say of them is no change of the archive
	if err != nil {
		return nil, err
	}
	list := slices.Clone(summed)
	for i := range list {
		if at := slices.IndexFunc(all, func(root Root) bool { return root.ID == list[i].ID }); at >= 0 {
			list[i].Root = all[at]
		}
	}
	return list, nil
}

// sumRoots sums up what the files under every root gave. Of a root it fills in
// the id alone.
func (r *Reader) sumRoots(ctx context.Context) ([]RootSummary, error) {
	rows, err := r.query(ctx, `SELECT f.root_id, f.source, f.format, count(DISTINCT f.id), count(DISTINCT c.conversation_id), coalesce(sum(c.messages), 0),
		max(i.started_at) FROM files f LEFT JOIN file_conversations c ON c.file_id = f.id LEFT JOIN imports i ON i.id = f.import_id
		GROUP BY f.root_id, f.source, f.format ORDER BY f.root_id, f.source, f.format`)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(row *sql.Rows) (RootSummary, error) {
		var s RootSummary
		var read sql.NullInt64
		err := row.Scan(&s.ID, &s.Source, &s.Format, &s.Files, &s.Conversations, &s.Messages, &read)
		if read.Valid {
			s.ReadAt = time.UnixMicro(read.Int64).UTC()
		}
		return s, err
	})
}
