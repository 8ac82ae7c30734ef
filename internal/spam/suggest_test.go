package spam

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

func TestSuggestEntities(t *testing.T) {
	t.Parallel()
	a := newArchive()
	for i, body := range []string{
		"Roof special: acme-roofs.com/a or call (212) 555-0199", "Gutters: https://www.acme-roofs.com/b", "Siding! Call 212-555-0199 bit.ly/x",
		"Hello there bit.ly/y", "Hello there bit.ly/y",
	} {
		id := []string{"+12125550101", "+12125550102", "+12125550103", "+12125550104", "+12125550105"}[i]
		a.in(a.thread(id, msg.Direct), a.phone(id), "2026-03-01 12:00:00", body)
	}
	a.scan(t, DefaultSettings(), addressBook())
	leads, err := FindLeads(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	domain := Suggestion{"landing domain", "acme-roofs.com", []int64{1, 2}}
	number := Suggestion{"callback number", "+12125550199", []int64{1, 3}}
	if diff := cmp.Diff([]Suggestion{number, domain}, leads.Suggest(nil)); diff != "" {
		t.Errorf("suggestions (-want +got):\n%s", diff)
	}
	acme := record.Entity{ID: 1, Members: []record.Member{{SenderID: 1}, {SenderID: 2}, {SenderID: 3, RemovedAt: 1}}}
	if diff := cmp.Diff([]Suggestion{number}, leads.Suggest([]record.Entity{acme})); diff != "" {
		t.Errorf("suggestions with two grouped (-want +got):\n%s", diff)
	}
}
