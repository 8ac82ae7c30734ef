package spam

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// asOf is the day that scenarios are counted on.
var asOf = time.Date(2026, 11, 30, 12, 0, 0, 0, newYork)

// one is an archive with one sender and its thread.
type one struct {
	*archive
	handle, thread int64
	settings       Settings
}

func newOne() *one {
	a := newArchive()
	return &one{a, a.phone("+12125550142"), a.thread("+12125550142", msg.Direct), DefaultSettings()}
}

func (o *one) says(when string, body ...string) string {
	return o.in(o.thread, o.handle, when, append(body, "Sale at Acme")[0])
}

func (o *one) owner(when, body string, details ...msg.Detail) string {
	return o.out(o.thread, when, body, details...)
}

// promised is what a wall clock of an undeclared zone shows.
func wall(text string, p msg.Precision) msg.Time {
	t, err := time.Parse(time.DateTime, text)
	if err != nil {
		panic(err)
	}
	return msg.WallTime(t, p, "")
}

func (o *one) count(t testing.TB) Counts { t.Helper(); return o.countAt(t, asOf) }

func (o *one) countAt(t testing.TB, at time.Time) Counts {
	t.Helper()
	o.scan(t, o.settings, addressBook())
	return o.archive.count(t, o.settings, at, o.sender(t, "tel:+12125550142").ID)
}

func (a *archive) count(t testing.TB, s Settings, at time.Time, senders ...int64) Counts {
	t.Helper()
	e, err := ReadEvidence(t.Context(), a, senders)
	if err != nil {
		t.Fatal(err)
	}
	c := Count(e, Question{Settings: s, Clocks: Clocks{Zone: newYork}, AsOf: at})
	if c.After.Total != c.After.Confirmation+c.After.WithinGrace+c.After.AfterGrace {
		t.Errorf("total after an opt-out %d is not %d + %d + %d", c.After.Total, c.After.Confirmation, c.After.WithinGrace, c.After.AfterGrace)
	}
	flagged := 0
	for _, f := range e.Findings {
		if f.AfterOptOut && !slices.ContainsFunc(c.Uncounted, func(u Uncounted) bool { return u.Message == f.Hash }) {
			flagged++
		}
	}
	if len(senders) == 1 && flagged != c.After.Total {
		t.Errorf("%d findings are marked as after an opt-out, %d counted", flagged, c.After.Total)
	}
	return c
}

func after(a After) string {
	return fmt.Sprintf("%d = %d + %d + %d, 15 days: %d", a.Total, a.Confirmation, a.WithinGrace, a.AfterGrace, a.AfterDays)
}

func windows(c Counts) string {
	return fmt.Sprintf("trailing %d, worst %d, near %d", c.Trailing.Contacts, c.Worst.Contacts, c.NearBoundary)
}

// TestAfterOptOuts holds the figures around opt-outs: scenarios with one
// sender and what is to come out.
func TestAfterOptOuts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		build func(*one)
		want  string
		also  func(*testing.T, Counts)
	}{
		{"buckets across a change of the clocks", func(o *one) {
			o.says("2026-03-02 10:00:00")
			o.owner("2026-03-02 10:05:00", "STOP")
			o.says("2026-03-02 10:05:08", "You are unsubscribed.")
			for _, when := range []string{"2026-03-04 09:00:00", "2026-03-16 23:59:59", "2026-03-17 00:00:00", "2026-03-18 00:00:00"} {
				o.says(when)
			}
		}, "5 = 1 + 2 + 2, 15 days: 1", func(t *testing.T, c Counts) {
			if c.Contacts != 6 || c.OptOuts[0].LastDay != "2026-03-16" {
				t.Errorf("%d contacts, last day %s; want 6 and 2026-03-16", c.Contacts, c.OptOuts[0].LastDay)
			}
		}},
		{"confirmation at the last second", func(o *one) {
			o.owner("2026-03-02 12:00:00", "STOP")
			o.says("2026-03-02 12:05:00", "You are unsubscribed.")
		}, "1 = 1 + 0 + 0, 15 days: 0", nil},
		{"confirmation a second too late", func(o *one) {
			o.owner("2026-03-02 12:00:00", "STOP")
			o.says("2026-03-02 12:05:01", "You are unsubscribed.")
		}, "1 = 0 + 1 + 0, 15 days: 0", func(t *testing.T, c Counts) {
			if c.After.LateConfirmation != 1 {
				t.Errorf("late confirmations %d, want 1", c.After.LateConfirmation)
			}
		}},
		{"confirmation that advertises", func(o *one) {
			o.owner("2026-03-02 12:00:00", "STOP")
			o.says("2026-03-02 12:00:09", "Unsubscribed! Last chance 30% off bit.ly/x")
		}, "1 = 0 + 1 + 0, 15 days: 0", func(t *testing.T, c Counts) {
			if c.After.PromotionalConfirmation != 1 {
				t.Errorf("promotional confirmations %d, want 1", c.After.PromotionalConfirmation)
			}
		}},
		{"two confirmations", func(o *one) {
			o.owner("2026-03-02 12:00:00", "STOP")
			o.says("2026-03-02 12:00:04", "You are unsubscribed.")
			o.says("2026-03-02 12:00:08", "You have been opted out.")
		}, "2 = 1 + 1 + 0, 15 days: 0", nil},
		{"note of the carrier", func(o *one) {
			o.owner("2026-03-02 12:00:00", "STOP")
			o.says("2026-03-02 12:00:04", `NETWORK MSG: You replied with the word "stop"`)
			o.says("2026-03-02 12:00:08", "You are unsubscribed.")
		}, "1 = 1 + 0 + 0, 15 days: 0", func(t *testing.T, c Counts) {
			if c.After.CarrierNote != 1 || len(c.Uncounted) != 1 {
				t.Errorf("carrier's notes %d, uncounted %v; want one", c.After.CarrierNote, c.Uncounted)
			}
		}},
		{"stop, start, stop", func(o *one) {
			o.owner("2026-02-02 12:00:00", "STOP")
			o.owner("2026-02-10 12:00:00", "START")
			o.says("2026-02-20 12:00:00")
			o.owner("2026-03-02 12:00:00", "STOP")
			o.says("2026-03-20 12:00:00")
		}, "1 = 0 + 0 + 1, 15 days: 1", func(t *testing.T, c Counts) {
			if len(c.OptOuts) != 2 || c.OptOuts[0].Reopened != "2026-02-10 12:00:00" || c.OptOuts[1].Reopened != "" {
				t.Errorf("opt-outs %+v, want the first taken back", c.OptOuts)
			}
		}},
		{"earliest request counts", func(o *one) {
			o.owner("2026-02-02 12:00:00", "STOP")
			o.owner("2026-03-02 12:00:00", "STOP")
			o.says("2026-03-03 12:00:00")
		}, "1 = 0 + 0 + 1, 15 days: 1", nil},
		{"failed request", func(o *one) {
			o.says("2026-02-01 12:00:00")
			o.owner("2026-02-02 12:00:00", "STOP", msg.Detail{Name: "status", Value: "failed"})
			o.says("2026-03-03 12:00:00")
		}, "0 = 0 + 0 + 0, 15 days: 0", func(t *testing.T, c Counts) {
			if c.Attempted != 1 || len(c.OptOuts) != 0 || c.AfterAttempt != 1 {
				t.Errorf("attempted %d, opt-outs %d, after the attempt %d; want 1, 0, 1", c.Attempted, len(c.OptOuts), c.AfterAttempt)
			}
		}},
		{"business days over Thanksgiving", func(o *one) {
			o.owner("2026-11-20 12:00:00", "STOP")
			o.says("2026-12-04 12:00:00")
			o.says("2026-12-08 12:00:00")
		}, "2 = 0 + 1 + 1, 15 days: 1", func(t *testing.T, c Counts) {
			if c.OptOuts[0].LastDay != "2026-12-07" {
				t.Errorf("last day %s, want 2026-12-07", c.OptOuts[0].LastDay)
			}
		}},
		{"business days over the observed fourth of July", func(o *one) {
			o.owner("2026-06-26 12:00:00", "STOP")
			o.says("2026-07-13 23:59:59")
			o.says("2026-07-14 00:00:00")
		}, "2 = 0 + 1 + 1, 15 days: 2", nil},
		{"request on a Saturday", func(o *one) {
			o.owner("2026-03-07 12:00:00", "STOP")
			o.says("2026-03-20 12:00:00")
			o.says("2026-03-21 12:00:00")
		}, "2 = 0 + 1 + 1, 15 days: 0", nil},
		// The scenario knows no bucket for older opt-outs; the record must
		// have one, so the old rule's outer limit of thirty days is it.
		{"request under the older rule", func(o *one) {
			o.owner("2025-03-03 12:00:00", "STOP")
			o.says("2025-04-02 12:00:00")
			o.says("2025-04-03 12:00:00")
		}, "2 = 0 + 1 + 1, 15 days: 2", func(t *testing.T, c Counts) {
			if c.OptOuts[0].Rule.Business || c.OptOuts[0].Rule.Days != 30 {
				t.Errorf("rule %+v, want the older one", c.OptOuts[0].Rule)
			}
		}},
		{"none of these is an opt-out", func(o *one) {
			o.says("2026-03-01 12:00:00", "Reply STOP to end")
			for _, body := range []string{"Disliked “Sale at Acme”", "🛑"} {
				o.owner("2026-03-02 12:00:00", body)
			}
			o.says("2026-03-20 12:00:00")
		}, "0 = 0 + 0 + 0, 15 days: 0", func(t *testing.T, c Counts) {
			if c.Unconfirmed != 1 {
				t.Errorf("unconfirmed opt-outs %d, want the lone emoji", c.Unconfirmed)
			}
		}},
		{"answer to a delivery note", func(o *one) {
			o.says("2026-03-01 12:00:00", "Your package was delivered")
			o.owner("2026-03-02 12:00:00", "STOP")
			o.says("2026-03-20 12:00:00")
		}, "1 = 0 + 0 + 1, 15 days: 1", func(t *testing.T, c Counts) {
			if !c.OptOuts[0].Informational {
				t.Error("the opt-out is not marked as one that answers an informational message")
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := newOne()
			tt.build(o)
			c := o.countAt(t, time.Date(2026, 12, 31, 12, 0, 0, 0, newYork))
			if got := after(c.After); got != tt.want {
				t.Errorf("after opt-outs: %s, want %s", got, tt.want)
			}
			if tt.also != nil {
				tt.also(t, c)
			}
		})
	}
}

func TestTwelveMonths(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		asOf  string
		at    []string
		want  string
		worst string // first contact of the worst window
	}{
		{"leap: day before in both years", "2026-11-30 12:00:00", []string{"2024-02-28 12:00:00", "2025-02-27 12:00:00"}, "trailing 0, worst 2, near 1", "2024-02-28 12:00:00"},
		{"leap: 29 and 28 February", "2026-11-30 12:00:00", []string{"2024-02-29 12:00:00", "2025-02-28 12:00:00"}, "trailing 0, worst 2, near 1", "2024-02-29 12:00:00"},
		{"leap: 29 February and 1 March", "2026-11-30 12:00:00", []string{"2024-02-29 12:00:00", "2025-03-01 12:00:00"}, "trailing 0, worst 1, near 1", "2024-02-29 12:00:00"},
		{"leap: as of 29 February, inside", "2024-02-29 12:00:00", []string{"2023-03-01 12:00:00", "2024-02-29 12:00:00"}, "trailing 2, worst 2, near 1", "2023-03-01 12:00:00"},
		{"leap: as of 29 February, outside", "2024-02-29 12:00:00", []string{"2023-02-28 12:00:00", "2024-02-29 12:00:00"}, "trailing 1, worst 1, near 1", "2023-02-28 12:00:00"},
		{"exactly twelve months", "2026-11-30 12:00:00", []string{"2025-05-10 09:00:00", "2026-05-10 09:00:00"}, "trailing 1, worst 1, near 1", "2025-05-10 09:00:00"},
		{"twelve months less a second", "2026-11-30 12:00:00", []string{"2025-05-10 09:00:00", "2026-05-10 08:59:59"}, "trailing 1, worst 2, near 1", "2025-05-10 09:00:00"},
		{"across a change of the clocks", "2026-11-30 12:00:00", []string{"2025-03-08 12:00:00", "2026-03-08 12:30:00"}, "trailing 1, worst 1, near 1", "2025-03-08 12:00:00"},
		{"worst is not trailing; the future is no contact", "2026-11-30 12:00:00", []string{"2025-01-15 12:00:00", "2025-02-15 12:00:00", "2025-03-15 12:00:00", "2025-04-15 12:00:00",
			"2025-05-15 12:00:00", "2025-06-15 12:00:00", "2026-05-20 12:00:00", "2026-09-01 12:00:00", "2036-01-01 12:00:00"}, "trailing 2, worst 6, near 0", "2025-01-15 12:00:00"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := newOne()
			for _, when := range tt.at {
				o.says(when)
			}
			c := o.countAt(t, at(tt.asOf).UTC())
			var ahead []string
			for _, when := range tt.at {
				if when > tt.asOf {
					ahead = append(ahead, "dated after the as-of time")
				}
			}
			var reasons []string
			for _, u := range c.Uncounted {
				reasons = append(reasons, u.Reason)
			}
			if !slices.Equal(reasons, ahead) || c.Contacts != len(tt.at)-len(ahead) {
				t.Errorf("%d contacts, besides %q; want %q listed of %d", c.Contacts, reasons, ahead, len(tt.at))
			}
			if got := windows(c); got != tt.want || c.Worst.First != tt.worst {
				t.Errorf("%s from %s, want %s from %s", got, c.Worst.First, tt.want, tt.worst)
			}
		})
	}
}

func TestQuietHours(t *testing.T) {
	t.Parallel()
	instant := func(text string) msg.Time {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return msg.InstantTime(at, msg.Second, "")
	}
	tests := []struct {
		at      string
		details []msg.Detail
		outside int
		gaps    int
	}{
		{"2026-03-07T12:30:00Z", nil, 1, 0}, {"2026-03-08T12:30:00Z", nil, 0, 0}, // 07:30 EST, 08:30 EDT
		{"2026-11-01T05:30:00Z", nil, 1, 0}, {"2026-11-01T06:30:00Z", nil, 1, 0}, // both show 01:30
		{"2026-03-20T12:00:00Z", nil, 0, 0}, {"2026-03-20T11:59:59Z", nil, 1, 0},
		{"2026-03-21T01:00:00Z", nil, 0, 0}, {"2026-03-21T01:00:01Z", nil, 1, 0},
		{"2026-06-20T14:30:00Z", nil, 1, 0}, // 07:30 in Los Angeles
		{"2026-03-21T01:20:00Z", []msg.Detail{{Name: "date_sent", Value: "2026-03-21T00:55:00Z"}}, 0, 1},
	}
	for _, tt := range tests {
		o := newOne()
		o.add(o.thread, record.Message{Handle: o.handle, Direction: msg.In, Time: instant(tt.at), Body: "Sale", Details: tt.details})
		if c := o.count(t); c.Quiet.Computed || c.Quiet.Why == "" || c.Quiet.Counts != nil {
			t.Errorf("quiet hours without a declared place: %+v, want not computed", c.Quiet)
		}
		o.settings.Places = []Place{{"2026-06-01", "America/Los_Angeles"}, {"2026-01-01", "America/New_York"}}
		if c := o.count(t); !c.Quiet.Computed || c.Quiet.Counts.Outside != tt.outside || c.Quiet.Counts.Gaps != tt.gaps {
			t.Errorf("message at %s: %+v, want outside %d, gaps %d", tt.at, c.Quiet, tt.outside, tt.gaps)
		}
	}
}

func TestEntity(t *testing.T) {
	t.Parallel()
	a := newArchive()
	whens := []string{"2026-04-01 12:00:00", "2026-05-01 12:00:00", "2026-07-01 12:00:00", "2026-03-01 12:00:00"}
	var threads []int64
	for i, id := range []string{"12345", "+12125550101", "+16465550102", "offers@example.com"} {
		handle, thread := a.person(id, "", msg.HandlePhone), a.thread(id, msg.Direct)
		a.in(thread, handle, whens[i], "Sale at Acme "+id)
		threads = append(threads, thread)
	}
	a.out(threads[1], "2026-06-01 12:00:00", "STOP")
	s := DefaultSettings()
	a.scan(t, s, addressBook())
	var ids []int64
	for _, sender := range a.senders {
		ids = append(ids, sender.ID)
		if c := a.count(t, s, asOf, sender.ID); c.Worst.Contacts != 1 || c.After.Total != 0 {
			t.Errorf("%s alone: worst %d, after an opt-out %d; want 1 and 0", sender.Identifier, c.Worst.Contacts, c.After.Total)
		}
	}
	c := a.count(t, s, asOf, ids...)
	if got, want := after(c.After), "1 = 0 + 0 + 1, 15 days: 0"; got != want || c.Worst.Contacts != 4 {
		t.Errorf("entity: %s, worst %d; want %s and 4", got, c.Worst.Contacts, want)
	}
	if c.OptOuts[0].LastDay != "2026-06-15" || len(c.Senders) != 4 || c.Senders[1].OptOuts != 1 || c.Senders[1].After.Total != 0 {
		t.Errorf("entity: opt-out %+v, senders %+v", c.OptOuts[0], c.Senders)
	}
}

func TestOwnerLines(t *testing.T) {
	t.Parallel()
	line := func(number string) msg.Detail { return msg.Detail{Name: "destination_caller_id", Value: number} }
	o := newOne()
	o.settings.Lines = []Line{{"+1 917 555 0120", "2026-01-10"}}
	for _, when := range []string{"2026-02-09 12:00:00", "2026-02-10 12:00:00", "2026-02-11 12:00:00"} {
		o.in(o.thread, o.handle, when, "Sale "+when, line("+19175550120"))
	}
	o.in(o.thread, o.handle, "2026-02-12 12:00:00", "Sale elsewhere", line("+19175550121"))
	o.says("2026-02-13 12:00:00")
	var got []string
	for _, l := range o.count(t).Lines {
		got = append(got, lineText(l))
	}
	want := []string{": 1, worst 1, registered: unknown", "+19175550120: 3, worst 3, registered: &{2026-01-10 2 1}", "+19175550121: 1, worst 1, registered: unknown"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func lineText(l LineCount) string {
	text := fmt.Sprintf("%s: %d, worst %d, registered: ", l.Line, l.Contacts, l.Worst.Contacts)
	if l.Registry == nil {
		return text + "unknown"
	}
	return text + fmt.Sprint(l.Registry)
}

// TestTwoLines: what counts for the person is more than what counts for
// either line.
func TestTwoLines(t *testing.T) {
	t.Parallel()
	o := newOne()
	o.settings.Lines = []Line{{"+19175550120", "2026-01-10"}, {"+19175550121", ""}}
	for i, line := range []string{"+19175550120", "+19175550121"} {
		o.in(o.thread, o.handle, fmt.Sprintf("2026-04-0%d 12:00:00", i+1), "Sale", msg.Detail{Name: "destination_caller_id", Value: line})
	}
	c := o.count(t)
	var got []string
	for _, l := range c.Lines {
		got = append(got, lineText(l))
	}
	want := []string{"+19175550120: 1, worst 1, registered: &{2026-01-10 1 0}", "+19175550121: 1, worst 1, registered: unknown"}
	if diff := cmp.Diff(want, got); diff != "" || c.Worst.Contacts != 2 {
		t.Errorf("worst twelve months of the person %d, want 2; lines (-want +got):\n%s", c.Worst.Contacts, diff)
	}
}

// TestRecordedLater has an opt-out that the owner wrote down long after, and
// then an import that brings the message itself.
func TestRecordedLater(t *testing.T) {
	t.Parallel()
	o := newOne()
	o.says("2026-03-02 09:00:00")
	o.says("2026-03-02 18:00:00")
	o.says("2026-03-20 12:00:00")
	o.count(t)
	o.event(record.Event{SenderID: 1, Type: record.StopSent, Time: wall("2026-03-02 00:00:00", msg.Day), Origin: record.Manual,
		Details: "told caller to stop", RecordedAt: at("2026-06-01 12:00:00").Micros})
	if err := UpdateOptOuts(t.Context(), o, o, Clocks{Zone: newYork}); err != nil {
		t.Fatal(err)
	}
	c := o.archive.count(t, o.settings, asOf, 1)
	if got, want := after(c.After), "1 = 0 + 0 + 1, 15 days: 1"; got != want || c.After.SameTime != 2 || c.OptOuts[0].Origin != record.Manual || c.OptOuts[0].At != "2026-03-02" {
		t.Errorf("by the owner's word: %s, same day %d, %+v; want %s and 2", got, c.After.SameTime, c.OptOuts[0], want)
	}
	o.owner("2026-03-02 10:05:00", "STOP")
	c = o.count(t)
	if got, want := after(c.After), "2 = 0 + 1 + 1, 15 days: 1"; got != want || c.OptOuts[0].Origin != record.FromScan || len(c.OptOuts) != 1 {
		t.Errorf("by the message: %s, %+v; want %s", got, c.OptOuts, want)
	}
}

// TestSameClock compares manual events with wall readings of a source whose
// zone nobody declared.
func TestSameClock(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		event msg.Time
		zone  *time.Location
		after int
	}{
		{"no zone: the fields as given", msg.InstantTime(time.Date(2026, 3, 2, 15, 5, 0, 0, time.UTC), msg.Second, "2026-03-02T10:05:00-05:00"), nil, 1},
		{"declared zone: the time there", msg.InstantTime(time.Date(2026, 3, 2, 15, 5, 0, 0, time.UTC), msg.Second, "2026-03-02T15:05:00Z"), newYork, 1},
		{"no zone: another offset", msg.InstantTime(time.Date(2026, 3, 2, 15, 5, 0, 0, time.UTC), msg.Second, "2026-03-02T16:05:00+01:00"), nil, 0},
		{"no offset", wall("2026-03-02 10:05:00", msg.Second), newYork, 1},
		{"to the minute", wall("2026-03-02 10:06:00", msg.Minute), nil, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			reading := wall("2026-03-02 10:06:00", msg.Minute)
			e := Evidence{
				Findings: []record.Finding{{Hash: "a", SenderID: 1, Direction: msg.In, Time: reading, Sort: reading.Micros, Clock: record.Readings, TextKey: "x"}},
				Events:   []record.Event{{ID: 1, SenderID: 1, Type: record.StopSent, Origin: record.Manual, Time: tt.event}},
				Coverage: record.Coverage{Complete: true},
			}
			if c := Count(e, Question{Clocks: Clocks{Zone: tt.zone}, AsOf: asOf}); c.After.Total != tt.after {
				t.Errorf("%d contacts after the opt-out, want %d", c.After.Total, tt.after)
			}
		})
	}
}
