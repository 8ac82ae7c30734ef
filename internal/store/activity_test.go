package store

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

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
		if diff := cmp.Diff(x.activity(), keptActivity(t, w), cmp.AllowUnexported(activityKey{})); diff != "" {
			t.Fatalf("%s: activity (-counted +kept):\n%s", when, diff)
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
	if _, err := w.db.ExecContext(t.Context(), `DROP TABLE activity; DROP INDEX attachments_sender; DROP INDEX links_sender`); err != nil {
		t.Fatal(err)
	}
	scripts, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	if err := runMigration(t.Context(), w.db, 4, scripts[3]); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(x.activity(), keptActivity(t, w), cmp.AllowUnexported(activityKey{})); diff != "" {
		t.Errorf("activity (-counted +migrated):\n%s", diff)
	}
}

// TestSums compares what readers sum up with the messages.
func TestSums(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 200)
	r := openReader(t, x.dir, ReaderOptions{})
	months := map[SourceMonth]int64{}
	senders := map[int64]int64{}
	days := map[int64]map[int64]int64{}
	for _, m := range x.messages {
		if m.missing {
			continue
		}
		months[SourceMonth{Source: m.source, MonthCount: MonthCount{Month: MonthOf(m.record.Sort)}}]++
		if m.record.Message.Direction != msg.Out && m.record.SenderID != 0 {
			senders[m.record.SenderID]++
		}
		c := m.record.ConversationID
		if days[c] == nil {
			days[c] = map[int64]int64{}
		}
		days[c][DayOf(m.record.Sort)]++
	}
	gotMonths, err := r.Months(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range gotMonths {
		key := m
		key.Messages = 0
		if months[key] != m.Messages {
			t.Errorf("%v: %d messages, want %d", key, m.Messages, months[key])
		}
		delete(months, key)
	}
	if len(months) > 0 {
		t.Errorf("months not listed: %v", months)
	}
	totals, err := r.SenderTotals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for id, n := range senders {
		if totals[id].Messages != n || totals[id].First != MonthOf(start.UnixMicro()) {
			t.Errorf("sender %d: %+v, want %d messages", id, totals[id], n)
		}
	}
	if len(totals) != len(senders) {
		t.Errorf("%d senders, want %d", len(totals), len(senders))
	}
	sum := int64(0)
	list, err := r.SenderMonths(t.Context(), slices.Collect(maps.Keys(senders)))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		sum += m.Messages
	}
	for _, n := range senders {
		sum -= n
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
		if diff := cmp.Diff(want, counted); diff != "" {
			t.Errorf("days of conversation %d (-want +got):\n%s", c, diff)
		}
	}
	busiest, err := r.Busiest(t.Context(), MonthOf(start.UnixMicro()))
	if err != nil || len(busiest) != len(days) {
		t.Errorf("busiest %v, %v", busiest, err)
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
	if diff := cmp.Diff(want, got); diff != "" {
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

// TestRememberedSums sees to it that what is remembered follows the archive.
func TestRememberedSums(t *testing.T) {
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
