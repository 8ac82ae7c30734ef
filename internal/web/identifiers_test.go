package web_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/msgbrowse/msgbrowse/internal/web"
)

// identifiers are the names and the numbers of everybody in an archive.
func (d *desk) identifiers() []string {
	d.t.Helper()
	people, err := d.reader.People(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	talks, err := d.reader.ConversationRefs(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	var list []string
	for _, p := range people {
		list = append(list, p.Name, p.Native, p.Label)
	}
	for _, c := range talks {
		list = append(list, c.Name, c.Key)
	}
	var long []string
	for _, name := range list {
		if len(name) > 3 { // others are parts of words
			long = append(long, strings.ToLower(name))
		}
	}
	if len(long) < 5 {
		d.t.Fatalf("only %q to look for", long)
	}
	return long
}

// addresses are those of this server that a page leads to.
func addresses(root *html.Node) (list []string) {
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		for _, name := range []string{"href", "src", "action", "data-message", "data-load", "data-poll", "data-copy-link", "data-base"} {
			if a := attribute(n, name); strings.HasPrefix(a, "/") {
				list = append(list, a)
			}
		}
	}
	return list
}

// TestNoIdentifierInAddresses follows every link of the pages, some steps
// deep: none holds a name or a number of a person, and neither does the log.
func TestNoIdentifierInAddresses(t *testing.T) {
	t.Parallel()
	var log, recordLog bytes.Buffer
	logger := func(b *bytes.Buffer) web.Options {
		return web.Options{Logger: slog.New(slog.NewTextHandler(b, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	}
	record := newRecordDesk(t, logger(&recordLog))
	record.scan()
	loud := "/spam/s/" + itoa(record.id(loudSender))
	record.done(loud+"/judgment", "status", "tracked", "suspected_entity", "Acme Roofing", "notes", "calls from "+loudSender)
	record.done(loud+"/entity", "name", "Acme Roofing", "basis", "names itself")
	record.entities()
	for name, run := range map[string]struct {
		d    *desk
		log  *bytes.Buffer
		also []string
	}{
		"sample": {sampleDeskWith(t, logger(&log)), &log, nil},
		"record": {record.desk, &recordLog, []string{"acme roofing", "5550142", "5550102"}},
	} {
		private := append(run.d.identifiers(), run.also...)
		seen, next := map[string]bool{"/": true}, []string{"/"}
		for depth := 0; depth < 4; depth++ {
			var further []string
			for _, address := range next {
				res := run.d.ask(http.MethodGet, address)
				body, err := io.ReadAll(res.Body)
				if err != nil {
					t.Fatal(err)
				}
				if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") {
					continue
				}
				root, err := html.Parse(bytes.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				for _, to := range addresses(root) {
					to, _, _ = strings.Cut(to, "#")
					if seen[to] || len(seen) > 400 {
						continue
					}
					seen[to] = true
					further = append(further, to)
				}
			}
			next = further
		}
		if len(seen) < 40 {
			t.Errorf("%s: only %d addresses were found", name, len(seen))
		}
		for address := range seen {
			plain, err := url.QueryUnescape(address)
			if err != nil {
				t.Errorf("%s: %v", address, err)
			}
			if plain = strings.ToLower(plain); strings.HasPrefix(plain, "/links?") || strings.HasPrefix(plain, "/static/") {
				continue // of domains, which may have anybody's name
			}
			for _, name := range private {
				if strings.Contains(plain, name) {
					t.Errorf("the address %s holds %q", address, name)
				}
			}
		}
		text := strings.ToLower(run.log.String())
		for _, name := range private {
			if strings.Contains(text, name) {
				t.Errorf("%s: the log holds %q", name, name)
			}
		}
		if strings.Count(text, "web: request") < 40 {
			t.Errorf("%s: requests are not logged", name)
		}
	}
}

// TestOversizedForms refuses what is larger than a form, whether it says so or
// not.
func TestOversizedForms(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults)
	d.scan()
	address := "/spam/s/" + itoa(d.id(loudSender)) + "/judgment"
	body := "status=tracked&notes=" + strings.Repeat("x", 100_000)
	for name, length := range map[string]int64{"said": int64(len(body)), "unsaid": -1} {
		res := d.ask(http.MethodPost, address, with("Content-Type", "application/x-www-form-urlencoded"), with("Sec-Fetch-Site", "same-origin"), func(r *http.Request) {
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), length
		})
		if res.StatusCode != http.StatusRequestEntityTooLarge && res.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: status %d", name, res.StatusCode)
		}
	}
	if said := text(d.page("/spam?status=tracked")); strings.Contains(said, loudSender) {
		t.Error("the form was read all the same")
	}
}
