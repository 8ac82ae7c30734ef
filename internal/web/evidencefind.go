package web

import (
	"errors"
	"net/http"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/spam"
)

// mostFound is how many senders that resemble what was typed are listed.
const mostFound = 40

// foundView is what a look for a sender came to when that was not one.
type foundView struct {
	Text string
	// Several is set when all of List fit what was typed, and not set when
	// they resemble it.
	Several bool
	List    []foundSender
}

type foundSender struct{ Label, Href string }

// findSender leads to the sender or entity that a person names. What they type
// is sent in a form, so that no number gets into an address.
func (s *site) findSender(r *http.Request, _ folder) (answer, error) {
	text, err := fieldText(r, "sender")
	if err != nil || text == "" {
		return answer{redirect: "/spam"}, err
	}
	view := foundView{Text: inert.Line(text)}
	page := answer{page: "spamfind", title: "Find a sender", data: &view}
	named, err := spam.Lookup(r.Context(), s.r, text)
	var several *spam.AmbiguousNameError
	var unknown *spam.UnknownNameError
	switch {
	case err == nil:
		return answer{redirect: namedPath(named)}, nil
	case errors.As(err, &several):
		view.Several = true
		view.add(several.Found)
		return page, nil
	case !errors.As(err, &unknown):
		return answer{}, err
	}
	alike, err := spam.Resembling(r.Context(), s.r, text, mostFound)
	if err != nil {
		return answer{}, err
	}
	view.add(alike)
	page.status = http.StatusNotFound
	return page, nil
}

func (v *foundView) add(found []spam.Named) {
	for _, n := range found[:min(mostFound, len(found))] {
		label := senderLabel(n.Sender)
		if n.Entity.ID != 0 {
			label = spam.ShownLine(n.Entity.Name) + ", an entity"
		}
		v.List = append(v.List, foundSender{label, namedPath(n)})
	}
}

func namedPath(n spam.Named) string {
	if n.Entity.ID != 0 {
		return entityPath(n.Entity.ID)
	}
	return senderPath(n.Sender.ID)
}
