package store

import (
	"context"
	"database/sql"
	"fmt"
)

// Match is a message that the keyword index found. Score is bm25 with its
// sign turned: higher is better, 0 when it was not asked for.
type Match struct {
	ID    int64
	Score float64
}

// MatchQuery asks the keyword index.
type MatchQuery struct {
	// Expression is an FTS5 expression made by the search room; nothing a
	// person typed reaches it unquoted.
	Expression string
	// Start and End narrow to whole days that touch [Start, End), unix
	// microseconds; the caller checks the exact bounds.
	Start, End *int64
	// Ranked orders by relevance over every match; otherwise the newest
	// matches come first and no score is made.
	Ranked bool
	Limit  int
}

// Match returns ids of matching messages, missing ones included.
func (r *Reader) Match(ctx context.Context, q MatchQuery) ([]Match, error) {
	c := &conditions{}
	c.add("fts MATCH ?", q.Expression)
	if q.Start != nil {
		c.add("rowid >= ?", docID(*q.Start, 0))
	}
	if q.End != nil {
		c.add("rowid <= ?", docID(*q.End, maxDocID))
	}
	columns, order := "rowid, 0.0", "rowid DESC"
	if q.Ranked {
		columns, order = "rowid, -bm25(fts, 1.0, 1.0, 0.4) AS score", "score DESC, rowid DESC"
	}
	rows, err := r.query(ctx, `SELECT `+columns+` FROM fts`+c.where()+` ORDER BY `+order+` LIMIT ?`, append(c.args, q.Limit)...)
	if err != nil {
		return nil, fmt.Errorf("search index: %w", err)
	}
	list, err := collect(rows, func(row *sql.Rows) (Match, error) {
		var m Match
		err := row.Scan(&m.ID, &m.Score)
		m.ID &= maxDocID
		return m, err
	})
	if err != nil {
		return nil, fmt.Errorf("search index: %w", err)
	}
	return list, nil
}

// CountMatches counts matches up to limit.
func (r *Reader) CountMatches(ctx context.Context, q MatchQuery) (int64, error) {
	c := &conditions{}
	c.add("fts MATCH ?", q.Expression)
	if q.Start != nil {
		c.add("rowid >= ?", docID(*q.Start, 0))
	}
	if q.End != nil {
		c.add("rowid <= ?", docID(*q.End, maxDocID))
	}
	return r.scalar(ctx, `SELECT count(*) FROM (SELECT 1 FROM fts`+c.where()+` LIMIT ?)`, append(c.args, q.Limit)...)
}

// TermDocs returns in how many messages each term stands; terms that stand
// nowhere are left out.
func (r *Reader) TermDocs(ctx context.Context, terms []string) (map[string]int64, error) {
	docs := make(map[string]int64, len(terms))
	for _, term := range terms {
		s, err := r.prepare(ctx, `SELECT docs FROM terms WHERE term = ?`)
		if err != nil {
			return nil, err
		}
		var n int64
		switch err := s.QueryRowContext(ctx, term).Scan(&n); err {
		case nil:
			docs[term] = n
		case sql.ErrNoRows:
		default:
			return nil, fmt.Errorf("count term: %w", err)
		}
	}
	return docs, nil
}

// PrefixTerms returns the terms that start with prefix, the most frequent
// first, at most limit of them, and how many there are up to 10,000.
func (r *Reader) PrefixTerms(ctx context.Context, prefix string, limit int) (terms []string, total int64, err error) {
	const most = 10_000
	rows, err := r.query(ctx, `SELECT term, count(*) OVER () FROM (SELECT term, docs FROM terms WHERE term >= ?1 AND term < ?2 LIMIT ?3)
		ORDER BY docs DESC, term LIMIT ?4`, prefix, prefix+"\U0010FFFF", most, limit)
	if err != nil {
		return nil, 0, fmt.Errorf("expand prefix: %w", err)
	}
	terms, err = collect(rows, func(row *sql.Rows) (term string, err error) { err = row.Scan(&term, &total); return term, err })
	return terms, total, err
}

// IndexedMessages returns how many messages there are for the ranking's
// arithmetic.
func (r *Reader) IndexedMessages(ctx context.Context) (int64, error) {
	return r.scalar(ctx, `SELECT coalesce(sum(messages), 0) FROM conversations`)
}
