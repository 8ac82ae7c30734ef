package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/cases"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// Conversation is a conversation with its figures. Missing messages are not
// counted; First and Last are unix microseconds, zero when it is empty.
type Conversation struct {
	ConversationRef
	Messages    int64
	First, Last int64
	// People is how many handles take part; Others names up to a few of them,
	// without the owner, only filled by ListConversations.
	People int64
	Others []string
}

// ConversationOrder is how a list of conversations is sorted.
type ConversationOrder string

// The orders: newest message first, by name, most messages first.
const (
	ByRecent ConversationOrder = "recent"
	ByName   ConversationOrder = "name"
	BySize   ConversationOrder = "size"
)

// ConversationQuery selects conversations.
type ConversationQuery struct {
	Text   string // part of a name or of a participant's name or handle
	Source msg.Source
	Kind   *msg.ConversationKind
	// Handles keeps conversations that any of them takes part in.
	Handles []int64
	// Start and End keep conversations with messages in [Start, End).
	Start, End *int64
	Order      ConversationOrder
	// After is the place of the last conversation already shown, or nil. It
	// stays what it is when the conversation moves or goes.
	After *ConversationPlace
	Limit int
}

// ConversationPlace is a place in a list of one order.
type ConversationPlace struct {
	Value int64  // of the latest message, or how many messages there are
	Name  string // in the order by name, in lower case and at most placeName bytes
	ID    int64
}

// placeName is how much of a name counts in the order, in bytes.
const placeName = 200

// Place returns where a conversation stands in a list of this order.
func (o ConversationOrder) Place(c Conversation) ConversationPlace {
	place := ConversationPlace{ID: c.ID}
	switch o {
	case ByName:
		name := strings.ToLower(c.Name)
		place.Name = name[:min(len(name), placeName)]
	case BySize:
		place.Value = c.Messages
	default:
		place.Value = c.Last
	}
	return place
}

// compare orders names upward and figures downward.
func (p ConversationPlace) compare(q ConversationPlace) int {
	return cmp.Or(cmp.Compare(p.Name, q.Name), cmp.Compare(q.Value, p.Value), cmp.Compare(p.ID, q.ID))
}

// ListConversations returns a page of conversations and how many there are
// in all.
func (r *Reader) ListConversations(ctx context.Context, q ConversationQuery) ([]Conversation, int, error) {
	sorted, err := r.whole.conversations.get(ctx, r, r.sortConversations)
	if err != nil {
		return nil, 0, fmt.Errorf("list conversations: %w", err)
	}
	all := sorted.in(q.Order)
	matches, err := r.textMatches(ctx, q.Text)
	if err != nil {
		return nil, 0, fmt.Errorf("match conversations: %w", err)
	}
	with, err := r.ConversationsOf(ctx, q.Handles)
	if err != nil {
		return nil, 0, fmt.Errorf("list conversations: %w", err)
	}
	if selective := q.Source != "" || q.Kind != nil || matches != nil || len(q.Handles) > 0 || q.Start != nil || q.End != nil; selective {
		var kept []placedConversation
		for _, c := range all {
			if (q.Source == "" || c.Source == q.Source) && (q.Kind == nil || c.Kind == *q.Kind) && (matches == nil || matches[c.ID]) {
				if _, takesPart := slices.BinarySearch(with, c.ID); (len(q.Handles) == 0 || takesPart) &&
					(q.Start == nil || c.Last >= *q.Start) && (q.End == nil || c.First < *q.End) {
					kept = append(kept, c)
				}
			}
		}
		all = kept
	}
	if q.Start != nil && q.End != nil {
		if all, err = r.withMessagesIn(ctx, all, *q.Start, *q.End); err != nil {
			return nil, 0, err
		}
	}
	total := len(all)
	if q.After != nil {
		// Strictly behind the place, be it still taken or not.
		at, taken := slices.BinarySearchFunc(all, *q.After, func(c placedConversation, p ConversationPlace) int { return c.place.compare(p) })
		if taken {
			at++
		}
		all = all[at:]
	}
	if q.Limit > 0 && len(all) > q.Limit {
		all = all[:q.Limit]
	}
	list := make([]Conversation, len(all))
	for i, c := range all {
		list[i] = c.Conversation
	}
	return list, total, r.fillOthers(ctx, list)
}

// placedConversation is a conversation with its place in one order.
type placedConversation struct {
	Conversation
	place ConversationPlace
}

// sortedConversations are all conversations in each order.
type sortedConversations struct{ recent, name, size []placedConversation }

func (s sortedConversations) in(o ConversationOrder) []placedConversation {
	switch o {
	case ByName:
		return s.name
	case BySize:
		return s.size
	}
	return s.recent
}

func (r *Reader) sortConversations(ctx context.Context) (s sortedConversations, err error) {
	list, err := r.conversations(ctx)
	if err != nil {
		return s, err
	}
	for o, into := range map[ConversationOrder]*[]placedConversation{ByRecent: &s.recent, ByName: &s.name, BySize: &s.size} {
		placed := make([]placedConversation, len(list))
		for i, c := range list {
			placed[i] = placedConversation{c, o.Place(c)}
		}
		slices.SortFunc(placed, func(a, b placedConversation) int { return a.place.compare(b.place) })
		*into = placed
	}
	return s, nil
}

func (r *Reader) conversations(ctx context.Context) ([]Conversation, error) {
	rows, err := r.query(ctx, `SELECT id, key, name, source, kind, messages, first_ts, last_ts FROM conversations`)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(row *sql.Rows) (Conversation, error) {
		var c Conversation
		return c, row.Scan(&c.ID, &c.Key, &c.Name, &c.Source, &c.Kind, &c.Messages, &c.First, &c.Last)
	})
}

// Conversation returns one conversation with its participants.
func (r *Reader) Conversation(ctx context.Context, id int64) (Conversation, error) {
	rows, err := r.query(ctx, `SELECT id, key, name, source, kind, messages, first_ts, last_ts FROM conversations WHERE id = ?`, id)
	if err != nil {
		return Conversation{}, err
	}
	list, err := collect(rows, func(row *sql.Rows) (Conversation, error) {
		var c Conversation
		return c, row.Scan(&c.ID, &c.Key, &c.Name, &c.Source, &c.Kind, &c.Messages, &c.First, &c.Last)
	})
	if err != nil {
		return Conversation{}, err
	}
	if len(list) == 0 {
		return Conversation{}, ErrNotFound
	}
	return list[0], r.fillOthers(ctx, list)
}

// textMatches returns the conversations whose name, or the name or handle of
// a participant, contains text; nil when text is empty.
func (r *Reader) textMatches(ctx context.Context, text string) (map[int64]bool, error) {
	text = cases.Fold().String(strings.TrimSpace(text))
	if text == "" {
		return nil, nil
	}
	n, err := r.loadNames(ctx)
	if err != nil {
		return nil, err
	}
	found := map[int64]bool{}
	named, handles := n.matching(text)
	for _, id := range named {
		found[id] = true
	}
	ids, err := r.ConversationsOf(ctx, handles)
	for _, id := range ids {
		found[id] = true
	}
	return found, err
}

func (r *Reader) withMessagesIn(ctx context.Context, all []placedConversation, start, end int64) ([]placedConversation, error) {
	var kept []placedConversation
	for _, c := range all {
		rows, err := r.query(ctx, `SELECT 1 FROM messages WHERE conversation_id = ? AND ts >= ? AND ts < ? AND missing_since IS NULL LIMIT 1`, c.ID, start, end)
		if err != nil {
			return nil, err
		}
		any := rows.Next()
		if err := rows.Close(); err != nil {
			return nil, err
		}
		if any {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// shownOthers is how many participants are named in a list.
const shownOthers = 4

func (r *Reader) fillOthers(ctx context.Context, list []Conversation) error {
	byID := make(map[int64]*Conversation, len(list))
	ids := make([]int64, len(list))
	for i := range list {
		byID[list[i].ID], ids[i] = &list[i], list[i].ID
	}
	var members []member
	for part := range slices.Chunk(ids, idsPerQuery) {
		rows, err := r.query(ctx, `SELECT conversation_id, handle_id FROM participants WHERE conversation_id IN `+placeholders(idsPerQuery)+
			` ORDER BY conversation_id, handle_id`, padIDs(part, idsPerQuery)...)
		if err != nil {
			return fmt.Errorf("list participants: %w", err)
		}
		found, err := collect(rows, func(row *sql.Rows) (m member, err error) {
			err = row.Scan(&m.conversation, &m.handle)
			return m, err
		})
		if err != nil {
			return fmt.Errorf("list participants: %w", err)
		}
		members = append(members, found...)
	}
	handles := make([]int64, len(members))
	for i, m := range members {
		handles[i] = m.handle
	}
	n, err := r.namesOf(ctx, nil, handles) // after the rows, as in readMessages
	if err != nil {
		return err
	}
	for _, m := range members {
		c := byID[m.conversation]
		c.People++
		if p := n.handles[m.handle]; !p.Owner && len(c.Others) < shownOthers {
			c.Others = append(c.Others, p.Label)
		}
	}
	return nil
}

// ConversationsOf returns the conversations that any of the handles takes
// part in, in ascending order of id.
func (r *Reader) ConversationsOf(ctx context.Context, handles []int64) ([]int64, error) {
	found := map[int64]bool{}
	for part := range slices.Chunk(handles, idsPerQuery) {
		rows, err := r.query(ctx, `SELECT conversation_id FROM participants WHERE handle_id IN `+placeholders(idsPerQuery), padIDs(part, idsPerQuery)...)
		if err != nil {
			return nil, fmt.Errorf("list conversations of people: %w", err)
		}
		ids, err := collect(rows, func(row *sql.Rows) (id int64, err error) { err = row.Scan(&id); return id, err })
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			found[id] = true
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}
