package store

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestDayOf(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		micros int64
		want   int64
	}{
		{"epoch", 0, 0},
		{"last moment of the first day", microsPerDay - 1, 0},
		{"second day", microsPerDay, 1},
		{"moment before the epoch", -1, -1},
		{"day before the epoch", -microsPerDay, -1},
		{"two days before", -microsPerDay - 1, -2},
		{"the end of time", math.MaxInt64, math.MaxInt64 / microsPerDay},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := DayOf(tt.micros)
			if got != tt.want {
				t.Errorf("day of %d: got %d, want %d", tt.micros, got, tt.want)
			}
			if d := (Day{Day: got}); tt.micros < math.MaxInt64 && (tt.micros < d.Start() || tt.micros >= d.End()) {
				t.Errorf("%d does not lie in its day %d to %d", tt.micros, d.Start(), d.End())
			}
		})
	}
}

// daysWhere lists the days of a world's messages that meet a condition.
func (x *world) daysWhere(meets func(*worldMessage) bool) []Day {
	var days []Day
	for _, m := range x.messages {
		if d := (Day{m.record.ConversationID, DayOf(m.record.Sort)}); meets(m) && !slices.Contains(days, d) {
			days = append(days, d)
		}
	}
	return sortDays(days)
}

func sortDays(days []Day) []Day {
	slices.SortFunc(days, func(a, b Day) int {
		return cmp.Or(cmp.Compare(a.Conversation, b.Conversation), cmp.Compare(a.Day, b.Day))
	})
	return days
}

func TestNewDays(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 60)
	r := openReader(t, x.dir, ReaderOptions{})
	got, err := r.NewDays(t.Context(), 20, 40)
	if err != nil {
		t.Fatal(err)
	}
	want := x.daysWhere(func(m *worldMessage) bool { return m.id > 20 && m.id <= 40 })
	if diff := gocmp.Diff(want, sortDays(got)); diff != "" {
		t.Errorf("days (-want +got):\n%s", diff)
	}
	e, err := r.Extremes(t.Context())
	if err != nil || e.LastMessage != x.messages[len(x.messages)-1].id {
		t.Errorf("extremes %+v, %v", e, err)
	}
}

func TestTalk(t *testing.T) {
	t.Parallel()
	x := newWorld(t, 80)
	r := openReader(t, x.dir, ReaderOptions{})
	c := x.conversations[0].id
	from, to := start.UnixMicro(), start.AddDate(0, 0, 1).UnixMicro()
	var want, got []int64
	for _, m := range x.messages {
		if m.record.ConversationID == c && !m.missing && m.record.Sort >= from && m.record.Sort < to {
			want = append(want, m.id)
		}
	}
	slices.SortFunc(want, func(a, b int64) int {
		return cmp.Or(cmp.Compare(x.messages[a-1].record.Sort, x.messages[b-1].record.Sort), cmp.Compare(a, b))
	})
	err := r.Talk(t.Context(), c, from, to, func(u Utterance) error {
		m := x.messages[u.ID-1]
		if u.Body != m.record.Message.Body || u.Kind != m.record.Message.Kind || u.SenderID != m.record.SenderID || u.Sort != m.record.Sort {
			t.Errorf("utterance %+v of message %+v", u, m.record)
		}
		got = append(got, u.ID)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want, got); diff != "" || len(want) == 0 {
		t.Errorf("talk (-want +got):\n%s", diff)
	}
	stop := errors.New("enough")
	if err := r.Talk(t.Context(), c, from, to, func(Utterance) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("stopped talk: %v", err)
	}
}

// TestRevisedDays changes messages in every way there is and looks whether
// their days, and no others, are revised.
func TestRevisedDays(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(ctx context.Context, b *Batch, x *world) error
		want   func(x *world) []Day
	}{
		{"nothing", func(context.Context, *Batch, *world) error { return nil }, func(*world) []Day { return nil }},
		{"went missing", func(ctx context.Context, b *Batch, x *world) error { return b.setMissing(ctx, 7, x.importID) },
			func(x *world) []Day { return x.daysWhere(func(m *worldMessage) bool { return m.id == 7 }) }},
		{"came back", func(ctx context.Context, b *Batch, _ *world) error { return b.Restore(ctx, 7) },
			func(x *world) []Day { return x.daysWhere(func(m *worldMessage) bool { return m.id == 7 }) }},
		{"changed and moved", func(ctx context.Context, b *Batch, x *world) error {
			r := x.messages[6].record
			r.Message.Body, r.Sort = "another", r.Sort+400*microsPerDay
			return b.Update(ctx, 7, &r)
		}, func(x *world) []Day {
			days := x.daysWhere(func(m *worldMessage) bool { return m.id == 7 })
			return append(days, Day{days[0].Conversation, days[0].Day + 400})
		}},
		{"deleted", func(ctx context.Context, b *Batch, _ *world) error { return b.delete(ctx, 7) },
			func(x *world) []Day { return x.daysWhere(func(m *worldMessage) bool { return m.id == 7 }) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := newWorld(t, 40)
			w := openWriter(t, x.dir)
			r := openReader(t, x.dir, ReaderOptions{WithWriter: true})
			before, err := r.Extremes(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			write(t, w, func(b *Batch) error { return tt.change(t.Context(), b, x) })
			got, err := r.RevisedDays(t.Context(), before.LastRevision)
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(tt.want(x), sortDays(got), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("revised days (-want +got):\n%s", diff)
			}
		})
	}
}

// TestArchiveID holds that an archive keeps its number and that another has
// another one.
func TestArchiveID(t *testing.T) {
	t.Parallel()
	id := func(dir string) uint64 {
		t.Helper()
		r := openReader(t, dir, ReaderOptions{WithWriter: true})
		n, err := r.ArchiveID(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	one, other := t.TempDir(), t.TempDir()
	w, err := OpenWriter(t.Context(), one)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	first := id(one)
	openWriter(t, one)
	openWriter(t, other)
	if again := id(one); again != first || first == 0 {
		t.Errorf("number %d became %d", first, again)
	}
	if id(other) == first {
		t.Error("two archives have the same number")
	}
}
