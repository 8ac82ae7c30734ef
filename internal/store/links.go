package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// LinkItem is a URL with how many messages of the selection carry it and the
// latest of them.
type LinkItem struct {
	URLID   int64
	URL     string
	Domain  string
	Count   int64
	Message Message
}

// LinkQuery selects URLs, latest first. Each URL appears once.
type LinkQuery struct {
	Filter
	Domain string // registrable domain, or empty
	After  *Key   // the last URL already shown: its latest message's Sort and its URLID
	Limit  int
	// Uncounted leaves out how many there are in all, which takes as long as
	// reading all of them.
	Uncounted bool
}

// ListLinks returns a page of URLs and how many there are in all.
func (r *Reader) ListLinks(ctx context.Context, q LinkQuery) ([]LinkItem, int64, error) {
	var list []LinkItem
	var total int64
	var err error
	whole := len(q.Conversations) == 0 && !q.narrowsMessages() && !q.IncludeMissing
	switch {
	case whole && q.Source == "":
		list, total, err = r.countedLinks(ctx, q)
	case whole && q.Uncounted && q.Domain == "":
		list, err = r.sourceLinks(ctx, q)
	default:
		list, total, err = r.groupedLinks(ctx, q)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("list links: %w", err)
	}
	return list, total, r.fillLinks(ctx, list)
}

// countedLinks reads the figures kept with each URL.
func (r *Reader) countedLinks(ctx context.Context, q LinkQuery) ([]LinkItem, int64, error) {
	c := &conditions{}
	c.add("u.last_ts > ?", minSort)
	c.add("u.messages > 0")
	if q.Domain != "" {
		c.add("u.domain = ?", q.Domain)
	}
	var total int64
	if !q.Uncounted {
		var err error
		if total, err = r.scalar(ctx, `SELECT count(*) FROM urls u`+c.where(), c.args...); err != nil {
			return nil, 0, err
		}
	}
	if q.After != nil {
		c.add("(u.last_ts, u.id) < (?, ?)", q.After.Sort, q.After.ID)
	}
	rows, err := r.query(ctx, `SELECT u.id, u.url, u.domain, u.messages, u.last_message FROM urls u`+c.where()+
		` ORDER BY u.last_ts DESC, u.id DESC LIMIT ?`, append(c.args, q.Limit)...)
	if err != nil {
		return nil, 0, err
	}
	list, err := collect(rows, scanLink)
	return list, total, err
}

// minSort is below every time a message can have.
const minSort = -1 << 62

// groupedLinks counts within the selection.
func (r *Reader) groupedLinks(ctx context.Context, q LinkQuery) ([]LinkItem, int64, error) {
	c := q.conditions("l")
	if q.IncludeMissing {
		c.add("l.hidden IN (0, 1)") // every index has it before the time
	} else {
		c.add("l.hidden = 0")
	}
	index := "links_time"
	if q.Domain != "" {
		shown := ""
		if !q.IncludeMissing {
			shown = " AND messages > 0" // as the index has it
		}
		c.add("l.url_id IN (SELECT id FROM urls WHERE domain = ?"+shown+")", q.Domain)
		index = "links_url"
	}
	switch {
	case len(q.Conversations) > 0:
		index = "links_conversation"
	case len(q.Senders) > 0 && !q.FromMe && q.Domain == "":
		index = "links_sender"
	}
	from := ` FROM links l INDEXED BY ` + index + c.where()
	var total int64
	if !q.Uncounted {
		var err error
		if total, err = r.scalar(ctx, `SELECT count(DISTINCT l.url_id)`+from, c.args...); err != nil {
			return nil, 0, err
		}
	}
	page := `SELECT l.url_id AS url_id, count(*) AS n, max(l.ts) AS last` + from + ` GROUP BY l.url_id`
	latest := *c
	latest.add("l.url_id = g.url_id AND l.ts = g.last")
	args := slices.Concat(latest.args, c.args)
	if q.After != nil {
		page += ` HAVING (max(l.ts), l.url_id) < (?, ?)`
		args = append(args, q.After.Sort, q.After.ID)
	}
	page += ` ORDER BY last DESC, url_id DESC LIMIT ?`
	rows, err := r.query(ctx, `SELECT u.id, u.url, u.domain, g.n,
		(SELECT max(l.message_id) FROM links l INDEXED BY links_url`+latest.where()+`) FROM (`+page+`) g
		JOIN urls u ON u.id = g.url_id ORDER BY g.last DESC, g.url_id DESC`, append(args, q.Limit)...)
	if err != nil {
		return nil, 0, err
	}
	list, err := collect(rows, scanLink)
	return list, total, err
}

// rareShare is how many times smaller than the archive a source must be for
// its links to be gathered from its conversations. Those of others turn up
// soon enough among all links, latest first.
const rareShare = 5

// ofSource selects links by the source, the first parameter.
const ofSource = `conversation_id IN (SELECT id FROM conversations WHERE source = ?1)`

// sourceLinks reads a page of the links of one source without reading all of
// them.
func (r *Reader) sourceLinks(ctx context.Context, q LinkQuery) ([]LinkItem, error) {
	var own, all int64
	err := r.row(ctx, `SELECT coalesce(sum(messages) FILTER (WHERE source = ?), 0), coalesce(sum(messages), 0) FROM conversations`, []any{string(q.Source)}, &own, &all)
	if err != nil {
		return nil, err
	}
	if own*rareShare < all {
		return r.linksOfRare(ctx, q)
	}
	return r.linksOfCommon(ctx, q)
}

// linksOfRare groups all links of a source.
func (r *Reader) linksOfRare(ctx context.Context, q LinkQuery) ([]LinkItem, error) {
	after, args := "", []any{string(q.Source), q.Limit}
	if q.After != nil {
		after, args = ` HAVING (max(ts), url_id) < (?3, ?4)`, append(args, q.After.Sort, q.After.ID)
	}
	return r.linkItems(ctx, `SELECT u.id, u.url, u.domain, g.n,
		(SELECT max(message_id) FROM links INDEXED BY links_url WHERE url_id = g.url_id AND hidden = 0 AND ts = g.last AND `+ofSource+`)
		FROM (SELECT url_id, count(*) AS n, max(ts) AS last FROM links INDEXED BY links_conversation WHERE `+ofSource+` AND hidden = 0
			GROUP BY url_id`+after+` ORDER BY last DESC, url_id DESC LIMIT ?2) g
		JOIN urls u ON u.id = g.url_id ORDER BY g.last DESC, g.url_id DESC`, args)
}

// linksOfCommon goes through all links, the latest first, until the page is
// full, and takes those of the source that come no later again.
func (r *Reader) linksOfCommon(ctx context.Context, q LinkQuery) ([]LinkItem, error) {
	after, args := "", []any{string(q.Source), q.Limit}
	if q.After != nil {
		after, args = ` AND (l.ts, l.url_id) < (?3, ?4)`, append(args, q.After.Sort, q.After.ID)
	}
	return r.linkItems(ctx, `SELECT u.id, u.url, u.domain, (SELECT count(*) FROM links INDEXED BY links_url WHERE url_id = f.url_id AND hidden = 0 AND `+ofSource+`), f.message_id
		FROM (SELECT l.url_id, l.ts, l.message_id FROM links l INDEXED BY links_time WHERE l.hidden = 0 AND l.`+ofSource+after+`
			AND NOT EXISTS (SELECT 1 FROM links k INDEXED BY links_url WHERE k.url_id = l.url_id AND k.hidden = 0 AND (k.ts, k.message_id) > (l.ts, l.message_id) AND k.`+ofSource+`)
			ORDER BY l.ts DESC, l.url_id DESC, l.message_id DESC LIMIT ?2) f
		JOIN urls u ON u.id = f.url_id ORDER BY f.ts DESC, f.url_id DESC`, args)
}

func (r *Reader) linkItems(ctx context.Context, query string, args []any) ([]LinkItem, error) {
	rows, err := r.query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return collect(rows, scanLink)
}

func scanLink(row *sql.Rows) (LinkItem, error) {
	var l LinkItem
	return l, row.Scan(&l.URLID, &l.URL, &l.Domain, &l.Count, &l.Message.ID)
}

// Domains returns the domains of all links, the one with most URLs first.
func (r *Reader) Domains(ctx context.Context) ([]string, error) {
	rows, err := r.query(ctx, `SELECT domain FROM urls WHERE messages > 0 GROUP BY domain ORDER BY count(*) DESC, domain`)
	if err != nil {
		return nil, fmt.Errorf("list domains: %w", err)
	}
	return collect(rows, func(row *sql.Rows) (d string, err error) { err = row.Scan(&d); return d, err })
}

// LatestLinks lists the URLs that handles other than the owner's sent last, each once with its latest
// message, at most limit of them. Count is not set. It reads few links,
// however many there are.
func (r *Reader) LatestLinks(ctx context.Context, senders []int64, limit int) ([]LinkItem, error) {
	// One that is sent again and again takes the place of others.
	const again = 4
	type sent struct {
		LinkItem
		ts int64
	}
	var all []sent
	for _, sender := range senders {
		rows, err := r.query(ctx, `SELECT u.id, u.url, u.domain, f.message_id, f.ts FROM
			(SELECT url_id, message_id, ts FROM links INDEXED BY links_sender WHERE sender_id = ? AND direction <> ? AND hidden = 0
				ORDER BY ts DESC, url_id DESC, message_id DESC LIMIT ?) f
			JOIN urls u ON u.id = f.url_id`, sender, int64(msg.Out), limit*again)
		if err != nil {
			return nil, fmt.Errorf("list latest links: %w", err)
		}
		list, err := collect(rows, func(row *sql.Rows) (s sent, err error) {
			return s, row.Scan(&s.URLID, &s.URL, &s.Domain, &s.Message.ID, &s.ts)
		})
		if err != nil {
			return nil, fmt.Errorf("list latest links: %w", err)
		}
		all = append(all, list...)
	}
	slices.SortFunc(all, func(a, b sent) int {
		return cmp.Or(cmp.Compare(b.ts, a.ts), cmp.Compare(b.URLID, a.URLID), cmp.Compare(b.Message.ID, a.Message.ID))
	})
	known := map[int64]bool{}
	var list []LinkItem
	for _, s := range all {
		if len(list) == limit {
			break
		}
		if !known[s.URLID] {
			known[s.URLID] = true
			list = append(list, s.LinkItem)
		}
	}
	return list, r.fillLinks(ctx, list)
}

func (r *Reader) fillLinks(ctx context.Context, list []LinkItem) error {
	return fillMessages(ctx, r, list, func(l *LinkItem) *Message { return &l.Message })
}
