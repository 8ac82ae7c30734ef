package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// figures are what a list of conversations says of one, computed simply.
func (x *world) figures(c worldConversation) Conversation {
	f := Conversation{ConversationRef: ConversationRef{ID: c.id, Key: c.conv.Key, Name: c.conv.Name, Source: c.source, Kind: c.conv.Kind}, People: int64(len(c.people))}
	for _, m := range x.kept(Filter{Conversations: []int64{c.id}}) {
		if f.Messages == 0 || m.record.Sort < f.First {
			f.First = m.record.Sort
		}
		f.Last = max(f.Last, m.record.Sort)
		f.Messages++
	}
	for _, h := range x.handles {
		if !c.people[h.id] || h.owner || len(f.Others) == shownOthers {
			continue
		}
		if h.handle.Name == "" || h.handle.Name == "Me" {
			f.Others = append(f.Others, h.handle.ID)
		} else {
			f.Others = append(f.Others, h.handle.Name)
		}
	}
	return f
}

func TestListConversations(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 60)
	r := openReader(t, x.dir, ReaderOptions{})
	early, late, group := start.Add(3*time.Hour).UnixMicro(), start.Add(5*time.Hour).UnixMicro(), msg.Group
	for _, order := range []ConversationOrder{ByRecent, ByName, BySize, ""} {
		for _, text := range []string{"", "ANA", "club", "whatsapp-2", "account-3", "nobody"} {
			for _, source := range []msg.Source{"", msg.Signal} {
				for _, kind := range []*msg.ConversationKind{nil, &group} {
					for _, period := range [][2]*int64{{}, {&early, nil}, {nil, &late}, {&early, &late}} {
						q := ConversationQuery{Text: text, Source: source, Kind: kind, Start: period[0], End: period[1], Order: order, Limit: 2}
						t.Run(fmt.Sprintf("%s %q %s %v %v %v", order, text, source, kind != nil, q.Start != nil, q.End != nil), func(t *testing.T) {
							x.checkConversations(t, r, q)
						})
					}
				}
			}
		}
	}
}

func (x *world) checkConversations(t *testing.T, r *Reader, q ConversationQuery) {
	var want []Conversation
	for _, c := range x.conversations {
		mentions := strings.Contains(strings.ToLower(c.conv.Name+" "+c.conv.Key), strings.ToLower(q.Text))
		for _, h := range x.handles {
			mentions = mentions || c.people[h.id] && strings.Contains(strings.ToLower(h.handle.Name+" "+h.handle.ID), strings.ToLower(q.Text))
		}
		within := q.Start == nil && q.End == nil || len(x.kept(Filter{Conversations: []int64{c.id}, Start: q.Start, End: q.End})) > 0
		if mentions && within && (q.Source == "" || q.Source == c.source) && (q.Kind == nil || *q.Kind == c.conv.Kind) {
			want = append(want, x.figures(c))
		}
	}
	slices.SortFunc(want, func(a, b Conversation) int {
		switch q.Order {
		case ByName:
			return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), cmp.Compare(a.ID, b.ID))
		case BySize:
			return cmp.Or(cmp.Compare(b.Messages, a.Messages), cmp.Compare(a.ID, b.ID))
		}
		return cmp.Or(cmp.Compare(b.Last, a.Last), cmp.Compare(a.ID, b.ID))
	})
	var got []Conversation
	for {
		page, total, err := r.ListConversations(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if total != len(want) {
			t.Fatalf("total %d, want %d", total, len(want))
		}
		got = append(got, page...)
		if len(page) < q.Limit {
			break
		}
		last := q.Order.Place(page[len(page)-1])
		q.After = &last
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}

func TestListConversationsGoesOnBehindOneThatNoLongerMatches(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 60)
	r := openReader(t, x.dir, ReaderOptions{})
	all, _, err := r.ListConversations(t.Context(), ConversationQuery{Order: ByName})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range all {
		var want, got []string
		for _, later := range all[i+1:] {
			if later.Kind == msg.Group {
				want = append(want, later.Key)
			}
		}
		group := msg.Group
		after := ByName.Place(c)
		page, _, err := r.ListConversations(t.Context(), ConversationQuery{Order: ByName, Kind: &group, After: &after})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range page {
			got = append(got, c.Key)
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("after %s (-want +got):\n%s", c.Key, diff)
		}
	}
}

// TestListConversationsGoesOnBehindOneThatMoved lets the last conversation of
// the first page get the newest message before the second is read.
func TestListConversationsGoesOnBehindOneThatMoved(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 60)
	w := openWriter(t, x.dir)
	r := openReader(t, x.dir, ReaderOptions{WithWriter: true})
	first, total, err := r.ListConversations(t.Context(), ConversationQuery{Limit: 2})
	if err != nil || len(first) != 2 {
		t.Fatalf("first page %v, %v", first, err)
	}
	moved := first[1]
	after := ByRecent.Place(moved)
	write(t, w, func(b *Batch) error {
		return b.exec(t.Context(), `UPDATE conversations SET last_ts = last_ts + 1000000000000 WHERE id = ?`, moved.ID)
	})
	seen := map[int64]int{first[0].ID: 1, moved.ID: 1}
	rest, _, err := r.ListConversations(t.Context(), ConversationQuery{After: &after})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range rest {
		seen[c.ID]++
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("conversation %d is shown %d times", id, n)
		}
	}
	if len(seen) != total {
		t.Errorf("%d conversations are shown of %d", len(seen), total)
	}
}

func TestConversationsWithoutShownMessages(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 60)
	w := openWriter(t, x.dir)
	c := x.conversations[0]
	write(t, w, func(b *Batch) error {
		for _, m := range x.messages {
			if m.record.ConversationID == c.id {
				if err := b.setMissing(t.Context(), m.id, x.importID); err != nil {
					return err
				}
			}
		}
		return b.CountConversation(t.Context(), c.id)
	})
	r := openReader(t, x.dir, ReaderOptions{WithWriter: true})
	got, err := r.Conversation(t.Context(), c.id)
	if err != nil {
		t.Fatal(err)
	}
	if got.Messages != 0 || got.First != 0 || got.Last != 0 {
		t.Errorf("%d messages from %d to %d, want none and no time", got.Messages, got.First, got.Last)
	}
}
