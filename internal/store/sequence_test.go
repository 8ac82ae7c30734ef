package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// coarse makes the record of a message that is known to the minute.
func (s *shelf) coarse(body string) *Record {
	r := s.record(body, 0)
	r.Message.Time.Precision = msg.Minute
	return r
}

// bodies are the texts of the conversation, in order.
func (s *shelf) bodies(t *testing.T) string {
	t.Helper()
	list, _, err := openReader(t, s.w.dir(), ReaderOptions{WithWriter: true}).Transcript(t.Context(), TranscriptQuery{Conversation: s.conversation, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, m := range list {
		if m.Time.Micros != start.UnixMicro() {
			t.Errorf("message %q is read at %d, want %d", m.Body, m.Time.Micros, start.UnixMicro())
		}
		texts = append(texts, m.Body)
	}
	return strings.Join(texts, "")
}

func TestPutInOrder(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name       string
		held, file string // a letter for each message
		want       string
		moved      int
	}{
		{"new ones behind", "abc", "abcd", "abcd", 0},
		{"new ones before", "cd", "abcd", "abcd", 2},
		{"new ones before, and others that the file has not", "cde", "abc", "abcde", 3},
		{"new ones between", "ad", "abcd", "abcd", 1},
		{"new ones behind the last that the file has", "abde", "abc", "abcde", 2},
		{"nothing in common", "cd", "ab", "cdab", 0},
		{"older ones in another order", "ba", "acb", "cba", 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newShelf(t)
			ids := map[string]int64{}
			records := []*Record{}
			add := func(text string) {
				for body := range strings.SplitSeq(text, "") {
					if ids[body] == 0 {
						records = append(records, s.coarse(body))
						ids[body] = s.insert(t, records[len(records)-1])
					}
				}
			}
			add(test.held)
			older := int64(len(records))
			add(test.file)
			q := Sequence{Conversation: s.conversation, Sort: start.UnixMicro(), New: map[int64]bool{}}
			for body := range strings.SplitSeq(test.file, "") {
				q.IDs = append(q.IDs, ids[body])
				q.New[ids[body]] = ids[body] > older
			}
			put := func(want int) {
				t.Helper()
				write(t, s.w, func(b *Batch) error {
					moved, err := b.PutInOrder(t.Context(), q)
					if moved != want {
						t.Errorf("%d messages moved, want %d", moved, want)
					}
					return err
				})
				if got := s.bodies(t); got != test.want {
					t.Errorf("order %q, want %q", got, test.want)
				}
			}
			put(test.moved)
			put(0)
			for _, r := range records { // what changes keeps its place
				r.Digest++
				write(t, s.w, func(b *Batch) error { return b.Update(t.Context(), ids[r.Message.Body], r) })
			}
			put(0)
		})
	}
}

// TestTimeOfItsOwnIsKept: a message that comes to have another time takes its
// place from that.
func TestTimeOfItsOwnIsKept(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	a, b := s.coarse("a"), s.coarse("b")
	ids := []int64{s.insert(t, b), s.insert(t, a)}
	write(t, s.w, func(batch *Batch) error {
		_, err := batch.PutInOrder(t.Context(), Sequence{s.conversation, start.UnixMicro(), []int64{ids[1], ids[0]}, map[int64]bool{ids[1]: true}})
		return err
	})
	if got := s.bodies(t); got != "ab" {
		t.Fatalf("order %q, want ab", got)
	}
	for _, precision := range []msg.Precision{msg.Second, msg.Minute} {
		b.Message.Time.Precision = precision
		write(t, s.w, func(batch *Batch) error { return batch.Update(t.Context(), ids[0], b) })
		if got := s.bodies(t); got != "ba" {
			t.Errorf("known to the %s: order %q, want that of ids, ba", precision, got)
		}
	}
}

// TestCrowdedMinute is left as it is.
func TestCrowdedMinute(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	records := make([]*Record, MaxSequence+1)
	for i := range records {
		records[i] = s.coarse(fmt.Sprint(i))
	}
	first := s.insert(t, records...)
	q := Sequence{Conversation: s.conversation, Sort: start.UnixMicro(), IDs: []int64{first + 1, first}, New: map[int64]bool{first + 1: true}}
	write(t, s.w, func(b *Batch) error {
		if moved, err := b.PutInOrder(t.Context(), q); moved != 0 || err != nil {
			t.Errorf("%d messages moved, %v", moved, err)
		}
		return nil
	})
}

// TestListsOfAMinute goes through media and links of messages that were put in
// order page by page, as whoever shows them does: each comes once.
func TestListsOfAMinute(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	var records []*Record
	for _, body := range []string{"b", "c", "a"} {
		r := s.coarse(body)
		r.Message.Attachments = []msg.Attachment{{Name: body}}
		r.Links = []Link{{"https://" + body + ".example/", body + ".example"}}
		records = append(records, r)
	}
	first := s.insert(t, records...)
	write(t, s.w, func(b *Batch) error {
		moved, err := b.PutInOrder(t.Context(), Sequence{s.conversation, start.UnixMicro(), []int64{first + 2, first, first + 1}, map[int64]bool{first + 2: true}})
		if moved != 2 {
			t.Errorf("%d messages moved, want 2", moved)
		}
		return err
	})
	check := func(when string) {
		t.Helper()
		r := openReader(t, s.w.dir(), ReaderOptions{WithWriter: true})
		media, links := "", ""
		var after *Key
		for len(media) < 10 {
			list, _, err := r.ListMedia(t.Context(), MediaQuery{After: after, Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			if len(list) == 0 {
				break
			}
			media += list[0].Name
			after = &Key{list[0].Message.Sort, list[0].ID}
		}
		for after = nil; len(links) < 10; {
			list, _, err := r.ListLinks(t.Context(), LinkQuery{After: after, Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			if len(list) == 0 {
				break
			}
			links += list[0].Domain[:1]
			after = &Key{list[0].Message.Sort, list[0].URLID}
		}
		if media != "cba" || links != "cba" {
			t.Errorf("%s: media %q and links %q, want cba, the latest first", when, media, links)
		}
	}
	check("put in order")
	for i, r := range records {
		r.Digest++
		write(t, s.w, func(b *Batch) error { return b.Update(t.Context(), first+int64(i), r) })
	}
	check("changed")
}
