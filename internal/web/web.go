// Package web is the door for people: the archive as pages to read and search
// in a browser. Every page is made on the server and works without a script;
// the one script there is fetches parts of pages and swaps them in.
//
// Message text, names, file names and titles are written by strangers. They
// reach pages through html/template and package inert, under a policy that
// lets no page run or load anything but this program's own files.
package web

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/perimeter"
	"github.com/msgbrowse/msgbrowse/internal/picture"
	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// DefaultAddress is where the web interface listens unless told otherwise.
const DefaultAddress = "127.0.0.1:8787"

// Archive is what the pages show.
type Archive struct {
	Reader   *store.Reader
	Searcher *search.Searcher
	// Media opens the file of an attachment; what it returns should be an
	// io.Seeker, so that parts can be asked for. Nil means that files are not
	// shown.
	Media func(context.Context, store.Provenance, store.Attachment) (io.ReadCloser, error)
	// Recorder takes what people decide; nil for an archive that cannot be
	// written to.
	Recorder *store.Recorder
	// Copies makes pictures that browsers can show of those they cannot. Nil
	// means that these are only saved.
	Copies *picture.Copier
	// Evidence is the record of unsolicited contact; nil leaves its pages out.
	Evidence *Evidence
	// Now is the clock.
	Now func() time.Time
}

// Options configure the server. The zero value serves this machine and nobody
// else.
type Options struct {
	// Version is the program's, shown on the page about the archive's state.
	Version string
	// AllowRemote admits other machines: the server may listen on any address
	// and answers to any host name. It needs a Token.
	AllowRemote bool
	// Token, if set, is the password that browsers must give.
	Token string
	// MCP, if set, is served at MCPPath and makes its own checks.
	MCP http.Handler
	// Callers, if set, lists the clients that asked MCP at a moment or later,
	// the last one first.
	Callers func(since time.Time) []Caller
	// Clients are MCP clients with what to tell them, to be copied from a
	// page.
	Clients []Client
	// Jobs are what the page Status can start; nil for nothing.
	Jobs *Jobs
	// Settings are what the pages of settings read and change; nil leaves
	// those of sources and embeddings out.
	Settings *Settings
	// Logger receives faults and one record for each request: never an
	// address, a name, a number or what was searched for. Nil means no log.
	Logger *slog.Logger
	// Index, if set, tells how far the index for searches by meaning is.
	Index func(context.Context) (IndexState, error)
	// Log, if set, is shown on the page Status.
	Log *LogTail
	// OnListen, if set, is told the address of the first page once connections
	// are accepted.
	OnListen func(url string)
}

// MCPPath is where Options.MCP is served.
const MCPPath = "/mcp"

// site is what the handlers share.
type site struct {
	r         *store.Reader
	answering atomic.Pointer[Answering]
	media     func(context.Context, store.Provenance, store.Attachment) (io.ReadCloser, error)
	copier    *picture.Copier // nil without copies
	uncopied  uncopied
	now       func() time.Time
	log       *slog.Logger
	version   string
	pages     *pages
	memories  memories
	recorder  *store.Recorder // nil when nothing can be recorded
	evidence  *Evidence       // nil without pages of the record

	clients  []Client
	jobs     *Jobs                                     // nil without jobs
	settings *Settings                                 // nil where they stay as they are
	tail     *LogTail                                  // nil without a log to show
	index    func(context.Context) (IndexState, error) // nil where nobody tells
	callers  func(since time.Time) []Caller            // nil where no MCP client is served
}

// NewHandler returns the handler of the web interface. Requests with a
// foreign Host are answered 403, and so is what a page of another site asks
// for; without the token 401. The error is about the options.
func NewHandler(a Archive, o Options) (http.Handler, error) {
	if o.AllowRemote && o.Token == "" {
		return nil, perimeter.ErrRemoteNeedsToken
	}
	token, err := perimeter.CheckToken(o.Token, perimeter.Basic)
	if err != nil {
		return nil, err
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	assets, err := loadAssets()
	if err != nil {
		return nil, err
	}
	pages, err := loadPages(assets)
	if err != nil {
		return nil, err
	}
	s := &site{r: a.Reader, media: a.Media, copier: a.Copies, now: a.Now, log: o.Logger, version: o.Version, pages: pages, recorder: a.Recorder, evidence: a.Evidence}
	s.clients, s.callers, s.jobs, s.settings = o.Clients, o.Callers, o.Jobs, o.Settings
	s.tail, s.index = o.Log, o.Index
	s.answering.Store(&Answering{a.Searcher, o.MCP})
	pages.evidence = a.Evidence != nil
	routes := s.routes(assets)
	guarded := perimeter.CheckHost(o.AllowRemote, refuseCrossOrigin(refuseForeignParts(token(boundBody(compress(routes))))))
	root := http.NewServeMux()
	root.Handle("/", s.record(routes, secure(guarded)))
	if o.MCP != nil {
		root.HandleFunc(MCPPath, func(w http.ResponseWriter, r *http.Request) { s.answering.Load().MCP.ServeHTTP(w, r) })
	}
	return root, nil
}

// routes maps addresses to pages. None of them holds a name or a number of a
// person.
func (s *site) routes(assets *assets) *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("GET /static/{file}", assets)
	for pattern, page := range map[string]func(*http.Request) (answer, error){
		"GET /{$}":                 s.home,
		"GET /conversations":       s.conversations,
		"GET /c/{id}":              s.transcript,
		"GET /c/{id}/at/{message}": s.message,
		"GET /c/{id}/calendar":     s.calendar,
		"GET /m/{hash}":            s.permalink,
		"GET /search":              s.search,
		"GET /people":              s.people,
		"GET /people/{id}":         s.person,
		"GET /media":               s.gallery,
		"GET /links":               s.links,
		"GET /links/domains":       s.domains,
		"GET /status":              s.status,
		"GET /status/imports/{id}": s.importRun,
		"GET /status/check":        s.check,
		"GET /":                    s.nowhere,
	} {
		mux.Handle(pattern, s.show(page))
	}
	mux.HandleFunc("GET /media/{id}", s.mediaFile)
	mux.HandleFunc("GET /media/{id}/shown", s.mediaCopy)
	if s.evidence != nil {
		s.routeEvidence(mux)
	}
	s.routePeople(mux)
	s.routeSettings(mux)
	s.routeJobs(mux)
	return mux
}

// Serve serves the web interface at addr, DefaultAddress if empty, until ctx
// ends; then it finishes running requests, for at most five seconds, and
// returns nil. Any address that other machines can reach is refused unless
// Options.AllowRemote and a token are given. That and other faults of addr and o
// are a *perimeter.OptionError.
func Serve(ctx context.Context, addr string, a Archive, o Options) error {
	if addr == "" {
		addr = DefaultAddress
	}
	handler, err := NewHandler(a, o)
	if err != nil {
		return serveError(&perimeter.OptionError{Err: err})
	}
	listener, err := perimeter.Listen(ctx, addr, DefaultAddress, o.AllowRemote)
	if err != nil {
		return serveError(err)
	}
	if o.OnListen != nil {
		o.OnListen("http://" + listener.Addr().String() + "/")
	}
	log := o.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if err := perimeter.Serve(ctx, listener, handler, log); err != nil {
		return serveError(err)
	}
	return nil
}
