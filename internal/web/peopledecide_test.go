package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

// personOf returns the number of the person who has a handle.
func (d *recordDesk) personOf(native string) string {
	d.t.Helper()
	return itoa(d.handle(native).PersonID)
}

// handleOf returns the id of a handle.
func (d *recordDesk) handleOf(native string) string {
	d.t.Helper()
	return itoa(d.handle(native).HandleID)
}

func (d *recordDesk) handle(native string) store.Person {
	d.t.Helper()
	people, err := d.reader.People(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	for _, p := range people {
		if p.Native == native {
			return p
		}
	}
	d.t.Fatalf("nobody has the handle %s", native)
	return store.Person{}
}

// TestMergePeople makes two people one, shows it, and takes it back.
func TestMergePeople(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, web.Options{})
	loud, quiet := d.personOf(loudSender), d.personOf(quietSender)
	root := d.page("/people/" + loud + "/merge?q=646")
	checkMarkup(t, "who is the same", root)
	rows := all(root, "a", "")
	var offered []string
	for _, a := range rows {
		if strings.Contains(attribute(a, "href"), "/merge/") {
			offered = append(offered, attribute(a, "href"))
		}
	}
	at := "/people/" + loud + "/merge/" + quiet
	if diff := cmp.Diff([]string{at}, offered); diff != "" {
		t.Fatalf("offered (-want +got):\n%s", diff)
	}
	question := d.page(at)
	checkMarkup(t, "merge", question)
	if said := text(d.one(question, "section", "plain-text")); !strings.Contains(said, "1 message: i iMessage "+quietSender) || !strings.Contains(said, "can be taken back") {
		t.Errorf("the question is %q", said)
	}
	if got := d.personOf(quietSender); got != quiet {
		t.Fatal("asking has merged them")
	}
	d.done(at, "reason", "her <b>new</b> number")
	if got := d.personOf(quietSender); got != loud {
		t.Fatalf("the handle is person %s's, want %s", got, loud)
	}
	page := d.page("/people/" + loud)
	checkMarkup(t, "person", page)
	if handles := texts(all(d.one(page, "ul", "handles"), "li", "")); len(handles) != 2 {
		t.Errorf("handles %q", handles)
	}
	if said := text(d.one(page, "ul", "decided")); !strings.Contains(said, quietSender+" made the same person as "+loudSender+" : her <b>new</b> number") {
		t.Errorf("decided: %q", said)
	}
	d.pageWith("/people/"+quiet, http.StatusNotFound)
	if hits := all(d.page("/search?q=offer+OR+call&person="+loud), "li", "hit"); len(hits) == 0 {
		t.Error("nothing is found of the person")
	}
	log, err := d.reader.PersonLog(t.Context())
	if err != nil || len(log) != 1 || log[0].Action != "merge" || log[0].Reason != "her <b>new</b> number" || !log[0].At.Equal(now) {
		t.Fatalf("the log holds %+v, %v", log, err)
	}
	d.done("/decisions/" + itoa(log[0].ID) + "/undo")
	if got := d.personOf(quietSender); got != quiet {
		t.Errorf("after taking it back the handle is person %s's", got)
	}
	list := d.page("/decisions")
	checkMarkup(t, "decisions", list)
	if buttons := all(d.one(list, "ul", "decided"), "button", ""); len(buttons) != 0 {
		t.Error("it can be taken back twice")
	}
	if res := d.post("/decisions/" + itoa(log[0].ID) + "/undo"); res.StatusCode != http.StatusConflict {
		t.Errorf("taken back twice: status %d", res.StatusCode)
	}
	if n := len(all(d.page("/people"), "a", "")); n == 0 || !strings.Contains(text(d.page("/people")), "what you decided") {
		t.Error("the list of people does not lead to the decisions")
	}
}

// TestSplitPeople gives a handle to somebody else, whatever a form asks for.
func TestSplitPeople(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, web.Options{})
	loud, quiet := d.personOf(loudSender), d.personOf(quietSender)
	d.done("/people/" + loud + "/merge/" + quiet)
	at := "/people/" + loud + "/split"
	boxes := all(d.one(d.page("/people/"+loud), "form", "choose"), "input", "")
	if len(boxes) != 2 {
		t.Fatalf("%d handles to choose from, want 2", len(boxes))
	}
	question := d.page(at + "?handle=" + d.handleOf(quietSender))
	checkMarkup(t, "split", question)
	if said := text(d.one(question, "section", "plain-text")); !strings.Contains(said, "new person: i iMessage "+quietSender) || !strings.Contains(said, "keeps: i iMessage "+loudSender) {
		t.Errorf("the question is %q", said)
	}
	for name, asked := range map[string]url.Values{
		"none": {}, "all": {"handle": {d.handleOf(quietSender), d.handleOf(loudSender)}}, "another's": {"handle": {d.handleOf(friend)}}, "no number": {"handle": {"x"}},
	} {
		d.pageWith(at+"?"+asked.Encode(), http.StatusUnprocessableEntity)
		if res := d.postForm(at, asked); res.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d", name, res.StatusCode)
		}
	}
	d.done(at, "handle", d.handleOf(quietSender), "reason", "the shop")
	if got := d.personOf(quietSender); got == loud {
		t.Error("the handle was not split off")
	}
	log, err := d.reader.PersonLog(t.Context())
	if err != nil || len(log) != 2 || log[0].Action != "split" {
		t.Fatalf("the log holds %+v, %v", log, err)
	}
	// The merge cannot be taken back before the split that came after it.
	res := d.post("/decisions/" + itoa(log[1].ID) + "/undo")
	root, err := html.Parse(res.Body)
	if err != nil || res.StatusCode != http.StatusConflict || !strings.Contains(text(root), "Take that one back first") {
		t.Errorf("an earlier decision: status %d, %v: %s", res.StatusCode, err, text(root))
	}
	d.done("/decisions/" + itoa(log[0].ID) + "/undo")
	d.done("/decisions/" + itoa(log[1].ID) + "/undo")
	if d.personOf(quietSender) != quiet || d.personOf(loudSender) != loud {
		t.Error("people are not who they were")
	}
	for _, target := range []string{at, "/people/" + loud + "/merge/" + quiet, "/decisions/1/undo"} {
		if got := d.ask("POST", target, with("Sec-Fetch-Site", "cross-site")).StatusCode; got != http.StatusForbidden {
			t.Errorf("%s from another site: status %d", target, got)
		}
	}
	for _, wrong := range []string{"/people/" + loud + "/merge/" + loud, "/people/" + loud + "/merge/999", "/people/999/merge"} {
		d.pageWith(wrong, http.StatusNotFound)
	}
	read := sampleDesk(t) // nothing can be recorded
	if got := read.ask("POST", "/people/1/merge/2").StatusCode; got == http.StatusSeeOther {
		t.Error("merged where nothing can be written")
	}
	if n := len(all(read.page("/people/1"), "form", "choose")); n != 0 {
		t.Error("a split is offered where nothing can be written")
	}
}
