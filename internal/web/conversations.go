package web

import (
	"net/http"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

const pageConversations = 60

// conversationView is a conversation in a list or at the head of a page.
type conversationView struct {
	ID       int64
	Href     string
	Name     string
	Source   sourceView
	Group    bool
	People   int64
	Others   string
	Messages int64
	Span     string
	Last     string
}

func conversationOf(c store.Conversation) conversationView {
	v := conversationView{
		ID: c.ID, Href: conversationPath(c.ID) + "#end", Name: nameOf(c.Name), Source: sourceOf(c.Source), Group: c.Kind == msg.Group,
		People: c.People, Messages: c.Messages, Span: spanOf(c.First, c.Last),
	}
	if c.Last != 0 {
		v.Last = shortDay(c.Last)
	}
	var others []string
	for _, name := range c.Others {
		if name = nameOf(name); name != v.Name {
			others = append(others, name)
		}
	}
	v.Others = strings.Join(others, ", ")
	return v
}

// conversationsView is the list of conversations.
type conversationsView struct {
	Text    string
	Source  string
	Kind    string
	Order   string
	Sources []sourceView
	Person  *chip
	Total   int
	List    []conversationView
	More    string
	Empty   bool // the archive itself holds nothing
}

// chip is a filter that is in force, with the address without it.
type chip struct{ Label, Without string }

func (s *site) conversations(r *http.Request) (answer, error) {
	ctx, p := r.Context(), paramsOf(r)
	q := store.ConversationQuery{Limit: pageConversations + 1, Order: store.ByRecent}
	view := conversationsView{Source: p.Get("source"), Kind: p.Get("kind"), Order: p.Get("order")}
	var err error
	if q.Text, err = p.text("q"); err != nil {
		return answer{}, err
	}
	view.Text = q.Text
	if q.Source, err = p.source("source"); err != nil {
		return answer{}, err
	}
	for _, kind := range []msg.ConversationKind{msg.Direct, msg.Group} {
		if kind.String() == view.Kind {
			q.Kind = &kind
		}
	}
	switch order := store.ConversationOrder(view.Order); order {
	case store.ByName, store.BySize:
		q.Order = order
	}
	after, err := p.id("after")
	if err != nil {
		return answer{}, err
	}
	if after != 0 {
		last, err := s.r.Conversation(ctx, after)
		if err != nil {
			return answer{}, err
		}
		place := q.Order.Place(last)
		q.After = &place
	}
	if view.Person, q.Handles, err = s.personFilter(r, p, "/conversations"); err != nil {
		return answer{}, err
	}
	list, total, err := s.r.ListConversations(ctx, q)
	if err != nil {
		return answer{}, err
	}
	if len(list) > pageConversations {
		list = list[:pageConversations]
		view.More = p.with("/conversations", "after", idText(list[len(list)-1].ID))
	}
	for _, c := range list {
		view.List = append(view.List, conversationOf(c))
	}
	view.Total = total
	if view.Sources, err = s.sources(ctx); err != nil {
		return answer{}, err
	}
	view.Empty = len(view.Sources) == 0
	return answer{page: "conversations", nav: "conversations", title: "Conversations", data: view}, nil
}
