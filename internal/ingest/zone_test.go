package ingest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// TestPlace places clock readings of a zone in the order, among them readings
// that its clocks never showed and readings that they showed twice.
func TestPlace(t *testing.T) {
	t.Parallel()
	// Of an instant that could be two, either will do; an empty one is not
	// checked.
	tests := []struct{ name, zone, reading, instant, or string }{
		{"winter", "Europe/Berlin", "2024-01-15 12:00:00", "2024-01-15T11:00:00Z", ""},
		{"summer", "Europe/Berlin", "2024-07-15 12:00:00", "2024-07-15T10:00:00Z", ""},
		{"before the gap", "Europe/Berlin", "2024-03-31 01:59:59", "2024-03-31T00:59:59Z", ""},
		{"in the gap", "Europe/Berlin", "2024-03-31 02:30:00", "2024-03-31T01:30:00Z", "2024-03-31T00:30:00Z"},
		{"after the gap", "Europe/Berlin", "2024-03-31 03:00:00", "2024-03-31T01:00:00Z", ""},
		{"before the overlap", "Europe/Berlin", "2024-10-27 01:59:59", "2024-10-26T23:59:59Z", ""},
		{"in the overlap", "Europe/Berlin", "2024-10-27 02:30:00", "2024-10-27T00:30:00Z", "2024-10-27T01:30:00Z"},
		{"after the overlap", "Europe/Berlin", "2024-10-27 03:00:00", "2024-10-27T02:00:00Z", ""},
		{"far east", "Pacific/Kiritimati", "2024-01-01 00:30:00", "2023-12-31T10:30:00Z", ""},
		{"a day that was not", "Pacific/Apia", "2011-12-30 12:00:00", "2011-12-29T22:00:00Z", "2011-12-30T22:00:00Z"},
		{"offset with seconds", "Europe/Amsterdam", "1930-01-01 12:00:00", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			zone, err := time.LoadLocation(tt.zone)
			if err != nil {
				t.Fatal(err)
			}
			reading := msg.WallTime(mustTime(tt.reading), msg.Second, tt.reading)
			sort, offset := place(reading, zone)
			if offset == nil {
				t.Fatal("no offset")
			}
			if shown := sort + *offset*1e6; shown != reading.Micros {
				t.Errorf("the reading would be shown as %v", time.UnixMicro(shown).UTC())
			}
			if got := time.UnixMicro(sort).UTC().Format(time.RFC3339); got != tt.instant && got != tt.or && tt.instant != "" {
				t.Errorf("placed at %s, want %s", got, tt.instant)
			}
		})
	}
}

func TestPlaceLeavesAlone(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	wall, instant := msg.WallTime(mustTime("2024-01-15 12:00"), msg.Minute, "x"), msg.InstantTime(mustTime("2024-01-15 12:00"), msg.Minute, "x")
	unknown := wall
	unknown.Known = false
	for name, tt := range map[string]struct {
		time msg.Time
		zone *time.Location
	}{"no zone": {wall, nil}, "instant": {instant, zone}, "unknown": {unknown, zone}} {
		if sort, offset := place(tt.time, tt.zone); sort != tt.time.Micros || offset != nil {
			t.Errorf("%s: placed at %d with offset %v", name, sort, offset)
		}
	}
}

// TestDeclaredZone declares the zone of clock readings after they were
// imported: they move among the instants, but keep their ids, their hashes
// and the reading that is shown.
func TestDeclaredZone(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	readings := []msg.Message{
		said("Ana", "2024-03-31 01:30", "before the gap"),
		said("Ana", "2024-03-31 02:30", "in the gap"),
		said("Ana", "2024-03-31 03:15", "after the gap"),
		numbered("1", "b", "2024-03-31 01:20", "an instant"),
	}
	d.put("a.fake", lines(chat("k", readings...)...))
	d.run(store.Tally{Added: 4})
	d.checkBodies("an instant", "before the gap", "in the gap", "after the gap")
	first := d.messages()

	d.roots[0].Zone = "Europe/Berlin"
	d.run(store.Tally{Changed: 3})
	d.checkBodies("before the gap", "after the gap", "an instant", "in the gap")
	d.checkShown(first)
	d.checkFresh(t)

	d.roots[0].Zone = "America/Los_Angeles"
	d.run(store.Tally{Changed: 3})
	d.checkBodies("an instant", "before the gap", "in the gap", "after the gap")
	d.checkShown(first)

	d.roots[0].Zone = ""
	d.run(store.Tally{Changed: 3})
	if diff := cmp.Diff(first, d.messages()); diff != "" {
		t.Errorf("without a zone again (-first +last):\n%s", diff)
	}
	d.checkFresh(t)
}

// checkShown checks that messages are what they were but for their place in
// the order.
func (d *desk) checkShown(first []store.Message) {
	d.t.Helper()
	got := d.messages()
	for i := range got {
		got[i].Sort = first[i].Sort
	}
	if diff := cmp.Diff(first, got); diff != "" {
		d.t.Errorf("messages but for their place (-first +now):\n%s", diff)
	}
}
