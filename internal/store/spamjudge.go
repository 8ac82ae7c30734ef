package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// EnrolSpamSender puts a sender on the record by hand and returns its id,
// also when it was there.
func (w *Recorder) EnrolSpamSender(ctx context.Context, who record.SenderIdentity, now time.Time) (id int64, err error) {
	err = w.transact(ctx, "enrol sender", func(e *entry) error {
		var was bool
		err := e.row(ctx, `SELECT id, enrolled FROM spam_senders WHERE key = ?`, []any{who.Key}, &id, &was)
		if errors.Is(err, sql.ErrNoRows) {
			if id, err = e.senderIDFor(ctx, who.Key); err == nil {
				_, err = e.insert(ctx, `INSERT INTO spam_senders(id, key, kind, identifier, name) VALUES(?, ?, ?, ?, ?)`,
					id, who.Key, string(who.Kind), who.Identifier, who.Name)
			}
		}
		if err != nil || was {
			return err
		}
		if _, err := e.exec(ctx, `UPDATE spam_senders SET enrolled = 1 WHERE id = ?`, id); err != nil {
			return err
		}
		return e.judgment(ctx, id, "enrolled", "false", "true", now)
	})
	return id, err
}

func (e *entry) judgment(ctx context.Context, sender int64, field, before, after string, now time.Time) error {
	_, err := e.exec(ctx, `INSERT INTO spam_judgments(sender_id, field, old, new, recorded_at) VALUES(?, ?, ?, ?, ?)`,
		sender, field, before, after, now.UnixMicro())
	return err
}

// JudgeSpamSender changes the fields given and appends one record.Judgment
// for each that differs.
func (w *Recorder) JudgeSpamSender(ctx context.Context, sender int64, c record.SenderChange, now time.Time) error {
	return w.transact(ctx, "record judgment", func(e *entry) error {
		var old struct{ status, entity, consent, consentNotes, notes string }
		err := e.row(ctx, `SELECT status, suspected_entity, consent_status, consent_notes, notes FROM spam_senders WHERE id = ?`, []any{sender},
			&old.status, &old.entity, &old.consent, &old.consentNotes, &old.notes)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("sender %d: %w", sender, record.ErrUnknownSender)
		}
		if err != nil {
			return err
		}
		fields := []struct {
			name, before string
			after        *string
		}{
			{"status", old.status, (*string)(c.Status)}, {"suspected_entity", old.entity, c.SuspectedEntity},
			{"consent_status", old.consent, (*string)(c.Consent)}, {"consent_notes", old.consentNotes, c.ConsentNotes}, {"notes", old.notes, c.Notes},
		}
		for _, f := range fields {
			if f.after == nil || *f.after == f.before {
				continue
			}
			if _, err := e.exec(ctx, `UPDATE spam_senders SET `+f.name+` = ? WHERE id = ?`, *f.after, sender); err != nil {
				return err
			}
			if err := e.judgment(ctx, sender, f.name, f.before, *f.after, now); err != nil {
				return err
			}
		}
		if c.Status == nil {
			return nil
		}
		// Also a status that is said again is a person's from now on.
		_, err = e.exec(ctx, `UPDATE spam_senders SET status_by_person = 1 WHERE id = ? AND NOT status_by_person`, sender)
		return err
	})
}

// JudgeCategory records a person's word on a message's category.
func (w *Recorder) JudgeCategory(ctx context.Context, c record.CategoryJudgment) error {
	return w.transact(ctx, "record category", func(e *entry) error {
		hash, err := digits(c.Hash)
		if err != nil {
			return err
		}
		_, err = e.exec(ctx, `INSERT INTO spam_categories(hash, category, recorded_at) VALUES(?, ?, ?)`, hash, string(c.Category), c.RecordedAt)
		return err
	})
}

// AddSpamEvent appends an event and returns its id, the old one's when an
// exact duplicate is on the record.
func (w *Recorder) AddSpamEvent(ctx context.Context, event record.Event) (id int64, err error) {
	err = w.transact(ctx, "record event", func(e *entry) error {
		var known bool
		if err := e.row(ctx, `SELECT EXISTS (SELECT 1 FROM spam_senders WHERE id = ?)`, []any{event.SenderID}, &known); err != nil {
			return err
		}
		if !known {
			return fmt.Errorf("sender %d: %w", event.SenderID, record.ErrUnknownSender)
		}
		if event.Supersedes != 0 {
			if err := e.row(ctx, `SELECT EXISTS (SELECT 1 FROM spam_events WHERE id = ? AND sender_id = ?)`, []any{event.Supersedes, event.SenderID}, &known); err != nil {
				return err
			}
			if !known {
				return fmt.Errorf("event %d of sender %d: %w", event.Supersedes, event.SenderID, record.ErrUnknownEvent)
			}
		}
		id, err = e.addEvent(ctx, event)
		return err
	})
	return id, err
}

// addEvent appends an event unless it is on the record, and returns its id.
func (e *entry) addEvent(ctx context.Context, event record.Event) (id int64, err error) {
	at, err := encodeTime(event.Time)
	if err != nil {
		return 0, err
	}
	err = e.row(ctx, `SELECT id FROM spam_events WHERE sender_id = ? AND type = ? AND time = ? AND origin = ? AND hash = ? AND details = ? AND evidence = ?
		AND supersedes = ?`, []any{event.SenderID, string(event.Type), at, string(event.Origin), event.Hash, event.Details, event.Evidence, event.Supersedes}, &id)
	if !errors.Is(err, sql.ErrNoRows) {
		return id, err
	}
	return e.insert(ctx, `INSERT INTO spam_events(sender_id, type, time, sort, clock, recorded_at, origin, tier, hash, text, details, evidence, supersedes)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, event.SenderID, string(event.Type), at, event.Sort, int64(event.Clock), event.RecordedAt,
		string(event.Origin), string(event.Tier), event.Hash, event.Text, event.Details, event.Evidence, event.Supersedes)
}

// AddSpamEntity makes an entity and returns its id.
func (w *Recorder) AddSpamEntity(ctx context.Context, name, notes string, now time.Time) (id int64, err error) {
	err = w.transact(ctx, "make entity", func(e *entry) error {
		id, err = e.insert(ctx, `INSERT INTO spam_entities(name, notes, recorded_at) VALUES(?, ?, ?)`, name, notes, now.UnixMicro())
		return err
	})
	return id, err
}

// errNoBasis is returned for a member without a reason.
var errNoBasis = errors.New("a member of an entity needs a basis")

// MemberError is returned for a sender that is in an entity already.
type MemberError struct{ Entity int64 }

func (e *MemberError) Error() string { return fmt.Sprintf("the sender is in entity %d", e.Entity) }

// AddEntityMember puts a sender into an entity; the basis is not empty. A
// sender is in one entity at a time: in another one, or twice in the same, is
// a *MemberError.
func (w *Recorder) AddEntityMember(ctx context.Context, entity int64, m record.Member) error {
	return w.transact(ctx, "add member", func(e *entry) error {
		if m.Basis == "" {
			return errNoBasis
		}
		var entities, senders bool
		err := e.row(ctx, `SELECT EXISTS (SELECT 1 FROM spam_entities WHERE id = ?), EXISTS (SELECT 1 FROM spam_senders WHERE id = ?)`,
			[]any{entity, m.SenderID}, &entities, &senders)
		switch {
		case err != nil:
			return err
		case !entities:
			return fmt.Errorf("entity %d: %w", entity, record.ErrUnknownEntity)
		case !senders:
			return fmt.Errorf("sender %d: %w", m.SenderID, record.ErrUnknownSender)
		}
		var in int64
		err = e.row(ctx, `SELECT entity_id FROM spam_members WHERE sender_id = ? AND removed_at IS NULL`, []any{m.SenderID}, &in)
		switch {
		case err == nil:
			return &MemberError{in}
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
		_, err = e.insert(ctx, `INSERT INTO spam_members(entity_id, sender_id, basis, evidence, added_at) VALUES(?, ?, ?, ?, ?)`,
			entity, m.SenderID, m.Basis, m.Evidence, m.AddedAt)
		return err
	})
}

// RemoveEntityMember takes a sender out of an entity; the row stays.
func (w *Recorder) RemoveEntityMember(ctx context.Context, entity, sender int64, why string, now time.Time) error {
	return w.transact(ctx, "remove member", func(e *entry) error {
		n, err := e.exec(ctx, `UPDATE spam_members SET removed_at = ?, removed_why = ? WHERE entity_id = ? AND sender_id = ? AND removed_at IS NULL`,
			now.UnixMicro(), why, entity, sender)
		if err == nil && n == 0 {
			err = fmt.Errorf("sender %d in entity %d: %w", sender, entity, record.ErrUnknownSender)
		}
		return err
	})
}
