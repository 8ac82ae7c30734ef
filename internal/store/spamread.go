package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

func (r *Reader) texts(ctx context.Context, text string, args ...any) ([]string, error) {
	rows, err := r.query(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(row *sql.Rows) (s string, err error) { err = row.Scan(&s); return s, err })
}

// SpamSenders lists senders by id, with their figures.
func (r *Reader) SpamSenders(ctx context.Context, q record.SenderQuery) ([]record.Sender, error) {
	c := &conditions{}
	c.statuses(q.Statuses)
	if q.IDs != nil {
		wanted := slices.Clone(q.IDs)
		slices.Sort(wanted)
		var all []record.Sender
		for part := range slices.Chunk(slices.Compact(wanted), idsPerQuery) {
			narrowed := &conditions{parts: slices.Clone(c.parts), args: slices.Clone(c.args)}
			narrowed.add("who.id IN "+placeholders(idsPerQuery), padIDs(part, idsPerQuery)...)
			list, err := r.spamSenders(ctx, narrowed, 0)
			if err != nil {
				return nil, err
			}
			all = append(all, list...)
		}
		return all, nil
	}
	if q.After > 0 {
		c.add("who.id > ?", q.After)
	}
	if q.Limit > 0 { // what is said of senders is read when it is known which
		page := &conditions{}
		page.add(`who.id IN (SELECT who.id FROM spam_senders who`+c.where()+` ORDER BY who.id LIMIT ?)`, append(c.args, q.Limit)...)
		c = page
	}
	return r.spamSenders(ctx, c, q.Limit)
}

// CountSpamSenders counts the senders of the statuses; of all when there are
// none.
func (r *Reader) CountSpamSenders(ctx context.Context, statuses []record.Status) (n int64, err error) {
	c := &conditions{}
	c.statuses(statuses)
	if err := r.row(ctx, `SELECT count(*) FROM spam_senders who`+c.where(), c.args, &n); err != nil {
		return 0, fmt.Errorf("count senders: %w", err)
	}
	return n, nil
}

func (c *conditions) statuses(list []record.Status) {
	if len(list) == 0 {
		return
	}
	args := make([]any, len(list))
	for i, s := range list {
		args[i] = string(s)
	}
	c.add("who.status IN "+placeholders(len(args)), args...)
}

// SpamAfterOptOut lists the senders that wrote after an opt-out, the most
// messages first and then by id, behind a place and at most limit of them;
// all when it is 0.
func (r *Reader) SpamAfterOptOut(ctx context.Context, after record.AfterPlace, limit int) ([]record.Sender, error) {
	if limit == 0 {
		limit = -1 // SQLite's word for all
	}
	// As in SpamSenders.
	place, args := "", []any{}
	if after != (record.AfterPlace{}) {
		place, args = " AND (after_optout < ? OR after_optout = ? AND sender_id > ?)", []any{after.Messages, after.Messages, after.ID}
	}
	c := &conditions{}
	c.add(`who.id IN (SELECT sender_id FROM spam_figures WHERE ruleset_id = `+activeID+` AND after_optout > 0`+place+`
		ORDER BY after_optout DESC, sender_id LIMIT ?)`, append(args, limit)...)
	return r.listSenders(ctx, c, "g.after_optout DESC, who.id", limit)
}

func (r *Reader) spamSenders(ctx context.Context, c *conditions, limit int) ([]record.Sender, error) {
	return r.listSenders(ctx, c, "who.id", limit)
}

func (r *Reader) listSenders(ctx context.Context, c *conditions, order string, limit int) ([]record.Sender, error) {
	if limit == 0 {
		limit = -1 // SQLite's word for all
	}
	rows, err := r.query(ctx, `SELECT who.id, who.key, who.kind, who.identifier, who.name, who.first_sort, who.first_time, who.last_sort, who.last_time,
		who.status, who.status_by_person, who.enrolled, who.suspected_entity, who.consent_status, who.consent_notes, who.notes,
		coalesce(g.inbound, 0), coalesce(g.outbound, 0), coalesce(g.candidates, 0), coalesce(g.after_optout, 0),
		(SELECT group_concat(reason || '=' || findings, ' ') FROM spam_reasons n WHERE n.ruleset_id = g.ruleset_id AND n.sender_id = who.id)
		FROM spam_senders who LEFT JOIN spam_figures g ON g.sender_id = who.id AND g.ruleset_id = `+activeID+c.where()+` ORDER BY `+order+` LIMIT ?`, append(c.args, limit)...)
	if err != nil {
		return nil, fmt.Errorf("list senders: %w", err)
	}
	return collect(rows, scanSender)
}

func scanSender(row *sql.Rows) (record.Sender, error) {
	var s record.Sender
	var first, last string
	var reasons sql.NullString
	n := &s.Figures
	err := row.Scan(&s.ID, &s.Key, &s.Kind, &s.Identifier, &s.Name, &s.FirstSort, &first, &s.LastSort, &last,
		&s.Status, &s.StatusByPerson, &s.Enrolled, &s.SuspectedEntity, &s.Consent, &s.ConsentNotes, &s.Notes,
		&n.Inbound, &n.Outbound, &n.Candidates, &n.AfterOptOut, &reasons)
	if err != nil {
		return s, err
	}
	if s.First, err = decodeTime(first); err != nil {
		return s, err
	}
	if s.Last, err = decodeTime(last); err != nil {
		return s, err
	}
	n.Reasons = map[string]int64{}
	for field := range strings.FieldsSeq(reasons.String) {
		var count int64
		name, number, _ := strings.Cut(field, "=")
		if _, err := fmt.Sscan(number, &count); err != nil {
			return s, fmt.Errorf("decode reasons: %w", err)
		}
		n.Reasons[name] = count
	}
	return s, nil
}

// SpamSources returns the sources that each of the senders has findings in,
// in the active generation, by sender id and in alphabetical order.
func (r *Reader) SpamSources(ctx context.Context, senders []int64) (map[int64][]msg.Source, error) {
	sources := map[int64][]msg.Source{}
	_, err := eachSender(ctx, r, `SELECT sender_id, source FROM spam_sources WHERE ruleset_id = `+activeID+` AND findings > 0 AND sender_id IN senders
		ORDER BY sender_id, source`, senders, func(row *sql.Rows) (source msg.Source, err error) {
		var sender int64
		err = row.Scan(&sender, &source)
		sources[sender] = append(sources[sender], source)
		return source, err
	})
	if err != nil {
		return nil, fmt.Errorf("list sources of senders: %w", err)
	}
	return sources, nil
}

// eachSender runs a query that has placeholders for idsPerQuery senders, for
// all of them, and gathers its rows.
func eachSender[T any](ctx context.Context, r *Reader, text string, senders []int64, scan func(*sql.Rows) (T, error)) ([]T, error) {
	all := []T{}
	err := r.rowsOfSenders(ctx, text, senders, func(row *sql.Rows) error {
		item, err := scan(row)
		all = append(all, item)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// rowsOfSenders hands out the rows of such a query.
func (r *Reader) rowsOfSenders(ctx context.Context, text string, senders []int64, scan func(*sql.Rows) error) error {
	text = strings.Replace(text, "IN senders", "IN "+placeholders(idsPerQuery), 1)
	wanted := slices.Clone(senders)
	slices.Sort(wanted)
	for part := range slices.Chunk(slices.Compact(wanted), idsPerQuery) {
		rows, err := r.query(ctx, text, padIDs(part, idsPerQuery)...)
		if err != nil {
			return err
		}
		for rows.Next() {
			if err := scan(rows); err != nil {
				return errors.Join(err, rows.Close())
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return err
		}
	}
	return nil
}

// activeFindings selects what scanFinding reads, of the active generation.
const activeFindings = `SELECT fi.hash, r.version, v.env, fi.run_id, who.key, fi.sender_id, th.conversation_id, th.source, th.key,
	coalesce(line.owner, ''), coalesce(line.service, ''), fi.direction, fi.clock, fi.sort, fi.micros, coalesce(fi.raw_time, ''), fi.traits,
	fi.body_sha256, fi.body_bytes, fi.text_key, coalesce(fi.marks, ''), fi.after_optout
	FROM spam_findings fi JOIN spam_senders who ON who.id = fi.sender_id JOIN spam_rulesets r ON r.id = fi.ruleset_id JOIN spam_envs v ON v.id = fi.env_id
	JOIN spam_threads th ON th.id = fi.thread_id LEFT JOIN spam_lines line ON line.id = fi.line_id
	WHERE fi.ruleset_id = ` + activeID + ` AND `

// threadsOf selects the record's threads of a conversation.
const threadsOf = `(SELECT th.id FROM spam_threads th JOIN conversations c ON c.source = th.source AND c.key = th.key WHERE c.id = ?)`

// SpamFindings lists the findings of the senders in the active generation by
// (Sort, Hash).
func (r *Reader) SpamFindings(ctx context.Context, senders []int64) ([]record.Finding, error) {
	counts, err := eachSender(ctx, r, `SELECT count(*) FROM spam_findings fi WHERE fi.ruleset_id = `+activeID+` AND fi.sender_id IN senders`, senders, scanCount)
	if err != nil {
		return nil, fmt.Errorf("count findings: %w", err)
	}
	n := 0
	for _, c := range counts {
		n += c
	}
	list := make([]record.Finding, 0, n) // findings are large: each is copied once, when all are sorted
	if err := r.rowsOfSenders(ctx, activeFindings+`fi.sender_id IN senders`, senders, func(row *sql.Rows) error {
		list = append(list, record.Finding{})
		return scanFinding(row, &list[len(list)-1])
	}); err != nil {
		return nil, fmt.Errorf("list findings: %w", err)
	}
	order := make([]*record.Finding, len(list))
	for i := range list {
		order[i] = &list[i]
	}
	slices.SortFunc(order, func(a, b *record.Finding) int {
		return cmp.Or(cmp.Compare(a.Sort, b.Sort), cmp.Compare(a.Hash, b.Hash))
	})
	sorted := make([]record.Finding, len(list))
	for i, f := range order {
		sorted[i] = *f
	}
	return sorted, nil
}

func scanCount(row *sql.Rows) (n int, err error) { return n, row.Scan(&n) }

// SpamFinding returns the finding of a message, by its hash and conversation,
// in the active generation; ok is false when there is none.
func (r *Reader) SpamFinding(ctx context.Context, conversation int64, hash string) (f record.Finding, ok bool, err error) {
	raw, err := digits(hash)
	if err != nil {
		return f, false, err
	}
	rows, err := r.query(ctx, activeFindings+`fi.thread_id IN `+threadsOf+` AND fi.hash = ?`, conversation, raw)
	if err != nil {
		return f, false, fmt.Errorf("find finding: %w", err)
	}
	list, err := collect(rows, func(row *sql.Rows) (f record.Finding, err error) { return f, scanFinding(row, &f) })
	if err != nil || len(list) == 0 {
		return f, false, err
	}
	return list[0], true, nil
}

// HasSpamFindings reports whether a sender, by its key, has a finding of a
// ruleset, which need not be the active one, in a conversation.
func (r *Reader) HasSpamFindings(ctx context.Context, ruleset, sender string, conversation int64) (bool, error) {
	n, err := r.scalar(ctx, `SELECT EXISTS (SELECT 1 FROM spam_findings fi INDEXED BY spam_findings_sender
		WHERE fi.ruleset_id = (SELECT id FROM spam_rulesets WHERE version = ?) AND fi.sender_id = (SELECT id FROM spam_senders WHERE key = ?)
		AND fi.thread_id IN `+threadsOf+`)`, ruleset, sender, conversation)
	if err != nil {
		return false, fmt.Errorf("look for findings: %w", err)
	}
	return n != 0, nil
}

// SpamTraces hands out what senders can have in common of every message that
// came from one, in the active generation: Hash, SenderID, BodyBytes, TextKey,
// Fields and Reply of its finding, and nothing else. It ends with the first
// error of yield.
func (r *Reader) SpamTraces(ctx context.Context, yield func(record.Finding) error) error {
	rows, err := r.query(ctx, `SELECT fi.hash, fi.sender_id, fi.traits, fi.body_bytes, fi.text_key, fi.marks FROM spam_findings fi
		WHERE fi.ruleset_id = `+activeID+` AND fi.direction = ? ORDER BY fi.sender_id, fi.sort, fi.id`, int64(msg.In))
	if err != nil {
		return fmt.Errorf("list traces: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var hash, key, more sql.RawBytes
		var f record.Finding
		var t traits
		if err := rows.Scan(&hash, &f.SenderID, &t, &f.BodyBytes, &key, &more); err != nil {
			return fmt.Errorf("list traces: %w", err)
		}
		if t.has(findingBystander) {
			continue
		}
		f.Direction, f.Hash, f.TextKey = msg.In, hex.EncodeToString(hash), hex.EncodeToString(key)
		if err := decodeMarks(string(more), &f); err != nil {
			return err
		}
		if err := yield(f); err != nil {
			return err
		}
	}
	return rows.Err()
}

func scanFinding(row *sql.Rows, f *record.Finding) error {
	var hash, body, key sql.RawBytes
	var raw, more string
	var t traits
	var micros int64
	err := row.Scan(&hash, &f.Ruleset, &f.Env, &f.RunID, &f.SenderKey, &f.SenderID, &f.ConversationID, &f.Source, &f.ConversationKey,
		&f.OwnerLine, &f.Service, &f.Direction, &f.Clock, &f.Sort, &micros, &raw, &t, &body, &f.BodyBytes, &key, &more, &f.AfterOptOut)
	if err != nil {
		return err
	}
	f.Hash, f.BodySHA256, f.TextKey = hex.EncodeToString(hash), hex.EncodeToString(body), hex.EncodeToString(key)
	f.Kind, f.Time, f.Bystander, f.Candidate = t.kind(), t.time(), t.has(findingBystander), t.has(findingCandidate)
	if t.has(findingGroup) {
		f.Thread = msg.Group
	}
	f.Time.Micros = micros
	f.Time.Raw = t.rawTime(raw, f.Time)
	return decodeMarks(more, f)
}

const eventColumns = `SELECT e.id, e.sender_id, e.type, e.time, e.sort, e.clock, e.recorded_at, e.origin, e.tier, e.hash, e.text, e.details, e.evidence,
	e.supersedes, coalesce((SELECT max(id) FROM spam_events n WHERE n.supersedes = e.id AND n.supersedes <> 0), 0) FROM spam_events e`

// SpamEvents lists the events of the senders by id, superseded ones among
// them; of all senders when the list is nil.
func (r *Reader) SpamEvents(ctx context.Context, senders []int64) ([]record.Event, error) {
	if senders == nil {
		rows, err := r.query(ctx, eventColumns+` ORDER BY e.id`)
		if err != nil {
			return nil, fmt.Errorf("list events: %w", err)
		}
		return collect(rows, scanEvent)
	}
	list, err := eachSender(ctx, r, eventColumns+` WHERE e.sender_id IN senders`, senders, scanEvent)
	if err != nil {
		return nil, fmt.Errorf("list events: %w", err)
	}
	slices.SortFunc(list, func(a, b record.Event) int { return cmp.Compare(a.ID, b.ID) })
	return list, nil
}

func scanEvent(row *sql.Rows) (record.Event, error) {
	var e record.Event
	var at string
	err := row.Scan(&e.ID, &e.SenderID, &e.Type, &at, &e.Sort, &e.Clock, &e.RecordedAt, &e.Origin, &e.Tier, &e.Hash, &e.Text, &e.Details, &e.Evidence,
		&e.Supersedes, &e.SupersededBy)
	if err != nil {
		return e, err
	}
	e.Time, err = decodeTime(at)
	return e, err
}

// SpamEntities lists every entity by id with all members it ever had.
func (r *Reader) SpamEntities(ctx context.Context) ([]record.Entity, error) {
	rows, err := r.query(ctx, `SELECT id, name, notes, recorded_at FROM spam_entities ORDER BY id`)
	if err != nil {
		return nil, fmt.Errorf("list entities: %w", err)
	}
	at := map[int64]int{}
	list, err := collect(rows, func(row *sql.Rows) (record.Entity, error) {
		var e record.Entity
		err := row.Scan(&e.ID, &e.Name, &e.Notes, &e.RecordedAt)
		at[e.ID] = len(at)
		return e, err
	})
	if err != nil {
		return nil, fmt.Errorf("list entities: %w", err)
	}
	rows, err = r.query(ctx, `SELECT entity_id, sender_id, basis, evidence, added_at, coalesce(removed_at, 0), removed_why FROM spam_members ORDER BY id`)
	if err != nil {
		return nil, fmt.Errorf("list members: %w", err)
	}
	_, err = collect(rows, func(row *sql.Rows) (m record.Member, err error) {
		var entity int64
		if err := row.Scan(&entity, &m.SenderID, &m.Basis, &m.Evidence, &m.AddedAt, &m.RemovedAt, &m.RemovedWhy); err != nil {
			return m, err
		}
		if i, ok := at[entity]; ok { // made since the entities were read
			list[i].Members = append(list[i].Members, m)
		}
		return m, nil
	})
	return list, err
}

// SpamJudgments lists the history of what people said of the senders, in the
// order it was said.
func (r *Reader) SpamJudgments(ctx context.Context, senders []int64) ([]record.Judgment, error) {
	type numbered struct {
		id int64
		record.Judgment
	}
	list, err := eachSender(ctx, r, `SELECT id, sender_id, field, old, new, recorded_at FROM spam_judgments WHERE sender_id IN senders`, senders,
		func(row *sql.Rows) (n numbered, err error) {
			err = row.Scan(&n.id, &n.SenderID, &n.Field, &n.Old, &n.New, &n.RecordedAt)
			return n, err
		})
	if err != nil {
		return nil, fmt.Errorf("list judgments: %w", err)
	}
	slices.SortFunc(list, func(a, b numbered) int { return cmp.Compare(a.id, b.id) })
	said := make([]record.Judgment, len(list))
	for i, n := range list {
		said[i] = n.Judgment
	}
	return said, nil
}

// SpamCategories lists people's words on the categories of the senders'
// messages, in the order they were said.
func (r *Reader) SpamCategories(ctx context.Context, senders []int64) ([]record.CategoryJudgment, error) {
	type numbered struct {
		id int64
		record.CategoryJudgment
	}
	list, err := eachSender(ctx, r, `SELECT c.id, lower(hex(c.hash)), c.category, c.recorded_at FROM spam_findings fi CROSS JOIN spam_categories c ON c.hash = fi.hash
		WHERE fi.ruleset_id = `+activeID+` AND fi.sender_id IN senders`, senders,
		func(row *sql.Rows) (n numbered, err error) {
			err = row.Scan(&n.id, &n.Hash, &n.Category, &n.RecordedAt)
			return n, err
		})
	if err != nil {
		return nil, fmt.Errorf("list categories: %w", err)
	}
	slices.SortFunc(list, func(a, b numbered) int { return cmp.Compare(a.id, b.id) })
	said := make([]record.CategoryJudgment, len(list))
	for i, n := range list {
		said[i] = n.CategoryJudgment
	}
	return said, nil
}

// SpamCursors returns the cursors by conversation id.
func (r *Reader) SpamCursors(ctx context.Context) (map[int64]record.Cursor, error) {
	rows, err := r.query(ctx, `SELECT st.conversation_id, lower(hex(st.hash)), r.version, v.env, st.messages,
		coalesce((SELECT fi.sort FROM conversations c JOIN spam_threads th ON th.source = c.source AND th.key = c.key
			JOIN spam_findings fi ON fi.ruleset_id = st.ruleset_id AND fi.thread_id = th.id AND fi.hash = st.hash WHERE c.id = st.conversation_id), 0)
		FROM spam_state st JOIN spam_rulesets r ON r.id = st.ruleset_id JOIN spam_envs v ON v.id = st.env_id`)
	if err != nil {
		return nil, fmt.Errorf("list cursors: %w", err)
	}
	cursors := map[int64]record.Cursor{}
	_, err = collect(rows, func(row *sql.Rows) (c record.Cursor, err error) {
		err = row.Scan(&c.ConversationID, &c.Hash, &c.Ruleset, &c.Env, &c.Messages, &c.Sort)
		cursors[c.ConversationID] = c
		return c, err
	})
	return cursors, err
}
