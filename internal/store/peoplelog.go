package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// PersonMove is a handle that went from one person to another.
type PersonMove struct {
	Handle int64 `json:"handle"`
	From   int64 `json:"from"`
	To     int64 `json:"to"`
}

// PersonDecision is one entry of the log of who is who.
type PersonDecision struct {
	ID     int64
	At     time.Time
	Action string // "merge", "split" or "undo"
	Moves  []PersonMove
	Reason string
	// Undoes is the entry that an undo took back; Undone the undo that took
	// this one back. Both are 0 for none.
	Undoes, Undone int64
}

// ErrNoDecision is returned when there is nothing to undo.
var ErrNoDecision = errors.New("no decision to undo")

// StaleDecisionError is returned for a decision that cannot be taken back
// because a later one moved the same handle.
type StaleDecisionError struct{ Handle int64 }

func (e *StaleDecisionError) Error() string {
	return fmt.Sprintf("handle %d was moved by a later decision", e.Handle)
}

// MergePeople makes all handles of several persons one person's, the first
// one's, and returns the log's entry. Imports keep to it.
func (w *Recorder) MergePeople(ctx context.Context, people []int64, reason string, now time.Time) (id int64, err error) {
	return w.decide(ctx, "merge", reason, now, func(e *entry) ([]PersonMove, error) {
		var moves []PersonMove
		for i, person := range people {
			handles, err := e.ids(ctx, `SELECT id FROM handles WHERE person_id = ? ORDER BY id`, person)
			if err != nil {
				return nil, err
			}
			if len(handles) == 0 {
				return nil, fmt.Errorf("person %d: %w", person, ErrNotFound)
			}
			for _, h := range handles {
				if i > 0 && person != people[0] {
					moves = append(moves, PersonMove{h, person, people[0]})
				}
			}
		}
		return moves, nil
	})
}

// SplitPeople gives the handles, all of one person or of several, to a new
// person together, and returns the log's entry. Imports keep to it.
func (w *Recorder) SplitPeople(ctx context.Context, handles []int64, reason string, now time.Time) (id int64, err error) {
	return w.decide(ctx, "split", reason, now, func(e *entry) ([]PersonMove, error) {
		var moves []PersonMove
		var person int64
		for _, h := range handles {
			var from int64
			var name string
			err := e.row(ctx, `SELECT person_id, coalesce(nullif(name, ''), native) FROM handles WHERE id = ?`, []any{h}, &from, &name)
			if errors.Is(err, sql.ErrNoRows) {
				return nil, fmt.Errorf("handle %d: %w", h, ErrNotFound)
			}
			if err != nil {
				return nil, err
			}
			if person == 0 {
				if person, err = e.insert(ctx, `INSERT INTO people(name) VALUES(?)`, name); err != nil {
					return nil, err
				}
			}
			moves = append(moves, PersonMove{h, from, person})
		}
		return moves, nil
	})
}

// decide moves handles and logs it.
func (w *Recorder) decide(ctx context.Context, action, reason string, now time.Time, plan func(*entry) ([]PersonMove, error)) (id int64, err error) {
	err = w.transact(ctx, action+" people", func(e *entry) error {
		moves, err := plan(e)
		if err != nil {
			return err
		}
		id, err = e.move(ctx, action, moves, reason, nil, now)
		return err
	})
	return id, err
}

func (e *entry) move(ctx context.Context, action string, moves []PersonMove, reason string, undoes any, now time.Time) (int64, error) {
	for _, m := range moves {
		n, err := e.exec(ctx, `UPDATE handles SET person_id = ? WHERE id = ? AND person_id = ?`, m.To, m.Handle, m.From)
		if err != nil {
			return 0, err
		}
		if n == 0 {
			return 0, &StaleDecisionError{m.Handle}
		}
	}
	if _, err := e.exec(ctx, countUp, "names"); err != nil { // readers cache whose a handle is
		return 0, err
	}
	text, err := json.Marshal(moves)
	if err != nil {
		return 0, err
	}
	return e.insert(ctx, `INSERT INTO person_log(at, action, moves, reason, undoes) VALUES(?, ?, ?, ?, ?)`, now.UnixMicro(), action, string(text), reason, undoes)
}

// UndoPeople takes a decision back, or the newest that was not taken back
// when id is 0, and returns the one it took back.
func (w *Recorder) UndoPeople(ctx context.Context, id int64, now time.Time) (undone int64, err error) {
	err = w.transact(ctx, "undo decision", func(e *entry) error {
		var text string
		err := e.row(ctx, `SELECT id, moves FROM person_log WHERE (?1 = 0 OR id = ?1) AND action <> 'undo'
			AND id NOT IN (SELECT undoes FROM person_log WHERE undoes IS NOT NULL) ORDER BY id DESC LIMIT 1`, []any{id}, &undone, &text)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNoDecision
		}
		if err != nil {
			return err
		}
		var moves []PersonMove
		if err := json.Unmarshal([]byte(text), &moves); err != nil {
			return err
		}
		slices.Reverse(moves)
		for i, m := range moves {
			moves[i].From, moves[i].To = m.To, m.From
		}
		_, err = e.move(ctx, "undo", moves, "", undone, now)
		return err
	})
	return undone, err
}

func (e *entry) ids(ctx context.Context, query string, args ...any) ([]int64, error) {
	rows, err := e.tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(row *sql.Rows) (id int64, err error) { err = row.Scan(&id); return id, err })
}

// PersonLog lists the decisions about who is who, the newest first.
func (r *Reader) PersonLog(ctx context.Context) ([]PersonDecision, error) {
	rows, err := r.query(ctx, `SELECT id, at, action, moves, reason, coalesce(undoes, 0), coalesce((SELECT u.id FROM person_log u WHERE u.undoes = d.id), 0)
		FROM person_log d ORDER BY id DESC`)
	if err != nil {
		return nil, fmt.Errorf("list decisions: %w", err)
	}
	return collect(rows, func(row *sql.Rows) (PersonDecision, error) {
		var d PersonDecision
		var at int64
		var moves string
		if err := row.Scan(&d.ID, &at, &d.Action, &moves, &d.Reason, &d.Undoes, &d.Undone); err != nil {
			return d, err
		}
		d.At = time.UnixMicro(at).UTC()
		return d, json.Unmarshal([]byte(moves), &d.Moves)
	})
}
