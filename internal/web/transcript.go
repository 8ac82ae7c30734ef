package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// Bounds of a page of a transcript.
const (
	pageMessages = 50
	// pageText is how many bytes of text a page shows, at least one message.
	pageText = 18_000
)

// transcriptView is a stretch of a conversation.
type transcriptView struct {
	Conversation conversationView
	Messages     []messageView
	// Earlier and Later are where the conversation goes on; empty at its ends.
	Earlier, Later string
	// Year and Month are those that the calendar opens at.
	Year, Month int
	// About is what stands beside the conversation; nil in parts of a page.
	About *aboutView
	// Missing is how many messages the export no longer holds, and
	// MissingHref shows or hides them.
	Missing       int64
	MissingHref   string
	MissingShown  bool
	First, Latest string
	// Opens tells the script where to go: "end", "near" or "target".
	Opens string
}

// transcript is the page of a conversation: its latest messages, or those
// from a date, from the beginning, or around a place.
func (s *site) transcript(r *http.Request) (answer, error) {
	id, err := pathID(r, "id")
	if err != nil {
		return answer{}, err
	}
	ctx, p := r.Context(), paramsOf(r)
	c, err := s.r.Conversation(ctx, id)
	if err != nil {
		return answer{}, err
	}
	stretch, opens, err := s.stretchOf(ctx, p, c)
	if err != nil {
		return answer{}, err
	}
	view, err := s.transcriptView(ctx, p, &viewer{s: s}, c, stretch)
	if err != nil {
		return answer{}, err
	}
	view.Opens = opens
	if n := len(stretch.list); n > 0 {
		shown := map[string]int{"end": n - 1, "near": n / 2}[opens] // otherwise the first
		view.calendarAt(stretch.list[shown])
	}
	if !p.Has("part") {
		if view.About, err = s.about(ctx, c); err != nil {
			return answer{}, err
		}
	}
	return answer{page: "transcript", nav: "conversations", title: view.Conversation.Name, data: view}, nil
}

// stretch is a run of messages of a conversation, and whether it goes on.
type stretch struct {
	list           []store.Message
	earlier, later bool
	after          *store.Key // the message before the stretch, if a page ended there
}

func (s *site) stretchOf(ctx context.Context, p params, c store.Conversation) (stretch, string, error) {
	q := store.TranscriptQuery{Conversation: c.ID, Limit: pageMessages, IncludeMissing: p.Has("missing")}
	after, err := p.key("after")
	if err != nil {
		return stretch{}, "", err
	}
	before, err := p.key("before")
	if err != nil {
		return stretch{}, "", err
	}
	day, err := p.day("date")
	if err != nil {
		return stretch{}, "", err
	}
	near, err := p.id("near")
	if err != nil {
		return stretch{}, "", err
	}
	switch {
	case after != nil:
		q.After = after
		list, more, err := s.r.Transcript(ctx, q)
		list, cut := fitText(list, false)
		return stretch{list, true, more || cut, after}, "", err
	case before != nil:
		q.After, q.Backward = before, true
		list, more, err := s.r.Transcript(ctx, q)
		list, cut := fitText(list, true)
		return stretch{list, more || cut, true, nil}, "", err
	case near != 0:
		m, err := s.messageIn(ctx, c.ID, near)
		if err != nil {
			return stretch{}, "", err
		}
		around, err := s.around(ctx, m, q)
		return around, "near", err
	case day != nil:
		q.Start = day
		list, more, err := s.r.Transcript(ctx, q)
		if err != nil || len(list) == 0 {
			return stretch{earlier: c.Messages > 0}, "", err
		}
		list, cut := fitText(list, false)
		return stretch{list, list[0].Sort > c.First, more || cut, nil}, "", nil
	case p.Get("from") == "start":
		list, more, err := s.r.Transcript(ctx, q)
		list, cut := fitText(list, false)
		return stretch{list, false, more || cut, nil}, "", err
	}
	q.Backward = true
	list, more, err := s.r.Transcript(ctx, q)
	list, cut := fitText(list, true)
	return stretch{list, more || cut, false, nil}, "end", err
}

// messageIn reads a message that must be of the conversation.
func (s *site) messageIn(ctx context.Context, conversation, id int64) (store.Message, error) {
	m, err := s.r.Message(ctx, id)
	if err == nil && m.ConversationID != conversation {
		err = store.ErrNotFound
	}
	return m, err
}

// around reads the messages on both sides of one.
func (s *site) around(ctx context.Context, m store.Message, q store.TranscriptQuery) (stretch, error) {
	q.After, q.Limit = &store.Key{Sort: m.Sort, ID: m.ID}, pageMessages/2
	later, more, err := s.r.Transcript(ctx, q)
	if err != nil {
		return stretch{}, err
	}
	q.Backward = true
	earlier, less, err := s.r.Transcript(ctx, q)
	if err != nil {
		return stretch{}, err
	}
	earlier, cutEarlier := fitText(earlier, true)
	later, cutLater := fitText(later, false)
	return stretch{list: slices.Concat(earlier, []store.Message{m}, later), earlier: less || cutEarlier, later: more || cutLater}, nil
}

// fitText keeps as many messages as a page has room for, from the end or from
// the beginning, and says whether it left any out.
func fitText(list []store.Message, fromEnd bool) ([]store.Message, bool) {
	used := 0
	for i := range list {
		m := list[i]
		if fromEnd {
			m = list[len(list)-1-i]
		}
		used += min(len(m.Body), longText)
		for _, e := range m.Edits {
			used += min(len(e.Body), longText)
		}
		if i > 0 && used > pageText {
			if fromEnd {
				return list[len(list)-i:], true
			}
			return list[:i], true
		}
	}
	return list, false
}

func (s *site) transcriptView(ctx context.Context, p params, v *viewer, c store.Conversation, from stretch) (transcriptView, error) {
	view := transcriptView{Conversation: conversationOf(c), Latest: conversationPath(c.ID) + "#end", First: conversationPath(c.ID) + "?from=start"}
	var err error
	if view.Messages, err = v.views(ctx, from.list, from.after); err != nil {
		return view, err
	}
	keep := ""
	if view.MissingShown = p.Has("missing"); view.MissingShown {
		keep = "&missing=1"
	}
	last := time.UnixMicro(c.Last).UTC()
	view.Year, view.Month = last.Year(), int(last.Month())
	if n := len(from.list); n > 0 {
		first, last := from.list[0], from.list[n-1]
		if from.earlier {
			view.Earlier = conversationPath(c.ID) + "?before=" + keyText(first.Sort, first.ID) + keep
		}
		if from.later {
			view.Later = conversationPath(c.ID) + "?after=" + keyText(last.Sort, last.ID) + keep
		}
	} else if from.earlier {
		view.Earlier = conversationPath(c.ID) + "#end"
	}
	if view.Missing, err = s.r.CountMissing(ctx, c.ID); err != nil {
		return view, err
	}
	view.MissingHref = p.with(conversationPath(c.ID), "missing", "1")
	if view.MissingShown {
		view.MissingHref = p.with(conversationPath(c.ID), "missing", "")
	}
	return view, nil
}

// calendarAt has the calendar open at a message.
func (v *transcriptView) calendarAt(m store.Message) {
	at := time.UnixMicro(m.Sort).UTC()
	v.Year, v.Month = at.Year(), int(at.Month())
}

// aboutView are the facts of a conversation.
type aboutView struct {
	People []participant
	// Others is how many more take part.
	Others int
	// Media and Links are where its files and links are listed; empty where it
	// has none.
	Media, Links string
}

// participant is a person who takes part in a conversation.
type participant struct {
	Name, Initial, Href string
	Tint                int64
}

// mostParticipants is how many are named beside a conversation.
const mostParticipants = 30

// about gathers the facts of a conversation.
func (s *site) about(ctx context.Context, c store.Conversation) (*aboutView, error) {
	var view aboutView
	people, err := s.r.Participants(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	listed := map[int64]bool{}
	for _, p := range people {
		switch {
		case p.Owner || listed[p.PersonID]:
		case len(view.People) == mostParticipants:
			view.Others++
		default:
			name := nameOf(p.Label)
			view.People = append(view.People, participant{name, initialOf(name), personPath(p.PersonID), tintOf(p.PersonID)})
		}
		listed[p.PersonID] = true
	}
	only := store.Filter{Conversations: []int64{c.ID}}
	media, _, err := s.r.ListMedia(ctx, store.MediaQuery{Filter: only, Limit: 1, Uncounted: true})
	if err != nil {
		return nil, err
	}
	if len(media) > 0 {
		view.Media = "/media?conversation=" + idText(c.ID)
	}
	links, _, err := s.r.ListLinks(ctx, store.LinkQuery{Filter: only, Limit: 1, Uncounted: true})
	if err != nil {
		return nil, err
	}
	if len(links) > 0 {
		view.Links = "/links?conversation=" + idText(c.ID)
	}
	return &view, nil
}

// citationView says which message this is, so that others can find it.
type citationView struct {
	Line           string // everything that tells it from others
	Hash, Time     string
	ID             int64
	File, Place    string
	Imported, Link string
}

// message is a conversation around one of its messages.
func (s *site) message(r *http.Request) (answer, error) {
	id, err := pathID(r, "id")
	if err != nil {
		return answer{}, err
	}
	number, err := pathID(r, "message")
	if err != nil {
		return answer{}, err
	}
	ctx := r.Context()
	m, err := s.messageIn(ctx, id, number)
	if err != nil {
		return answer{}, err
	}
	c, err := s.r.Conversation(ctx, id)
	if err != nil {
		return answer{}, err
	}
	p := paramsOf(r)
	around, err := s.around(ctx, m, store.TranscriptQuery{Conversation: id, IncludeMissing: p.Has("missing")})
	if err != nil {
		return answer{}, err
	}
	view, err := s.transcriptView(ctx, p, &viewer{s: s, target: m.ID}, c, around)
	if err != nil {
		return answer{}, err
	}
	view.Opens = "target"
	view.calendarAt(m)
	if view.About, err = s.about(ctx, c); err != nil {
		return answer{}, err
	}
	citation, err := s.citation(ctx, m)
	if err != nil {
		return answer{}, err
	}
	for i := range view.Messages {
		if view.Messages[i].Target {
			view.Messages[i].Citation = citation
		}
	}
	return answer{page: "transcript", nav: "conversations", title: view.Conversation.Name, data: view}, nil
}

func (s *site) citation(ctx context.Context, m store.Message) (*citationView, error) {
	from, err := s.r.Provenance(ctx, m)
	if err != nil {
		return nil, fmt.Errorf("find where the message was read: %w", err)
	}
	sender := "nobody"
	switch {
	case m.Direction == msg.Out:
		sender = store.Owner
	case m.Sender != "":
		sender = nameOf(m.Sender)
	}
	c := &citationView{Hash: m.Hash, ID: m.ID, Time: fullTime(m.Time), Link: "/m/" + m.Hash, File: inert.Line(from.File.Path)}
	c.Line = fmt.Sprintf("%s in %s (%s), %s, message %d, hash %s", sender, nameOf(m.Conversation), sourceOf(m.Source).Name, c.Time, m.ID, m.Hash)
	switch {
	case m.Position.Pointer != "":
		c.Place = inert.Line(m.Position.Pointer)
	case m.Position.Line > 0:
		c.Place = fmt.Sprintf("line %d", m.Position.Line)
	case m.Position.Offset > 0:
		c.Place = fmt.Sprintf("byte %d", m.Position.Offset)
	}
	if from.File.Member != "" {
		c.File += " › " + inert.Line(from.File.Member)
	}
	if !from.Import.StartedAt.IsZero() {
		c.Imported = from.Import.StartedAt.UTC().Format("2006-01-02 15:04 UTC")
	}
	return c, nil
}

// permalink leads from a hash, or the beginning of one, to its message.
func (s *site) permalink(r *http.Request) (answer, error) {
	prefix, ok := msg.ParseHash(r.PathValue("hash"))
	if !ok {
		return answer{}, store.ErrNotFound
	}
	ctx := r.Context()
	id, err := s.r.MessageID(ctx, prefix)
	if err != nil {
		return answer{}, err
	}
	m, err := s.r.Message(ctx, id)
	if err != nil {
		return answer{}, err
	}
	return answer{redirect: messagePath(m.ConversationID, m.ID)}, nil
}
