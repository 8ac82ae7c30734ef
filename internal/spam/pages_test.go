package spam

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// TestDossierPages: the pages of a dossier together are the dossier, and each
// says the same of the whole.
func TestDossierPages(t *testing.T) {
	t.Parallel()
	a := fixture(t)
	about := About{Entity: 7}
	whole := dossier(t, a, about)
	s := DefaultSettings()
	s.EntityKeywords = []string{"acme"}
	q := DossierQuestion{Question: Question{Settings: s, Clocks: Clocks{Zone: newYork}, AsOf: asOf}, GeneratedAt: scanTime, Program: "msgbrowse test"}
	var exhibits []DossierExhibit
	for skip := 0; skip < len(whole.Exhibits); skip += 3 {
		page, err := BuildDossierPage(t.Context(), a, about, q, skip, 3)
		if err != nil {
			t.Fatal(err)
		}
		if page.Messages != len(whole.Exhibits) {
			t.Errorf("%d messages in all, want %d", page.Messages, len(whole.Exhibits))
		}
		exhibits = append(exhibits, page.Exhibits...)
		rest := *page.Dossier
		rest.Exhibits = whole.Exhibits
		if diff := cmp.Diff(whole, &rest, cmp.AllowUnexported(DossierExhibit{}, DossierEvent{})); diff != "" {
			t.Errorf("page from %d (-dossier +page):\n%s", skip, diff)
		}
	}
	if diff := cmp.Diff(whole.Exhibits, exhibits, cmp.AllowUnexported(DossierExhibit{})); diff != "" {
		t.Errorf("exhibits (-dossier +pages):\n%s", diff)
	}
	for _, skip := range []int{len(whole.Exhibits), 1000, -5} {
		page, err := BuildDossierPage(t.Context(), a, about, q, skip, 2)
		if want := map[bool]int{true: 2}[skip < 0]; err != nil || len(page.Exhibits) != want {
			t.Errorf("from %d: %d exhibits, %v, want %d", skip, len(page.Exhibits), err, want)
		}
	}
}

// TestAfterOptOutPages: the pages together are the list.
func TestAfterOptOutPages(t *testing.T) {
	t.Parallel()
	a := newArchive()
	const senders = 7
	for i := range senders {
		number := fmt.Sprintf("+1212555010%d", i)
		thread, who := a.thread(number, msg.Direct), a.phone(number)
		a.out(thread, "2026-03-02 10:00:00", "STOP")
		for j := range i / 2 { // the first two wrote nothing
			a.in(thread, who, fmt.Sprintf("2026-03-%02d 10:00:00", 4+j), fmt.Sprintf("Sale %d at shop%d.example", j, i))
		}
	}
	a.scan(t, DefaultSettings(), addressBook())
	a.entities = []record.Entity{{ID: 1, Name: "Acme", Members: []record.Member{{SenderID: 4}, {SenderID: 5}}}}
	q := Question{Settings: DefaultSettings(), Clocks: Clocks{Zone: newYork}, AsOf: asOf}
	whole, err := ContactsAfterOptOut(t.Context(), a, q)
	if err != nil {
		t.Fatal(err)
	}
	if len(whole) != 1+5 || whole[0].Entity.ID != 1 {
		t.Fatalf("%d after an opt-out: %+v", len(whole), whole)
	}
	var paged []AfterContact
	pages := 0
	for after := (record.AfterPlace{}); ; pages++ {
		list, next, err := AfterOptOutPage(t.Context(), a, q, after, 2)
		if err != nil {
			t.Fatal(err)
		}
		paged = append(paged, list...)
		if next == nil {
			break
		}
		after = *next
	}
	if pages != 2 {
		t.Errorf("%d further pages, want 2", pages)
	}
	key := func(list []AfterContact) (keys []string) {
		for _, x := range list {
			keys = append(keys, fmt.Sprint(x.Entity.ID, "/", x.Sender.ID, "/", x.Counts.After.Total))
		}
		return keys
	}
	if diff := cmp.Diff(key(whole), key(paged)); diff != "" {
		t.Errorf("by the page (-whole +paged):\n%s", diff)
	}
	// What is read together counts as what is read apart.
	for _, x := range whole {
		ids := []int64{x.Sender.ID}
		if x.Entity.ID != 0 {
			ids = slices.Clone(x.Entity.Current())
		}
		e, err := ReadEvidence(t.Context(), a, ids)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(Count(e, q), x.Counts); diff != "" {
			t.Errorf("%v (-apart +together):\n%s", ids, diff)
		}
	}
}
