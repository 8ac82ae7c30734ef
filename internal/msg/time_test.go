package msg

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTimeString(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, 3, 1, 18, 30, 5, 123456000, time.UTC)
	for _, test := range []struct {
		name string
		time Time
		want string
	}{
		{"unknown", Time{Micros: at.UnixMicro(), Basis: Instant}, "unknown"},
		{"wall, second", WallTime(at, Second, ""), "2024-03-01T18:30:05"},
		{"wall, minute", WallTime(at, Minute, ""), "2024-03-01T18:30"},
		{"wall, day", WallTime(at, Day, ""), "2024-03-01"},
		{"wall, millisecond", WallTime(at, Millisecond, ""), "2024-03-01T18:30:05.123"},
		{"wall, microsecond", WallTime(at, Microsecond, ""), "2024-03-01T18:30:05.123456"},
		{"instant, second", InstantTime(at, Second, ""), "2024-03-01T18:30:05Z"},
		// RFC 3339 has no time without seconds.
		{"instant, minute", InstantTime(at.Truncate(time.Minute), Minute, ""), "2024-03-01T18:30:00Z"},
		{"instant, day", InstantTime(at, Day, ""), "2024-03-01"},
		{"instant, millisecond", InstantTime(at, Millisecond, ""), "2024-03-01T18:30:05.123Z"},
		{"instant, microsecond", InstantTime(at, Microsecond, ""), "2024-03-01T18:30:05.123456Z"},
		{"zeros are kept", InstantTime(at.Truncate(time.Second), Millisecond, ""), "2024-03-01T18:30:05.000Z"},
		{"before 1970", InstantTime(time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC), Second, ""), "1969-12-31T23:59:59Z"},
		{"a precision of a later version", Time{Micros: at.UnixMicro(), Basis: Instant, Precision: 9, Known: true}, "2024-03-01T18:30:05Z"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := test.time.String(); got != test.want {
				t.Errorf("String = %q, want %q", got, test.want)
			}
		})
	}
}

func TestWallTimeKeepsTheReading(t *testing.T) {
	t.Parallel()
	for _, zone := range []*time.Location{time.UTC, time.FixedZone("", 5*3600+1800), time.FixedZone("", -11*3600)} {
		got := WallTime(time.Date(2024, 3, 1, 18, 30, 5, 0, zone), Second, "raw")
		want := Time{Micros: time.Date(2024, 3, 1, 18, 30, 5, 0, time.UTC).UnixMicro(), Basis: Wall, Precision: Second, Raw: "raw", Known: true}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("WallTime in %v (-want +got):\n%s", zone, diff)
		}
	}
}

func TestInstantTimeKeepsTheInstant(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, 3, 1, 18, 30, 5, 0, time.FixedZone("", 5*3600+1800))
	got := InstantTime(at, Minute, "raw")
	if diff := cmp.Diff(Time{Micros: at.UnixMicro(), Basis: Instant, Precision: Minute, Raw: "raw", Known: true}, got); diff != "" {
		t.Errorf("InstantTime (-want +got):\n%s", diff)
	}
	if !got.UTC().Equal(at) {
		t.Errorf("UTC = %v, want %v", got.UTC(), at)
	}
}

// TestNames holds the words that other rooms store and show, and the numbers
// the archive stores for them.
func TestNames(t *testing.T) {
	t.Parallel()
	got := []string{}
	for d := range Direction(4) {
		got = append(got, d.String())
	}
	for k := range Kind(10) {
		got = append(got, k.String())
	}
	for k := range ConversationKind(2) {
		got = append(got, k.String())
	}
	for k := range AttachmentKind(5) {
		got = append(got, k.String())
	}
	for b := range Basis(2) {
		got = append(got, b.String())
	}
	for p := range Precision(5) {
		got = append(got, p.String())
	}
	want := []string{
		"system", "in", "out", "system",
		"text", "notice", "call", "poll", "sticker", "location", "contact", "deleted", "unparsed", "unknown",
		"direct", "group", "file", "image", "video", "audio", "file", "wall", "instant",
		"second", "minute", "day", "millisecond", "microsecond",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if sources := []Source{Signal, IMessage, WhatsApp, Telegram}; !cmp.Equal(sources, []Source{"signal", "imessage", "whatsapp", "telegram"}) {
		t.Errorf("sources = %q", sources)
	}
	if numbers := []HandleKind{HandleName, HandlePhone, HandleEmail, HandleAccount}; !cmp.Equal(numbers, []HandleKind{0, 1, 2, 3}) {
		t.Errorf("kinds of handles = %d", numbers)
	}
}

func TestHandleIsZero(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		handle Handle
		want   bool
	}{
		{"nobody", Handle{}, true},
		{"kind alone", Handle{Kind: HandlePhone}, true},
		{"id", Handle{ID: "+15550100"}, false},
		{"name", Handle{Name: "Ana"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := test.handle.IsZero(); got != test.want {
				t.Errorf("IsZero = %v, want %v", got, test.want)
			}
		})
	}
}

func TestTimeStated(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name       string
		time       Time
		sort, want int64
	}{
		{"minute", Time{Known: true, Precision: Minute}, 1_714_557_600_000_003, 1_714_557_600_000_000},
		{"minute with no zone of full minutes", Time{Known: true, Precision: Minute}, 1_714_557_628_000_003, 1_714_557_628_000_000},
		{"minute, as it is", Time{Known: true, Precision: Minute}, 60_000_000, 60_000_000},
		{"minute before 1970", Time{Known: true, Precision: Minute}, -59_999_998, -60_000_000},
		{"day", Time{Known: true, Precision: Day}, 86_400_000_001, 86_400_000_000},
		{"second", Time{Known: true}, 1_714_557_600_000_003, 1_714_557_600_000_003},
		{"microsecond", Time{Known: true, Precision: Microsecond}, 7, 7},
		{"unknown, a place in the order", Time{Precision: Minute}, 7, 7},
	} {
		if got := test.time.Stated(test.sort); got != test.want {
			t.Errorf("%s: %d states %d, want %d", test.name, test.sort, got, test.want)
		}
	}
}
