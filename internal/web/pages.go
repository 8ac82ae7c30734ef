package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/wording"
)

// answer is what a page comes to.
type answer struct {
	// page names the template; it defines "main", the whole content, and, when
	// the script may fetch it alone, "part".
	page string
	// nav is the entry of the rail that is current.
	nav   string
	title string
	data  any
	// status is 200 unless set.
	status int
	// redirect, if set, is where to go instead.
	redirect string
	// above stands over the content; nil for nothing.
	above *above
}

// pages are the parsed templates by the name of their file.
type pages struct {
	byName map[string]*template.Template
	// evidence is set when there are pages of the record, settings when they
	// can be changed.
	evidence, settings bool
	// sources is set when there is a page to add a folder on.
	sources bool
}

// layout is what the frame of every page is made from.
type layout struct {
	Title, Nav string
	Evidence   bool
	Settings   bool
	Above      *above
	Data       any
}

func loadPages(a *assets) (*pages, error) {
	p := &pages{byName: map[string]*template.Template{}}
	frame := template.New("").Option("missingkey=error").Funcs(template.FuncMap{
		"asset":  a.url,
		"count":  wording.Count,
		"plural": wording.Plural,
		"size":   wording.Size,
		"path":   conversationPath,
		"adds":   func() bool { return p.sources },
		"line":   spam.ShownLine,
		"shown":  spam.Shown,
		"int64":  func(n int) int64 { return int64(n) },
		"list":   func(items ...any) []any { return items },
	})
	frame, err := frame.ParseFS(templateFiles, "templates/frame/*.html")
	if err != nil {
		return nil, fmt.Errorf("parse templates: %w", err)
	}
	names, err := fs.Glob(templateFiles, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("list templates: %w", err)
	}
	for _, name := range names {
		page, err := frame.Clone()
		if err != nil {
			return nil, fmt.Errorf("clone templates: %w", err)
		}
		if page, err = page.ParseFS(templateFiles, name); err != nil {
			return nil, fmt.Errorf("parse template: %w", err)
		}
		p.byName[strings.TrimSuffix(path.Base(name), ".html")] = page
	}
	return p, nil
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// write renders an answer, whole or its part alone, and sends it.
func (p *pages) write(w http.ResponseWriter, a answer, part bool) error {
	page := p.byName[a.page]
	if page == nil {
		return fmt.Errorf("no page %q", a.page)
	}
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	name, data := "layout", any(layout{a.title, a.nav, p.evidence, p.settings, a.above, a.data})
	if part && page.Lookup("part") != nil {
		name, data = "part", a.data
	}
	if err := page.ExecuteTemplate(b, name, data); err != nil {
		return fmt.Errorf("render %s: %w", a.page, err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	_, _ = w.Write(b.Bytes()) // a client that has gone needs no answer
	return nil
}

// show makes a handler of a page.
func (s *site) show(page func(*http.Request) (answer, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, err := page(r)
		if err != nil {
			a = s.failure(r, err)
		}
		if a.redirect != "" {
			http.Redirect(w, r, a.redirect, http.StatusSeeOther)
			return
		}
		if err := s.pages.write(w, a, r.URL.Query().Has("part")); err != nil {
			s.log.Error("web: page", "err", err)
			http.Error(w, "this page could not be made; the log of msgbrowse says why", http.StatusInternalServerError)
		}
	})
}

// problem is an error that a reader of a page can do something about.
type problem struct {
	status  int
	heading string
	advice  string
}

// Error implements error.
func (p *problem) Error() string { return p.heading + ": " + p.advice }

func badRequest(advice string) error {
	return &problem{http.StatusBadRequest, "This address cannot be read", advice}
}

// failure is the page that tells what went wrong.
func (s *site) failure(r *http.Request, err error) answer {
	var p *problem
	switch {
	case errors.As(err, &p):
	case errors.Is(err, store.ErrNotFound):
		p = &problem{http.StatusNotFound, "Not in this archive", "It may have been removed since the address was made. Search for it instead."}
	case errors.Is(err, store.ErrAmbiguous):
		p = &problem{http.StatusNotFound, "Not one message", "Several messages have a hash that begins like this; use more of its digits."}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		p = &problem{http.StatusServiceUnavailable, "Stopped", "The answer was no longer waited for. Load the page again."}
	default:
		s.log.Error("web: page", "route", r.Pattern, "err", err)
		p = &problem{http.StatusInternalServerError, "The archive could not be read", "The log of msgbrowse says why; \"msgbrowse doctor\" checks the archive."}
	}
	return answer{page: "problem", title: p.heading, status: p.status, data: problemView{p.heading, p.advice}}
}

type problemView struct{ Heading, Advice string }

func (s *site) nowhere(*http.Request) (answer, error) {
	return answer{}, &problem{http.StatusNotFound, "No such page", "The archive begins at the page Home."}
}
