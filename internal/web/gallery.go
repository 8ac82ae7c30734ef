package web

import (
	"net/http"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

const pageTiles = 60

// attachmentTile is a file in the gallery.
type attachmentTile struct {
	attachmentView
	Month   string // set on the first tile of a month
	Message string // address of the message
	Caption string
}

// tilesOf makes tiles; before is the last one that is already shown, if any.
func (s *site) tilesOf(list []store.MediaItem, before *store.Key) []attachmentTile {
	tiles := make([]attachmentTile, len(list))
	for i, m := range list {
		month := store.MonthOf(m.Message.Sort)
		tiles[i] = attachmentTile{attachmentView: s.attachmentOf(m.Attachment), Message: messagePath(m.Message.ConversationID, m.Message.ID)}
		if sender := senderOf(m.Message); sender != "" {
			tiles[i].Caption = sender + ", "
		}
		tiles[i].Caption += shortDay(m.Message.Sort)
		if i == 0 && (before == nil || store.MonthOf(before.Sort) != month) || i > 0 && store.MonthOf(list[i-1].Message.Sort) != month {
			tiles[i].Month = monthName(month)
		}
	}
	return tiles
}

// galleryView is the gallery of files.
type galleryView struct {
	filterView
	Kind  string
	Kinds []option
	// Total is how many there are in all, if they were counted.
	Total   int64
	Counted bool
	Tiles   []attachmentTile
	More    string
}

// option is a choice with its address.
type option struct {
	Label, Href string
	Current     bool
}

// filterView are the filters that the gallery and the list of links share.
type filterView struct {
	Source  string
	Sources []sourceView
	Chips   []chip
	// Conversation and Person are kept by the form that sets the others.
	Conversation, Person string
	Empty                bool // nothing is there at all
}

// filter reads the filters that lists of files and links share.
func (s *site) filter(r *http.Request, p params, path string) (f store.Filter, v filterView, err error) {
	ctx := r.Context()
	if f.Source, err = p.source("source"); err != nil {
		return f, v, err
	}
	if v.Sources, err = s.sources(ctx); err != nil {
		return f, v, err
	}
	v.Source, v.Conversation, v.Person = string(f.Source), p.Get("conversation"), p.Get("person")
	person, handles, err := s.personFilter(r, p, path)
	if err != nil {
		return f, v, err
	}
	if f.Senders = handles; person != nil {
		v.Chips = append(v.Chips, *person)
	}
	id, err := p.id("conversation")
	if err != nil || id == 0 {
		return f, v, err
	}
	c, err := s.r.Conversation(ctx, id)
	if err != nil {
		return f, v, err
	}
	f.Conversations = []int64{id}
	v.Chips = append(v.Chips, chip{nameOf(c.Name), p.with(path, "conversation", "")})
	return f, v, nil
}

func (s *site) gallery(r *http.Request) (answer, error) {
	ctx, p := r.Context(), paramsOf(r)
	f, filters, err := s.filter(r, p, "/media")
	if err != nil {
		return answer{}, err
	}
	view := galleryView{filterView: filters, Kind: p.Get("kind")}
	q := store.MediaQuery{Filter: f, Limit: pageTiles + 1, Uncounted: f.Source != "" || p.Has("after")}
	view.Counted = !q.Uncounted
	view.Kinds = []option{{"Everything", p.with("/media", "kind", ""), true}}
	for _, kind := range []msg.AttachmentKind{msg.Image, msg.Video, msg.Audio, msg.File} {
		o := option{map[msg.AttachmentKind]string{msg.Image: "Pictures", msg.Video: "Videos", msg.Audio: "Audio", msg.File: "Files"}[kind],
			p.with("/media", "kind", kind.String()), kind.String() == view.Kind}
		if o.Current {
			q.Kind, view.Kinds[0].Current = &kind, false
		}
		view.Kinds = append(view.Kinds, o)
	}
	if q.After, err = p.key("after"); err != nil {
		return answer{}, err
	}
	list, total, err := s.r.ListMedia(ctx, q)
	if err != nil {
		return answer{}, err
	}
	if len(list) > pageTiles {
		list = list[:pageTiles]
		last := list[pageTiles-1]
		view.More = p.with("/media", "after", keyText(last.Message.Sort, last.ID))
	}
	view.Total, view.Tiles = total, s.tilesOf(list, q.After)
	o, err := s.overview(ctx)
	view.Empty = o.Media == 0
	return answer{page: "media", nav: "media", title: "Media", data: view}, err
}
