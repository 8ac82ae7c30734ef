package web_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/msgbrowse/msgbrowse/internal/contacts"
	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/web"
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

// TestFigures holds the pages against the one computation.
func TestFigures(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults)
	d.scan()
	id := d.id(loudSender)
	evidence, err := spam.ReadEvidence(t.Context(), d.reader, []int64{id})
	if err != nil {
		t.Fatal(err)
	}
	for _, asOf := range []string{"", "2025-08-30"} {
		at, err := spam.ParseAsOf(asOf, spam.Clocks{}, now)
		if err != nil {
			t.Fatal(err)
		}
		counts := spam.Count(evidence, spam.Question{Settings: *d.settings, AsOf: at})
		var want, got [][3]string
		for _, f := range counts.Figures() {
			want = append(want, [3]string{f.Label, f.Value, strings.Join(strings.Fields(f.Note), " ")})
		}
		for _, row := range all(d.one(d.page("/spam/s/"+itoa(id)+"?as_of="+asOf), "table", "figures"), "tr", "") {
			got = append(got, [3]string{text(all(row, "th", "")[0]), text(all(row, "td", "")[0]), text(all(row, "td", "")[1])})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("as of %q (-computed +shown):\n%s", asOf, diff)
		}
		row := all(d.page("/spam/violations?as_of="+asOf), "tr", "")[1]
		cells := texts(all(row, "td", ""))
		if cells[1] != counts.Amount(counts.After.Total) || cells[2] != counts.Amount(counts.After.Confirmation) || cells[5] != counts.Amount(counts.Contacts) {
			t.Errorf("as of %q: the list says %q, computed were %+v", asOf, cells, counts.After)
		}
		if counts.After.Confirmation != 1 || counts.After.Total < 20 {
			t.Errorf("as of %q: the fixture has %+v after the opt-out", asOf, counts.After)
		}
	}
	d.pageWith("/spam/violations?as_of=soon", http.StatusBadRequest)
}

// TestDossierPage shows all of it with the limitations in the open.
func TestDossierPage(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults)
	d.scan()
	id := d.id(loudSender)
	root := d.page("/spam/s/" + itoa(id))
	dossier := d.dossier(id)
	want := make([]string, len(dossier.Limitations))
	for i, l := range dossier.Limitations {
		want[i] = l.Text
	}
	limits := d.one(root, "ul", "limits")
	for n := limits.Parent; n != nil; n = n.Parent {
		if n.Data == "details" {
			t.Error("the limitations are folded away")
		}
	}
	if diff := cmp.Diff(want, texts(all(limits, "li", ""))); diff != "" {
		t.Errorf("limitations (-dossier +page):\n%s", diff)
	}
	if n := len(all(root, "li", "exhibit")); n != 100 {
		t.Errorf("%d messages on the first page, want 100", n)
	}
	rest := all(d.page("/spam/s/"+itoa(id)+"?from=101"), "li", "exhibit")
	if len(rest) != len(dossier.Exhibits)-100 {
		t.Errorf("%d messages on the second page, want %d", len(rest), len(dossier.Exhibits)-100)
	}
	first := text(all(root, "li", "exhibit")[0])
	if !strings.Contains(first, "<script>alert(1)</script>") || !strings.Contains(first, "hxxps://acme[.]example/0") || !strings.Contains(first, "⟨U+202E⟩") {
		t.Errorf("the message is shown as %q", first)
	}
	checkMarkup(t, "dossier", root)
	for n := range root.Descendants() {
		if strings.HasPrefix(attribute(n, "href"), "http") {
			t.Errorf("a link to %s", attribute(n, "href"))
		}
	}
	derived, said := all(root, "section", "derived"), all(root, "section", "by-person")
	if len(derived) == 0 || len(said) != 1 {
		t.Errorf("%d derived parts, %d said by a person", len(derived), len(said))
	}
	for _, address := range []string{"/spam/s/999", "/spam/s/0", "/spam/s/x", "/spam/s/-1", "/spam/s/+12125550142", "/spam/e/1", "/spam/s/999/dossier.md", "/spam/s/" + itoa(id) + "/dossier.exe"} {
		d.pageWith(address, http.StatusNotFound)
	}
}

func (d *recordDesk) dossier(id int64) *spam.Dossier {
	d.t.Helper()
	made, err := spam.BuildDossier(d.t.Context(), d.reader, spam.About{Sender: id},
		spam.DossierQuestion{Question: spam.Question{Settings: *d.settings, AsOf: now}, GeneratedAt: now, Program: "msgbrowse test"})
	if err != nil {
		d.t.Fatal(err)
	}
	return made
}

// TestDownloads gives the very bytes of the renderings.
func TestDownloads(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults)
	d.scan()
	id := d.id(loudSender)
	made := d.dossier(id)
	asJSON, err := made.JSON()
	if err != nil {
		t.Fatal(err)
	}
	asCSV, err := made.CSV()
	if err != nil {
		t.Fatal(err)
	}
	for ext, want := range map[string][]byte{"md": made.Markdown(), "json": asJSON, "csv": asCSV} {
		res := d.ask("GET", "/spam/s/"+itoa(id)+"/dossier."+ext+"?as_of="+made.Counts.AsOf)
		got, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes differ from the rendering's %d", ext, len(got), len(want))
		}
		if disposition := res.Header.Get("Content-Disposition"); disposition != `attachment; filename="dossier.`+ext+`"` {
			t.Errorf("%s: disposition %q", ext, disposition)
		}
	}
}

// TestExport writes below the folder of the settings, whatever is asked for.
func TestExport(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults)
	d.scan()
	elsewhere := t.TempDir()
	res := d.post("/spam/s/"+itoa(d.id(loudSender))+"/export", "dir", elsewhere, "out", elsewhere, "path", elsewhere)
	root, err := html.Parse(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %v", res.StatusCode, err)
	}
	dir := text(all(root, "p", "path")[0])
	if filepath.Dir(dir) != d.exports {
		t.Fatalf("written to %s, want a folder in %s", dir, d.exports)
	}
	digest, err := spam.Verify(dir)
	if err != nil || digest != text(all(root, "code", "")[0]) {
		t.Errorf("digest %s, %v", digest, err)
	}
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) > 0 {
		t.Errorf("the request chose where to write: %v", left)
	}
}

// TestJudgment writes the fields that were sent and no others.
func TestJudgment(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults)
	d.scan()
	id := d.id(loudSender)
	address := "/spam/s/" + itoa(id)
	d.done(address+"/judgment", "notes", "says he is Bob", "consent_notes", "none asked")
	d.done(address+"/judgment", "status", "tracked")
	d.done(address+"/judgment", "suspected_entity", `Acme "Roofing" <b>`)
	d.done(address+"/judgment", "consent_status", "disputed", "notes", "")
	senders, err := d.reader.SpamSenders(t.Context(), record.SenderQuery{IDs: []int64{id}})
	if err != nil {
		t.Fatal(err)
	}
	s := senders[0]
	if s.Status != record.Tracked || !s.StatusByPerson || s.Notes != "" || s.ConsentNotes != "none asked" || s.SuspectedEntity != `Acme "Roofing" <b>` || s.Consent != record.Disputed {
		t.Errorf("sender %+v", s)
	}
	for _, tt := range []struct{ name, field, value, says string }{
		{"unknown status", "status", "evil", "seen, watch, tracked, ignored"},
		{"unknown consent", "consent_status", "given", "no_consent_on_record, consent_given, consent_revoked, disputed"},
		{"nothing", "other", "x", "suspected_entity"},
		{"too long", "notes", strings.Repeat("x", 9000), "8000"},
	} {
		res := d.post(address+"/judgment", tt.field, tt.value)
		body, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(string(body), tt.says) {
			t.Errorf("%s: status %d, %v", tt.name, res.StatusCode, err)
		}
	}
	root := d.page(address)
	checkMarkup(t, "judged", root)
	if said := text(d.one(root, "section", "by-person")); !strings.Contains(said, `Acme "Roofing" <b>`) || !strings.Contains(said, "disputed") {
		t.Errorf("the page says %q", said)
	}
	if got := d.post("/spam/s/999/judgment", "status", "tracked").StatusCode; got != http.StatusNotFound {
		t.Errorf("unknown sender: status %d", got)
	}
}

// TestEvents records by hand, confirms and corrects.
func TestEvents(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults)
	d.scan()
	id := d.id(loudSender)
	address := "/spam/s/" + itoa(id)
	before := d.dossier(id).Counts.After.Total
	confirm := d.one(d.page(address), "form", "remark")
	fields := []string{}
	for _, input := range all(confirm, "input", "") {
		fields = append(fields, attribute(input, "name"), attribute(input, "value"))
	}
	d.done(attribute(confirm, "action"), fields...)
	after := d.dossier(id)
	if after.Counts.After.Total != before+20 || after.Counts.Unconfirmed != 0 {
		t.Errorf("%d contacts after the confirmed opt-out, want %d; %d unconfirmed", after.Counts.After.Total, before+20, after.Counts.Unconfirmed)
	}
	d.done(address+"/event", "type", "fcc_complaint_filed", "at", "2025-09-01", "details", "online", "evidence", "ticket 7")
	complaint := d.dossier(id).Events
	last := complaint[len(complaint)-1]
	d.done(address+"/event", "type", "fcc_complaint_filed", "at", "2025-09-02", "supersedes", itoa(last.ID))
	superseded := 0
	for _, e := range d.dossier(id).Events {
		if e.SupersededBy != 0 {
			superseded++
		}
	}
	if superseded != 1 {
		t.Errorf("%d events corrected, want 1", superseded)
	}
	for _, tt := range []struct {
		name   string
		fields []string
		says   string
	}{
		{"no type", nil, "stop_sent, notice_sent"},
		{"unknown type", []string{"type", "sued"}, "lawyer_referral"},
		{"no time", []string{"type", "stop_sent", "at", "soon"}, "2026-03-02"},
		{"no message", []string{"type", "stop_sent", "message", "ffffffff"}, "hash"},
		{"not a hash", []string{"type", "stop_sent", "message", "../etc"}, "hash"},
		{"not the owner's", []string{"type", "stop_sent", "message", after.Exhibits[0].Hash}, "not one of yours"},
		{"unknown event", []string{"type", "stop_sent", "supersedes", "99"}, "event"},
		{"no event", []string{"type", "stop_sent", "supersedes", "x"}, "number"},
	} {
		res := d.post(address+"/event", tt.fields...)
		body, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(string(body), tt.says) {
			t.Errorf("%s: status %d, %v: %s", tt.name, res.StatusCode, err, body)
		}
	}
}

// TestEntities groups two senders, each with a reason.
func TestEntities(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults)
	d.scan()
	leads := text(d.one(d.page("/spam/entities"), "section", "derived"))
	if !strings.Contains(leads, "landing domain acme.example "+loudSender+" , "+quietSender) {
		t.Errorf("in common: %q", leads)
	}
	loud, quiet := "/spam/s/"+itoa(d.id(loudSender)), "/spam/s/"+itoa(d.id(quietSender))
	d.done(loud+"/entity", "name", "Acme  Roofing", "basis", "same domain")
	d.done(quiet+"/entity", "name", "acme roofing", "basis", "same domain", "evidence", "links")
	entities, err := d.reader.SpamEntities(t.Context())
	if err != nil || len(entities) != 1 || len(entities[0].Current()) != 2 {
		t.Fatalf("entities %+v, %v", entities, err)
	}
	list := d.page("/spam/entities")
	checkMarkup(t, "entities", list)
	if said := text(d.one(list, "section", "by-person")); !strings.Contains(said, "Acme Roofing "+loudSender+" : same domain") {
		t.Errorf("entities: %q", said)
	}
	if leads := text(d.one(list, "section", "derived")); strings.Contains(leads, "acme") {
		t.Errorf("a lead that was followed stays: %q", leads)
	}
	root := d.page("/spam/e/" + itoa(entities[0].ID))
	if n := len(all(d.one(root, "ul", "handles"), "li", "")); n != 2 {
		t.Errorf("%d members shown", n)
	}
	for _, fields := range [][]string{{"name", "Other", "basis", "x"}, {"name", "Acme Roofing"}, {"basis", "x"}} {
		if got := d.post(loud+"/entity", fields...).StatusCode; got != http.StatusUnprocessableEntity {
			t.Errorf("%q: status %d", fields, got)
		}
	}
	if entities, err = d.reader.SpamEntities(t.Context()); err != nil || len(entities) != 1 {
		t.Errorf("a refused form left %d entities", len(entities))
	}
	d.done(quiet+"/entity/remove", "entity", itoa(entities[0].ID), "why", "another company")
	if got := d.post(quiet+"/entity/remove", "entity", itoa(entities[0].ID)).StatusCode; got != http.StatusUnprocessableEntity {
		t.Errorf("taken out twice: status %d", got)
	}
	if res := d.ask("GET", "/spam/e/"+itoa(entities[0].ID)+"/dossier.json"); res.StatusCode != http.StatusOK {
		t.Errorf("dossier of an entity: status %d", res.StatusCode)
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

// TestRecordPerimeter refuses pages of other sites and methods that are not
// theirs, and names nobody in an address or the log.
func TestRecordPerimeter(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	d := newRecordDesk(t, web.Options{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	for _, target := range []string{"/spam/scan", "/spam/reset", "/spam/stop", "/spam/s/1/judgment", "/spam/s/1/event", "/spam/s/1/entity", "/spam/s/1/export"} {
		if got := d.ask("POST", target, with("Sec-Fetch-Site", "cross-site")).StatusCode; got != http.StatusForbidden {
			t.Errorf("%s from another site: status %d", target, got)
		}
		if target == "/spam/reset" {
			continue
		}
		if got := d.ask("GET", target).StatusCode; got < 400 {
			t.Errorf("GET %s: status %d", target, got)
		}
	}
	if d.state().LastRun.ID != 0 {
		t.Fatal("another site has scanned")
	}
	d.scan()
	id := d.id(loudSender)
	d.done("/spam/s/"+itoa(id)+"/judgment", "notes", "secretnote", "status", "tracked")
	d.done("/spam/s/"+itoa(id)+"/entity", "name", "Acme Roofing", "basis", "b")
	addresses := []string{"/spam", "/spam?status=all", "/spam/violations", "/spam/runs", "/spam/entities", "/spam/reset", "/spam/s/" + itoa(id), "/spam/e/1"}
	for _, address := range addresses {
		root := d.page(address)
		checkMarkup(t, address, root)
		for n := range root.Descendants() {
			for _, name := range []string{"href", "action"} {
				target := attribute(n, name)
				for _, private := range []string{"5550142", "5550102", "Acme", "acme"} {
					if strings.Contains(target, private) {
						t.Errorf("%s: an address holds %q: %s", address, private, target)
					}
				}
			}
		}
	}
	for _, private := range []string{"5550142", "5550102", "secretnote", "Acme", "offer"} {
		if strings.Contains(log.String(), private) {
			t.Errorf("the log holds %q", private)
		}
	}
	if !strings.Contains(log.String(), `route="GET /spam/s/{id}"`) {
		t.Error("requests are not logged")
	}
}

// TestReadOnlyRecord shows without offering what cannot be done.
func TestReadOnlyRecord(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults)
	d.scan()
	handler, err := web.NewHandler(web.Archive{Reader: d.reader, Searcher: search.New(d.reader, clock), Evidence: &web.Evidence{Setup: d.evidence.Setup}, Now: clock}, defaults)
	if err != nil {
		t.Fatal(err)
	}
	d.handler = handler
	page := "/spam/s/" + itoa(d.id(loudSender))
	for _, address := range []string{"/spam", page, "/spam/reset"} {
		for _, form := range all(d.page(address), "form", "") {
			if attribute(form, "method") == "post" && !strings.HasSuffix(attribute(form, "action"), "/export") {
				t.Errorf("%s offers %s", address, attribute(form, "action"))
			}
		}
	}
	for _, target := range []string{"/spam/scan", "/spam/reset", page + "/judgment"} {
		if got := d.post(target, "status", "tracked", "confirm", "yes").StatusCode; got != http.StatusNotFound && got != http.StatusMethodNotAllowed {
			t.Errorf("%s: status %d", target, got)
		}
	}
	if got := d.post(page + "/export").StatusCode; got != http.StatusOK {
		t.Errorf("export: status %d", got)
	}
}
