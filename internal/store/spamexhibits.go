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
	files, err := r.exhibitFiles(ctx)
	if err != nil {
		return nil, err
	}
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
		Hash: m.Hash, ID: m.ID, Body: m.Body, Edited: m.Edited, Edits: m.Edits, Details: m.Details, Conversation: m.Conversation,
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

func (r *Reader) exhibitFiles(ctx context.Context) (map[int64]record.ExhibitFile, error) {
	roots, err := r.Roots(ctx)
	if err != nil {
		return nil, err
	}
	zones := map[int64]string{}
	for _, root := range roots {
		zones[root.ID] = root.Zone
	}
	list, err := r.Files(ctx)
	if err != nil {
		return nil, err
	}
	files := make(map[int64]record.ExhibitFile, len(list))
	for _, f := range list {
		files[f.ID] = record.ExhibitFile{Path: f.Path, Member: f.Member, Format: f.Format, SHA256: hex.EncodeToString(f.SHA256), Zone: zones[f.RootID]}
	}
	return files, nil
}
