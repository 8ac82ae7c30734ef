package web_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

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
	ids := map[string]bool{}
	for n := range root.Descendants() {
		ids[attribute(n, "id")] = true
	}
	contents := all(d.one(root, "nav", "contents"), "a", "")
	for _, a := range contents {
		if id, ok := strings.CutPrefix(attribute(a, "href"), "#"); !ok || !ids[id] {
			t.Errorf("%q leads to %q, which is not on the page", text(a), attribute(a, "href"))
		}
	}
	if len(contents) < 5 {
		t.Errorf("the contents are %q", texts(contents))
	}
	var numbers []string
	for address, pages := "/spam/s/"+itoa(id), 0; address != ""; pages++ {
		page := d.page(address)
		list := all(page, "li", "exhibit")
		if len(list) == 0 || len(list) > 25 || pages > len(dossier.Exhibits) {
			t.Fatalf("%s has %d messages", address, len(list))
		}
		for _, x := range list {
			numbers = append(numbers, attribute(x, "id"))
		}
		address = ""
		for _, link := range all(page, "a", "") {
			if text(link) == "Later messages" {
				address, _, _ = strings.Cut(attribute(link, "href"), "#")
			}
		}
	}
	if len(numbers) != len(dossier.Exhibits) || numbers[0] != "x1" || numbers[len(numbers)-1] != fmt.Sprint("x", len(dossier.Exhibits)) {
		t.Errorf("the pages have %d messages, %s to %s, want %d", len(numbers), numbers[0], numbers[len(numbers)-1], len(dossier.Exhibits))
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

// TestRecordPerimeter refuses pages of other sites and methods that are not
// theirs, and names nobody in an address or the log.
func TestRecordPerimeter(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	d := newRecordDesk(t, web.Options{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	for _, target := range []string{"/spam/scan", "/spam/reset", "/spam/stop", "/spam/find", "/spam/s/1/category", "/spam/s/1/judgment", "/spam/s/1/event", "/spam/s/1/entity", "/spam/s/1/export"} {
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
			if attribute(form, "method") == "post" && attribute(form, "action") != "/spam/find" && !strings.HasSuffix(attribute(form, "action"), "/export") {
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
