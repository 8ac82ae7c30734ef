package store

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// latestFirst orders by time and then by place, both descending.
func latestFirst[T any](list []T, key func(T) Key) []T {
	slices.SortFunc(list, func(a, b T) int {
		x, y := key(a), key(b)
		return cmp.Or(cmp.Compare(y.Sort, x.Sort), cmp.Compare(y.ID, x.ID))
	})
	return list
}

// listed is an attachment or a URL as the tests compare it.
type listed struct {
	Message int64
	Name    string
	Count   int64
}

const pageSize = 5

func TestListMedia(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 200)
	r := openReader(t, x.dir, ReaderOptions{})
	audio := msg.Audio
	for _, f := range x.fewFilters() {
		for _, kind := range []*msg.AttachmentKind{nil, &audio} {
			want := x.media(f, kind)
			var got []listed
			for after := (*Key)(nil); ; {
				page, total, err := r.ListMedia(t.Context(), MediaQuery{f, kind, after, pageSize, false})
				if err != nil {
					t.Fatalf("%s: %v", describe(f), err)
				}
				if total != int64(len(want)) {
					t.Fatalf("%s: total %d, want %d", describe(f), total, len(want))
				}
				for _, m := range page {
					got = append(got, listed{m.Message.ID, m.Name, 0})
				}
				if len(page) < pageSize {
					break
				}
				last := page[len(page)-1]
				after = &Key{last.Message.Sort, last.ID}
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Fatalf("%s: pages (-want +got):\n%s", describe(f), diff)
			}
		}
	}
}

func (x *world) media(f Filter, kind *msg.AttachmentKind) []listed {
	type item struct {
		listed
		at Key
	}
	var list []item
	id := int64(0)
	for _, m := range x.messages {
		for _, a := range m.record.Message.Attachments {
			id++
			if f.keeps(m) && (kind == nil || *kind == a.Kind) {
				list = append(list, item{listed{m.id, a.Name, 0}, Key{m.record.Sort, id}})
			}
		}
	}
	var names []listed
	for _, i := range latestFirst(list, func(i item) Key { return i.at }) {
		names = append(names, i.listed)
	}
	return names
}

func TestListLinks(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 200)
	r := openReader(t, x.dir, ReaderOptions{})
	for _, f := range x.fewFilters() {
		for _, domain := range []string{"", "site1.example"} {
			want := x.links(f, domain)
			for _, uncounted := range []bool{false, true} {
				checkLinks(t, r, LinkQuery{Filter: f, Domain: domain, Limit: pageSize, Uncounted: uncounted}, want)
			}
		}
	}
}

// Both ways to the links of a source give the same, whatever its share.
func TestLinksOfSource(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 300)
	r := openReader(t, x.dir, ReaderOptions{})
	for _, source := range []msg.Source{msg.Signal, msg.WhatsApp, msg.Telegram} {
		f := Filter{Source: source}
		want := x.links(f, "")
		if source != msg.Telegram && len(want) < 2*pageSize {
			t.Fatalf("%s has only %d links", source, len(want))
		}
		for name, read := range map[string]func(context.Context, LinkQuery) ([]LinkItem, error){"rare": r.linksOfRare, "common": r.linksOfCommon} {
			var got []listed
			q := LinkQuery{Filter: f, Limit: pageSize}
			for {
				page, err := read(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				for _, l := range page {
					got = append(got, listed{l.Message.ID, l.URL, l.Count})
				}
				if len(page) < q.Limit {
					break
				}
				if err := r.fillLinks(t.Context(), page); err != nil {
					t.Fatal(err)
				}
				last := page[len(page)-1]
				q.After = &Key{last.Message.Sort, last.URLID}
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("%s as a %s one (-want +got):\n%s", source, name, diff)
			}
		}
	}
}

// The latest links of somebody are the first ones of their list.
func TestLatestLinks(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 300)
	r := openReader(t, x.dir, ReaderOptions{})
	seen := 0
	for _, f := range x.filters() {
		if len(f.Senders) == 0 || !reflect.DeepEqual(f, Filter{Senders: f.Senders}) {
			continue
		}
		want, _, err := r.ListLinks(t.Context(), LinkQuery{Filter: f, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.LatestLinks(t.Context(), f.Senders, 3)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d links, want %d", describe(f), len(got), len(want))
		}
		for i := range got {
			if got[i].Message.ID != want[i].Message.ID || got[i].URL != want[i].URL || got[i].Domain != want[i].Domain {
				t.Errorf("%s: link %d is %s of message %d, want %s of message %d", describe(f), i, got[i].URL, got[i].Message.ID, want[i].URL, want[i].Message.ID)
			}
			seen++
		}
	}
	if seen < 3 {
		t.Errorf("only %d links were compared", seen)
	}
}

// checkLinks reads all pages of a list.
func checkLinks(t *testing.T, r *Reader, q LinkQuery, want []listed) {
	t.Helper()
	what := fmt.Sprintf("%s domain=%q uncounted=%t", describe(q.Filter), q.Domain, q.Uncounted)
	var got []listed
	for {
		page, total, err := r.ListLinks(t.Context(), q)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if !q.Uncounted && total != int64(len(want)) {
			t.Fatalf("%s: total %d, want %d", what, total, len(want))
		}
		for _, l := range page {
			got = append(got, listed{l.Message.ID, l.URL, l.Count})
		}
		if len(page) < q.Limit {
			break
		}
		last := page[len(page)-1]
		q.After = &Key{last.Message.Sort, last.URLID}
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Fatalf("%s: pages (-want +got):\n%s", what, diff)
	}
}

func (x *world) links(f Filter, domain string) []listed {
	type item struct {
		listed
		at Key
	}
	var list []item
	for n, url := range x.urls {
		found := item{listed: listed{Name: url}, at: Key{Sort: minSort, ID: int64(n)}}
		for _, m := range x.kept(f) {
			for _, l := range m.record.Links {
				if l.URL != url || domain != "" && l.Domain != domain {
					continue
				}
				found.Count++
				if m.record.Sort > found.at.Sort || m.record.Sort == found.at.Sort && m.id > found.Message {
					found.at.Sort, found.Message = m.record.Sort, m.id
				}
			}
		}
		if found.Count > 0 {
			list = append(list, found)
		}
	}
	var names []listed
	for _, i := range latestFirst(list, func(i item) Key { return i.at }) {
		names = append(names, i.listed)
	}
	return names
}

func TestTranscript(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 200)
	r := openReader(t, x.dir, ReaderOptions{})
	for _, f := range x.filters() {
		if len(f.Conversations) != 1 || f.Source != "" || f.FromMe || f.Senders != nil {
			continue
		}
		for _, backward := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s backward=%v", describe(f), backward), func(t *testing.T) {
				kept := latestFirst(x.kept(f), func(m *worldMessage) Key { return Key{m.record.Sort, m.id} })
				slices.Reverse(kept)
				var want, got []int64
				for _, m := range kept {
					want = append(want, m.id)
				}
				q := TranscriptQuery{Conversation: f.Conversations[0], Start: f.Start, End: f.End, Backward: backward, Limit: pageSize, IncludeMissing: f.IncludeMissing}
				for more := true; more; {
					var page []Message
					var err error
					if page, more, err = r.Transcript(t.Context(), q); err != nil {
						t.Fatal(err)
					}
					var ids []int64
					for _, m := range page {
						ids = append(ids, m.ID)
					}
					if more && len(page) != pageSize {
						t.Fatalf("a page of %d messages although there are more", len(page))
					}
					if len(page) == 0 {
						break
					}
					if backward {
						got, q.After = append(ids, got...), &Key{page[0].Sort, page[0].ID}
					} else {
						got, q.After = append(got, ids...), &Key{page[len(page)-1].Sort, page[len(page)-1].ID}
					}
				}
				if diff := gocmp.Diff(want, got); diff != "" {
					t.Errorf("pages (-want +got):\n%s", diff)
				}
			})
		}
	}
}

func TestAroundAndNeighbours(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 200)
	r := openReader(t, x.dir, ReaderOptions{})
	for _, at := range x.messages[:60] {
		var ids []int64
		own := 0
		kept := latestFirst(x.kept(Filter{Conversations: []int64{at.record.ConversationID}, IncludeMissing: true}), func(m *worldMessage) Key { return Key{m.record.Sort, m.id} })
		slices.Reverse(kept)
		for _, m := range kept {
			if m == at {
				own = len(ids)
			}
			if m == at || !m.missing {
				ids = append(ids, m.id)
			}
		}
		want := ids[max(0, own-3):min(len(ids), own+3)]
		m, err := r.Message(t.Context(), at.id)
		if err != nil {
			t.Fatal(err)
		}
		list, err := r.Around(t.Context(), m, 3, 2)
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, m := range list {
			got = append(got, m.ID)
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("around %d (-want +got):\n%s", at.id, diff)
		}
		neighbours, err := r.Neighbours(t.Context(), m.ConversationID, Key{m.Sort, m.ID}, 2)
		if err != nil {
			t.Fatal(err)
		}
		want = slices.Concat(ids[max(0, own-2):own], ids[own+1:min(len(ids), own+3)])
		got = nil
		for _, n := range neighbours {
			got = append(got, n.ID)
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("neighbours of %d (-want +got):\n%s", at.id, diff)
		}
	}
}
