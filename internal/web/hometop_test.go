package web_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/msgbrowse/msgbrowse/internal/web"
)

// listed is somebody in a list.
type listed struct{ Href, Name, Count string }

func listedPeople(rows []*html.Node) (list []listed) {
	for _, row := range rows {
		a := all(row, "a", "")[0]
		name := append(all(a, "span", "row-name"), all(a, "bdi", "row-name")...)
		list = append(list, listed{attribute(a, "href"), text(name[0]), text(all(a, "span", "row-count")[0])})
	}
	return list
}

// TestPeopleOfHome compares the people of the first page with the first of
// all people, before and after two of them turn out to be one.
func TestPeopleOfHome(t *testing.T) {
	t.Parallel()
	d := newRecordDesk(t, web.Options{})
	check := func(when string, people int) {
		t.Helper()
		want := listedPeople(all(d.page("/people"), "li", "row"))
		if len(want) != people {
			t.Errorf("%s: %d people, want %d", when, len(want), people)
		}
		if diff := cmp.Diff(want[:min(8, len(want))], listedPeople(all(d.page("/"), "li", "person"))); diff != "" {
			t.Errorf("%s (-people +home):\n%s", when, diff)
		}
	}
	check("before", 3)
	d.done("/people/"+d.personOf(friend)+"/merge/"+d.personOf(loudSender), "reason", "test")
	check("merged", 2)
}
