package web

import (
	"net/http"

	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

// maxLeads bounds how many leads the page of entities shows.
const maxLeads = 100

// entitiesView lists what a person grouped, and what senders have in common.
type entitiesView struct {
	Scanned bool
	List    []entityRow
	Leads   []leadRow
	More    int // leads that are not shown
}

type entityRow struct {
	Name, Href, Notes string
	Members           []memberRow
}

type memberRow struct {
	Name, Href, Basis, Evidence string
	Removed                     bool
	RemovedWhy                  string
}

// leadRow is something that several senders have in common.
type leadRow struct {
	Basis, Value, Message string // Message is the address of one with the text
	Senders               []tab
}

func (s *site) spamEntities(r *http.Request, f folder) (answer, error) {
	ctx := r.Context()
	entities, err := s.r.SpamEntities(ctx)
	if err != nil {
		return answer{}, err
	}
	senders, err := s.r.SpamSenders(ctx, record.SenderQuery{})
	if err != nil {
		return answer{}, err
	}
	ids, names := make([]int64, len(senders)), map[int64]string{}
	for i, x := range senders {
		ids[i], names[x.ID] = x.ID, senderLabel(x)
	}
	findings, err := s.r.SpamFindings(ctx, ids)
	if err != nil {
		return answer{}, err
	}
	view := entitiesView{Scanned: f.state.Scanned()}
	for _, e := range entities {
		view.List = append(view.List, entityRowOf(e, names))
	}
	leads := spam.SuggestEntities(findings, entities)
	if len(leads) > maxLeads {
		view.More, leads = len(leads)-maxLeads, leads[:maxLeads]
	}
	for _, x := range leads {
		row := leadRow{Basis: x.Basis, Value: spam.ShownLine(x.Value)}
		if x.Basis == "text" {
			row.Value, row.Message = "the same text", "/m/"+x.Value
		}
		for _, id := range x.Senders {
			row.Senders = append(row.Senders, tab{Label: names[id], Href: senderPath(id)})
		}
		view.Leads = append(view.Leads, row)
	}
	return answer{page: "spamentities", title: "Entities", data: view}, nil
}

func entityRowOf(e record.Entity, names map[int64]string) entityRow {
	row := entityRow{Name: spam.ShownLine(e.Name), Notes: spam.ShownLine(e.Notes)}
	if len(e.Current()) > 0 {
		row.Href = entityPath(e.ID)
	}
	for _, m := range e.Members {
		row.Members = append(row.Members, memberRow{names[m.SenderID], senderPath(m.SenderID), spam.ShownLine(m.Basis), spam.ShownLine(m.Evidence), m.RemovedAt != 0, spam.ShownLine(m.RemovedWhy)})
	}
	return row
}
