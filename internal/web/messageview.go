package web

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// Bounds of what a page shows of one message.
const (
	// longText is how many bytes of a message stand in a transcript; the page
	// of the message shows it whole, up to wholeText.
	longText  = 3_000
	wholeText = 200_000
	// groupTime is how far apart messages of one group may be.
	groupTime = 5 * time.Minute
	quoteText = 140
)

// messageView is a message as a page shows it.
type messageView struct {
	ID           int64
	Hash         string
	Href         string // the message among its neighbours
	Day          int64
	DayName      string // set when the message begins a day
	Machine      string // the day for programs
	Clock, Full  string
	Sender       string
	PersonHref   string // empty for the owner and for nobody
	Initial      string
	Tint         int64
	Mine, Notice bool
	First        bool // of a group
	Text         []piece
	Cut          bool
	Kind         string // a word for what is no text; empty for text
	Reply        *replyView
	Reactions    []reactionView
	Edited       bool
	Edits        []editView
	Attachments  []attachmentView
	Gone         string // since when its export no longer holds it
	Deleted      bool   // before it was exported
	Suspect      string
	Target       bool
	Citation     *citationView // of the target
}

type replyView struct {
	Text string
	Href string // empty when the archive does not hold what is answered
}

type reactionView struct {
	Emoji, Who string
	Count      int
}

type editView struct {
	When string
	Text []piece
}

// viewer turns messages into views and looks up what they refer to.
type viewer struct {
	s      *site
	people map[int64]store.Person // who sent the messages, by handle
	// target is the message that the page is about, 0 for none.
	target int64
}

// views turns a stretch of a conversation into views. The message before it,
// if any, has the given key: its day is not named again.
func (v *viewer) views(ctx context.Context, list []store.Message, before *store.Key) ([]messageView, error) {
	quotes, err := v.quotes(ctx, list)
	if err != nil {
		return nil, err
	}
	senders := make([]int64, len(list))
	for i, m := range list {
		senders[i] = m.SenderID
	}
	if v.people, err = v.s.r.Persons(ctx, senders); err != nil {
		return nil, err
	}
	views := make([]messageView, len(list))
	for i, m := range list {
		views[i], err = v.view(ctx, m, quotes)
		if err != nil {
			return nil, err
		}
		day := dayOf(m)
		switch {
		case i > 0 && day == dayOf(list[i-1]):
			views[i].First = !sameGroup(list[i-1], m)
		case i == 0 && before != nil && store.DayOf(before.Sort) == day:
			views[i].First = true
		default:
			views[i].First, views[i].DayName, views[i].Machine = true, longDay(day), dayTime(day).Format(time.DateOnly)
		}
	}
	return views, nil
}

func sameGroup(a, b store.Message) bool {
	return a.SenderID == b.SenderID && a.Direction == b.Direction && a.Direction != msg.System && b.Sort-a.Sort <= groupTime.Microseconds() &&
		a.Kind != msg.Notice && b.Kind != msg.Notice
}

func (v *viewer) view(ctx context.Context, m store.Message, quotes map[int64]store.Message) (messageView, error) {
	view := messageView{
		ID: m.ID, Hash: m.Hash, Href: messagePath(m.ConversationID, m.ID), Day: dayOf(m),
		Clock: clock(m.Time), Full: fullTime(m.Time), Mine: m.Direction == msg.Out,
		Notice: m.Direction == msg.System || m.Kind == msg.Notice || m.Kind == msg.Call,
		Kind:   kindWord(m), Deleted: m.Kind == msg.Deleted, Edited: m.Edited || len(m.Edits) > 0, Target: m.ID == v.target,
	}
	v.fillSender(&view, m)
	limit := longText
	if view.Target {
		limit = wholeText
	}
	body, cut := cutText(m.Body, limit)
	view.Text, view.Cut = proseOf(strings.TrimRight(body, " \n")), cut
	view.Reply = replyOf(m, quotes)
	view.Reactions = reactionsOf(m.Reactions)
	for _, e := range m.Edits {
		text, _ := cutText(e.Body, limit)
		edit := editView{Text: proseOf(text)}
		if e.Time.Known {
			edit.When = e.Time.UTC().Format("2006-01-02 15:04:05")
		}
		view.Edits = append(view.Edits, edit)
	}
	for _, a := range m.Attachments {
		view.Attachments = append(view.Attachments, v.s.attachmentOf(a))
	}
	if m.Suspect != "" {
		view.Suspect = inert.Line(m.Suspect)
	}
	if m.MissingSince != 0 {
		since, err := v.s.r.ImportTime(ctx, m.MissingSince)
		if err != nil {
			return view, err
		}
		view.Gone = since.UTC().Format("2 January 2006")
	}
	return view, nil
}

func (v *viewer) fillSender(view *messageView, m store.Message) {
	switch {
	case view.Mine:
		view.Sender = store.Owner
		return
	case m.Sender == "":
		return
	}
	view.Sender = nameOf(m.Sender)
	view.Initial = initialOf(view.Sender)
	if p, ok := v.people[m.SenderID]; ok && !p.Owner {
		view.PersonHref, view.Tint = personPath(p.PersonID), tintOf(p.PersonID)
	}
}

// kindWord says what a message is when its text alone does not.
func kindWord(m store.Message) string {
	switch m.Kind {
	case msg.Call:
		return "Call"
	case msg.Poll:
		return "Poll"
	case msg.Sticker:
		return "Sticker"
	case msg.Location:
		return "Location"
	case msg.Contact:
		return "Contact"
	case msg.Deleted:
		return "Deleted"
	case msg.Unparsed:
		return "Not understood"
	}
	return ""
}

// quotes reads the messages that others answer, for those that do not quote.
func (v *viewer) quotes(ctx context.Context, list []store.Message) (map[int64]store.Message, error) {
	var ids []int64
	for _, m := range list {
		if m.ReplyTo != nil && m.ReplyTo.ID != 0 && m.ReplyTo.Quote == "" && !slices.Contains(ids, m.ReplyTo.ID) {
			ids = append(ids, m.ReplyTo.ID)
		}
	}
	quotes := map[int64]store.Message{}
	if len(ids) == 0 {
		return quotes, nil
	}
	found, err := v.s.r.Messages(ctx, ids)
	for _, m := range found {
		quotes[m.ID] = m
	}
	return quotes, err
}

func replyOf(m store.Message, quotes map[int64]store.Message) *replyView {
	if m.ReplyTo == nil {
		return nil
	}
	reply := &replyView{Text: oneLine(m.ReplyTo.Quote, quoteText)}
	if m.ReplyTo.ID != 0 {
		reply.Href = messagePath(m.ConversationID, m.ReplyTo.ID)
	}
	if target, ok := quotes[m.ReplyTo.ID]; ok {
		reply.Text = summaryOf(target)
	}
	if reply.Text == "" {
		reply.Text = "a message that is not in the archive"
	}
	return reply
}

// summaryOf is a message in one line.
func summaryOf(m store.Message) string {
	if text := oneLine(m.Body, quoteText); text != "" {
		return text
	}
	if len(m.Attachments) > 0 {
		return strings.ToUpper(m.Attachments[0].Kind.String()[:1]) + m.Attachments[0].Kind.String()[1:] + ": " + nameOf(m.Attachments[0].Name)
	}
	if word := kindWord(m); word != "" {
		return word
	}
	return "(no text)"
}

// reactionsOf joins reactions with the same emoji.
func reactionsOf(list []store.Reaction) []reactionView {
	var views []reactionView
	for _, x := range list {
		emoji, who := oneLine(x.Emoji, 40), "somebody"
		if x.Sender == store.Owner {
			who = store.Owner
		} else if x.Sender != "" {
			who = nameOf(x.Sender)
		}
		at := slices.IndexFunc(views, func(v reactionView) bool { return v.Emoji == emoji })
		if at < 0 {
			views = append(views, reactionView{Emoji: emoji, Who: who, Count: max(x.Count, 1)})
			continue
		}
		views[at].Who += ", " + who
		views[at].Count += max(x.Count, 1)
	}
	return views
}
