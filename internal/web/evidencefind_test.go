package web_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/msgbrowse/msgbrowse/internal/web"
)

// TestFindSender leads from a number in any spelling to its sender, and lists
// those that resemble a part of one. No number gets into an address or the log.
func TestFindSender(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	d := newRecordDesk(t, web.Options{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	d.scan()
	loud := "/spam/s/" + itoa(d.id(loudSender))
	d.done(loud+"/entity", "name", "Acme Roofing", "basis", "names itself")
	for _, page := range []string{"/spam", "/spam/violations"} {
		form := d.one(d.page(page), "form", "find")
		if attribute(form, "method") != "post" || attribute(form, "action") != "/spam/find" {
			t.Errorf("%s looks for senders by %s %s", page, attribute(form, "method"), attribute(form, "action"))
		}
	}
	for typed, want := range map[string]string{
		loudSender: loud, "(212) 555-0142": loud, " 212 555 0142 ": loud, "acme roofing": "/spam/e/1", "": "/spam",
	} {
		if res := d.post("/spam/find", "sender", typed); res.StatusCode != http.StatusSeeOther || res.Header.Get("Location") != want {
			t.Errorf("%q leads to %q, status %d, want %s", typed, res.Header.Get("Location"), res.StatusCode, want)
		}
	}
	for typed, want := range map[string]string{"0142": loud, "555-01": loud, "roof": "/spam/e/1"} {
		if list := d.foundBy(typed, http.StatusNotFound); !strings.Contains(strings.Join(list, " "), want) {
			t.Errorf("%q lists %q, want %s among them", typed, list, want)
		}
	}
	for _, typed := range []string{"99999", "nobody at all", "<script>alert(1)</script>"} {
		if list := d.foundBy(typed, http.StatusNotFound); len(list) != 0 {
			t.Errorf("%q lists %q", typed, list)
		}
	}
	if res := d.post("/spam/find", "sender", strings.Repeat("x", 9000)); res.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a long text: status %d", res.StatusCode)
	}
	for _, private := range []string{"555", "Acme", "acme", "0142"} {
		if strings.Contains(log.String(), private) {
			t.Errorf("the log holds %q", private)
		}
	}
}

// foundBy is where the senders lead that resemble what was typed.
func (d *recordDesk) foundBy(typed string, status int) (addresses []string) {
	d.t.Helper()
	res := d.post("/spam/find", "sender", typed)
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != status {
		d.t.Fatalf("%q: status %d, want %d, %v", typed, res.StatusCode, status, err)
	}
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	checkMarkup(d.t, "/spam/find", root)
	if field := all(d.one(root, "form", "find"), "input", "")[0]; attribute(field, "value") != strings.TrimSpace(typed) {
		d.t.Errorf("%q: the field holds %q", typed, attribute(field, "value"))
	}
	for _, list := range all(root, "ul", "handles") {
		for _, a := range all(list, "a", "") {
			addresses = append(addresses, attribute(a, "href"))
		}
	}
	return addresses
}
