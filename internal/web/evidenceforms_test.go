package web_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

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
	leads := text(d.one(d.entities(), "section", "derived"))
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

// entities is the page of entities once leads were looked for.
func (d *recordDesk) entities() *html.Node {
	d.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if part := d.page("/spam/leads?part=1"); len(all(part, "section", "job")) == 0 {
			return d.page("/spam/entities")
		}
	}
	d.t.Fatal("the leads were not found")
	return nil
}
