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

// SenderTotal is how many messages a handle sent, missing ones aside, and
// from which month to which.
type SenderTotal struct {
	Messages    int64
	First, Last Month
}

// remembered is what pages say of the archive as a whole.
type remembered struct {
	activity memo[activity]
	domains  memo[[]DomainCount]
	// conversations are read by those who list them, and not changed.
	conversations memo[sortedConversations]
}

// activity is what all conversations together make of each month and of each
// sender.
type activity struct {
	months  []SourceMonth
	busiest map[Month][]int64 // conversations, the one with most messages first
	senders map[int64]SenderTotal
}

// mostBusiest is how many conversations of a month are remembered.
const mostBusiest = 8

// Months returns the messages of every month and source, in this order. It is
// remembered until the archive changes; the caller does not change it.
func (r *Reader) Months(ctx context.Context) ([]SourceMonth, error) {
	a, err := r.whole.activity.get(ctx, r, r.sumActivity)
	return a.months, err
}

// Busiest returns the conversations with most messages in a month, the first
// of them first, at most eight. It is remembered like Months.
func (r *Reader) Busiest(ctx context.Context, month Month) ([]int64, error) {
	a, err := r.whole.activity.get(ctx, r, r.sumActivity)
	return a.busiest[month], err
}

// SenderTotals returns what every handle sent, the owner's own aside. It is
// remembered like Months.
func (r *Reader) SenderTotals(ctx context.Context) (map[int64]SenderTotal, error) {
	a, err := r.whole.activity.get(ctx, r, r.sumActivity)
	return a.senders, err
}

// sumActivity reads what there is of all conversations once, each in one row:
// a row for each month of each sender takes several times as long.
func (r *Reader) sumActivity(ctx context.Context) (a activity, err error) {
	rows, err := r.query(ctx, `SELECT x.conversation_id, c.source, group_concat(x.sender_id || ' ' || x.month || ' ' || x.messages, ' ')
		FROM activity x CROSS JOIN conversations c ON c.id = x.conversation_id GROUP BY x.conversation_id`)
	if err != nil {
		return a, fmt.Errorf("sum up activity: %w", err)
	}
	defer rows.Close()
	a = activity{busiest: map[Month][]int64{}, senders: map[int64]SenderTotal{}}
	months, crowds := map[SourceMonth]int64{}, map[Month][]crowd{}
	for rows.Next() {
		var conversation int64
		var source msg.Source
		var list sql.RawBytes
		if err := rows.Scan(&conversation, &source, &list); err != nil {
			return a, fmt.Errorf("sum up activity: %w", err)
		}
		own := map[Month]int64{}
		for len(list) > 0 {
			var sender, month, n int64
			sender, list = nextNumber(list)
			month, list = nextNumber(list)
			n, list = nextNumber(list)
			own[Month(month)] += n
			if sender > 0 {
				a.senders[sender] = a.senders[sender].with(Month(month), n)
			}
		}
		for month, n := range own {
			months[SourceMonth{source, MonthCount{Month: month}}] += n
			crowds[month] = putCrowd(crowds[month], crowd{conversation, n})
		}
	}
	if err := rows.Err(); err != nil {
		return a, fmt.Errorf("sum up activity: %w", err)
	}
	for key, n := range months {
		key.Messages = n
		a.months = append(a.months, key)
	}
	slices.SortFunc(a.months, func(a, b SourceMonth) int {
		return cmp.Or(cmp.Compare(a.Month, b.Month), cmp.Compare(a.Source, b.Source))
	})
	for month, list := range crowds {
		for _, c := range list {
			a.busiest[month] = append(a.busiest[month], c.conversation)
		}
	}
	return a, nil
}

// nextNumber reads the number that a list of them begins with, and returns
// what stands behind it and its blank.
func nextNumber(list []byte) (int64, []byte) {
	var n, sign int64 = 0, 1
	for i, c := range list {
		switch c {
		case ' ':
			return sign * n, list[i+1:]
		case '-':
			sign = -1
		default:
			n = 10*n + int64(c-'0')
		}
	}
	return sign * n, nil
}

// with adds messages of a month.
func (t SenderTotal) with(month Month, n int64) SenderTotal {
	if t.Messages == 0 || month < t.First {
		t.First = month
	}
	if t.Messages == 0 || month > t.Last {
		t.Last = month
	}
	t.Messages += n
	return t
}

// crowd is what a conversation has of a month.
type crowd struct{ conversation, messages int64 }

// putCrowd puts a conversation where it belongs among the busiest of a month.
func putCrowd(list []crowd, c crowd) []crowd {
	at, _ := slices.BinarySearchFunc(list, c, func(x, c crowd) int {
		return cmp.Or(cmp.Compare(c.messages, x.messages), cmp.Compare(x.conversation, c.conversation))
	})
	if at == mostBusiest {
		return list
	}
	list = slices.Insert(list, at, c)
	return list[:min(mostBusiest, len(list))]
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
