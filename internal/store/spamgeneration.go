package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// activeRuleset is the setting that holds the id of the ruleset whose
// findings are read.
const activeRuleset = "spam_ruleset"

// staleOptOuts is the setting that is 1 when findings have come, or another
// generation, since Finding.AfterOptOut was last brought up to date.
const staleOptOuts = "spam_opt_outs_stale"

// activeID is that id as a part of statements; NULL before the first scan.
const activeID = `(SELECT value FROM settings WHERE key = '` + activeRuleset + `')`

// A scanned event that a person has corrected is kept with the correction:
// found again, it would otherwise hold again.
const scannedEvents = `origin = 'scan' AND id NOT IN (SELECT supersedes FROM spam_events WHERE supersedes <> 0 AND origin = 'manual')`

// ResetSpam clears findings, cursors, scanned events, intervals and the
// active generation. Senders that no person touched and no manual event,
// entity or judgment names go, too; the others lose their window only.
// Scanned events that a person corrected stay with the correction.
func (w *Recorder) ResetSpam(ctx context.Context) error {
	return w.transact(ctx, "reset record", func(e *entry) error {
		for _, statement := range []string{
			`DELETE FROM spam_findings`, `DELETE FROM spam_figures`, `DELETE FROM spam_reasons`, `DELETE FROM spam_sources`, `DELETE FROM spam_generations`,
			`DELETE FROM spam_state`, `DELETE FROM spam_intervals`, `DELETE FROM spam_threads`, `DELETE FROM spam_lines`,
			`DELETE FROM spam_rulesets`, `DELETE FROM spam_envs`, `DELETE FROM settings WHERE key IN ('` + activeRuleset + `', '` + staleOptOuts + `')`,
			`DELETE FROM spam_events WHERE ` + scannedEvents,
			`DELETE FROM spam_senders WHERE NOT status_by_person AND NOT enrolled AND id NOT IN (SELECT sender_id FROM spam_judgments)
				AND id NOT IN (SELECT sender_id FROM spam_events) AND id NOT IN (SELECT sender_id FROM spam_members)`,
			`UPDATE spam_senders SET first_sort = 0, first_time = '', last_sort = 0, last_time = ''`,
		} {
			if _, err := e.exec(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
}

// ActivateRuleset makes a version's findings the ones that are read and
// deletes those of all others, and the scanned events whose message has no
// opt-out in the new generation.
func (w *Recorder) ActivateRuleset(ctx context.Context, version string) error {
	return w.transact(ctx, "activate rules", func(e *entry) error {
		id, err := e.idOf(ctx, `SELECT id FROM spam_rulesets WHERE version = ?`, `INSERT INTO spam_rulesets(version) VALUES(?)`, version)
		if err != nil {
			return err
		}
		var active int64
		if err := e.row(ctx, `SELECT coalesce(`+activeID+`, 0)`, nil, &active); err != nil {
			return err
		}
		if active == id {
			return nil
		}
		for key, value := range map[string]int64{activeRuleset: id, staleOptOuts: 1} {
			if _, err := e.exec(ctx, setSetting, key, value); err != nil {
				return err
			}
		}
		for _, table := range []string{"spam_findings", "spam_figures", "spam_reasons", "spam_sources", "spam_generations"} {
			if _, err := e.exec(ctx, `DELETE FROM `+table+` WHERE ruleset_id <> ?`, id); err != nil {
				return err
			}
		}
		_, err = e.exec(ctx, `DELETE FROM spam_events WHERE `+scannedEvents+` AND NOT EXISTS (SELECT 1 FROM spam_findings fi
			WHERE fi.ruleset_id = ? AND fi.sender_id = spam_events.sender_id AND fi.hash = unhex(spam_events.hash) AND fi.marks LIKE '%"opt_out":%')`, id)
		return err
	})
}

// setAfterOptOut is the one statement that says which findings of the active
// generation came in while an opt-out was in force. It names the senders that
// have an interval or had one, so that it need not read the others.
const setAfterOptOut = `UPDATE spam_findings AS fi SET after_optout = 1 - after_optout
	WHERE fi.ruleset_id = ` + activeID + `
	AND fi.sender_id IN (SELECT sender_id FROM spam_intervals UNION SELECT sender_id FROM spam_findings INDEXED BY spam_findings_after
		WHERE ruleset_id = ` + activeID + ` AND after_optout = 1)
	AND fi.after_optout <> (fi.direction = ? AND EXISTS (SELECT 1 FROM spam_intervals i WHERE i.sender_id = fi.sender_id AND i.clock = fi.clock
		AND i.from_sort < fi.sort AND (i.to_sort = 0 OR fi.sort <= i.to_sort)))`

// SetOptOutIntervals replaces all intervals and brings Finding.AfterOptOut of
// the active generation up to date with them. When neither these nor the
// findings have changed, it changes nothing.
func (w *Recorder) SetOptOutIntervals(ctx context.Context, list []record.Interval) error {
	return w.transact(ctx, "apply opt-outs", func(e *entry) error {
		if same, err := e.sameIntervals(ctx, list); err != nil || same {
			return err
		}
		if _, err := e.exec(ctx, `DELETE FROM spam_intervals`); err != nil {
			return err
		}
		for _, i := range list {
			if _, err := e.exec(ctx, `INSERT OR IGNORE INTO spam_intervals(sender_id, clock, from_sort, to_sort) VALUES(?, ?, ?, ?)`,
				i.SenderID, int64(i.Clock), i.From, i.To); err != nil {
				return err
			}
		}
		if _, err := e.exec(ctx, setAfterOptOut, int64(msg.In)); err != nil {
			return err
		}
		if _, err := e.exec(ctx, setSetting, staleOptOuts, 0); err != nil {
			return err
		}
		_, err := e.exec(ctx, `UPDATE spam_figures AS g SET after_optout = (SELECT count(*) FROM spam_findings fi INDEXED BY spam_findings_after
			WHERE fi.ruleset_id = g.ruleset_id AND fi.sender_id = g.sender_id AND fi.after_optout = 1) WHERE g.ruleset_id = `+activeID)
		return err
	})
}

// sameIntervals reports whether the intervals are those that the findings
// were last brought up to date with.
func (e *entry) sameIntervals(ctx context.Context, list []record.Interval) (bool, error) {
	var stale bool
	if err := e.row(ctx, `SELECT coalesce((SELECT value FROM settings WHERE key = ?), 1)`, []any{staleOptOuts}, &stale); err != nil || stale {
		return false, err
	}
	rows, err := e.tx.QueryContext(ctx, `SELECT sender_id, clock, from_sort, to_sort FROM spam_intervals`)
	if err != nil {
		return false, err
	}
	kept, err := collect(rows, func(row *sql.Rows) (i record.Interval, err error) {
		err = row.Scan(&i.SenderID, &i.Clock, &i.From, &i.To)
		return i, err
	})
	if err != nil {
		return false, err
	}
	is := map[record.Interval]bool{}
	for _, i := range list {
		is[i] = true
	}
	return len(kept) == len(is) && !slices.ContainsFunc(kept, func(i record.Interval) bool { return !is[i] }), nil
}

// SpamState sums the record up.
func (r *Reader) SpamState(ctx context.Context) (record.State, error) {
	var s record.State
	err := r.row(ctx, `SELECT coalesce((SELECT version FROM spam_rulesets WHERE id = `+activeID+`), ''),
		(SELECT coalesce(sum(findings), 0) FROM spam_generations WHERE ruleset_id = `+activeID+`),
		(SELECT count(*) FROM spam_figures WHERE ruleset_id = `+activeID+`)`, nil, &s.Ruleset, &s.Findings, &s.Senders)
	if err != nil {
		return s, fmt.Errorf("read state of the record: %w", err)
	}
	envs, err := r.texts(ctx, `SELECT env FROM spam_generations JOIN spam_envs ON id = env_id WHERE ruleset_id = `+activeID+` AND findings > 0`)
	if err != nil {
		return s, fmt.Errorf("read environments of the record: %w", err)
	}
	for _, env := range envs {
		s.Envs = append(s.Envs, record.ScanEnv(env))
	}
	slices.Sort(s.Envs)
	last, err := r.SpamRuns(ctx, 1)
	if err != nil {
		return s, err
	}
	done, err := r.spamRuns(ctx, `SELECT `+runColumns+` FROM spam_runs WHERE finished_at IS NOT NULL AND error = '' ORDER BY id DESC LIMIT 1`)
	if len(last) > 0 {
		s.LastRun = last[0]
	}
	if len(done) > 0 {
		s.LastDone = done[0]
	}
	return s, err
}
