package web

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/wording"
)

const (
	pageSenders    = 60
	pageViolations = 25
	pageRuns       = 50
)

// spamView is the list of senders.
type spamView struct {
	Scanned, Writable bool
	Standing          string
	Tabs              []tab
	Total             int64
	List              []senderRow
	More              string
	Rules             string
	Reset             bool // there is something to derive anew
	Settings          bool // the rules can be changed
}

// tab is one of several lists to choose from.
type tab struct {
	Label, Href string
	Current     bool
}

// senderRow is a sender in the list. The figures are those that the scan
// found, before duplicates and what else does not count are taken out.
type senderRow struct {
	Href, Name, Status              string
	ByPerson                        bool
	Sources                         []sourceView
	In, Out, Flagged, AfterOptOut   int64
	Rules, SuspectedEntity, Consent string
	First, Last                     string
}

// senderLabel is how a sender is called.
func senderLabel(s record.Sender) string {
	if s.Name != "" && s.Name != s.Identifier {
		return spam.ShownLine(s.Identifier + " (" + s.Name + ")")
	}
	return spam.ShownLine(s.Identifier)
}

// senderList is one of the lists of senders: its name in the address, how it
// is called and which statuses it holds, nil for all.
type senderList struct {
	name, label string
	statuses    []record.Status
}

func senderLists() []senderList {
	lists := []senderList{{"", "Watch and tracked", []record.Status{record.Watch, record.Tracked}}}
	for _, s := range record.Statuses {
		lists = append(lists, senderList{string(s), statusName(s), []record.Status{s}})
	}
	return append(lists, senderList{"all", "All", nil})
}

func statusName(s record.Status) string { return strings.ToUpper(string(s[:1])) + string(s[1:]) }

func (s *site) spamSenders(r *http.Request, f folder) (answer, error) {
	p := paramsOf(r)
	view := spamView{Scanned: f.state.Scanned(), Writable: s.evidence.Recorder != nil, Rules: f.setup.Rules.Version(), Reset: f.state.Scanned(), Settings: s.evidence.Change != nil}
	page := answer{page: "spam", title: "Unsolicited", data: &view}
	after, err := p.id("after")
	if err != nil {
		return answer{}, err
	}
	var q record.SenderQuery
	known := false
	for _, c := range senderLists() {
		current := c.name == p.Get("status")
		if current {
			q.Statuses, known = c.statuses, true
		}
		view.Tabs = append(view.Tabs, tab{c.label, p.with("/spam", "status", c.name), current})
	}
	if !known {
		return answer{}, badRequest("The status is not known; use " + strings.Join(words(record.Statuses), ", ") + " or all.")
	}
	if view.Total, err = s.r.CountSpamSenders(r.Context(), q.Statuses); err != nil {
		return answer{}, err
	}
	// A sender can be on the record before the first scan, put there by hand.
	view.Scanned = view.Scanned || view.Total > 0
	if !view.Scanned {
		return page, nil
	}
	q.After, q.Limit = after, pageSenders+1
	list, err := s.r.SpamSenders(r.Context(), q)
	if err != nil {
		return answer{}, err
	}
	sources, err := s.r.SpamSources(r.Context(), record.SenderIDs(list))
	if err != nil {
		return answer{}, err
	}
	question, err := f.question("")
	if err != nil {
		return answer{}, err
	}
	provenance, err := spam.ReadProvenance(r.Context(), s.r, question, view.Rules)
	if err != nil {
		return answer{}, err
	}
	view.Standing = standing(provenance)
	if len(list) > pageSenders {
		list = list[:pageSenders]
		view.More = p.with("/spam", "after", idText(list[len(list)-1].ID))
	}
	for _, x := range list {
		view.List = append(view.List, rowOf(x, sources[x.ID]))
	}
	return page, nil
}

func rowOf(x record.Sender, sources []msg.Source) senderRow {
	n := x.Figures
	row := senderRow{Href: senderPath(x.ID), Name: senderLabel(x), Status: string(x.Status), ByPerson: x.StatusByPerson, In: n.Inbound, Out: n.Outbound,
		Flagged: n.Candidates, AfterOptOut: n.AfterOptOut, Rules: inert.Line(strings.Join(slices.Sorted(maps.Keys(n.Reasons)), ", ")),
		SuspectedEntity: inert.Line(x.SuspectedEntity), First: dayText(x.First), Last: dayText(x.Last)}
	for _, source := range sources {
		row.Sources = append(row.Sources, sourceOf(source))
	}
	return row
}

func dayText(t msg.Time) string {
	if !t.Known {
		return ""
	}
	return t.UTC().Format("2006-01-02")
}

// standing says in one line under what figures stand.
func standing(p spam.Provenance) string {
	if !p.Scanned {
		return ""
	}
	return "As of " + p.AsOf + " by the clock of " + p.Clock + ". Rules " + p.Ruleset + ", address book " + envNames(p.Envs) + "."
}

// violationsView lists who wrote after an opt-out.
type violationsView struct {
	Scanned     bool
	Standing    string
	AsOf        string
	List        []violationRow
	More        string
	Limitations []spam.Limitation
}

type violationRow struct {
	Href, Name                                                 string
	Entity                                                     bool
	After, Confirmation, WithinGrace, AfterGrace               string
	Contacts, Trailing, Worst                                  string
	WorstFirst, WorstLast, Reopened, OptOut, Rule, LastOfGrace string
}

func (s *site) spamViolations(r *http.Request, f folder) (answer, error) {
	p := paramsOf(r)
	asOf := p.Get("as_of")
	q, err := f.question(asOf)
	if err != nil {
		return answer{}, err
	}
	provenance, err := spam.ReadProvenance(r.Context(), s.r, q, f.setup.Rules.Version())
	if err != nil {
		return answer{}, err
	}
	var after record.AfterPlace
	place, err := p.key("after")
	if err != nil {
		return answer{}, err
	}
	if place != nil {
		after = record.AfterPlace{Messages: place.Sort, ID: place.ID}
	}
	list, next, err := spam.AfterOptOutPage(r.Context(), s.r, q, after, pageViolations)
	if err != nil {
		return answer{}, err
	}
	view := violationsView{Scanned: provenance.Scanned, Standing: standing(provenance), AsOf: asOf, Limitations: provenance.Limitations}
	if next != nil {
		view.More = p.with("/spam/violations", "after", keyText(next.Messages, next.ID))
	}
	for _, x := range list {
		c := x.Counts
		row := violationRow{Href: senderPath(x.Sender.ID), Name: senderLabel(x.Sender), After: c.Amount(c.After.Total), Confirmation: c.Amount(c.After.Confirmation),
			WithinGrace: c.Amount(c.After.WithinGrace), AfterGrace: c.Amount(c.After.AfterGrace), Contacts: c.Amount(c.Contacts),
			Trailing: c.Amount(c.Trailing.Contacts), Worst: c.Amount(c.Worst.Contacts), WorstFirst: day(c.Worst.First), WorstLast: day(c.Worst.Last)}
		if x.Entity.ID != 0 {
			row.Href, row.Name, row.Entity = entityPath(x.Entity.ID), spam.ShownLine(x.Entity.Name), true
		}
		if len(c.OptOuts) > 0 {
			first := c.OptOuts[0]
			row.OptOut, row.Reopened, row.Rule, row.LastOfGrace = first.At, first.Reopened, first.Rule.Name, first.LastDay
		}
		view.List = append(view.List, row)
	}
	return answer{page: "spamviolations", title: "Contacts after an opt-out", data: view}, nil
}

// day is the date of a reading.
func day(reading string) string { return reading[:min(len(reading), len(time.DateOnly))] }

// runView is a scan in the log.
type runView struct {
	ID                                          int64
	Began, Took, State, Rules, Env, Kind, Error string
	Warn                                        bool
	Counters                                    record.Counters
	LeftOut                                     string
}

func (s *site) spamRuns(r *http.Request, f folder) (answer, error) {
	list, err := s.r.SpamRuns(r.Context(), pageRuns)
	if err != nil {
		return answer{}, err
	}
	views := make([]runView, len(list))
	for i, run := range list {
		state := run.State(f.now)
		v := runView{ID: run.ID, Began: run.StartedAt.UTC().Format("2006-01-02 15:04:05 UTC"), State: string(state), Rules: run.Ruleset, Env: string(run.Env),
			Error: runProblem(run), Warn: state == record.RunFailed || state == record.RunCrashed, Counters: run.Counters, LeftOut: leftOut(run.Counters)}
		if !run.FinishedAt.IsZero() {
			v.Took = wording.Span(run.FinishedAt.Sub(run.StartedAt))
		}
		switch {
		case run.Reset:
			v.Kind = "derived anew"
		case run.Only != 0:
			v.Kind = "one conversation"
		}
		views[i] = v
	}
	return answer{page: "spamruns", title: "Scans", data: views}, nil
}

// runProblem says why a scan failed.
func runProblem(run record.Run) string {
	if run.Error == context.Canceled.Error() || strings.HasSuffix(run.Error, ": "+context.Canceled.Error()) {
		return "it was stopped; scan again to complete it"
	}
	return inert.Line(run.Error)
}

// leftOut says which conversations a scan did not examine, and why.
func leftOut(c record.Counters) string {
	var list []string
	for _, x := range c.LeftOut() {
		list = append(list, wording.Count(x.Conversations)+" "+x.Why)
	}
	return strings.Join(list, "; ")
}
