package store

import (
	"cmp"
	"maps"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// keptActivity reads the table of activity.
func keptActivity(t *testing.T, w *Writer) map[activityKey]int64 {
	t.Helper()
	rows, err := w.db.QueryContext(t.Context(), `SELECT conversation_id, month, sender_id, messages FROM activity`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	got := map[activityKey]int64{}
	for rows.Next() {
		var key activityKey
		var n int64
		if err := rows.Scan(&key.conversation, &key.month, &key.sender, &n); err != nil {
			t.Fatal(err)
		}
		got[key] = n
	}
	return got
}

// activity counts a world's messages.
func (x *world) activity() map[activityKey]int64 {
	want := map[activityKey]int64{}
	for _, m := range x.messages {
		if !m.missing {
			want[activityOf(m.record.ConversationID, m.record.SenderID, m.record.Message.Direction, m.record.Sort)]++
		}
	}
	return want
}

// TestActivityFollowsMessages inserts, marks, restores, moves in time and
// deletes messages: the table says the same as counting.
func TestActivityFollowsMessages(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 120)
	w := openWriter(t, x.dir)
	check := func(when string) {
		t.Helper()
		if diff := gocmp.Diff(x.activity(), keptActivity(t, w), gocmp.AllowUnexported(activityKey{})); diff != "" {
			t.Fatalf("%s: activity (-counted +kept):\n%s", when, diff)
		}
		wantMonths, wantSenders := x.sums()
		months, senders := keptSums(t, w)
		if diff := gocmp.Diff(wantMonths, months); diff != "" {
			t.Fatalf("%s: months (-counted +kept):\n%s", when, diff)
		}
		if diff := gocmp.Diff(wantSenders, senders); diff != "" {
			t.Fatalf("%s: senders (-counted +kept):\n%s", when, diff)
		}
	}
	check("after inserting and missing")
	write(t, w, func(b *Batch) error {
		for i, m := range x.messages {
			switch {
			case i%3 == 0:
				if err := b.Restore(t.Context(), m.id); err != nil {
					return err
				}
				m.missing = false
			case i%3 == 1:
				if err := b.setMissing(t.Context(), m.id, x.importID); err != nil {
					return err
				}
				m.missing = true
			}
		}
		return nil
	})
	check("after restoring and missing")
	write(t, w, func(b *Batch) error {
		for i, m := range x.messages {
			if i%4 != 0 {
				continue
			}
			m.record.Sort += 40 * microsPerDay
			m.record.Message.Direction = msg.Out
			m.missing = false // an update brings it back
			if err := b.Update(t.Context(), m.id, &m.record); err != nil {
				return err
			}
		}
		return nil
	})
	check("after updating")
	if _, err := w.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("after pruning")
}

// TestActivityOfOldArchives compares what the migration counts with what the
// program does, for times at the edges of months and of the calendar.
func TestActivityOfOldArchives(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 60)
	w := openWriter(t, x.dir)
	times := []int64{-1, 0, -62135596800000000, -62135596800000001, 253402300799999999, 253402300800000000, -(1 << 62), 1 << 62,
		MonthOf(0).Start() - 1, Month(12*2024 + 2).Start(), Month(12*2024+2).Start() - 1}
	write(t, w, func(b *Batch) error {
		for i, at := range times {
			m := x.messages[i]
			m.record.Sort, m.missing = at, false
			if err := b.Update(t.Context(), m.id, &m.record); err != nil {
				return err
			}
		}
		return nil
	})
	months, senders := keptSums(t, w)
	if _, err := w.db.ExecContext(t.Context(), `DROP TABLE activity; DROP INDEX attachments_sender; DROP INDEX links_sender;
		DROP TABLE month_totals; DROP INDEX conversations_size; CREATE INDEX conversations_recent ON conversations(last_ts);
		ALTER TABLE handles DROP COLUMN messages; ALTER TABLE handles DROP COLUMN first_month; ALTER TABLE handles DROP COLUMN last_month;
		ALTER TABLE conversations DROP COLUMN block_first; ALTER TABLE conversations DROP COLUMN block_last`); err != nil {
		t.Fatal(err)
	}
	scripts, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	for n := 4; n <= len(scripts); n++ {
		if err := runMigration(t.Context(), w.db, n, scripts[n-1]); err != nil {
			t.Fatal(err)
		}
	}
	if diff := gocmp.Diff(x.activity(), keptActivity(t, w), gocmp.AllowUnexported(activityKey{})); diff != "" {
		t.Errorf("activity (-counted +migrated):\n%s", diff)
	}
	migratedMonths, migratedSenders := keptSums(t, w)
	if diff := gocmp.Diff(months, migratedMonths); diff != "" {
		t.Errorf("months (-kept +migrated):\n%s", diff)
	}
	if diff := gocmp.Diff(senders, migratedSenders); diff != "" {
		t.Errorf("senders (-kept +migrated):\n%s", diff)
	}
}

// keptSums reads the sums of months and of senders.
func keptSums(t *testing.T, w *Writer) ([]SourceMonth, map[int64]SenderTotal) {
	t.Helper()
	r, err := w.Reader(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	months, err := r.Months(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	senders, err := r.SenderTotals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return months, senders
}

// sums counts a world's messages by month and source, and by sender.
func (x *world) sums() ([]SourceMonth, map[int64]SenderTotal) {
	counts, senders := map[SourceMonth]int64{}, map[int64]SenderTotal{}
	for _, m := range x.messages {
		if m.missing {
			continue
		}
		month := MonthOf(m.record.Sort)
		counts[SourceMonth{m.source, MonthCount{Month: month}}]++
		if sender := m.record.SenderID; sender != 0 && m.record.Message.Direction != msg.Out {
			t, known := senders[sender]
			if !known {
				t.First, t.Last = month, month
			}
			senders[sender] = SenderTotal{t.Messages + 1, min(t.First, month), max(t.Last, month)}
		}
	}
	var months []SourceMonth
	for m, n := range counts {
		m.Messages = n
		months = append(months, m)
	}
	slices.SortFunc(months, SourceMonth.compare)
	return months, senders
}

// TestTopSenders compares the people who sent most with all of them.
func TestTopSenders(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 200)
	r := openReader(t, x.dir, ReaderOptions{})
	people, err := r.People(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	totals, err := r.SenderTotals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	byPerson, handles := map[int64]int64{}, map[int64][]int64{}
	for _, p := range people {
		if !p.Owner {
			byPerson[p.PersonID] += totals[p.HandleID].Messages
			handles[p.PersonID] = append(handles[p.PersonID], p.HandleID)
		}
	}
	ranked := slices.SortedFunc(maps.Keys(byPerson), func(a, b int64) int {
		return cmp.Or(cmp.Compare(byPerson[b], byPerson[a]), cmp.Compare(a, b))
	})
	if len(ranked) < 4 {
		t.Fatalf("only %d people", len(ranked))
	}
	for _, n := range []int{1, 3, len(ranked), 100} {
		want := map[int64]SenderTotal{}
		for _, person := range ranked[:min(n, len(ranked))] {
			for _, h := range handles[person] {
				want[h] = totals[h]
			}
		}
		got, err := r.TopSenders(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("the first %d people (-want +got):\n%s", n, diff)
		}
	}
}

// TestLively looks for the conversations of each hour.
func TestLively(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 200)
	r := openReader(t, x.dir, ReaderOptions{})
	size := map[int64]int{}
	for _, m := range x.messages {
		if !m.missing {
			size[m.record.ConversationID]++
		}
	}
	empty := 0
	for hour := range int64(worldMoments + 1) {
		from := start.UnixMicro() + hour*3600e6
		want := map[int64]bool{}
		for _, m := range x.messages {
			if !m.missing && m.record.Sort == from {
				want[m.record.ConversationID] = true
			}
		}
		got, err := r.Lively(t.Context(), from, from+1)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) || slices.ContainsFunc(got, func(id int64) bool { return !want[id] }) {
			t.Errorf("hour %d: %v, want %v", hour, got, want)
		}
		if !slices.IsSortedFunc(got, func(a, b int64) int { return size[b] - size[a] }) {
			t.Errorf("hour %d: %v are not in the order of size", hour, got)
		}
		if len(want) == 0 {
			empty++
		}
	}
	if empty == 0 || empty > worldMoments/2 {
		t.Errorf("%d hours without messages", empty)
	}
}

// TestSumsOfParts compares what readers sum up of some senders and conversations
// with the messages.
func TestSumsOfParts(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 200)
	r := openReader(t, x.dir, ReaderOptions{})
	days := map[int64]map[int64]int64{}
	for _, m := range x.messages {
		if m.missing {
			continue
		}
		c := m.record.ConversationID
		if days[c] == nil {
			days[c] = map[int64]int64{}
		}
		days[c][DayOf(m.record.Sort)]++
	}
	_, senders := x.sums()
	sum := int64(0)
	list, err := r.SenderMonths(t.Context(), slices.Collect(maps.Keys(senders)))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		sum += m.Messages
	}
	for _, total := range senders {
		sum -= total.Messages
	}
	if sum != 0 {
		t.Errorf("the months of all senders hold %d messages too many", sum)
	}
	for c, want := range days {
		got, err := r.DayCounts(t.Context(), c, 0, 1<<61)
		if err != nil {
			t.Fatal(err)
		}
		counted := map[int64]int64{}
		for _, d := range got {
			counted[d.Day] = d.Messages
		}
		if diff := gocmp.Diff(want, counted); diff != "" {
			t.Errorf("days of conversation %d (-want +got):\n%s", c, diff)
		}
	}
}

// TestMatchFacts breaks matches down and says when there are too many.
func TestMatchFacts(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 80)
	r := openReader(t, x.dir, ReaderOptions{})
	want := map[MatchFact]int{}
	for _, m := range x.messages {
		if !m.missing {
			want[MatchFact{m.record.ConversationID, m.record.SenderID, m.record.Message.Direction == msg.Out, m.record.Sort}]++
		}
	}
	facts, complete, err := r.MatchFacts(t.Context(), MatchQuery{Expression: "body", Limit: 100})
	if err != nil || !complete {
		t.Fatalf("complete %t, %v", complete, err)
	}
	got := map[MatchFact]int{}
	for _, f := range facts {
		got[f]++
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	few := len(facts) - 1
	if _, complete, err = r.MatchFacts(t.Context(), MatchQuery{Expression: "body", Limit: few}); err != nil || complete {
		t.Errorf("%d matches within a limit of %d: complete %t, %v", few+1, few, complete, err)
	}
	gone, _, err := r.MatchFacts(t.Context(), MatchQuery{Expression: "body", Missing: true, Limit: 100})
	if err != nil || len(gone)+len(facts) != len(x.messages) || len(gone) == 0 {
		t.Errorf("%d missing and %d other matches of %d, %v", len(gone), len(facts), len(x.messages), err)
	}
}

// TestSumsFollow sees to it that sums follow the archive.
func TestSumsFollow(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	r := openReader(t, s.w.dir(), ReaderOptions{WithWriter: true})
	for n := range 3 {
		s.insert(t, s.record(itoa(n), 0))
		months, err := r.Months(t.Context())
		if err != nil || len(months) != 1 || months[0].Messages != int64(n+1) {
			t.Errorf("after %d messages: %v, %v", n+1, months, err)
		}
	}
}

func TestMonths(t *testing.T) {
	t.Parallel()
	m := MonthOf(start.UnixMicro())
	if m.Year() != 2023 || m.Month() != 3 || MonthOf(m.Start()) != m || MonthOf(m.Start()-1) != m-1 {
		t.Errorf("month %d: %d-%d", m, m.Year(), m.Month())
	}
}

// TestSumsOfNothing brings a message that is gone within the same batch.
func TestSumsOfNothing(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	write(t, s.w, func(b *Batch) error {
		id, err := b.Insert(t.Context(), []*Record{s.record("brief", 0)})
		if err != nil {
			return err
		}
		return b.setMissing(t.Context(), id, s.importID)
	})
	months, senders := keptSums(t, s.w)
	if len(months) > 0 || len(senders) > 0 {
		t.Errorf("sums of nothing: months %v, senders %v", months, senders)
	}
}
