package web_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// TestJudgeCategory confirms or changes the kind of a message on its exhibit.
// The suggestion stays, and so do the figures.
func TestJudgeCategory(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, defaults)
	d.scan()
	id := d.id(loudSender)
	address := "/spam/s/" + itoa(id)
	before := d.dossier(id)
	root := d.page(address + "?from=26")
	var form *html.Node
	for _, exhibit := range all(root, "li", "exhibit") {
		if attribute(exhibit, "id") == "x30" {
			form = all(exhibit, "form", "")[0]
		}
	}
	fields := map[string]string{}
	for _, input := range all(form, "input", "") {
		fields[attribute(input, "name")] = attribute(input, "value")
	}
	var kinds []string
	for _, list := range all(root, "datalist", "") {
		if attribute(list, "id") != "kinds" {
			continue
		}
		for _, option := range all(list, "option", "") {
			kinds = append(kinds, attribute(option, "value"))
		}
	}
	if !slices.Contains(kinds, "debt") || len(kinds) != len(record.Categories) {
		t.Errorf("offered are %q", kinds)
	}
	if fields["category"] != string(before.Exhibits[29].Category.Name) || fields["message"] != before.Exhibits[29].Hash {
		t.Fatalf("the form begins with %v, suggested was %q of %s", fields, before.Exhibits[29].Category.Name, before.Exhibits[29].Hash)
	}
	target := attribute(form, "action")
	res := d.post(target, "message", fields["message"], "exhibit", fields["exhibit"], "category", "debt")
	if back := res.Header.Get("Location"); res.StatusCode != http.StatusSeeOther || back != address+"?from=26#x30" {
		t.Fatalf("status %d, back to %q", res.StatusCode, back)
	}
	after := d.dossier(id)
	changed := after.Exhibits[29]
	if changed.Confirmed != "debt" || changed.Category != before.Exhibits[29].Category {
		t.Errorf("recorded %q beside %+v", changed.Confirmed, changed.Category)
	}
	if len(after.Exhibits) != len(before.Exhibits) || after.Counts.Contacts != before.Counts.Contacts || len(after.Judgments) != len(before.Judgments)+1 {
		t.Error("a message left the record or the figures, or the history has no word of it")
	}
	own := ""
	for _, x := range before.Exhibits {
		if x.Direction == "out" {
			own = x.Hash
		}
	}
	for _, tt := range []struct{ name, target, message, category, says string }{
		{"unknown kind", target, fields["message"], "evil", "otp, delivery"},
		{"no message", target, "", "promo", "eight digits"},
		{"unknown message", target, strings.Repeat("0", 32), "promo", "not hold exactly one"},
		{"one's own", target, own, "promo", "did not come in"},
		{"another's", "/spam/s/" + itoa(d.id(quietSender)) + "/category", fields["message"], "promo", "no such message"},
	} {
		res := d.post(tt.target, "message", tt.message, "category", tt.category)
		body, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(string(body), tt.says) {
			t.Errorf("%s: status %d, %v", tt.name, res.StatusCode, err)
		}
	}
	if got := d.dossier(id); len(got.Judgments) != len(after.Judgments) {
		t.Error("something that was refused is on the record")
	}
}
