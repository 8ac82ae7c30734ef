//go:build browser

package web_test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/msgbrowse/msgbrowse/internal/contacts"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

// recordTab is a page of a browser on an archive with strangers in it.
func recordTab(t *testing.T, d *recordDesk, width, height int64) *tab {
	t.Helper()
	server := httptest.NewServer(d.handler)
	t.Cleanup(server.Close)
	b := newTab(t, width, height)
	b.base = server.URL
	return b
}

// submit fills fields of the form with an action and sends it.
func (b *tab) submit(form string, fields ...string) {
	b.t.Helper()
	b.do(`document.documentElement.dataset.left = '1'; for (const d of document.querySelectorAll('main details')) d.open = true`)
	for i := 0; i+1 < len(fields); i += 2 {
		b.do(fmt.Sprintf(`document.querySelector(%q).elements[%q].value = %q`, form, fields[i], fields[i+1]))
	}
	b.run(chromedp.Click(chromedp.CSS(form + " button:not([type=button])")))
	b.until("the next page is there", `document.readyState === 'complete' && !document.documentElement.dataset.left && document.querySelector('main')`)
}

// A person scans, reads of a sender, says what they think of it, records an
// event and takes the dossier away.
func TestRecordInBrowser(t *testing.T) {
	d := newRecordDesk(t, defaults)
	b := recordTab(t, d, 1280, 900)
	b.open("/")
	b.do(`document.querySelector('.to-unsolicited').click()`)
	b.until("the record is explained", `document.querySelector('form[action="/spam/scan"]')`)
	b.submit(`form[action="/spam/scan"]`)
	b.until("the list shows the senders without being loaded by hand", `document.querySelectorAll('.senders .row').length === 2 && !document.querySelector('[data-running]')`)
	b.do(`[...document.querySelectorAll('.senders a')].find(a => a.textContent.includes('` + loudSender + `')).click()`)
	b.until("the dossier is there", `document.querySelector('.exhibits') && document.readyState === 'complete'`)
	id := itoa(d.id(loudSender))
	b.submit(`form[action="/spam/s/`+id+`/judgment"]:has([name=status])`, "status", "tracked")
	b.submit(`form[action="/spam/s/`+id+`/judgment"]:has([name=notes])`, "notes", "calls, too")
	b.submit(`details form[action="/spam/s/`+id+`/event"]`, "type", "reported_7726", "at", "2025-09-01", "details", "by phone")
	said := eval[string](b, `document.querySelector('.by-person').textContent + document.querySelector('#h-events').parentElement.textContent`)
	for _, want := range []string{"tracked", "calls, too", "reported_7726", "2025-09-01", "said by a person"} {
		if !strings.Contains(said, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	made := d.dossier(d.id(loudSender))
	got := eval[string](b, `fetch(document.querySelector('a[href*="dossier.md"]').href).then(r => r.text())`)
	if got != string(made.Markdown()) {
		t.Error("the download is not the rendering")
	}
	if made.Subject.Senders[0].Status != "tracked" || len(made.Events) != 2 {
		t.Errorf("the record holds %+v with %d events", made.Subject.Senders[0], len(made.Events))
	}
}

// A person changes a rule, is told what that means, and saves.
func TestSettingsInBrowser(t *testing.T) {
	d := judged(t)
	b := recordTab(t, d, 1280, 900)
	b.open("/settings")
	b.submit("form.settings", "spam.watch_area_codes", "646\n212")
	if said := eval[string](b, `document.querySelector('main').textContent`); !strings.Contains(said, "134 findings on 2 senders") {
		t.Errorf("the page says %q", said)
	}
	b.do(`document.documentElement.dataset.left = '1'; document.querySelector('button[value=scan]').click()`)
	b.until("the scan is over", `!document.documentElement.dataset.left && document.querySelector('.senders') && !document.querySelector('[data-running]')`)
	if state := d.state(); state.LastDone.ID != 2 {
		t.Errorf("scans %+v", state.LastDone)
	}
	if !strings.Contains(d.text(), "# mine") || !strings.Contains(d.text(), `- "212"`) {
		t.Errorf("the file holds\n%s", d.text())
	}
}

// recordPages are the pages of the record, with a name for their pictures.
func recordPages(d *recordDesk) []struct{ name, path string } {
	id := itoa(d.id(loudSender))
	return []struct{ name, path string }{
		{"spam", "/spam"}, {"spam-violations", "/spam/violations"}, {"spam-runs", "/spam/runs"}, {"spam-entities", "/spam/entities"}, {"spam-reset", "/spam/reset"},
		{"spam-sender", "/spam/s/" + id}, {"spam-entity", "/spam/e/1"}, {"settings-spam", "/settings/spam"}, {"settings-mcp", "/settings/mcp"}, {"settings", "/settings"}, {"status-jobs", "/status"},
		{"spam-progress", "/spam/progress"}, {"spam-leads", "/spam/leads"}, {"status-progress", "/status/progress"},
	}
}

// judged is a record with words of a person.
func judged(t *testing.T) *recordDesk {
	clients := []web.Client{{Name: "claude-code", Config: "claude mcp add msgbrowse -- /usr/local/bin/msgbrowse mcp\n"}, {Name: "generic", Config: "{\n  \"command\": \"msgbrowse\"\n}\n"}}
	jobs := &web.Jobs{List: []web.Job{{Name: "import", Label: "Import what is new", Doc: "Looks at the folders and files below again."}}}
	d := newRecordDesk(t, web.Options{Clients: clients, Jobs: jobs}, withFile(t, someRules))
	d.scan()
	address := "/spam/s/" + itoa(d.id(loudSender))
	d.done(address+"/judgment", "status", "tracked", "suspected_entity", "Acme Roofing", "notes", "calls as well", "consent_status", "disputed")
	d.done(address+"/event", "type", "reported_7726", "at", "2025-09-01", "details", "by phone")
	d.done(address+"/entity", "name", "Acme Roofing", "basis", "names itself")
	return d
}

func TestRecordIsAccessible(t *testing.T) {
	path := os.Getenv("MSGBROWSE_AXE")
	if path == "" {
		t.Fatal("MSGBROWSE_AXE names no axe-core; run this by \"make browser\"")
	}
	axe, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := judged(t)
	d.books.Sources[0].Availability = contacts.Absent // so that a banner stands above
	for _, width := range []int64{1280, 390} {
		b := recordTab(t, d, width, 800)
		for i, page := range recordPages(d) {
			b.open(page.path)
			b.do(`for (const d of document.querySelectorAll('main details')) d.open = true`)
			for _, night := range []bool{i%2 == 0, i%2 == 1} {
				b.run(dark(night))
				b.accessible(string(axe), fmt.Sprintf("%s at %d px, dark %t", page.name, width, night))
			}
			if wide := eval[float64](b, `document.documentElement.scrollWidth`); int64(wide) > width {
				t.Errorf("%s at %d px is %v px wide", page.name, width, wide)
			}
		}
		// And the pages that answer forms.
		for name, send := range map[string]func(){
			"exported": func() {
				b.open("/spam/s/" + itoa(d.id(loudSender)))
				b.submit(`form[action$="/export"]`)
			},
			"senders found": func() {
				b.open("/spam")
				b.submit("form.find", "sender", "555")
				b.forgive() // the console tells of the status 404
			},
			"preview of rules": func() {
				b.open("/settings/spam")
				b.submit("form.settings", "spam.watch_area_codes", "646\n212")
			},
		} {
			send()
			for _, night := range []bool{true, false} {
				b.run(dark(night))
				b.accessible(string(axe), fmt.Sprintf("%s at %d px, dark %t", name, width, night))
			}
		}
	}
}

func TestScreenshotsOfRecord(t *testing.T) {
	dir := os.Getenv("MSGBROWSE_SCREENSHOTS")
	if dir == "" {
		t.Skip("pictures are taken by \"make screenshots\"")
	}
	blank, d := newRecordDesk(t, defaults), judged(t)
	for _, kind := range []struct {
		name          string
		width, height int64
		night         bool
	}{{"light", 1280, 900, false}, {"dark", 1280, 900, true}, {"phone", 390, 844, false}} {
		b := recordTab(t, blank, kind.width, kind.height)
		b.run(dark(kind.night))
		b.open("/spam")
		b.picture(filepath.Join(dir, "spam-blank-"+kind.name+".png"))
		b = recordTab(t, d, kind.width, kind.height)
		b.run(dark(kind.night))
		for _, page := range recordPages(d) {
			b.open(page.path)
			b.picture(filepath.Join(dir, page.name+"-"+kind.name+".png"))
		}
		b.open("/spam/s/" + itoa(d.id(loudSender)) + "#h-events")
		b.do(`for (const d of document.querySelectorAll('.by-person details, #event')) d.open = true; document.querySelector('.by-person').scrollIntoView()`)
		b.picture(filepath.Join(dir, "spam-forms-"+kind.name+".png"))
		b.do(`document.querySelector('#h-exhibits').scrollIntoView()`)
		b.picture(filepath.Join(dir, "spam-exhibits-"+kind.name+".png"))
	}
}
