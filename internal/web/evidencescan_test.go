package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/contacts"
	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// TestUnscannedRecord explains what a scan does and scans nothing by itself.
func TestUnscannedRecord(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults)
	root := d.page("/spam")
	if n := len(all(root, "table", "")) + len(all(root, "ul", "senders")); n > 0 {
		t.Errorf("%d empty lists", n)
	}
	forms := all(all(root, "main", "")[0], "form", "")
	if len(forms) != 1 || attribute(forms[0], "action") != "/spam/scan" || attribute(forms[0], "method") != "post" {
		t.Errorf("%d forms, want the one that scans", len(forms))
	}
	for _, address := range []string{"/spam/violations", "/spam/runs", "/spam/entities", "/spam/progress"} {
		d.page(address)
	}
	d.pageWith("/spam/reset", http.StatusNotFound)
	if d.state().LastRun.ID != 0 {
		t.Error("looking at pages has scanned")
	}
}

// TestScanFromPage scans, and shows what the command line shows.
func TestScanFromPage(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults)
	d.scan()
	if run := d.state().LastDone; run.PID != 7 || run.Version != "test" || run.Env != "vcard/available" {
		t.Errorf("run %+v", run)
	}
	d.scan()
	if run := d.state().LastRun; run.ID != 2 || run.Counters.Examined != 0 {
		t.Errorf("a second scan examined %d messages", run.Counters.Examined)
	}
	rows := texts(all(d.page("/spam"), "li", "row"))
	if len(rows) != 2 || !strings.Contains(rows[0]+rows[1], loudSender) || !strings.Contains(rows[0]+rows[1], quietSender) {
		t.Errorf("senders %q", rows)
	}
	for status, want := range map[string]int{"watch": 2, "tracked": 0, "ignored": 0, "seen": 0, "all": 2} {
		if got := len(all(d.page("/spam?status="+status), "li", "row")); got != want {
			t.Errorf("status %s: %d senders, want %d", status, got, want)
		}
	}
	d.pageWith("/spam?status=nonsense", http.StatusBadRequest)
	if runs := all(d.page("/spam/runs"), "tr", ""); len(runs) != 3 {
		t.Errorf("%d rows of scans, want a heading and two", len(runs))
	}
	if left := text(d.page("/spam/runs")); !strings.Contains(left, "1 correspondent") {
		t.Error("what was left out is not said")
	}
}

// TestReset asks first and leaves what people said.
func TestReset(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults)
	d.scan()
	id := d.id(loudSender)
	d.done("/spam/s/"+itoa(id)+"/judgment", "status", "tracked")
	said := text(d.one(d.page("/spam/reset"), "section", "plain-text"))
	if !strings.Contains(said, "134 findings") || !strings.Contains(said, "2 senders") || !strings.Contains(said, "judgments") {
		t.Errorf("the page says %q", said)
	}
	d.done("/spam/reset")
	d.wait()
	if run := d.state().LastRun; run.ID != 1 {
		t.Error("derived anew without being told so")
	}
	d.done("/spam/reset", "confirm", "yes")
	d.wait()
	if run := d.state().LastDone; run.ID != 2 || !run.Reset || run.Counters.Examined != 134 {
		t.Errorf("run %+v", run)
	}
	if rows := all(d.page("/spam?status=tracked"), "li", "row"); len(rows) != 1 {
		t.Error("the judgment is gone")
	}
}

// TestJoinScan joins the scan of another process instead of starting one.
func TestJoinScan(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults)
	rules, err := spam.NewRules(*d.settings)
	if err != nil {
		t.Fatal(err)
	}
	id, err := d.recorder.BeginSpamRun(t.Context(), record.Run{StartedAt: now, HeartbeatAt: now, PID: 99, Ruleset: rules.Version(), Env: "vcard/available"})
	if err != nil {
		t.Fatal(err)
	}
	d.done("/spam/scan")
	job := text(d.one(d.page("/spam/runs"), "section", "job"))
	if !strings.Contains(job, "Scan 1,") || !strings.Contains(job, "in another process") {
		t.Errorf("progress %q", job)
	}
	if run := d.state().LastRun; run.ID != id {
		t.Errorf("scan %d was started beside scan %d", run.ID, id)
	}
	if err := d.recorder.FinishSpamRun(t.Context(), id, now, record.Counters{}, "disk full"); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"/spam", "/spam/violations", "/spam/runs"} {
		if shown := text(d.one(d.page(address), "ul", "attention")); !strings.Contains(shown, "failed: disk full") {
			t.Errorf("%s says %q", address, shown)
		}
	}
}

// TestStoppedScan says that somebody stopped it.
func TestStoppedScan(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults)
	id, err := d.recorder.BeginSpamRun(t.Context(), record.Run{StartedAt: now, HeartbeatAt: now, PID: 99, Ruleset: "x", Env: "vcard/available"})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.recorder.FinishSpamRun(t.Context(), id, now, record.Counters{}, "write scan: context canceled"); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"/spam", "/spam/runs"} {
		if shown := text(d.page(address)); !strings.Contains(shown, "it was stopped") || strings.Contains(shown, "canceled") {
			t.Errorf("%s says %q", address, shown)
		}
	}
}

// TestCrashedScan is told from one that runs.
func TestCrashedScan(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults)
	long := now.Add(-time.Hour)
	if _, err := d.recorder.BeginSpamRun(t.Context(), record.Run{StartedAt: long, HeartbeatAt: long, PID: 99, Ruleset: "x", Env: "none/absent"}); err != nil {
		t.Fatal(err)
	}
	if shown := text(d.one(d.page("/spam"), "ul", "attention")); !strings.Contains(shown, "did not end") {
		t.Errorf("banners %q", shown)
	}
	d.scan()
	if d.state().LastDone.ID != 2 {
		t.Error("a crashed scan keeps others from running")
	}
}

// TestBanners stand on every page of the record.
func TestBanners(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		prepare func(*recordDesk)
		want    string
		link    string
	}{
		{"none", func(*recordDesk) {}, "", ""},
		{"rules", func(d *recordDesk) { d.settings.WatchAreaCodes = []string{"212"} }, "The rules have changed", "/spam#scan"},
		{"mixed", func(d *recordDesk) {
			state := d.state()
			if err := d.recorder.WriteSpamBatch(d.t.Context(), record.Batch{RunID: state.LastRun.ID, Now: now, Cursor: record.Cursor{ConversationID: 1, Ruleset: state.Ruleset, Env: "none/absent"},
				Findings: []record.Finding{{Hash: strings.Repeat("0", 32), Ruleset: state.Ruleset, Env: "none/absent", RunID: 1, SenderKey: "tel:+12125550142", ConversationID: 1, BodySHA256: strings.Repeat("0", 64)}},
				Senders:  []record.SenderSighting{{SenderIdentity: record.SenderIdentity{Key: "tel:+12125550142", Kind: record.NANP, Identifier: loudSender}}}}); err != nil {
				d.t.Fatal(err)
			}
		}, "spans several address books", "/spam/reset"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newRecordDesk(t, defaults)
			d.scan()
			id := d.id(loudSender)
			tt.prepare(d)
			for _, address := range []string{"/spam", "/spam/violations", "/spam/runs", "/spam/s/" + itoa(id), "/spam/reset"} {
				root := d.page(address)
				list := all(root, "ul", "attention")
				if tt.want == "" {
					if len(list) > 0 {
						t.Errorf("%s says %q", address, texts(list))
					}
					continue
				}
				links := ""
				for _, a := range all(d.one(root, "ul", "attention"), "a", "") {
					links += attribute(a, "href")
				}
				if shown := text(list[0]); !strings.Contains(shown, tt.want) || !strings.Contains(links, tt.link) {
					t.Errorf("%s says %q with links %q", address, shown, links)
				}
			}
		})
	}
}

// TestDegraded says how to provide an address book, and both ways in which
// the lack of one misleads.
func TestDegraded(t *testing.T) {
	t.Parallel()
	for availability, want := range map[contacts.Availability]string{contacts.Absent: "contacts.vcard", contacts.NeedsPermission: "Full Disk Access"} {
		d := newRecordDesk(t, defaults)
		d.books.Sources[0].Availability = availability
		shown := text(d.one(d.page("/spam"), "ul", "attention"))
		if !strings.Contains(shown, want) || !strings.Contains(shown, "both ways") {
			t.Errorf("%s: %q", availability, shown)
		}
	}
}
