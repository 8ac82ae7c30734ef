package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/contacts"
	"github.com/msgbrowse/msgbrowse/internal/spam"
	"github.com/msgbrowse/msgbrowse/internal/spam/record"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// Evidence is what the pages of the record of unsolicited contact need. The
// same value serves one handler; Stop ends what it does in the background.
type Evidence struct {
	// Recorder writes what scans find and people say. Nil, for an archive that
	// cannot be written to, leaves pages that only show.
	Recorder *store.Recorder
	// Setup returns what the settings amount to at the moment; it is asked
	// for every page, so that a changed configuration is noticed.
	Setup func() (EvidenceSetup, error)
	// Change returns what the settings amount to with values changed in the
	// configuration file, by key, and a function that saves the file. Nil
	// leaves settings as they are.
	Change func(values map[string]any) (EvidenceSetup, func() error, error)
	// NewFile is where the configuration goes when there is none yet.
	NewFile string
	// Program is name and version, as dossiers print them; Version and PID
	// stand in the log of scans.
	Program, Version string
	PID              int

	job   background // the scan
	leads foundLeads

	mu    sync.Mutex
	books contacts.AddressBooks
	read  time.Time // when books were
}

// EvidenceSetup is what the settings of the record amount to.
type EvidenceSetup struct {
	// Config are the settings themselves.
	Config *config.Config
	Rules  *spam.Rules
	Clocks spam.Clocks
	// Books reads the address books.
	Books func(context.Context) (contacts.AddressBooks, error)
	// ExportDir is the folder that dossiers are written below.
	ExportDir string
}

// Stop cancels what runs in the background and waits for its end.
func (e *Evidence) Stop() {
	e.job.stop()
	e.leads.job.stop()
}

// bookAge is how long what was read of the address books serves the pages.
// Scans read them anew.
const bookAge = 30 * time.Second

func (e *Evidence) addressBooks(ctx context.Context, setup EvidenceSetup, now time.Time) (contacts.AddressBooks, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.read.IsZero() && now.Sub(e.read) < bookAge {
		return e.books, nil
	}
	books, err := setup.Books(ctx)
	if err == nil {
		e.books, e.read = books, now
	}
	return books, err
}

// forgetBooks has the address books read again.
func (e *Evidence) forgetBooks() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.read = time.Time{}
}

// folder is what a page of the record works with.
type folder struct {
	setup EvidenceSetup
	state record.State
	now   time.Time
}

// question is what figures are computed under.
func (f folder) question(asOf string) (spam.Question, error) {
	at, err := spam.ParseAsOf(asOf, f.setup.Clocks, f.now.UTC().Truncate(time.Second))
	if err != nil {
		return spam.Question{}, badRequest("The moment " + err.Error() + ".")
	}
	return spam.Question{Settings: f.setup.Rules.Settings(), Clocks: f.setup.Clocks, AsOf: at}, nil
}

func (s *site) folder(r *http.Request) (folder, error) {
	setup, err := s.evidence.Setup()
	if err != nil {
		return folder{}, &problem{http.StatusInternalServerError, "The settings cannot be read", err.Error()}
	}
	state, err := s.r.SpamState(r.Context())
	return folder{setup, state, s.now()}, err
}

// routeEvidence maps addresses to the pages of the record. Senders and
// entities are numbers of their own there.
func (s *site) routeEvidence(mux *http.ServeMux) {
	for _, format := range dossierFormats {
		mux.Handle("GET /spam/s/{id}/dossier."+format.ext, s.download(format, s.aboutSender))
		mux.Handle("GET /spam/e/{id}/dossier."+format.ext, s.download(format, s.aboutEntity))
	}
	for pattern, page := range map[string]func(*http.Request, folder) (answer, error){
		"GET /spam":            s.spamSenders,
		"GET /spam/violations": s.spamViolations,
		"GET /spam/runs":       s.spamRuns,
		"GET /spam/entities":   s.spamEntities,
		"GET /spam/leads":      s.spamLeads,
		"GET /spam/reset":      s.spamReset,
		"GET /spam/progress":   s.spamProgress,
		"GET /spam/s/{id}":     s.spamSender,
		"GET /spam/e/{id}":     s.spamEntity,
	} {
		mux.Handle(pattern, s.show(func(r *http.Request) (answer, error) { return s.evidencePage(r, page) }))
	}
	mux.Handle("POST /spam/find", s.show(s.form(s.findSender)))
	mux.Handle("POST /spam/s/{id}/export", s.show(s.form(s.exportSender)))
	mux.Handle("POST /spam/e/{id}/export", s.show(s.form(s.exportEntity)))
	if s.evidence.Recorder == nil {
		return
	}
	for pattern, page := range map[string]func(*http.Request, folder) (answer, error){
		"POST /spam/scan":                 s.startScan,
		"POST /spam/reset":                s.startReset,
		"POST /spam/stop":                 s.stopScan,
		"POST /spam/s/{id}/judgment":      s.judge,
		"POST /spam/s/{id}/event":         s.addEvent,
		"POST /spam/s/{id}/category":      s.judgeCategory,
		"POST /spam/s/{id}/entity":        s.addToEntity,
		"POST /spam/s/{id}/entity/remove": s.takeOutOfEntity,
	} {
		mux.Handle(pattern, s.show(s.form(page)))
	}
}

// form makes a page of what answers a form.
func (s *site) form(page func(*http.Request, folder) (answer, error)) func(*http.Request) (answer, error) {
	return func(r *http.Request) (answer, error) {
		if err := r.ParseForm(); err != nil {
			return answer{}, &problem{http.StatusBadRequest, "This form cannot be read", "Load the page again and send it once more."}
		}
		return s.evidencePage(r, page)
	}
}

// evidencePage makes a page of the record. What must be known of its state
// stands above every one of them.
func (s *site) evidencePage(r *http.Request, page func(*http.Request, folder) (answer, error)) (answer, error) {
	f, err := s.folder(r)
	if err != nil {
		return answer{}, err
	}
	a, err := page(r, f)
	if err != nil {
		if errors.Is(err, record.ErrUnknownSender) || errors.Is(err, record.ErrUnknownEntity) {
			err = store.ErrNotFound
		}
		return answer{}, err
	}
	if a.redirect != "" {
		return a, nil
	}
	if a.nav == "" {
		a.nav = "unsolicited"
	}
	above, err := s.aboveRecord(r.Context(), f)
	a.above = above
	return a, err
}

// sender returns the sender that the address names.
func (s *site) sender(r *http.Request) (record.Sender, error) {
	id, err := pathID(r, "id")
	if err != nil {
		return record.Sender{}, err
	}
	list, err := s.r.SpamSenders(r.Context(), record.SenderQuery{IDs: []int64{id}})
	if err != nil {
		return record.Sender{}, fmt.Errorf("read sender: %w", err)
	}
	if len(list) != 1 {
		return record.Sender{}, store.ErrNotFound
	}
	return list[0], nil
}

// senderPath is the address of a sender.
func senderPath(id int64) string { return "/spam/s/" + idText(id) }

// entityPath is the address of an entity.
func entityPath(id int64) string { return "/spam/e/" + idText(id) }
