package spam

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// TestImportedAgain has the same messages under other row ids, one of them
// twice.
func TestImportedAgain(t *testing.T) {
	t.Parallel()
	o := newOne()
	var hashes []string
	for _, when := range []string{"2026-03-01 12:00:00", "2026-03-02 12:00:00", "2026-03-03 12:00:00", "2026-03-04 12:00:00"} {
		hashes = append(hashes, o.says(when, "Sale of "+when))
	}
	twice := o.says("2026-03-04 12:00:00", "Sale of 2026-03-04 12:00:00")
	o.count(t)
	before := withoutRuns(o.findings)
	for i := range o.messages[o.thread] {
		o.messages[o.thread][i].ID += 100 - 2*o.messages[o.thread][i].ID
	}
	slices.SortStableFunc(o.messages[o.thread], func(x, y record.Message) int { return int(x.Sort - y.Sort) })
	c := o.count(t)
	if diff := cmp.Diff(before, withoutRuns(o.findings)); diff != "" {
		t.Errorf("findings changed:\n%s", diff)
	}
	if c.Contacts != 4 || len(c.Uncounted) != 1 || len(o.findings) != 5 {
		t.Errorf("%d contacts, %v not counted, %d findings; want 4, one of %s or %s, 5", c.Contacts, c.Uncounted, len(o.findings), hashes[3], twice)
	}
}

func TestDuplicates(t *testing.T) {
	t.Parallel()
	service := func(name string) msg.Detail { return msg.Detail{Name: "service", Value: name} }
	tests := []struct {
		name     string
		build    func(*one)
		contacts int
	}{
		{"fallback to SMS", func(o *one) {
			o.in(o.thread, o.handle, "2026-03-01 12:00:00", "Sale", service("iMessage"))
			o.in(o.thread, o.handle, "2026-03-01 12:00:20", "Sale!", service("SMS"))
		}, 1},
		{"fallback after an hour", func(o *one) {
			o.in(o.thread, o.handle, "2026-03-01 12:00:00", "Sale", service("iMessage"))
			o.in(o.thread, o.handle, "2026-03-01 13:00:00", "Sale", service("SMS"))
		}, 2},
		{"stub of a picture", func(o *one) {
			o.says("2026-03-01 12:00:00", "")
			o.add(o.thread, record.Message{Handle: o.handle, Direction: msg.In, Time: at("2026-03-01 12:00:05"), Attachments: 1})
		}, 1},
		{"picture before its stub", func(o *one) {
			o.add(o.thread, record.Message{Handle: o.handle, Direction: msg.In, Time: at("2026-03-01 12:00:05"), Body: "look", Attachments: 1})
			o.says("2026-03-01 12:00:09", "")
		}, 1},
		{"same text a second later", func(o *one) { o.says("2026-03-01 12:00:00"); o.says("2026-03-01 12:00:01") }, 2},
		{"same text in one minute of a coarse clock", func(o *one) {
			for range 2 {
				o.add(o.thread, record.Message{Handle: o.handle, Direction: msg.In, Time: wall("2026-03-01 12:00:00", msg.Minute), Clock: record.Readings, Body: "Sale"})
			}
		}, 2},
		{"calls and service lines", func(o *one) {
			o.says("2026-03-01 12:00:00")
			o.add(o.thread, record.Message{Handle: o.handle, Direction: msg.In, Kind: msg.Call, Time: at("2026-03-02 12:00:00"), Body: "Missed call"})
			o.add(o.thread, record.Message{Direction: msg.System, Kind: msg.Notice, Time: at("2026-03-02 12:00:00"), Body: "number changed"})
			o.add(o.thread, record.Message{Handle: o.handle, Direction: msg.In, Kind: msg.Deleted, Time: at("2026-03-03 12:00:00")})
		}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := newOne()
			tt.build(o)
			inbound := 0
			for _, m := range o.messages[o.thread] {
				if m.Direction == msg.In {
					inbound++
				}
			}
			c := o.count(t)
			if c.Contacts != tt.contacts || len(c.Uncounted) != inbound-tt.contacts {
				t.Errorf("%d contacts, not counted %v; want %d of %d", c.Contacts, c.Uncounted, tt.contacts, inbound)
			}
			for _, u := range c.Uncounted {
				if u.Reason == "" {
					t.Errorf("no reason for not counting %s", u.Message)
				}
			}
		})
	}
}

func TestIncomplete(t *testing.T) {
	t.Parallel()
	o := newOne()
	o.says("2026-03-01 12:00:00", "Sale: 20% off")
	o.coverage = record.Coverage{Problems: []string{"WhatsApp: the database was locked on 2026-11-01"}}
	c := o.count(t)
	if c.Complete || c.Amount(c.Contacts) != "at least 1" || len(c.Problems) != 1 {
		t.Errorf("complete %t, %s, problems %v", c.Complete, c.Amount(c.Contacts), c.Problems)
	}
	for _, label := range []string{"Contacts", "Flagged by a rule", "Messages of the owner", "Trailing twelve months", "Worst twelve months", "Contacts after an opt-out",
		"Contacts more than 15 days after an opt-out", "Category promo", "To which line"} {
		i := slices.IndexFunc(c.Figures(), func(f Figure) bool { return f.Label == label })
		if i < 0 || !strings.HasPrefix(c.Figures()[i].Value, "at least ") {
			t.Errorf("the figure %q does not say at least: %v", label, c.Figures())
		}
	}
	o.coverage = record.Coverage{Complete: true}
	if c := o.count(t); !c.Complete || c.Amount(c.Contacts) != "1" {
		t.Errorf("after the repair: complete %t, %s", c.Complete, c.Amount(c.Contacts))
	}
}

// TestCategoriesCounted: suggestions never take a message out of the figures;
// what is no solicitation is said beside them.
func TestCategoriesCounted(t *testing.T) {
	t.Parallel()
	o := newOne()
	var hashes []string
	for i := range 9 {
		if i == 6 {
			o.owner("2026-03-06 18:00:00", "STOP")
		}
		hashes = append(hashes, o.says(fmt.Sprintf("2026-03-%02d 12:00:00", i+1), fmt.Sprintf("Vote on November 3, reason %d", i)))
	}
	o.categories = []record.CategoryJudgment{{Hash: hashes[0], Category: record.Charity}, {Hash: hashes[0], Category: record.Promo}}
	c := o.count(t)
	if c.Contacts != 9 || c.After.Total != 3 {
		t.Errorf("%d contacts, %d after an opt-out; want 9 and 3", c.Contacts, c.After.Total)
	}
	want := []CategoryCount{{record.Political, 8, 0, categoryNotes[record.Political]}, {record.Promo, 0, 1, ""}}
	if diff := cmp.Diff(want, c.Categories); diff != "" {
		t.Errorf("categories (-want +got):\n%s", diff)
	}
}

// TestOwnerWroteFirst: a thread in which the owner talked is not examined by
// itself; enrolled by hand it is, and the inquiry is counted.
func TestOwnerWroteFirst(t *testing.T) {
	t.Parallel()
	o := newOne()
	o.owner("2026-01-05 12:00:00", "quote for gutters?")
	for _, when := range []string{"2026-01-06 12:00:00", "2026-03-30 12:00:00", "2026-04-20 12:00:00"} {
		o.says(when)
	}
	if got := o.scan(t, o.settings, addressBook()); got.Correspondent != 1 || len(o.findings) != 0 {
		t.Errorf("correspondents %d, findings %d; want 1 and 0", got.Correspondent, len(o.findings))
	}
	who, _ := Identify(o.people[0])
	o.senders = append(o.senders, record.Sender{ID: 1, SenderIdentity: who, Enrolled: true})
	if c := o.count(t); c.Contacts != 3 || c.AfterInquiry != 2 || c.Sent != 1 {
		t.Errorf("contacts %d, after the inquiry %d, sent %d; want 3, 2, 1", c.Contacts, c.AfterInquiry, c.Sent)
	}
}

func TestGroupBlast(t *testing.T) {
	t.Parallel()
	a := newArchive()
	blaster, group := a.phone("+12125550142"), a.thread("blast", msg.Group)
	a.in(group, blaster, "2026-03-01 12:00:00", "Big sale")
	for _, number := range []string{"+12125550143", "+12125550144", "+12125550145"} {
		a.in(group, a.phone(number), "2026-03-01 12:05:00", "STOP")
	}
	for _, include := range []bool{false, true} {
		s := DefaultSettings()
		s.IncludeGroups = include
		a.scan(t, s, addressBook())
		total, bystanders := 0, 0
		for _, sender := range a.senders {
			c := a.count(t, s, asOf, sender.ID)
			total += c.Contacts
			for _, u := range c.Uncounted {
				if u.Reason == "by another member of a group" {
					bystanders++
				}
			}
			if len(c.OptOuts) != 0 {
				t.Errorf("opt-outs of others count: %+v", c.OptOuts)
			}
		}
		if want := map[bool][2]int{false: {0, 0}, true: {1, 3}}[include]; total != want[0] || bystanders != want[1] {
			t.Errorf("groups included %t: %d contacts, %d bystanders; want %v", include, total, bystanders, want)
		}
	}
}

// TestMisfiledThread has promotions of a short code in a friend's thread.
func TestMisfiledThread(t *testing.T) {
	t.Parallel()
	a := newArchive()
	friend, code := a.person("+13125550101", "Alex", msg.HandlePhone), a.phone("12345")
	thread := a.thread("Alex", msg.Direct)
	a.in(thread, friend, "2026-03-01 12:00:00", "hi")
	a.in(thread, code, "2026-03-02 12:00:00", "Sale bit.ly/x")
	a.out(thread, "2026-03-03 12:00:00", "stop")
	a.scan(t, DefaultSettings(), addressBook("+13125550101"))
	if len(a.findings) != 1 || len(a.events) != 0 || len(a.senders) != 1 || a.senders[0].Key != "code:12345" {
		t.Errorf("%d findings, %d events, senders %v; want the short code's one message", len(a.findings), len(a.events), a.senders)
	}
}

// TestMessageGone: an opt-out whose message a newer import lacks stays on the
// record with all that follows from it.
func TestMessageGone(t *testing.T) {
	t.Parallel()
	o := newOne()
	o.says("2026-03-01 12:00:00", "Sale today")
	stop := o.owner("2026-03-02 12:00:00", "STOP")
	o.says("2026-03-20 12:00:00", "Sale again")
	before := o.count(t)
	o.messages[o.thread] = slices.DeleteFunc(o.messages[o.thread], func(m record.Message) bool { return m.Hash == stop })
	if diff := cmp.Diff(before, o.count(t)); diff != "" || before.After.Total != 1 {
		t.Errorf("counts without the message (-before +now):\n%s", diff)
	}
	if d := dossier(t, o.archive, About{Sender: 1}); d.Gaps != 1 || !d.Exhibits[1].Gap || d.Events[0].Exhibit != 2 {
		t.Errorf("%d gaps, event %+v; want the opt-out as exhibit 2, a gap", d.Gaps, d.Events[0])
	}
}

// TestRetailer: most of what comes may inform; the figures keep it apart and
// leave nothing out.
func TestRetailer(t *testing.T) {
	t.Parallel()
	o := newOne()
	for i, kind := range []struct {
		body string
		n    int
	}{{"Your verification code is %04d", 30}, {"Your order %d has shipped", 12}, {"Purchase of 41.%02d on card ending 1234", 4}, {"Sale: %d off today, shop at acme.com", 2}} {
		for n := range kind.n {
			o.says(fmt.Sprintf("2026-%02d-%02d 12:00:00", i+1, n%28+1), fmt.Sprintf(kind.body, n+1000*(n/28)))
		}
	}
	c := o.count(t)
	got := map[record.CategoryName]int{}
	for _, k := range c.Categories {
		got[k.Category] = k.Suggested
		if (k.Note == "") != (k.Category == record.Promo) {
			t.Errorf("category %s has note %q", k.Category, k.Note)
		}
	}
	want := map[record.CategoryName]int{record.OTP: 30, record.Delivery: 12, record.BankAlert: 4, record.Promo: 2}
	if diff := cmp.Diff(want, got); diff != "" || c.Contacts != 48 || c.Candidates != 2 {
		t.Errorf("%d contacts, %d candidates; want 48 and 2; categories (-want +got):\n%s", c.Contacts, c.Candidates, diff)
	}
}
