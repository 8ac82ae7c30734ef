package web

import (
	"net/http"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

const (
	pageLinks   = 50
	pageDomains = 40
	shownURL    = 160
)

// linksView is the list of links.
type linksView struct {
	filterView
	Domain  string
	Domains []domainRow
	// Total is how many there are in all, if they were counted.
	Total   int64
	Counted bool
	List    []linkRow
	More    string
}

type domainRow struct {
	option
	URLs int64 // of the whole archive; 0 where only a part is shown
}

type linkRow struct {
	Href          string // empty when it is not to be followed
	Shown, Domain string
	Count         int64
	Message       string // address of the latest message with it
	Said          string
	Day           string
	Begins        bool // another domain than the row before
}

func (s *site) links(r *http.Request) (answer, error) {
	ctx, p := r.Context(), paramsOf(r)
	f, filters, err := s.filter(r, p, "/links")
	if err != nil {
		return answer{}, err
	}
	view := linksView{filterView: filters}
	if view.Domain, err = p.text("domain"); err != nil {
		return answer{}, err
	}
	q := store.LinkQuery{Filter: f, Domain: view.Domain, Limit: pageLinks + 1, Uncounted: f.Source != "" || p.Has("after")}
	if q.After, err = p.key("after"); err != nil {
		return answer{}, err
	}
	list, total, err := s.r.ListLinks(ctx, q)
	if err != nil {
		return answer{}, err
	}
	if len(list) > pageLinks {
		list = list[:pageLinks]
		last := list[pageLinks-1]
		view.More = p.with("/links", "after", keyText(last.Message.Sort, last.URLID))
	}
	view.Total, view.Counted = total, !q.Uncounted
	for i, l := range list {
		row := linkOf(l)
		row.Begins = i == 0 || list[i-1].Domain != l.Domain
		view.List = append(view.List, row)
	}
	domains, err := s.r.DomainCounts(ctx)
	if err != nil {
		return answer{}, err
	}
	view.Empty = len(domains) == 0
	for _, d := range domains[:min(pageDomains, len(domains))] {
		row := domainOf(p, d, view.Domain)
		if len(view.Chips) > 0 || view.Source != "" {
			row.URLs = 0 // the figures kept are of everything
		}
		view.Domains = append(view.Domains, row)
	}
	if view.Domain != "" {
		view.Chips = append(view.Chips, chip{inert.Line(view.Domain), p.with("/links", "domain", "")})
		if at := slices.IndexFunc(domains, func(d store.DomainCount) bool { return d.Domain == view.Domain }); at >= pageDomains {
			view.Domains = append(view.Domains, domainOf(p, domains[at], view.Domain))
		}
	}
	return answer{page: "links", nav: "links", title: "Links", data: view}, nil
}

func domainOf(p params, d store.DomainCount, current string) domainRow {
	return domainRow{option{nameOf(d.Domain), p.with("/links", "domain", d.Domain), d.Domain == current}, d.URLs}
}

func linkOf(l store.LinkItem) linkRow {
	row := linkRow{
		Shown: oneLine(l.URL, shownURL), Domain: nameOf(l.Domain), Count: l.Count,
		Message: messagePath(l.Message.ConversationID, l.Message.ID), Day: shortDay(l.Message.Sort), Said: nameOf(l.Message.Conversation),
	}
	if isAddress(l.URL) {
		row.Href = l.URL
	}
	if sender := senderOf(l.Message); sender != "" && sender != row.Said {
		row.Said = sender + " in " + row.Said
	}
	return row
}
