package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/cases"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// pageMatches is how many people are offered to be the same as somebody.
const pageMatches = 40

// routePeople maps addresses to what people decide about who is who. Without
// a recorder there is only what was decided.
func (s *site) routePeople(mux *http.ServeMux) {
	mux.Handle("GET /decisions", s.show(s.peopleLog))
	if s.recorder == nil {
		return
	}
	mux.Handle("GET /people/{id}/merge", s.show(s.mergeChoice))
	mux.Handle("GET /people/{id}/merge/{other}", s.show(s.mergeQuestion))
	mux.Handle("POST /people/{id}/merge/{other}", s.show(formPage(s.merge)))
	mux.Handle("GET /people/{id}/split", s.show(s.splitQuestion))
	mux.Handle("POST /people/{id}/split", s.show(formPage(s.split)))
	mux.Handle("POST /decisions/{id}/undo", s.show(formPage(s.undoDecision)))
}

// mergeView offers people who may be the same as one.
type mergeView struct {
	Person personView
	Text   string
	List   []personView
	Left   int64
}

func (s *site) mergeChoice(r *http.Request) (answer, error) {
	id, err := pathID(r, "id")
	if err != nil {
		return answer{}, err
	}
	text, err := paramsOf(r).text("q")
	if err != nil {
		return answer{}, err
	}
	list, err := s.peopleByMessages(r.Context())
	if err != nil {
		return answer{}, err
	}
	at := slices.IndexFunc(list, func(p personView) bool { return p.ID == id })
	if at < 0 {
		return answer{}, store.ErrNotFound
	}
	view := mergeView{Person: list[at], Text: text}
	folded := cases.Fold().String(text)
	list = slices.DeleteFunc(slices.Clone(list), func(p personView) bool { return p.ID == id || !p.isCalled(folded) })
	view.Left = int64(max(0, len(list)-pageMatches))
	for _, p := range list[:min(pageMatches, len(list))] {
		p.Href = personPath(id) + "/merge/" + idText(p.ID)
		view.List = append(view.List, p)
	}
	return answer{page: "personmerge", nav: "people", title: "The same person", data: view}, nil
}

// decisionView asks before handles become another person's.
type decisionView struct {
	Person personView
	// Other is who becomes the same; nil for a split.
	Other *personView
	// Moved are the handles that change hands, Stay those that do not.
	Moved, Stay []handleView
	Action      string // address of the form
	IDs         []int64
}

func handlesOf(list []store.Person) []handleView {
	var views []handleView
	for _, h := range list {
		views = append(views, handleView{h.HandleID, sourceOf(h.Source), nameOf(h.Label), nameOf(h.Native), handleKind(h.Kind)})
	}
	return views
}

// pair are the two people that an address names.
func (s *site) pair(r *http.Request) (person, other personView, err error) {
	id, err := pathID(r, "id")
	if err != nil {
		return person, other, err
	}
	otherID, err := pathID(r, "other")
	if err != nil {
		return person, other, err
	}
	if id == otherID {
		return person, other, store.ErrNotFound
	}
	if person, err = s.personByID(r.Context(), id); err != nil {
		return person, other, err
	}
	other, err = s.personByID(r.Context(), otherID)
	return person, other, err
}

func (s *site) mergeQuestion(r *http.Request) (answer, error) {
	person, other, err := s.pair(r)
	if err != nil {
		return answer{}, err
	}
	view := decisionView{Person: person, Other: &other, Moved: handlesOf(other.handles), Stay: handlesOf(person.handles), Action: personPath(person.ID) + "/merge/" + idText(other.ID)}
	return answer{page: "persondecide", nav: "people", title: "The same person", data: view}, nil
}

func (s *site) merge(r *http.Request) (answer, error) {
	person, other, err := s.pair(r)
	if err != nil {
		return answer{}, err
	}
	why, err := fieldText(r, "reason")
	if err != nil {
		return answer{}, err
	}
	_, err = s.recorder.MergePeople(r.Context(), []int64{person.ID, other.ID}, why, s.now())
	return answer{redirect: personPath(person.ID) + "#h-decided"}, err
}

// splitOf is a person with those of their handles that are to be somebody
// else's.
func (s *site) splitOf(r *http.Request, asked []string) (view decisionView, err error) {
	id, err := pathID(r, "id")
	if err != nil {
		return view, err
	}
	if view.Person, err = s.personByID(r.Context(), id); err != nil {
		return view, err
	}
	var moved, stay []store.Person
	for _, h := range view.Person.handles {
		if slices.Contains(asked, idText(h.HandleID)) {
			moved, view.IDs = append(moved, h), append(view.IDs, h.HandleID)
		} else {
			stay = append(stay, h)
		}
	}
	switch {
	case len(moved) == 0:
		return view, &problem{http.StatusUnprocessableEntity, "Nothing was chosen", "Choose the handles that are somebody else's, on the page of the person."}
	case len(stay) == 0:
		return view, &problem{http.StatusUnprocessableEntity, "Everything was chosen", "Leave the person at least one handle; all of them together are one person already."}
	}
	view.Moved, view.Stay, view.Action = handlesOf(moved), handlesOf(stay), personPath(id)+"/split"
	return view, nil
}

func (s *site) splitQuestion(r *http.Request) (answer, error) {
	view, err := s.splitOf(r, r.URL.Query()["handle"])
	return answer{page: "persondecide", nav: "people", title: "Two people", data: view}, err
}

func (s *site) split(r *http.Request) (answer, error) {
	view, err := s.splitOf(r, r.PostForm["handle"])
	if err != nil {
		return answer{}, err
	}
	why, err := fieldText(r, "reason")
	if err != nil {
		return answer{}, err
	}
	_, err = s.recorder.SplitPeople(r.Context(), view.IDs, why, s.now())
	return answer{redirect: personPath(view.Person.ID) + "#h-decided"}, err
}

// decidedRow is a decision about who is who.
type decidedRow struct {
	ID       int64
	When     string
	What     string
	Handles  string
	With     string // who they were made the same as, or other than
	ToHref   string
	Reason   string
	Undone   bool // it was taken back
	Standing bool // it can be taken back
	Undo     bool // that may be asked here
}

// decided lists the decisions, those about one person unless it is 0.
func (s *site) decided(ctx context.Context, person int64) ([]decidedRow, error) {
	log, err := s.r.PersonLog(ctx)
	if err != nil || len(log) == 0 {
		return nil, err
	}
	handles, err := s.r.People(ctx)
	if err != nil {
		return nil, err
	}
	people, err := s.peopleByMessages(ctx)
	if err != nil {
		return nil, err
	}
	called := map[int64]string{}
	for _, p := range people {
		called[p.ID] = p.Name
	}
	names, owners := map[int64]string{}, map[int64]int64{}
	for _, h := range handles {
		names[h.HandleID], owners[h.HandleID] = nameOf(h.Label), h.PersonID
	}
	var list []decidedRow
	for _, d := range log {
		concerns := person == 0
		row := decidedRow{ID: d.ID, When: d.At.Format("2006-01-02 15:04 UTC"), Reason: inert.Line(d.Reason), Standing: d.Undoes == 0 && d.Undone == 0}
		var moved []string
		for _, m := range d.Moves {
			concerns = concerns || m.From == person || m.To == person
			moved = append(moved, names[m.Handle])
			if row.With = called[m.To]; d.Action == "split" {
				row.With = called[m.From]
			}
			if now := owners[m.Handle]; row.Standing && now != 0 {
				row.ToHref = personPath(now)
			}
		}
		if !concerns {
			continue
		}
		row.Handles, row.Undo = strings.Join(moved, ", "), row.Standing && s.recorder != nil
		switch {
		case d.Undoes != 0:
			row.What, row.With = "back: decision "+strconv.FormatInt(d.Undoes, 10)+" was taken back", ""
		case d.Action == "split":
			row.What = "made somebody other than"
		default:
			row.What = "made the same person as"
		}
		if row.With == "" && d.Undoes == 0 {
			row.With = "somebody"
		}
		row.Undone = d.Undone != 0
		list = append(list, row)
	}
	return list, nil
}

type peopleLogView struct{ Decided []decidedRow }

func (s *site) peopleLog(r *http.Request) (answer, error) {
	list, err := s.decided(r.Context(), 0)
	return answer{page: "peoplelog", nav: "people", title: "Who is who", data: peopleLogView{list}}, err
}

func (s *site) undoDecision(r *http.Request) (answer, error) {
	id, err := pathID(r, "id")
	if err != nil {
		return answer{}, err
	}
	_, err = s.recorder.UndoPeople(r.Context(), id, s.now())
	var stale *store.StaleDecisionError
	switch {
	case errors.As(err, &stale):
		return answer{}, &problem{http.StatusConflict, "Not taken back", "A later decision moved the same handles. Take that one back first; People lists all decisions."}
	case errors.Is(err, store.ErrNoDecision):
		return answer{}, &problem{http.StatusConflict, "Not taken back", "It was taken back already."}
	}
	return answer{redirect: "/decisions"}, err
}
