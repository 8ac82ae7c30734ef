package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/contacts"
	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

// What the archive of these tests holds: strangers, one of whom was told to
// stop, and somebody the owner talks with.
const (
	loudSender  = "+12125550142"
	quietSender = "+16465550102"
	friend      = "+13125550101"
	loudTexts   = 130
)

// recordExports writes texts as iMessage exports have them.
func recordExports(exports string) error {
	var loud, quiet, talk strings.Builder
	write := func(b *strings.Builder, at time.Time, who, body string) {
		hour := fmt.Sprintf("%2s", at.Format("3"))
		fmt.Fprintf(b, "%s %s%s\n%s\n%s\n\n", at.Format("Jan 02, 2006"), hour, at.Format(":04:05 PM"), who, body)
	}
	at := time.Date(2025, 6, 2, 9, 0, 0, 0, time.UTC)
	for i := range loudTexts {
		day := at.AddDate(0, 0, i)
		write(&loud, day, loudSender, fmt.Sprintf("offer %d <script>alert(1)</script> https://acme.example/%d \u202eevil", i, i))
		switch i {
		case 40:
			write(&loud, day.Add(time.Hour), "Me", "leave me alone")
		case 60:
			write(&loud, day.Add(time.Hour), "Me", "STOP")
			write(&loud, day.Add(time.Hour+time.Minute), loudSender, "You have been unsubscribed and will receive no further messages.")
		}
	}
	write(&quiet, at, quietSender, "call me back at +1 212 555 0177 https://acme.example/q")
	write(&talk, at, friend, "did you see it?")
	write(&talk, at.Add(time.Minute), "Me", "yes I did, it was lovely")
	for name, text := range map[string]string{loudSender: loud.String(), quietSender: quiet.String(), friend: talk.String()} {
		if err := os.WriteFile(filepath.Join(exports, name+".txt"), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// recordDesk is a desk with the pages of the record.
type recordDesk struct {
	*desk
	recorder *store.Recorder
	evidence *web.Evidence
	settings *spam.Settings
	books    *contacts.AddressBooks
	exports  string // spam.export_dir
	file     string // the configuration
}

// withFile takes the rules from a configuration file.
func withFile(t *testing.T, text string, environ ...string) func(*recordDesk) {
	name := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return func(d *recordDesk) {
		d.file = name
		host := config.Host{GOOS: runtime.GOOS, Home: filepath.Dir(name), Dir: filepath.Dir(name), Environ: environ, ReadFile: os.ReadFile}
		setup := func(h config.Host) (web.EvidenceSetup, error) {
			c, err := config.Load(h, config.Options{File: name})
			if err != nil {
				return web.EvidenceSetup{}, err
			}
			settings := spam.DefaultSettings()
			settings.WatchAreaCodes, settings.Allowlist = c.Spam.WatchAreaCodes, c.Spam.Allowlist
			rules, err := spam.NewRules(settings)
			return web.EvidenceSetup{Config: c, Rules: rules, Books: func(context.Context) (contacts.AddressBooks, error) { return *d.books, nil }, ExportDir: d.exports}, err
		}
		d.evidence.Setup = func() (web.EvidenceSetup, error) { return setup(host) }
		d.evidence.Change = func(values map[string]any) (web.EvidenceSetup, func() error, error) {
			candidate, save, err := changed(host, name, values)
			if err != nil {
				return web.EvidenceSetup{}, nil, err
			}
			made, err := setup(candidate)
			return made, save, err
		}
	}
}

// changed is a machine on which the file holds other values, with what saves
// it.
func changed(host config.Host, name string, values map[string]any) (config.Host, func() error, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return host, nil, err
	}
	edited, err := config.Edit(host, name, text, values)
	host.ReadFile = func(string) ([]byte, error) { return edited, nil }
	return host, func() error { return config.Save(name, edited) }, err
}

// newRecordDesk serves an archive that nobody has scanned.
func newRecordDesk(t *testing.T, o web.Options, prepare ...func(*recordDesk)) *recordDesk {
	t.Helper()
	dir := t.TempDir()
	data, exports := filepath.Join(dir, "data"), filepath.Join(dir, "im")
	if err := os.Mkdir(exports, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := recordExports(exports); err != nil {
		t.Fatal(err)
	}
	if err := importExports(t.Context(), exports, data); err != nil {
		t.Fatal(err)
	}
	return serveRecord(t, data, filepath.Join(dir, "dossiers"), o, prepare)
}

func serveRecord(t *testing.T, data, exportDir string, o web.Options, prepare []func(*recordDesk)) *recordDesk {
	t.Helper()
	w, err := store.OpenRecorder(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	r, err := w.Reader(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings := spam.DefaultSettings()
	books := contacts.AddressBooks{Book: contacts.NewBook(nil), Sources: []contacts.Source{{Provider: contacts.ProviderVCard, Availability: contacts.Available}}}
	d := &recordDesk{recorder: w, settings: &settings, books: &books, exports: exportDir}
	d.evidence = &web.Evidence{Recorder: w, Program: "msgbrowse test", Version: "test", PID: 7, Setup: func() (web.EvidenceSetup, error) {
		rules, err := spam.NewRules(*d.settings)
		return web.EvidenceSetup{Rules: rules, Books: func(context.Context) (contacts.AddressBooks, error) { return *d.books, nil }, ExportDir: exportDir}, err
	}}
	for _, change := range prepare {
		change(d)
	}
	o.Version = "test"
	handler, err := web.NewHandler(web.Archive{Reader: r, Searcher: search.New(r, clock), Media: ingest.OpenAttachment, Recorder: d.recorder, Evidence: d.evidence, Now: clock}, o)
	if err != nil {
		t.Fatal(err)
	}
	d.desk = &desk{t, handler, r}
	t.Cleanup(func() {
		d.evidence.Stop()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// post sends a form.
func (d *recordDesk) post(target string, pairs ...string) *http.Response {
	d.t.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return d.postForm(target, form)
}

func (d *recordDesk) postForm(target string, form url.Values) *http.Response {
	d.t.Helper()
	r := httptest.NewRequestWithContext(d.t.Context(), http.MethodPost, target, strings.NewReader(form.Encode()))
	r.Host = "127.0.0.1:8787"
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	return w.Result()
}

// done posts a form that is answered by another page.
func (d *recordDesk) done(target string, pairs ...string) {
	d.t.Helper()
	if res := d.post(target, pairs...); res.StatusCode != http.StatusSeeOther {
		d.t.Fatalf("post %s: status %d, want %d", target, res.StatusCode, http.StatusSeeOther)
	}
}

// scan scans and waits for the end.
func (d *recordDesk) scan() {
	d.t.Helper()
	d.done("/spam/scan")
	d.wait()
}

func (d *recordDesk) wait() {
	d.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if len(all(d.page("/spam/progress?part=1"), "section", "job")) == 0 {
			return
		}
	}
	d.t.Fatal("the scan did not end")
}

// id returns the number of a sender.
func (d *recordDesk) id(identifier string) int64 {
	d.t.Helper()
	found, err := spam.Lookup(d.t.Context(), d.reader, identifier)
	if err != nil {
		d.t.Fatal(err)
	}
	return found.Sender.ID
}

func (d *recordDesk) state() record.State {
	d.t.Helper()
	state, err := d.reader.SpamState(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return state
}
