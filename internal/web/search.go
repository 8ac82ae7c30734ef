package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/wording"
)

const (
	pageHits = 20
	// mostHits is how many hits a page shows at once when its address asks for
	// what was shown before.
	mostHits = 100
	// pageFacets bounds the people and the conversations to narrow by.
	pageFacets = 8
	// pageYears bounds the years to narrow by where they are not counted.
	pageYears  = 20
	hitContext = 140
)

// searchView is a search with what it found.
type searchView struct {
	Text string
	// Hidden are the filters in force, which the form keeps.
	Hidden []field
	Chips  []chip
	Asked  bool
	// Wrong says what is wrong with the query, Remedy what would be right.
	Wrong string
	// Mode is what took part, Modes what can be asked for.
	Mode  string
	Modes []option
	// Lacking says what kept meaning out, Notices what was done to the query
	// beyond what it says.
	Lacking string
	Notices []string
	Summary string
	Took    string
	Hits    []hitView
	More    string
	Shown   int
	Facets  []facet
	// ByWords is set when the facets count what the words find, and meaning
	// found more.
	ByWords bool
	// Uncounted is set when the facets have no figures: people and
	// conversations are then those of the results shown.
	Uncounted bool
	// Tips are queries to try instead.
	Tips []option
}

type field struct{ Name, Value string }

// hitView is a message that was found, with a line before and after it.
type hitView struct {
	Href         string
	ID           int64
	Excerpt      []piece
	Sender       string
	Mine         bool
	Conversation string
	Source       sourceView
	When, Full   string
	Why          string
	Relevance    string
	Before       string
	After        string
	Attachments  []string
}

// facet is a way to narrow a search, with how many matches each choice keeps.
type facet struct {
	Name    string
	Choices []choice
}

type choice struct {
	option
	Count int64 // 0 when not known
}

// searchFilters are the filters in force.
type searchFilters struct {
	query search.Query
	chips []chip
	set   []field
}

func (s *site) search(r *http.Request) (answer, error) {
	ctx, p := r.Context(), paramsOf(r)
	began := s.now()
	text, err := p.text("q")
	if err != nil {
		return answer{}, err
	}
	f, err := s.searchFilters(r, p)
	if err != nil {
		return answer{}, err
	}
	view := searchView{Text: text, Hidden: f.set, Chips: f.chips, Asked: text != "", Modes: modesOf(p, f.query.Mode)}
	a := answer{page: "search", nav: "search", title: "Search"}
	if text == "" {
		a.data = view
		return a, nil
	}
	f.query.Text = text
	if err := s.runSearch(ctx, p, f.query, &view); err != nil {
		wrong, remedy := queryProblem(err)
		if wrong == "" {
			return answer{}, err
		}
		view.Wrong, view.Notices, view.Tips = wrong, remedy, instead(p, err)
	}
	view.Took = strconv.FormatInt(max(1, s.now().Sub(began).Milliseconds()), 10) + " ms"
	a.data = view
	return a, nil
}

// queryProblem words an error about the query; the first text is empty when
// the error is about something else.
func queryProblem(err error) (wrong string, remedy []string) {
	var syntax *search.SyntaxError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, store.ErrNotFound):
		return "", nil
	case errors.As(err, &syntax):
		return sentence(fmt.Sprintf("%s (position %d of the query)", syntax.Problem, syntax.Place())), []string{sentence(syntax.Remedy)}
	}
	return sentence(err.Error()), nil
}

func (s *site) searchFilters(r *http.Request, p params) (f searchFilters, err error) {
	ctx := r.Context()
	source, err := p.source("source")
	if err != nil {
		return f, err
	}
	if f.query.Source = source; source != "" {
		f.add(p, "source", sourceOf(source).Name)
	}
	conversation, err := p.id("conversation")
	if err != nil {
		return f, err
	}
	if f.query.Conversation = conversation; conversation != 0 {
		c, err := s.r.Conversation(ctx, conversation)
		if err != nil {
			return f, err
		}
		f.add(p, "conversation", nameOf(c.Name))
	}
	if p.Get("person") == "me" {
		f.query.FromMe = true
		f.add(p, "person", store.Owner)
	} else {
		person, handles, err := s.personFilter(r, p, "/search")
		if err != nil {
			return f, err
		}
		if f.query.Senders = handles; person != nil {
			f.add(p, "person", person.Label)
		}
	}
	year, err := p.year("year")
	if err != nil {
		return f, err
	}
	if year != 0 {
		first := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		start, end := first.UnixMicro(), first.AddDate(1, 0, 0).UnixMicro()
		f.query.Period = search.Range{Start: &start, End: &end}
		f.add(p, "year", strconv.Itoa(year))
	}
	if f.query.Mode, err = search.ParseMode(cmp.Or(p.Get("mode"), string(search.Hybrid))); err != nil {
		return f, badRequest("The mode is not known. Choose one of those under the field.")
	}
	if f.query.Mode != search.Hybrid {
		f.set = append(f.set, field{"mode", string(f.query.Mode)})
	}
	if has := p.Get("has"); slices.Contains(search.Has, has) {
		f.query.Has = has
		f.add(p, "has", "with "+has)
	}
	return f, nil
}

func (f *searchFilters) add(p params, name, label string) {
	f.chips = append(f.chips, chip{label, p.with("/search", name, "")})
	f.set = append(f.set, field{name, p.Get(name)})
}

func (s *site) runSearch(ctx context.Context, p params, q search.Query, view *searchView) error {
	q.Limit = pageHits
	if shown, err := strconv.Atoi(p.Get("shown")); err == nil {
		q.Limit = min(max(shown, pageHits), mostHits)
	}
	first := true
	if score, id, ok := placeOf(p.Get("after")); ok {
		q.After, first = &search.Place{Score: score, ID: id}, false
	}
	results, err := s.answering.Load().Searcher.Search(ctx, q)
	if err != nil {
		return err
	}
	view.Mode, view.Shown = modeWords[results.Mode], q.Limit
	if first {
		if results.WithoutMeaning != "" && (p.Get("mode") != "" || s.wantsMeaning()) {
			view.Lacking = sentence(results.WithoutMeaning)
		}
		for _, notice := range results.Notices {
			view.Notices = append(view.Notices, sentence(notice))
		}
	}
	for _, hit := range results.Hits {
		h, err := s.hitView(ctx, hit)
		if err != nil {
			return err
		}
		view.Hits = append(view.Hits, h)
	}
	if n := len(results.Hits); results.More && n > 0 {
		last := results.Hits[n-1]
		view.More = p.with("/search", "after", placeText(last.Score, last.ID))
	}
	if !first {
		return nil
	}
	switch {
	case results.Counted:
		view.Summary = wording.Count(results.Total) + " found"
	case results.More:
		view.Summary = "more than " + strconv.Itoa(len(results.Hits)) + " found"
	default:
		view.Summary = strconv.Itoa(len(results.Hits)) + " found"
	}
	if len(results.Hits) == 0 {
		view.Tips, err = s.tips(ctx, p, q)
		return err
	}
	if results.Mode == search.Hybrid || results.Mode == search.Keyword && results.Counted {
		view.ByWords = results.Mode == search.Hybrid
		if view.Facets, view.Uncounted, err = s.facets(ctx, p, q, results); err != nil || !view.Uncounted {
			return err
		}
		view.ByWords = false
	}
	view.Uncounted = true
	view.Facets, err = s.uncounted(ctx, p, results.Hits)
	return err
}

// wantsMeaning reports whether the settings have searches find meanings, so
// that one that does not is worth a word.
func (s *site) wantsMeaning() bool {
	if s.settings == nil {
		return false
	}
	c, err := s.settings.Read()
	return err == nil && c.Embeddings.Provider != config.ProviderNone
}

// modeWords are the modes as pages call them.
var modeWords = map[search.Mode]string{search.Hybrid: "words and meaning", search.Keyword: "words", search.Semantic: "meaning"}

// modesOf are the modes that can be asked for.
func modesOf(p params, current search.Mode) []option {
	var list []option
	for _, mode := range []search.Mode{search.Hybrid, search.Keyword, search.Semantic} {
		value := string(mode)
		if mode == search.Hybrid {
			value = ""
		}
		list = append(list, option{modeWords[mode], p.with("/search", "mode", value), mode == current})
	}
	return list
}

// placeText writes a place in a ranking exactly.
func placeText(score float64, id int64) string {
	return strconv.FormatFloat(score, 'x', -1, 64) + "_" + idText(id)
}

func placeOf(text string) (score float64, id int64, ok bool) {
	first, second, found := strings.Cut(text, "_")
	score, err := strconv.ParseFloat(first, 64)
	id, err2 := strconv.ParseInt(second, 10, 64)
	return score, id, found && err == nil && err2 == nil
}

func (s *site) hitView(ctx context.Context, hit search.Hit) (hitView, error) {
	m := hit.Message
	v := hitView{
		Href: messagePath(m.ConversationID, m.ID), ID: m.ID, Excerpt: excerptOf(hit.Excerpt), Sender: senderOf(m), Mine: m.Sender == store.Owner,
		Conversation: nameOf(m.Conversation), Source: sourceOf(m.Source), When: shortDay(m.Time.Micros), Full: fullTime(m.Time), Why: why(hit),
		Relevance: strconv.FormatFloat(hit.Score, 'f', 2, 64),
	}
	if at := clock(m.Time); at != "" {
		v.When += ", " + at
	}
	for _, a := range m.Attachments {
		v.Attachments = append(v.Attachments, nameOf(a.Name))
	}
	near, err := s.r.Neighbours(ctx, m.ConversationID, store.Key{Sort: m.Sort, ID: m.ID}, 1)
	if err != nil {
		return v, err
	}
	for _, n := range near {
		if n.Sort < m.Sort || n.Sort == m.Sort && n.ID < m.ID {
			v.Before = oneLine(n.Body, hitContext)
		} else {
			v.After = oneLine(n.Body, hitContext)
		}
	}
	return v, nil
}

// why says in plain words why a hit matched.
func why(hit search.Hit) string {
	switch {
	case hit.Match == search.Semantic:
		return "similar meaning"
	case hit.Match == search.Hybrid:
		return "same words, similar meaning"
	case !strings.Contains(hit.Excerpt, search.Mark):
		return "beside the same words"
	}
	return "same words"
}

// tips are what to try when nothing was found: queries that ask for less and
// find something.
func (s *site) tips(ctx context.Context, p params, q search.Query) ([]option, error) {
	var list []option
	add := func(says, address string, looser search.Query) error {
		looser.Mode, looser.After, looser.Limit = search.Keyword, nil, 1
		results, err := s.answering.Load().Searcher.Search(ctx, looser)
		var syntax *search.SyntaxError
		if errors.As(err, &syntax) || err == nil && len(results.Hits) == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		found := "many found"
		if results.Counted {
			found = wording.Count(results.Total) + " found"
		}
		list = append(list, option{Label: strings.ToUpper(says[:1]) + says[1:] + ": " + found, Href: address})
		return nil
	}
	if len(q.Senders) > 0 || q.FromMe || q.Conversation != 0 || q.Source != "" || q.Has != "" || q.Period != (search.Range{}) {
		if err := add("without the filters", params{}.with("/search", "q", q.Text), search.Query{Text: q.Text}); err != nil {
			return nil, err
		}
	}
	for _, looser := range search.LooserThan(q.Text) {
		asked := q
		asked.Text = looser.Query
		if err := add(oneLine(looser.Says, maxTip), p.with("/search", "q", looser.Query), asked); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// maxTip is how many bytes of the word that a tip is about are shown.
const maxTip = 60

// instead are the queries that may have been meant by one that names nobody,
// or several.
func instead(p params, err error) []option {
	var named *search.NameError
	if !errors.As(err, &named) {
		return nil
	}
	var list []option
	for _, query := range named.Instead {
		list = append(list, option{Label: oneLine(query, quoteText), Href: p.with("/search", "q", query)})
	}
	return list
}

// facets are the ways to narrow a search whose matches were all counted;
// uncounted is set when they could not be.
func (s *site) facets(ctx context.Context, p params, q search.Query, results search.Results) (list []facet, uncounted bool, err error) {
	counts, complete, err := s.answering.Load().Searcher.Facets(ctx, q)
	if err != nil || !complete || results.Mode == search.Keyword && counts.Total != results.Total {
		return nil, true, err
	}
	refs, err := s.r.ConversationRefs(ctx)
	if err != nil {
		return nil, false, err
	}
	names, sources := map[int64]string{}, map[string]int64{}
	for _, c := range refs {
		if n := counts.Conversations[c.ID]; n > 0 {
			names[c.ID] = nameOf(c.Name)
			sources[string(c.Source)] += n
		}
	}
	people, err := s.peopleFacet(ctx, p, counts)
	if err != nil {
		return nil, false, err
	}
	list = []facet{
		{"Source", choicesOf(p, "source", sources, func(id string) string { return sourceOf(msg.Source(id)).Name })},
		people,
		{"Conversation", choicesOf(p, "conversation", texts(counts.Conversations), func(id string) string {
			number, _ := strconv.ParseInt(id, 10, 64) // written by texts
			return names[number]
		})},
		yearsFacet(p, counts.Years),
	}
	return slices.DeleteFunc(list, func(f facet) bool { return len(f.Choices) < 2 }), false, nil
}

// uncounted are the ways to narrow a search whose matches nobody counted:
// sources and years of the archive, people and conversations of the hits.
func (s *site) uncounted(ctx context.Context, p params, hits []search.Hit) ([]facet, error) {
	o, err := s.overview(ctx)
	if err != nil {
		return nil, err
	}
	source, people, talks, years := facet{Name: "Source"}, facet{Name: "From"}, facet{Name: "Conversation"}, facet{Name: "Year"}
	for _, of := range o.Sources {
		source.add(p, "source", string(of.Source), sourceOf(of.Source).Name)
	}
	for _, hit := range hits {
		talks.add(p, "conversation", idText(hit.ConversationID), nameOf(hit.Conversation))
		if hit.Direction == msg.Out {
			people.add(p, "person", "me", store.Owner)
			continue
		}
		sender, err := s.r.Person(ctx, hit.SenderID)
		if errors.Is(err, store.ErrNotFound) { // nobody's, or gone since
			continue
		}
		if err != nil {
			return nil, err
		}
		people.add(p, "person", idText(sender.PersonID), nameOf(sender.Label))
	}
	first, last := time.UnixMicro(o.First).UTC().Year(), time.UnixMicro(o.Last).UTC().Year()
	for year := last; year >= first && last-year < pageYears; year-- {
		years.add(p, "year", strconv.Itoa(year), strconv.Itoa(year))
	}
	list := []facet{source, people, talks, years}
	return slices.DeleteFunc(list, func(f facet) bool { return len(f.Choices) < 2 }), nil
}

// add adds a choice that is not there yet, unless the page is narrowed by it
// already.
func (f *facet) add(p params, name, value, label string) {
	href := p.with("/search", name, value)
	if p.Get(name) == "" && !slices.ContainsFunc(f.Choices, func(c choice) bool { return c.Href == href }) {
		f.Choices = append(f.Choices, choice{option: option{Label: label, Href: href}})
	}
}

func (s *site) peopleFacet(ctx context.Context, p params, counts search.Facets) (facet, error) {
	handles, err := s.r.Persons(ctx, slices.Collect(maps.Keys(counts.Senders)))
	if err != nil {
		return facet{}, err
	}
	byPerson, names := map[string]int64{}, map[string]string{"me": store.Owner}
	if counts.FromMe > 0 {
		byPerson["me"] = counts.FromMe
	}
	for _, id := range slices.Sorted(maps.Keys(handles)) {
		if h, n := handles[id], counts.Senders[id]; !h.Owner {
			id := idText(h.PersonID)
			byPerson[id] += n
			if names[id] == "" {
				names[id] = nameOf(h.Label)
			}
		}
	}
	return facet{"From", choicesOf(p, "person", byPerson, func(id string) string { return names[id] })}, nil
}

// choicesOf are the choices that keep most, most first.
func choicesOf(p params, name string, counts map[string]int64, label func(string) string) []choice {
	ids := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	var list []choice
	for _, id := range ids[:min(pageFacets, len(ids))] {
		list = append(list, choice{option{Label: label(id), Href: p.with("/search", name, id)}, counts[id]})
	}
	return list
}

func yearsFacet(p params, counts map[int]int64) facet {
	f := facet{Name: "Year"}
	for _, year := range slices.Sorted(maps.Keys(counts)) {
		text := strconv.Itoa(year)
		f.Choices = append(f.Choices, choice{option{Label: text, Href: p.with("/search", "year", text)}, counts[year]})
	}
	slices.Reverse(f.Choices)
	return f
}

func texts(counts map[int64]int64) map[string]int64 {
	list := make(map[string]int64, len(counts))
	for id, n := range counts {
		list[idText(id)] = n
	}
	return list
}
