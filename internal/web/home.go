package web

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/wording"
)

// homeView is what the archive holds, at a glance.
type homeView struct {
	Overview  store.Overview
	Span      string
	Chart     *chartView
	Sources   []sourceRow
	People    []personView
	OnThisDay []anniversary
	Today     string
	Attention []notice
	Last      *importView
	Evidence  bool // there are pages of the record
}

type sourceRow struct {
	Source                  sourceView
	Conversations, Messages int64
	Span                    string
}

// notice is something that its reader should look at.
type notice struct{ Text, Href, Link string }

// anniversary is what was said on this day of another year.
type anniversary struct {
	Years        int
	Date         string
	Conversation conversationView
	Href         string
	Sender, Text string
}

const (
	homePeople = 8
	// homeYears bounds how far back this day is looked for.
	homeYears = 12
)

func (s *site) home(r *http.Request) (answer, error) {
	ctx := r.Context()
	o, err := s.overview(ctx)
	if err != nil {
		return answer{}, err
	}
	view := homeView{Overview: o, Span: spanOf(o.First, o.Last), Today: s.now().UTC().Format("2 January")}
	for _, source := range o.Sources {
		view.Sources = append(view.Sources, sourceRow{sourceOf(source.Source), source.Conversations, source.Messages, spanOf(source.First, source.Last)})
	}
	months, err := s.r.Months(ctx)
	if err != nil {
		return answer{}, err
	}
	view.Chart = chartOf(allSources(months))
	if view.People, err = recall(ctx, s, &s.memories.top, s.loadTopPeople); err != nil {
		return answer{}, err
	}
	if view.OnThisDay, err = recall(ctx, s, &s.memories.onThis, s.onThisDay); err != nil {
		return answer{}, err
	}
	imports, err := s.r.Imports(ctx, 1)
	if err != nil {
		return answer{}, err
	}
	if len(imports) > 0 {
		last := importOf(imports[0])
		view.Last = &last
	}
	view.Attention = attention(o, imports)
	if m := s.meaning(ctx, o.Messages); m != nil && m.Provider != "" && m.Behind > 0 {
		view.Attention = append(view.Attention, notice{wording.Plural(m.Behind, "message is", "messages are") + " not found by meaning yet, only by words.", "/status#jobs", "Index"})
	}
	view.Evidence = s.evidence != nil
	return answer{page: "home", nav: "home", title: "Home", data: view}, nil
}

// allSources joins the months of all sources.
func allSources(months []store.SourceMonth) []store.MonthCount {
	var list []store.MonthCount
	for _, m := range months {
		if n := len(list); n > 0 && list[n-1].Month == m.Month {
			list[n-1].Messages += m.Messages
			continue
		}
		list = append(list, m.MonthCount)
	}
	return list
}

func attention(o store.Overview, imports []store.Import) []notice {
	var list []notice
	if len(imports) > 0 {
		last := imports[0]
		switch {
		case last.Status == store.ImportInterrupted || last.Status == store.ImportFailed:
			list = append(list, notice{"The last import did not reach its end. Run \"msgbrowse import\" again.", "/status/imports/" + idText(last.ID), "What happened"})
		case last.Skipped > 0 || last.Errors > 0:
			list = append(list, notice{"The last import could not read everything.", "/status/imports/" + idText(last.ID), "What it left out"})
		}
	}
	if o.Unindexed > 0 {
		list = append(list, notice{"Some messages cannot be searched yet. The next import adds them to the index.", "/status", "State of the index"})
	}
	return list
}

// onThisDay finds what was said on this day of earlier years, in the largest
// conversations of the time.
func (s *site) onThisDay(ctx context.Context) ([]anniversary, error) {
	today := s.now().UTC()
	var list []anniversary
	for back := 1; back <= homeYears; back++ {
		day := time.Date(today.Year()-back, today.Month(), today.Day(), 0, 0, 0, 0, time.UTC)
		if day.Day() != today.Day() { // the 29th of February
			continue
		}
		found, err := s.firstOf(ctx, day)
		if err != nil {
			return nil, err
		}
		if found != nil {
			found.Years = back
			list = append(list, *found)
		}
	}
	return list, nil
}

func (s *site) firstOf(ctx context.Context, day time.Time) (*anniversary, error) {
	start, end := day.UnixMicro(), day.AddDate(0, 0, 1).UnixMicro()
	lively, err := s.r.Lively(ctx, start, end)
	if err != nil {
		return nil, err
	}
	for _, id := range lively {
		list, _, err := s.r.Transcript(ctx, store.TranscriptQuery{Conversation: id, Start: &start, End: &end, Limit: 12})
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(list, func(m store.Message) bool { return len(m.Body) >= 12 && m.Sender != "" })
		if at < 0 {
			continue
		}
		m := list[at]
		c, err := s.r.Conversation(ctx, id)
		if err != nil {
			return nil, err
		}
		return &anniversary{
			Date: day.Format("2006"), Conversation: conversationOf(c), Href: messagePath(id, m.ID), Sender: senderOf(m), Text: summaryOf(m),
		}, nil
	}
	return nil, nil
}

// senderOf is what the sender of a message is called.
func senderOf(m store.Message) string {
	switch m.Sender {
	case "":
		return ""
	case store.Owner:
		return store.Owner
	}
	return nameOf(m.Sender)
}
