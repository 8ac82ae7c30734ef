package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// WriteSpamBatch writes what a scan found, whole: senders, findings, events,
// the cursor and the heartbeat. A finding or an event that is on the record
// stays as it is.
func (w *Recorder) WriteSpamBatch(ctx context.Context, b record.Batch) error {
	return w.transact(ctx, "write scan", func(e *entry) error {
		x := &batchEntry{
			entry: e, senders: map[string]int64{}, texts: map[string]int64{}, threads: map[threadKey]int64{}, lines: map[lineKey]int64{},
			figures: map[figureKey]*figures{}, reasons: map[reasonKey]int64{}, sources: map[sourceKey]int64{}, generations: map[generationKey]int64{},
		}
		for _, s := range b.Senders {
			if err := x.sighting(ctx, s); err != nil {
				return fmt.Errorf("sender: %w", err)
			}
		}
		if err := x.addFindings(ctx, b.Findings, b.RunID); err != nil {
			return fmt.Errorf("finding: %w", err)
		}
		for _, event := range b.Events {
			if err := x.event(ctx, event); err != nil {
				return fmt.Errorf("event: %w", err)
			}
		}
		if err := x.tally(ctx); err != nil {
			return fmt.Errorf("figures: %w", err)
		}
		if err := x.cursor(ctx, b.Cursor); err != nil {
			return fmt.Errorf("cursor: %w", err)
		}
		return e.heartbeat(ctx, b.RunID, b.Now, b.Counters)
	})
}

// batchEntry is a batch on its way in: what was looked up, and what the
// findings add to the figures.
type batchEntry struct {
	*entry
	senders map[string]int64
	texts   map[string]int64 // rulesets and environments, by a prefix and the text
	threads map[threadKey]int64
	lines   map[lineKey]int64

	figures     map[figureKey]*figures
	reasons     map[reasonKey]int64
	sources     map[sourceKey]int64
	generations map[generationKey]int64
}

type (
	threadKey struct {
		source msg.Source
		key    string
	}
	lineKey       struct{ owner, service string }
	figureKey     struct{ ruleset, sender int64 }
	figures       struct{ inbound, outbound, candidates int64 }
	generationKey struct{ ruleset, env int64 }
	reasonKey     struct {
		figureKey
		reason string
	}
	sourceKey struct {
		figureKey
		source msg.Source
	}
)

// sighting makes a sender's row or widens its window, and raises its status
// while no person gave one.
func (x *batchEntry) sighting(ctx context.Context, s record.SenderSighting) error {
	first, err := encodeTime(s.First)
	if err != nil {
		return err
	}
	last, err := encodeTime(s.Last)
	if err != nil {
		return err
	}
	id, err := x.senderIDFor(ctx, s.Key)
	if err != nil {
		return err
	}
	_, err = x.exec(ctx, `INSERT INTO spam_senders(key, kind, identifier, name, first_sort, first_time, last_sort, last_time, id)
		VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT(key) DO UPDATE SET
		first_time = iif(first_time = '' OR ?5 < first_sort, ?6, first_time), first_sort = iif(first_time = '' OR ?5 < first_sort, ?5, first_sort),
		last_time = iif(last_time = '' OR ?7 > last_sort, ?8, last_time), last_sort = iif(last_time = '' OR ?7 > last_sort, ?7, last_sort)`,
		s.Key, string(s.Kind), s.Identifier, s.Name, s.FirstSort, first, s.LastSort, last, id)
	if err != nil {
		return err
	}
	x.senders[s.Key] = id
	if !s.Promote {
		return nil
	}
	_, err = x.exec(ctx, `UPDATE spam_senders SET status = ? WHERE id = ? AND status = ? AND NOT status_by_person`, string(record.Watch), id, string(record.Seen))
	return err
}

// senderIDFor returns the id that a sender has, had before a reset, or gets.
func (e *entry) senderIDFor(ctx context.Context, key string) (int64, error) {
	return e.idOf(ctx, `SELECT id FROM spam_sender_ids WHERE key = ?`, `INSERT INTO spam_sender_ids(key) VALUES(?)`, key)
}

func (x *batchEntry) senderID(ctx context.Context, key string) (int64, error) {
	if id := x.senders[key]; id != 0 {
		return id, nil
	}
	var id int64
	err := x.row(ctx, `SELECT id FROM spam_senders WHERE key = ?`, []any{key}, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("%w: %q is not among the senders of the batch", record.ErrUnknownSender, key)
	}
	x.senders[key] = id
	return id, err
}

func (x *batchEntry) rulesetID(ctx context.Context, version string) (int64, error) {
	return x.textID(ctx, "ruleset "+version, `SELECT id FROM spam_rulesets WHERE version = ?`, `INSERT INTO spam_rulesets(version) VALUES(?)`, version)
}

func (x *batchEntry) envID(ctx context.Context, env record.ScanEnv) (int64, error) {
	return x.textID(ctx, "env "+string(env), `SELECT id FROM spam_envs WHERE env = ?`, `INSERT INTO spam_envs(env) VALUES(?)`, string(env))
}

func (x *batchEntry) textID(ctx context.Context, key, find, insert, text string) (int64, error) {
	if id := x.texts[key]; id != 0 {
		return id, nil
	}
	id, err := x.idOf(ctx, find, insert, text)
	x.texts[key] = id
	return id, err
}

func (x *batchEntry) threadID(ctx context.Context, f *record.Finding) (int64, error) {
	k := threadKey{f.Source, f.ConversationKey}
	if id := x.threads[k]; id != 0 {
		return id, nil
	}
	id, err := x.idOf(ctx, `SELECT id FROM spam_threads WHERE source = ?2 AND key = ?3`,
		`INSERT INTO spam_threads(conversation_id, source, key) VALUES(?1, ?2, ?3)`, f.ConversationID, string(k.source), k.key)
	x.threads[k] = id
	return id, err
}

// lineID is nil when the source records neither line nor service.
func (x *batchEntry) lineID(ctx context.Context, f *record.Finding) (any, error) {
	k := lineKey{f.OwnerLine, f.Service}
	if k == (lineKey{}) {
		return nil, nil
	}
	if id := x.lines[k]; id != 0 {
		return id, nil
	}
	id, err := x.idOf(ctx, `SELECT id FROM spam_lines WHERE owner = ? AND service = ?`, `INSERT INTO spam_lines(owner, service) VALUES(?, ?)`, k.owner, k.service)
	x.lines[k] = id
	return id, err
}

// findingsPerInsert is how many findings one statement inserts. Most of a
// statement's cost is its own, not its rows'.
const findingsPerInsert = 16

const (
	insertFindings = `INSERT INTO spam_findings(hash, ruleset_id, env_id, run_id, sender_id, thread_id, line_id, direction, clock, sort, micros,
	raw_time, traits, body_sha256, body_bytes, text_key, marks) VALUES `
	findingPlaces = `(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	skipKnown     = ` ON CONFLICT(ruleset_id, thread_id, hash) DO NOTHING`
)

var insertManyFindings = insertFindings + strings.Repeat(findingPlaces+", ", findingsPerInsert-1) + findingPlaces + skipKnown

// addFindings inserts findings that are not on the record yet and counts
// these.
func (x *batchEntry) addFindings(ctx context.Context, list []record.Finding, run int64) error {
	// A transaction that is cut off is rolled back; watching the context of
	// every statement would cost more than the statement.
	ctx = context.WithoutCancel(ctx)
	for len(list) > 0 {
		query, n := insertManyFindings, findingsPerInsert
		if len(list) < n {
			query, n = insertFindings+findingPlaces+skipKnown, 1
		}
		var args []any
		places := make([]figuredAs, n)
		for i := range n {
			var err error
			if args, places[i], err = x.findingArgs(ctx, args, &list[i], cmp.Or(list[i].RunID, run)); err != nil {
				return err
			}
		}
		if err := x.insertNew(ctx, query, args, list[:n], places); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// insertNew inserts findings and counts those that were not there.
func (x *batchEntry) insertNew(ctx context.Context, query string, args []any, list []record.Finding, places []figuredAs) error {
	var before int64
	if err := x.row(ctx, `SELECT coalesce(max(id), 0) FROM spam_findings`, nil, &before); err != nil {
		return err
	}
	added, err := x.exec(ctx, query, args...)
	if err != nil || added == 0 {
		return err
	}
	fresh := map[string]bool{}
	if added < int64(len(list)) { // ids are given in ascending order
		hashes, err := x.entry.texts(ctx, `SELECT lower(hex(hash)) FROM spam_findings WHERE id > ?`, before)
		if err != nil {
			return err
		}
		for _, hash := range hashes {
			fresh[hash] = true
		}
	}
	for i := range list {
		if added == int64(len(list)) || fresh[list[i].Hash] {
			x.count(&list[i], places[i].ruleset, places[i].env, places[i].sender)
		}
	}
	return nil
}

// figuredAs are the ids that a finding is counted under.
type figuredAs struct{ ruleset, env, sender int64 }

// findingArgs appends the arguments of one finding.
func (x *batchEntry) findingArgs(ctx context.Context, args []any, f *record.Finding, run int64) ([]any, figuredAs, error) {
	var ids figuredAs
	var err error
	if ids.sender, err = x.senderID(ctx, f.SenderKey); err != nil {
		return nil, ids, err
	}
	if ids.ruleset, err = x.rulesetID(ctx, f.Ruleset); err != nil {
		return nil, ids, err
	}
	if ids.env, err = x.envID(ctx, f.Env); err != nil {
		return nil, ids, err
	}
	thread, err := x.threadID(ctx, f)
	if err != nil {
		return nil, ids, err
	}
	line, err := x.lineID(ctx, f)
	if err != nil {
		return nil, ids, err
	}
	var blobs [3]any
	for i, text := range []string{f.Hash, f.BodySHA256, f.TextKey} {
		if blobs[i], err = digits(text); err != nil {
			return nil, ids, err
		}
	}
	more, err := encodeMarks(f)
	if err != nil {
		return nil, ids, err
	}
	return append(args, blobs[0], ids.ruleset, ids.env, run, ids.sender, thread, line, int64(f.Direction), int64(f.Clock),
		f.Sort, f.Time.Micros, rawTime(f.Time), int64(findingTraits(f)), blobs[1], f.BodyBytes, blobs[2], more), ids, nil
}

// count adds a new finding to the figures.
func (x *batchEntry) count(f *record.Finding, ruleset, env, sender int64) {
	k := figureKey{ruleset, sender}
	n := x.figures[k]
	if n == nil {
		n = &figures{}
		x.figures[k] = n
	}
	switch f.Direction {
	case msg.In:
		n.inbound++
	case msg.Out:
		n.outbound++
	}
	if f.Candidate {
		n.candidates++
	}
	kinds := map[string]bool{}
	for _, reason := range f.Reasons {
		kind, _, _ := strings.Cut(reason, ":")
		kinds[kind] = true
	}
	for kind := range kinds {
		x.reasons[reasonKey{k, kind}]++
	}
	x.sources[sourceKey{k, f.Source}]++
	x.generations[generationKey{ruleset, env}]++
}

// tally writes what count gathered.
func (x *batchEntry) tally(ctx context.Context) error {
	if len(x.figures) > 0 {
		if _, err := x.exec(ctx, setSetting, staleOptOuts, 1); err != nil {
			return err
		}
	}
	for k, n := range x.figures {
		if _, err := x.exec(ctx, `INSERT INTO spam_figures(ruleset_id, sender_id, inbound, outbound, candidates) VALUES(?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
			inbound = inbound + excluded.inbound, outbound = outbound + excluded.outbound, candidates = candidates + excluded.candidates`,
			k.ruleset, k.sender, n.inbound, n.outbound, n.candidates); err != nil {
			return err
		}
	}
	for k, n := range x.reasons {
		if _, err := x.exec(ctx, `INSERT INTO spam_reasons(ruleset_id, sender_id, reason, findings) VALUES(?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET findings = findings + excluded.findings`, k.ruleset, k.sender, k.reason, n); err != nil {
			return err
		}
	}
	for k, n := range x.sources {
		if _, err := x.exec(ctx, `INSERT INTO spam_sources(ruleset_id, sender_id, source, findings) VALUES(?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET findings = findings + excluded.findings`, k.ruleset, k.sender, string(k.source), n); err != nil {
			return err
		}
	}
	for k, n := range x.generations {
		if _, err := x.exec(ctx, `INSERT INTO spam_generations(ruleset_id, env_id, findings) VALUES(?, ?, ?)
			ON CONFLICT DO UPDATE SET findings = findings + excluded.findings`, k.ruleset, k.env, n); err != nil {
			return err
		}
	}
	return nil
}

func (x *batchEntry) event(ctx context.Context, event record.Event) error {
	if event.SenderID == 0 {
		id, err := x.senderID(ctx, event.SenderKey)
		if err != nil {
			return err
		}
		event.SenderID = id
	}
	_, err := x.addEvent(ctx, event)
	return err
}

// cursor records how far a conversation has been examined.
func (x *batchEntry) cursor(ctx context.Context, c record.Cursor) error {
	if c.Hash == "" { // nothing of the conversation was examined
		return nil
	}
	ruleset, err := x.rulesetID(ctx, c.Ruleset)
	if err != nil {
		return err
	}
	env, err := x.envID(ctx, c.Env)
	if err != nil {
		return err
	}
	hash, err := digits(c.Hash)
	if err != nil {
		return err
	}
	_, err = x.exec(ctx, `INSERT INTO spam_state(conversation_id, hash, ruleset_id, env_id, messages) VALUES(?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
		hash = excluded.hash, ruleset_id = excluded.ruleset_id, env_id = excluded.env_id, messages = excluded.messages`,
		c.ConversationID, hash, ruleset, env, c.Messages)
	return err
}
