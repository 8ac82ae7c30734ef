package web

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
)

const (
	pageEntities = 40
	pageLeads    = 50
	// leadSenders bounds how many senders stand beside one lead.
	leadSenders = 8
	// leadPatience is how long the page waits for leads that are looked for;
	// then it says that they are.
	leadPatience = 25 * time.Millisecond
)

// entitiesView lists what a person grouped, and what senders have in common.
type entitiesView struct {
	Scanned bool
	List    []entityRow
	More    string // further entities
	leadsView
}

// leadsView is a stretch of the leads.
type leadsView struct {
	Looking    bool   // they are being looked for
	Failed     string // why they could not be
	Leads      []leadRow
	From, To   int
	All        int
	Prev, Next string
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
	More                  int // senders that are not shown
}

// foundLeads are the leads of one state of the record. To find them all
// findings are read, which takes longer than a page may: it is done in the
// background, once for each scan.
type foundLeads struct {
	job background

	mu    sync.Mutex
	of    leadState
	leads *spam.Leads
}

// leadState is what leads depend on.
type leadState struct {
	scan  int64 // the last one that ended well
	rules string
}

// get returns the leads, or nil while they are looked for; failed says why
// the last attempt came to nothing.
func (l *foundLeads) get(state record.State, find func(context.Context) (*spam.Leads, error)) (leads *spam.Leads, failed string) {
	now := leadState{state.LastDone.ID, state.Ruleset}
	if leads := l.known(now); leads != nil {
		return leads, ""
	}
	l.job.start(func(ctx context.Context) (string, error) {
		leads, err := find(ctx)
		if err == nil {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.of, l.leads = now, leads
		}
		return "", err
	})
	l.job.wait(leadPatience)
	if leads := l.known(now); leads != nil {
		return leads, ""
	}
	_, failed = l.job.outcome()
	return nil, failed
}

func (l *foundLeads) known(now leadState) *spam.Leads {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.leads == nil || l.of != now {
		return nil
	}
	return l.leads
}

func (s *site) spamEntities(r *http.Request, f folder) (answer, error) {
	ctx, p := r.Context(), paramsOf(r)
	after, err := p.id("after")
	if err != nil {
		return answer{}, err
	}
	entities, err := s.r.SpamEntities(ctx)
	if err != nil {
		return answer{}, err
	}
	view := entitiesView{Scanned: f.state.Scanned()}
	shown := slices.DeleteFunc(slices.Clone(entities), func(e record.Entity) bool { return e.ID <= after })
	if len(shown) > pageEntities {
		shown = shown[:pageEntities]
		view.More = p.with("/spam/entities", "after", idText(shown[pageEntities-1].ID))
	}
	var suggestions []spam.Suggestion
	if view.leadsView, suggestions, err = s.leadsView(p, f, entities); err != nil {
		return answer{}, err
	}
	names, err := s.senderNames(ctx, shown, suggestions)
	if err != nil {
		return answer{}, err
	}
	for _, e := range shown {
		view.List = append(view.List, entityRowOf(e, names))
	}
	for _, x := range suggestions {
		view.Leads = append(view.Leads, leadRowOf(x, names))
	}
	return answer{page: "spamentities", title: "Entities", data: view}, nil
}

// leadsView is the frame of a stretch of the leads, and the stretch.
func (s *site) leadsView(p params, f folder, entities []record.Entity) (v leadsView, list []spam.Suggestion, err error) {
	if !f.state.Scanned() {
		return v, nil, nil
	}
	from, err := p.id("from")
	if err != nil {
		return v, nil, err
	}
	leads, failed := s.evidence.leads.get(f.state, func(ctx context.Context) (*spam.Leads, error) { return spam.FindLeads(ctx, s.r) })
	if leads == nil {
		v.Looking, v.Failed = failed == "", inert.Line(failed)
		return v, nil, nil
	}
	list = leads.Suggest(entities)
	start := min(max(int(from)-1, 0), len(list))
	end := min(start+pageLeads, len(list))
	v.From, v.To, v.All = start+1, end, len(list)
	if end < len(list) {
		v.Next = p.with("/spam/entities", "from", idText(int64(end+1))) + "#h-leads"
	}
	if start > 0 {
		v.Prev = p.with("/spam/entities", "from", idText(int64(max(start-pageLeads, 0)+1))) + "#h-leads"
	}
	return v, list[start:end], nil
}

// spamLeads is asked for again and again while leads are looked for.
func (s *site) spamLeads(r *http.Request, f folder) (answer, error) {
	v, _, err := s.leadsView(params{}, f, nil)
	return answer{page: "spamleads", title: "Leads", data: v}, err
}

// senderNames reads the names of the senders that stand on the page.
func (s *site) senderNames(ctx context.Context, entities []record.Entity, leads []spam.Suggestion) (map[int64]string, error) {
	ids := []int64{}
	for _, e := range entities {
		for _, m := range e.Members {
			ids = append(ids, m.SenderID)
		}
	}
	for _, x := range leads {
		ids = append(ids, x.Senders[:min(leadSenders, len(x.Senders))]...)
	}
	senders, err := s.r.SpamSenders(ctx, record.SenderQuery{IDs: ids})
	names := make(map[int64]string, len(senders))
	for _, x := range senders {
		names[x.ID] = senderLabel(x)
	}
	return names, err
}

func leadRowOf(x spam.Suggestion, names map[int64]string) leadRow {
	row := leadRow{Basis: x.Basis, Value: spam.ShownLine(x.Value)}
	if x.Basis == "text" {
		row.Value, row.Message = "the same text", "/m/"+x.Value
	}
	shown := x.Senders[:min(leadSenders, len(x.Senders))]
	row.More = len(x.Senders) - len(shown)
	for _, id := range shown {
		row.Senders = append(row.Senders, tab{Label: names[id], Href: senderPath(id)})
	}
	return row
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
