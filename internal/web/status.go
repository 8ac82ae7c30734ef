package web

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/wording"
)

const (
	pageImports  = 20
	pageProblems = 100
)

// statusView is the state of the archive.
type statusView struct {
	Overview store.Overview
	Path     string
	Version  string
	Indexed  int64
	Percent  int64
	Roots    []rootView
	Imports  []importView
	Jobs     *jobsView    // nil when nothing can be started here
	Meaning  *meaningView // nil where nobody tells
	Log      []logRow
	Logged   bool // there is a log to show
}

// IndexState is how far the index for searches by meaning is.
type IndexState struct {
	// Provider says what finds meanings; empty when nothing does.
	Provider string
	// Complete is set when searches can use it. Behind is how many messages
	// it does not hold yet.
	Complete bool
	Behind   int64
	Text     string // in words
}

// meaningView is that index on pages.
type meaningView struct {
	IndexState
	Percent int64
	Wrong   string // why nothing is known
}

// meaning tells how far the index for searches by meaning is; nil where
// nobody knows. all is how many messages there are.
func (s *site) meaning(ctx context.Context, all int64) *meaningView {
	if s.index == nil {
		return nil
	}
	state, err := s.index(ctx)
	if err != nil {
		return &meaningView{Wrong: sentence(inert.Line(err.Error()))}
	}
	v := &meaningView{IndexState: state}
	switch {
	case all == 0, state.Complete && state.Behind == 0:
		v.Percent = 100
	case state.Complete:
		v.Percent = min(99, max(0, all-state.Behind)*100/all)
	}
	return v
}

// logRow is a line of the log.
type logRow struct {
	Time, Machine string
	Level, Text   string
	Warn          bool
}

// shownLog is how many of the last lines are shown.
const shownLog = 30

func (s *site) logRows() []logRow {
	lines := s.tail.Lines()
	var list []logRow
	for _, l := range lines[max(0, len(lines)-shownLog):] {
		at := l.Time.UTC()
		list = append(list, logRow{at.Format("15:04:05"), at.Format(time.RFC3339), strings.ToLower(l.Level.String()), l.Text, l.Level >= slog.LevelWarn})
	}
	return list
}

type rootView struct {
	Path                           string
	Source                         sourceView
	Format                         string
	Files, Conversations, Messages int64
	Owner, Zone                    string
}

// importView is a run of the importer.
type importView struct {
	store.Import
	Href  string
	Began string
	Took  string
	Word  string
	Warn  bool
}

func importOf(i store.Import) importView {
	v := importView{Import: i, Href: "/status/imports/" + idText(i.ID), Began: i.StartedAt.UTC().Format("2006-01-02 15:04 UTC"), Word: i.Status}
	if !i.FinishedAt.IsZero() {
		v.Took = wording.Span(i.FinishedAt.Sub(i.StartedAt))
	}
	switch i.Status {
	case store.ImportRunning:
		v.Word = "running"
	case store.ImportDone:
		v.Word = "done"
	case store.ImportPartial:
		v.Word, v.Warn = "partly done", true
	case store.ImportFailed:
		v.Word, v.Warn = "failed", true
	case store.ImportInterrupted:
		v.Word, v.Warn = "cut off", true
	}
	return v
}

func (s *site) status(r *http.Request) (answer, error) {
	ctx := r.Context()
	o, err := s.overview(ctx)
	if err != nil {
		return answer{}, err
	}
	all := o.Messages + o.Missing
	view := statusView{Overview: o, Path: s.r.Path(), Version: s.version, Jobs: s.jobsView(), Indexed: max(0, all-o.Unindexed), Percent: 100}
	if all > 0 {
		view.Percent = view.Indexed * 100 / all
	}
	view.Meaning = s.meaning(ctx, o.Messages)
	roots, err := s.r.RootSummaries(ctx)
	if err != nil {
		return answer{}, err
	}
	for _, root := range roots {
		view.Roots = append(view.Roots, rootView{
			Path: inert.Line(root.Path), Source: sourceOf(root.Source), Format: inert.Line(root.Format), Zone: root.Zone,
			Files: root.Files, Conversations: root.Conversations, Messages: root.Messages,
		})
	}
	imports, err := s.r.Imports(ctx, pageImports)
	if err != nil {
		return answer{}, err
	}
	for _, i := range imports {
		view.Imports = append(view.Imports, importOf(i))
	}
	if view.Logged = s.tail != nil; view.Logged {
		view.Log = s.logRows()
	}
	return answer{page: "status", nav: "status", title: "Status", data: view}, nil
}

// importRunView is one run of the importer with what it could not read.
type importRunView struct {
	Import   importView
	Problems []problemRow
	More     string
}

type problemRow struct{ Severity, Path, Place, Reason string }

func (s *site) importRun(r *http.Request) (answer, error) {
	id, err := pathID(r, "id")
	if err != nil {
		return answer{}, err
	}
	run, err := s.r.Import(r.Context(), id)
	if err != nil {
		return answer{}, err
	}
	after, err := paramsOf(r).id("after")
	if err != nil {
		return answer{}, err
	}
	problems, err := s.r.Problems(r.Context(), id, after, pageProblems+1)
	if err != nil {
		return answer{}, err
	}
	view := importRunView{Import: importOf(run)}
	if len(problems) > pageProblems {
		problems = problems[:pageProblems]
		view.More = paramsOf(r).with(view.Import.Href, "after", idText(problems[pageProblems-1].ID))
	}
	for _, p := range problems {
		row := problemRow{Severity: p.Severity, Path: inert.Line(p.Path), Reason: inert.Line(p.Reason)}
		if p.Position.Line > 0 {
			row.Place = "line " + wording.Count(p.Position.Line)
		} else if p.Position.Pointer != "" {
			row.Place = inert.Line(p.Position.Pointer)
		}
		view.Problems = append(view.Problems, row)
	}
	return answer{page: "import", nav: "status", title: "Import " + idText(id), data: view}, nil
}

// checkView is what the integrity check found.
type checkView struct {
	Found []string
	Took  string
}

// check reads the whole archive, which takes seconds.
func (s *site) check(r *http.Request) (answer, error) {
	began := s.now()
	found, err := s.r.Check(r.Context())
	if err != nil {
		return answer{}, err
	}
	return answer{page: "check", nav: "status", title: "Integrity", data: checkView{found, wording.Span(s.now().Sub(began).Round(time.Millisecond))}}, nil
}
