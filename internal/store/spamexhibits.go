package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// SpamExhibits returns the messages that the archive still holds, by hash,
// with where each was read.
func (r *Reader) SpamExhibits(ctx context.Context, hashes []string) (map[string]record.Exhibit, error) {
	zones, err := r.rootZones(ctx)
	if err != nil {
		return nil, err
	}
	files := map[int64]record.ExhibitFile{}
	found := make(map[string]record.Exhibit, len(hashes))
	for part := range slices.Chunk(hashes, idsPerQuery) {
		ids, err := r.messageIDs(ctx, part)
		if err != nil {
			return nil, fmt.Errorf("find messages: %w", err)
		}
		also, err := r.furtherFiles(ctx, ids)
		if err != nil {
			return nil, fmt.Errorf("count files of messages: %w", err)
		}
		list, err := r.Messages(ctx, ids)
		if err != nil {
			return nil, err
		}
		if err := r.addExhibitFiles(ctx, files, zones, list); err != nil {
			return nil, fmt.Errorf("look up files of messages: %w", err)
		}
		for _, m := range list {
			x := exhibit(m)
			x.File, x.Also = files[m.FileID], also[m.ID]
			found[m.Hash] = x
		}
	}
	return found, nil
}

func exhibit(m Message) record.Exhibit {
	x := record.Exhibit{
		Hash: m.Hash, ID: m.ID, Sort: m.Sort, Body: m.Body, Edited: m.Edited, Edits: m.Edits, Details: m.Details, Conversation: m.Conversation,
		MissingSince: m.MissingSince, NativeID: m.NativeID, Position: m.Position,
	}
	if m.ReplyTo != nil {
		x.Quote = m.ReplyTo.Quote
	}
	for _, a := range m.Attachments {
		x.Attachments = append(x.Attachments, record.ExhibitAttachment{Kind: a.Kind, Name: a.Name, MIME: a.MIME, Size: a.Size})
	}
	return x
}

// messageIDs resolves up to idsPerQuery whole hashes; what names nothing is
// left out.
func (r *Reader) messageIDs(ctx context.Context, hashes []string) ([]int64, error) {
	args := make([]any, 2*idsPerQuery)
	for i := range args {
		args[i] = []byte{0} // no hash is so short
	}
	for i, hash := range hashes {
		raw, err := hex.DecodeString(hash)
		if err != nil || len(raw) != msg.HashSize {
			return nil, fmt.Errorf("%q is no hash of a message", hash)
		}
		args[i], args[idsPerQuery+i] = raw[:hashKey], raw
	}
	rows, err := r.query(ctx, `SELECT id FROM messages WHERE substr(hash, 1, 5) IN `+placeholders(idsPerQuery)+` AND hash IN `+placeholders(idsPerQuery)+
		` ORDER BY id`, args...)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(row *sql.Rows) (id int64, err error) { err = row.Scan(&id); return id, err })
}

// furtherFiles counts the other files that hold each of the messages.
func (r *Reader) furtherFiles(ctx context.Context, ids []int64) (map[int64]int64, error) {
	counts := map[int64]int64{}
	for part := range slices.Chunk(ids, idsPerQuery) {
		rows, err := r.query(ctx, `SELECT message_id, count(*) FROM message_files WHERE message_id IN `+placeholders(idsPerQuery)+
			` GROUP BY message_id`, padIDs(part, idsPerQuery)...)
		if err != nil {
			return nil, err
		}
		_, err = collect(rows, func(row *sql.Rows) (n int64, err error) {
			var id int64
			err = row.Scan(&id, &n)
			counts[id] = n
			return n, err
		})
		if err != nil {
			return nil, err
		}
	}
	return counts, nil
}

func (r *Reader) rootZones(ctx context.Context) (map[int64]string, error) {
	roots, err := r.Roots(ctx)
	if err != nil {
		return nil, err
	}
	zones := map[int64]string{}
	for _, root := range roots {
		zones[root.ID] = root.Zone
	}
	return zones, nil
}

// addExhibitFiles adds the files that messages were read from, which are at
// most idsPerQuery.
func (r *Reader) addExhibitFiles(ctx context.Context, files map[int64]record.ExhibitFile, zones map[int64]string, list []Message) error {
	var ids []int64
	for _, m := range list {
		if _, known := files[m.FileID]; !known && !slices.Contains(ids, m.FileID) {
			ids = append(ids, m.FileID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := r.query(ctx, `SELECT `+fileColumns+` FROM files WHERE id IN `+placeholders(idsPerQuery), padIDs(ids, idsPerQuery)...)
	if err != nil {
		return err
	}
	_, err = collect(rows, func(row *sql.Rows) (f SourceFile, err error) {
		f, err = scanFile(row)
		files[f.ID] = record.ExhibitFile{Path: f.Path, Member: f.Member, Format: f.Format, SHA256: hex.EncodeToString(f.SHA256), Zone: zones[f.RootID]}
		return f, err
	})
	return err
}

// SpamHeld says, by source, how many of the messages that the senders'
// findings stand for the archive still holds.
func (r *Reader) SpamHeld(ctx context.Context, senders []int64) ([]record.Held, error) {
	parts, err := eachSender(ctx, r, `SELECT th.source, count(*), count(nullif(s.native_id, '')), sum(m.ts / 1000000 <> fi.sort / 1000000) FROM spam_findings fi
		CROSS JOIN messages m ON substr(m.hash, 1, 5) = substr(fi.hash, 1, 5) AND m.hash = fi.hash
		JOIN spam_threads th ON th.id = fi.thread_id LEFT JOIN specifics s ON s.message_id = m.id
		WHERE fi.ruleset_id = `+activeID+` AND fi.sender_id IN senders GROUP BY th.source ORDER BY th.source`, senders,
		func(row *sql.Rows) (h record.Held, err error) {
			err = row.Scan(&h.Source, &h.Messages, &h.NativeIDs, &h.Moved)
			return h, err
		})
	if err != nil {
		return nil, fmt.Errorf("count messages of findings: %w", err)
	}
	var list []record.Held
	for _, h := range parts {
		at := slices.IndexFunc(list, func(x record.Held) bool { return x.Source == h.Source })
		if at < 0 {
			list = append(list, h)
			continue
		}
		list[at].Messages += h.Messages
		list[at].NativeIDs += h.NativeIDs
		list[at].Moved += h.Moved
	}
	return list, nil
}
