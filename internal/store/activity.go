package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// MonthCount is how many messages there are of a month, missing ones aside.
type MonthCount struct {
	Month    Month
	Messages int64
}

// SourceMonth is what one source contributed to a month.
type SourceMonth struct {
	Source msg.Source
	MonthCount
}

// compare puts months in order, and the sources of one.
func (m SourceMonth) compare(o SourceMonth) int {
	return cmp.Or(cmp.Compare(m.Month, o.Month), cmp.Compare(m.Source, o.Source))
}

// SenderTotal is how many messages a handle sent, missing ones and the owner's
// own aside, and from which month to which.
type SenderTotal struct {
	Messages    int64
	First, Last Month // zero when there are no messages
}

// remembered is what pages say of the archive as a whole.
type remembered struct {
	domains memo[[]DomainCount]
	unread  memo[[]string] // what could not be read, in words
	roots   memo[[]RootSummary]
	// conversations are read by those who list them, and not changed.
	conversations memo[sortedConversations]
}

// Months returns the messages of every month and source, in this order.
func (r *Reader) Months(ctx context.Context) ([]SourceMonth, error) {
	rows, err := r.query(ctx, `SELECT month, source, messages FROM month_totals ORDER BY month, source`)
	if err != nil {
		return nil, fmt.Errorf("sum up months: %w", err)
	}
	return collect(rows, func(row *sql.Rows) (m SourceMonth, err error) { return m, row.Scan(&m.Month, &m.Source, &m.Messages) })
}

// SenderTotals returns what every handle sent that sent anything.
func (r *Reader) SenderTotals(ctx context.Context) (map[int64]SenderTotal, error) {
	return r.senderTotals(ctx, `SELECT id, messages, first_month, last_month FROM handles WHERE messages > 0`)
}

// TopSenders returns what the handles sent of the people who sent most, at
// most so many people. The owner is none of them.
func (r *Reader) TopSenders(ctx context.Context, people int) (map[int64]SenderTotal, error) {
	return r.senderTotals(ctx, `SELECT id, messages, first_month, last_month FROM handles WHERE owner = 0 AND person_id IN (
		SELECT person_id FROM handles WHERE owner = 0 GROUP BY person_id ORDER BY sum(messages) DESC, person_id LIMIT ?)`, people)
}

func (r *Reader) senderTotals(ctx context.Context, query string, args ...any) (map[int64]SenderTotal, error) {
	rows, err := r.query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("sum up senders: %w", err)
	}
	defer rows.Close()
	totals := map[int64]SenderTotal{}
	for rows.Next() {
		var id int64
		var t SenderTotal
		if err := rows.Scan(&id, &t.Messages, &t.First, &t.Last); err != nil {
			return nil, fmt.Errorf("sum up senders: %w", err)
		}
		totals[id] = t
	}
	return totals, rows.Err()
}

// Of the largest conversations of a time, so many are looked into, and so many
// are returned.
const (
	lookedInto = 100
	mostLively = 8
)

// Lively returns conversations that have messages in [start, end), unix
// microseconds, the largest first: at most eight, out of the hundred largest
// that began before and ended after.
func (r *Reader) Lively(ctx context.Context, start, end int64) ([]int64, error) {
	rows, err := r.query(ctx, `SELECT id FROM (SELECT id FROM conversations INDEXED BY conversations_size
			WHERE messages > 0 AND first_ts < ?2 AND last_ts >= ?1 ORDER BY messages DESC, first_ts DESC, last_ts DESC, id DESC LIMIT ?3) c
		WHERE EXISTS (SELECT 1 FROM messages INDEXED BY messages_conversation
			WHERE conversation_id = c.id AND ts >= ?1 AND ts < ?2 AND missing_since IS NULL) LIMIT ?4`, start, end, lookedInto, mostLively)
	if err != nil {
		return nil, fmt.Errorf("find lively conversations: %w", err)
	}
	return collect(rows, func(row *sql.Rows) (id int64, err error) { return id, row.Scan(&id) })
}

// ConversationMonths returns the months of a conversation that have messages,
// in chronological order.
func (r *Reader) ConversationMonths(ctx context.Context, conversation int64) ([]MonthCount, error) {
	return r.monthCounts(ctx, `SELECT month, sum(messages) FROM activity WHERE conversation_id = ? GROUP BY month ORDER BY month`, conversation)
}

// SenderMonths returns the months in which any of the handles sent messages,
// in chronological order.
func (r *Reader) SenderMonths(ctx context.Context, handles []int64) ([]MonthCount, error) {
	total := map[Month]int64{}
	for part := range slices.Chunk(handles, idsPerQuery) {
		ids := padHandles(part)
		list, err := r.monthCounts(ctx, `SELECT month, sum(messages) FROM activity
			WHERE conversation_id IN (SELECT conversation_id FROM participants WHERE handle_id IN `+placeholders(idsPerQuery)+`)
			AND sender_id IN `+placeholders(idsPerQuery)+` GROUP BY month`, append(ids, ids...)...)
		if err != nil {
			return nil, err
		}
		for _, m := range list {
			total[m.Month] += m.Messages
		}
	}
	list := make([]MonthCount, 0, len(total))
	for month, n := range total {
		list = append(list, MonthCount{month, n})
	}
	slices.SortFunc(list, func(a, b MonthCount) int { return int(a.Month - b.Month) })
	return list, nil
}

// padHandles is padIDs with a filler that stands for nobody at all.
func padHandles(ids []int64) []any {
	args := padIDs(ids, idsPerQuery)
	for i := len(ids); i < len(args); i++ {
		args[i] = ids[0]
	}
	return args
}

func (r *Reader) monthCounts(ctx context.Context, query string, args ...any) ([]MonthCount, error) {
	rows, err := r.query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("sum up months: %w", err)
	}
	return collect(rows, func(row *sql.Rows) (m MonthCount, err error) { return m, row.Scan(&m.Month, &m.Messages) })
}

// DayCount is how many messages there are of a day (see Day), missing ones
// aside.
type DayCount struct{ Day, Messages int64 }

// DayCounts returns the days of a conversation that have messages in
// [start, end), unix microseconds, in chronological order. Its cost grows with
// the messages of the stretch.
func (r *Reader) DayCounts(ctx context.Context, conversation, start, end int64) ([]DayCount, error) {
	rows, err := r.query(ctx, `SELECT `+dayOfTS+` AS day, count(*) FROM messages INDEXED BY messages_conversation
		WHERE conversation_id = ? AND ts >= ? AND ts < ? GROUP BY day ORDER BY day`, conversation, start, end)
	if err != nil {
		return nil, fmt.Errorf("count days: %w", err)
	}
	scan := func(row *sql.Rows) (d DayCount, err error) { return d, row.Scan(&d.Day, &d.Messages) }
	list, err := collect(rows, scan)
	if err != nil {
		return nil, err
	}
	rows, err = r.query(ctx, `SELECT `+dayOfTS+` AS day, count(*) FROM messages INDEXED BY messages_missing
		WHERE conversation_id = ? AND missing_since IS NOT NULL AND ts >= ? AND ts < ? GROUP BY day ORDER BY day`, conversation, start, end)
	if err != nil {
		return nil, fmt.Errorf("count missing days: %w", err)
	}
	gone, err := collect(rows, scan)
	if err != nil {
		return nil, err
	}
	for _, g := range gone {
		if i := slices.IndexFunc(list, func(d DayCount) bool { return d.Day == g.Day }); i >= 0 {
			list[i].Messages -= g.Messages
		}
	}
	return slices.DeleteFunc(list, func(d DayCount) bool { return d.Messages <= 0 }), nil
}

// CountMissing returns how many messages of a conversation newer exports no
// longer hold.
func (r *Reader) CountMissing(ctx context.Context, conversation int64) (int64, error) {
	return r.scalar(ctx, `SELECT count(*) FROM messages INDEXED BY messages_missing WHERE conversation_id = ? AND missing_since IS NOT NULL`, conversation)
}

// DomainCount is how many URLs of a domain there are, and how many messages
// carry them: a message with two of them counts twice.
type DomainCount struct {
	Domain         string
	URLs, Messages int64
}

// DomainCounts returns the domains of all links, the one with most URLs
// first. It is remembered until the archive changes; the caller does not
// change it.
func (r *Reader) DomainCounts(ctx context.Context) ([]DomainCount, error) {
	return r.whole.domains.get(ctx, r, func(ctx context.Context) ([]DomainCount, error) {
		rows, err := r.query(ctx, `SELECT domain, count(*), sum(messages) FROM urls WHERE messages > 0 GROUP BY domain ORDER BY 2 DESC, domain`)
		if err != nil {
			return nil, fmt.Errorf("count domains: %w", err)
		}
		return collect(rows, func(row *sql.Rows) (d DomainCount, err error) { return d, row.Scan(&d.Domain, &d.URLs, &d.Messages) })
	})
}
