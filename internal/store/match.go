package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MatchQuery asks the keyword index.
type MatchQuery struct {
	// Expression is an FTS5 expression made by the search room; nothing a
	// person typed reaches it unquoted.
	Expression string
	// Missing asks for the messages that newer exports no longer hold, which
	// are left out otherwise.
	Missing bool
	// Within bounds the ids, if it is not zero; an end that is 0 is open.
	Within Block
	Limit  int
	// Forward reads the matches that were imported first, up to the limit,
	// instead of the last. It takes half the time: the index is made to be
	// read forward.
	Forward bool
}

// presence is the condition on the rows of the index that q asks for. Most
// archives lack nothing, which is found out once. The plus sign keeps the
// missing from driving the query, which would ask the index once for each.
func (q MatchQuery) presence() string {
	const missing = `(SELECT id FROM messages INDEXED BY messages_missing WHERE missing_since IS NOT NULL)`
	if q.Missing {
		return ` AND +rowid IN ` + missing
	}
	return ` AND (NOT EXISTS ` + missing + ` OR +rowid NOT IN ` + missing + `)`
}

// matching is the condition on the rows of the index, with its arguments.
func (q MatchQuery) matching() (where string, args []any) {
	where, args = `fts MATCH ?`+q.presence(), []any{q.Expression}
	if q.Within.First > 0 {
		where, args = where+` AND rowid >= ?`, append(args, q.Within.First)
	}
	if q.Within.Last > 0 {
		where, args = where+` AND rowid <= ?`, append(args, q.Within.Last)
	}
	return where, args
}

// BestMatches returns the ids of the matches that are the most relevant by
// bm25, best first. It costs ten times what Matches does, or more: bm25 looks
// up the length of every match, and counts where each part of the expression
// stands.
func (r *Reader) BestMatches(ctx context.Context, q MatchQuery) ([]int64, error) {
	where, args := q.matching()
	rows, err := r.query(ctx, `SELECT rowid FROM fts WHERE `+where+` ORDER BY bm25(fts), rowid DESC LIMIT ?`, append(args, q.Limit)...)
	if err != nil {
		return nil, fmt.Errorf("search index: %w", err)
	}
	list, err := collect(rows, func(row *sql.Rows) (id int64, err error) { return id, row.Scan(&id) })
	if err != nil {
		return nil, fmt.Errorf("search index: %w", err)
	}
	return list, nil
}

// Matches returns the ids of the matches that were imported last, or first if
// the query says so, those with the highest ids first. They come in one text, a tenth of a microsecond each:
// as rows they would cost several times that.
func (r *Reader) Matches(ctx context.Context, q MatchQuery) ([]int64, error) {
	var all string
	order := "DESC"
	if q.Forward {
		order = "ASC"
	}
	where, args := q.matching()
	err := r.row(ctx, `SELECT coalesce(group_concat(id), '') FROM (SELECT rowid AS id FROM fts WHERE `+where+`
		ORDER BY rowid `+order+` LIMIT ?)`, append(args, q.Limit), &all)
	if err != nil {
		return nil, fmt.Errorf("search index: %w", err)
	}
	if all == "" {
		return nil, nil
	}
	ids := make([]int64, 0, strings.Count(all, ",")+1)
	for text := range strings.SplitSeq(all, ",") {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("search index: %w", err)
		}
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b int64) int { return cmp.Compare(b, a) })
	return ids, nil
}

// CountMatches counts matches up to the query's limit.
func (r *Reader) CountMatches(ctx context.Context, q MatchQuery) (int64, error) {
	where, args := q.matching()
	return r.scalar(ctx, `SELECT count(*) FROM (SELECT 1 FROM fts WHERE `+where+` LIMIT ?)`, append(args, q.Limit)...)
}

// TermDocs returns in how many messages each term stands; terms that stand
// nowhere are left out.
func (r *Reader) TermDocs(ctx context.Context, terms []string) (map[string]int64, error) {
	docs := make(map[string]int64, len(terms))
	for _, term := range terms {
		var n int64
		switch err := r.row(ctx, `SELECT docs FROM terms WHERE term = ?`, []any{term}, &n); err {
		case nil:
			docs[term] = n
		case sql.ErrNoRows:
		default:
			return nil, fmt.Errorf("count term: %w", err)
		}
	}
	return docs, nil
}

// Prefix is what the index knows of the terms that begin alike.
type Prefix struct {
	Terms []string // the most frequent first
	Words int      // how many there are, at most prefixScan
	Docs  int64    // the sum of the messages they stand in
}

// prefixScan bounds how many terms of a prefix are looked at.
const prefixScan = 20_000

// PrefixTerms returns up to limit terms that start with prefix.
func (r *Reader) PrefixTerms(ctx context.Context, prefix string, limit int) (Prefix, error) {
	var p Prefix
	rows, err := r.query(ctx, `SELECT term, count(*) OVER (), sum(docs) OVER () FROM
		(SELECT term, docs FROM terms WHERE term >= ?1 AND term < ?2 LIMIT ?3) ORDER BY docs DESC, term LIMIT ?4`,
		prefix, prefix+"\U0010FFFF", prefixScan, limit)
	if err != nil {
		return p, fmt.Errorf("expand prefix: %w", err)
	}
	p.Terms, err = collect(rows, func(row *sql.Rows) (term string, err error) {
		err = row.Scan(&term, &p.Words, &p.Docs)
		return term, err
	})
	return p, err
}

// Terms calls yield for every term that starts with prefix, in ascending
// order, with the number of messages it stands in, until yield returns false.
func (r *Reader) Terms(ctx context.Context, prefix string, yield func(term string, docs int64) bool) error {
	rows, err := r.query(ctx, `SELECT term, docs FROM terms WHERE term >= ? AND term < ? ORDER BY term LIMIT ?`, prefix, prefix+"\U0010FFFF", prefixScan)
	if err != nil {
		return fmt.Errorf("list terms: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var term string
		var docs int64
		if err := rows.Scan(&term, &docs); err != nil {
			return err
		}
		if !yield(term, docs) {
			break
		}
	}
	return rows.Err()
}

// Candidate is a message as the ranking sees it.
type Candidate struct {
	Neighbour
	ConversationID int64
	Missing        bool
}

// manyIDs is how many ids a statement takes where there are hundreds of them.
const manyIDs = 128

// Candidates reads what the ranking needs of the messages with the given ids,
// in no particular order.
func (r *Reader) Candidates(ctx context.Context, ids []int64) ([]Candidate, error) {
	list := make([]Candidate, 0, len(ids))
	size := idsPerQuery
	if len(ids) > manyIDs/2 {
		size = manyIDs
	}
	for part := range slices.Chunk(ids, size) {
		rows, err := r.query(ctx, `SELECT id, ts, coalesce(sender_id, 0), direction = 2, body, conversation_id, missing_since IS NOT NULL
			FROM messages WHERE id IN `+placeholders(size), padIDs(part, size)...)
		if err != nil {
			return nil, fmt.Errorf("read candidates: %w", err)
		}
		for rows.Next() {
			var c Candidate
			if err := rows.Scan(&c.ID, &c.Sort, &c.SenderID, &c.FromMe, &c.Body, &c.ConversationID, &c.Missing); err != nil {
				rows.Close()
				return nil, err
			}
			list = append(list, c)
		}
		if err := rows.Err(); err != nil {
			return nil, fmt.Errorf("read candidates: %w", err)
		}
	}
	return list, nil
}

// Extent is what the ranking needs to know of the archive as a whole.
type Extent struct {
	Messages    int64
	First, Last int64 // unix microseconds
}

// Extent returns how much the archive holds and over which period. It is
// remembered until the archive changes.
func (r *Reader) Extent(ctx context.Context) (Extent, error) {
	version, err := r.Changes(ctx)
	if err != nil {
		return Extent{}, err
	}
	r.mu.Lock()
	kept, known := r.extent, r.extentKnown && r.extentVersion == version
	r.mu.Unlock()
	if known {
		return kept, nil
	}
	var e Extent
	if err := r.row(ctx, `SELECT coalesce(sum(messages), 0), coalesce(min(first_ts), 0), coalesce(max(last_ts), 0)
		FROM conversations WHERE messages > 0`, nil, &e.Messages, &e.First, &e.Last); err != nil {
		return e, fmt.Errorf("measure archive: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.extent, r.extentVersion, r.extentKnown = e, version, true
	return e, nil
}

// MatchAmong tells which of the given messages an expression finds. It reads
// all that it finds between the lowest and the highest of them.
func (r *Reader) MatchAmong(ctx context.Context, expression string, ids []int64) (map[int64]bool, error) {
	wanted := make(map[int64]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	found := make(map[int64]bool, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	rows, err := r.query(ctx, `SELECT rowid FROM fts WHERE fts MATCH ? AND rowid BETWEEN ? AND ?`, expression, slices.Min(ids), slices.Max(ids))
	if err != nil {
		return nil, fmt.Errorf("search index: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("search index: %w", err)
		}
		if wanted[id] {
			found[id] = true
		}
	}
	return found, rows.Err()
}
