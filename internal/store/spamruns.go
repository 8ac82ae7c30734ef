package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

const runColumns = `id, started_at, heartbeat_at, finished_at, pid, version, ruleset, env, reset, only_thread, counters, error`

func scanRun(row interface{ Scan(...any) error }) (record.Run, error) {
	var run record.Run
	var started, beat int64
	var finished sql.NullInt64
	var counters string
	err := row.Scan(&run.ID, &started, &beat, &finished, &run.PID, &run.Version, &run.Ruleset, &run.Env, &run.Reset, &run.Only, &counters, &run.Error)
	if err != nil {
		return run, err
	}
	run.StartedAt, run.HeartbeatAt = time.UnixMicro(started).UTC(), time.UnixMicro(beat).UTC()
	if finished.Valid {
		run.FinishedAt = time.UnixMicro(finished.Int64).UTC()
	}
	if err := json.Unmarshal([]byte(counters), &run.Counters); err != nil {
		return run, fmt.Errorf("decode counters: %w", err)
	}
	return run, nil
}

// SpamRuns lists the newest scans first, at most limit of them.
func (r *Reader) SpamRuns(ctx context.Context, limit int) ([]record.Run, error) {
	return r.spamRuns(ctx, `SELECT `+runColumns+` FROM spam_runs ORDER BY id DESC LIMIT ?`, limit)
}

func (r *Reader) spamRuns(ctx context.Context, text string, args ...any) ([]record.Run, error) {
	rows, err := r.query(ctx, text, args...)
	if err != nil {
		return nil, fmt.Errorf("list scans: %w", err)
	}
	return collect(rows, func(row *sql.Rows) (record.Run, error) { return scanRun(row) })
}

// BeginSpamRun records the start of a scan and returns its id. When another
// one is running at run.StartedAt, it writes nothing and returns a
// *record.RunningError.
func (w *Recorder) BeginSpamRun(ctx context.Context, run record.Run) (id int64, err error) {
	counters, err := json.Marshal(run.Counters)
	if err != nil {
		return 0, err
	}
	err = w.transact(ctx, "begin scan", func(e *entry) error {
		other, err := scanRun(e.tx.QueryRowContext(ctx, `SELECT `+runColumns+` FROM spam_runs
			WHERE finished_at IS NULL AND heartbeat_at >= ? ORDER BY heartbeat_at DESC LIMIT 1`, run.StartedAt.Add(-record.StaleAfter).UnixMicro()))
		switch {
		case err == nil:
			return &record.RunningError{Run: other}
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
		at := run.StartedAt.UnixMicro()
		id, err = e.insert(ctx, `INSERT INTO spam_runs(started_at, heartbeat_at, pid, version, ruleset, env, reset, only_thread, counters)
			VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)`, at, at, run.PID, run.Version, run.Ruleset, string(run.Env), run.Reset, run.Only, string(counters))
		return err
	})
	return id, err
}

// FinishSpamRun records how a scan ended; problem is empty when it ended
// well.
func (w *Recorder) FinishSpamRun(ctx context.Context, id int64, now time.Time, c record.Counters, problem string) error {
	return w.transact(ctx, "record end of scan", func(e *entry) error {
		counters, err := json.Marshal(c)
		if err != nil {
			return err
		}
		_, err = e.exec(ctx, `UPDATE spam_runs SET finished_at = ?1, heartbeat_at = ?1, counters = ?2, error = ?3 WHERE id = ?4`,
			now.UnixMicro(), string(counters), problem, id)
		return err
	})
}

func (e *entry) heartbeat(ctx context.Context, run int64, now time.Time, c record.Counters) error {
	counters, err := json.Marshal(c)
	if err != nil {
		return err
	}
	_, err = e.exec(ctx, `UPDATE spam_runs SET heartbeat_at = ?, counters = ? WHERE id = ?`, now.UnixMicro(), string(counters), run)
	return err
}
