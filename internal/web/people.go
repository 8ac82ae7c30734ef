package web

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/text/cases"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

const (
	pagePeople = 80
	// personConversations and personMedia bound what a person's page lists.
	personConversations = 30
	personMedia         = 12
	personLinks         = 6
)

// personView is somebody, by all the handles they have.
type personView struct {
	ID       int64
	Href     string
	Name     string
	Initial  string
	Tint     int64
	Sources  []sourceView
	Messages int64
	Span     string
	handles  []store.Person
	called   []string // names and handles, in folded case
	most     int64    // messages of the handle that gave the name
	total    store.SenderTotal
}

func personPath(id int64) string { return "/people/" + idText(id) }

// loadPeople is peopleByMessages, read anew.
func (s *site) loadPeople(ctx context.Context) ([]personView, error) {
	handles, err := s.r.People(ctx)
	if err != nil {
		return nil, err
	}
	totals, err := s.r.SenderTotals(ctx)
	if err != nil {
		return nil, err
	}
	return peopleOf(handles, totals), nil
}

// loadTopPeople is the beginning of that list.
func (s *site) loadTopPeople(ctx context.Context) ([]personView, error) {
	totals, err := s.r.TopSenders(ctx, homePeople)
	if err != nil {
		return nil, err
	}
	handles, err := s.r.Persons(ctx, slices.Collect(maps.Keys(totals)))
	if err != nil {
		return nil, err
	}
	return peopleOf(slices.Collect(maps.Values(handles)), totals), nil
}

// peopleOf makes people of handles and of what each sent.
func peopleOf(handles []store.Person, totals map[int64]store.SenderTotal) []personView {
	slices.SortFunc(handles, func(a, b store.Person) int { return cmp.Compare(a.HandleID, b.HandleID) })
	byID := map[int64]*personView{}
	for _, h := range handles {
		if h.Owner {
			continue
		}
		p := byID[h.PersonID]
		if p == nil {
			p = &personView{ID: h.PersonID, Href: personPath(h.PersonID), Tint: tintOf(h.PersonID), most: -1}
			byID[h.PersonID] = p
		}
		p.add(h, totals[h.HandleID])
	}
	list := make([]personView, 0, len(byID))
	for _, p := range byID {
		p.Initial = initialOf(p.Name)
		if p.Messages > 0 {
			p.Span = spanOf(p.total.First.Start(), p.total.Last.Start())
			if p.total.First == p.total.Last {
				p.Span = monthName(p.total.First)
			}
		}
		list = append(list, *p)
	}
	slices.SortFunc(list, func(a, b personView) int {
		return cmp.Or(cmp.Compare(b.Messages, a.Messages), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// add counts a handle to the person.
func (p *personView) add(h store.Person, t store.SenderTotal) {
	p.handles = append(p.handles, h)
	fold := cases.Fold()
	p.called = append(p.called, fold.String(h.Name), fold.String(h.Native))
	if source := sourceOf(h.Source); !slices.Contains(p.Sources, source) {
		p.Sources = append(p.Sources, source)
	}
	if named := t.Messages; named > p.most || p.Name == "" {
		p.Name, p.most = nameOf(h.Label), named
	}
	if t.Messages == 0 {
		return
	}
	if p.Messages == 0 || t.First < p.total.First {
		p.total.First = t.First
	}
	p.total.Last = max(p.total.Last, t.Last)
	p.Messages += t.Messages
}

func (p *personView) handleIDs() []int64 {
	ids := make([]int64, len(p.handles))
	for i, h := range p.handles {
		ids[i] = h.HandleID
	}
	return ids
}

// personByID finds one of the people.
func (s *site) personByID(ctx context.Context, id int64) (personView, error) {
	list, err := s.peopleByMessages(ctx)
	if err != nil {
		return personView{}, err
	}
	at := slices.IndexFunc(list, func(p personView) bool { return p.ID == id })
	if at < 0 {
		return personView{}, store.ErrNotFound
	}
	return list[at], nil
}

// personFilter reads the parameter person: a chip for the page and the
// handles to filter by.
func (s *site) personFilter(r *http.Request, p params, path string) (*chip, []int64, error) {
	id, err := p.id("person")
	if err != nil || id == 0 {
		return nil, nil, err
	}
	person, err := s.personByID(r.Context(), id)
	if err != nil {
		return nil, nil, err
	}
	return &chip{person.Name, p.with(path, "person", "")}, person.handleIDs(), nil
}

// peopleView is the list of people.
type peopleView struct {
	Text  string
	Total int
	List  []personView
	More  string
	Empty bool
	// Log is set when it was decided of people who they are.
	Log bool
}

func (s *site) people(r *http.Request) (answer, error) {
	p := paramsOf(r)
	text, err := p.text("q")
	if err != nil {
		return answer{}, err
	}
	after, err := p.id("after")
	if err != nil {
		return answer{}, err
	}
	list, err := s.peopleByMessages(r.Context())
	if err != nil {
		return answer{}, err
	}
	view := peopleView{Text: text, Empty: len(list) == 0}
	if folded := cases.Fold().String(text); folded != "" {
		list = slices.DeleteFunc(slices.Clone(list), func(p personView) bool { return !p.isCalled(folded) })
	}
	view.Total = len(list)
	if after != 0 {
		list = list[slices.IndexFunc(list, func(p personView) bool { return p.ID == after })+1:]
	}
	if len(list) > pagePeople {
		list = list[:pagePeople]
		view.More = p.with("/people", "after", idText(list[pagePeople-1].ID))
	}
	view.List = list
	log, err := s.r.PersonLog(r.Context())
	if err != nil {
		return answer{}, err
	}
	view.Log = len(log) > 0
	return answer{page: "people", nav: "people", title: "People", data: view}, nil
}

// isCalled reports whether a part of a name or a handle was typed, in folded
// case.
func (p *personView) isCalled(folded string) bool {
	return slices.ContainsFunc(p.called, func(name string) bool { return strings.Contains(name, folded) })
}

// personPageView is everything about one person.
type personPageView struct {
	Person        personView
	Handles       []handleView
	Chart         *chartView
	Conversations []conversationView
	Total         int
	Media         []attachmentTile
	Links         []linkRow
	MediaHref     string
	LinksHref     string
	SearchHref    string
	// Decided is what was decided of who this is; Writable is set when more
	// can be.
	Decided  []decidedRow
	Writable bool
}

type handleView struct {
	ID           int64
	Source       sourceView
	Name, Native string
	Kind         string
}

func (s *site) person(r *http.Request) (answer, error) {
	id, err := pathID(r, "id")
	if err != nil {
		return answer{}, err
	}
	ctx := r.Context()
	person, err := s.personByID(ctx, id)
	if err != nil {
		return answer{}, err
	}
	param := "?person=" + idText(id)
	view := personPageView{Person: person, MediaHref: "/media" + param, LinksHref: "/links" + param, SearchHref: "/search" + param}
	view.Handles, view.Writable = handlesOf(person.handles), s.recorder != nil
	if view.Decided, err = s.decided(ctx, id); err != nil {
		return answer{}, err
	}
	months, err := s.r.SenderMonths(ctx, person.handleIDs())
	if err != nil {
		return answer{}, err
	}
	view.Chart = chartOf(months)
	list, total, err := s.r.ListConversations(ctx, store.ConversationQuery{Handles: person.handleIDs(), Limit: personConversations})
	if err != nil {
		return answer{}, err
	}
	view.Total = total
	for _, c := range list {
		view.Conversations = append(view.Conversations, conversationOf(c))
	}
	media, _, err := s.r.ListMedia(ctx, store.MediaQuery{Filter: store.Filter{Senders: person.handleIDs()}, Limit: personMedia, Uncounted: true})
	if err != nil {
		return answer{}, err
	}
	view.Media = s.tilesOf(media, nil)
	links, err := s.r.LatestLinks(ctx, person.handleIDs(), personLinks)
	if err != nil {
		return answer{}, err
	}
	for _, l := range links {
		view.Links = append(view.Links, linkOf(l))
	}
	return answer{page: "person", nav: "people", title: person.Name, data: view}, nil
}

func handleKind(k msg.HandleKind) string {
	switch k {
	case msg.HandlePhone:
		return "telephone"
	case msg.HandleEmail:
		return "e-mail"
	case msg.HandleAccount:
		return "account"
	}
	return "name"
}
