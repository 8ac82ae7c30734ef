package web

import (
	"context"
	"net/http"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/search"
)

// Settings are what the pages of settings read and change. Functions are
// called anew for each page, so that what was changed elsewhere is seen.
type Settings struct {
	// Read returns the settings in force.
	Read func() (*config.Config, error)
	// Change returns the settings with values changed in the configuration
	// file, and what saves them; until then nothing is changed.
	Change func(values map[string]any) (*config.Config, func() error, error)
	// NewFile is the file that is made when there is none.
	NewFile string
	// Apply returns what answers from now on, as the settings say.
	Apply func(*config.Config) (Answering, error)

	// Look returns why an import would find nothing at a path; nil when it
	// would find something.
	Look func(ctx context.Context, path string) error

	// KeyFile is where a key is kept that is given on a page, CheckKey what
	// is wrong with one, and SaveKey writes it there; an empty one removes
	// the file. No page, address or log ever holds a key.
	KeyFile  func(*config.Config) string
	CheckKey func(key string) error
	SaveKey  func(file, key string) error
	// KeyFrom says where the key in use comes from; empty for no key.
	KeyFrom func(*config.Config) string
	// Try asks the model that the settings choose to embed one word, with
	// the key if one is given and else with the one in use.
	Try func(ctx context.Context, c *config.Config, key string) Trial
}

// Answering is what answers searches, and MCP clients where they are served.
type Answering struct {
	Searcher *search.Searcher
	MCP      http.Handler // nil where no MCP client is served
}

// Trial is what a model answered when it was tried.
type Trial struct {
	// Model says who was asked. It is empty when there is nobody to ask.
	Model string
	// Dimensions is how many components its vector has, Took how long it
	// took.
	Dimensions int
	Took       time.Duration
	// Wrong says what went wrong, a clause, and Remedy what to do about it.
	Wrong, Remedy string
}

// settingsTab is a page of settings.
type settingsTab struct{ path, label string }

// settingsPages are the pages of settings there are.
func (s *site) settingsPages() []settingsTab {
	var list []settingsTab
	if s.settings != nil {
		list = append(list, settingsTab{"/settings/sources", "Sources"}, settingsTab{"/settings/embeddings", "Embeddings"})
	}
	if s.evidence != nil && s.evidence.Change != nil {
		list = append(list, settingsTab{"/settings/spam", "Unsolicited texts"})
	}
	if len(s.clients) > 0 {
		list = append(list, settingsTab{"/settings/mcp", "MCP clients"})
	}
	return list
}

// settingsTabs lead from one page of settings to the others; nil when there
// is only one.
func (s *site) settingsTabs(current string) []option {
	var list []option
	for _, page := range s.settingsPages() {
		list = append(list, option{page.label, page.path, page.path == current})
	}
	if len(list) < 2 {
		return nil
	}
	return list
}

// routeSettings maps addresses to the pages of settings there are.
func (s *site) routeSettings(mux *http.ServeMux) {
	all := s.settingsPages()
	if len(all) == 0 {
		return
	}
	s.pages.settings, s.pages.sources = true, s.settings != nil
	mux.Handle("GET /settings", http.RedirectHandler(all[0].path, http.StatusSeeOther))
	if s.settings != nil {
		mux.Handle("GET /settings/sources", s.show(s.sourcesSettings))
		mux.Handle("POST /settings/sources", s.show(formPage(s.saveSources)))
		mux.Handle("POST /settings/sources/add", s.show(formPage(s.addSource)))
		mux.Handle("POST /settings/sources/forget", s.show(formPage(s.forgetSource)))
		mux.Handle("POST /settings/sources/recall", s.show(formPage(s.recallSource)))
		mux.Handle("GET /settings/embeddings", s.show(s.embeddingsSettings))
		mux.Handle("POST /settings/embeddings", s.show(formPage(s.saveEmbeddings)))
		mux.Handle("POST /settings/embeddings/test", s.show(formPage(s.tryEmbeddings)))
	}
	if s.evidence != nil && s.evidence.Change != nil {
		mux.Handle("GET /settings/spam", s.show(func(r *http.Request) (answer, error) { return s.evidencePage(r, s.spamSettings) }))
		mux.Handle("POST /settings/spam", s.show(s.form(s.saveSpamSettings)))
	}
	if len(s.clients) > 0 {
		mux.Handle("GET /settings/mcp", s.show(s.mcpSettings))
		mux.Handle("GET /settings/mcp/clients", s.show(s.mcpCallers))
	}
}

// formPage makes a page of what answers a form.
func formPage(page func(*http.Request) (answer, error)) func(*http.Request) (answer, error) {
	return func(r *http.Request) (answer, error) {
		if err := r.ParseForm(); err != nil {
			return answer{}, &problem{http.StatusBadRequest, "This form cannot be read", "Load the page again and send it once more."}
		}
		return page(r)
	}
}

// configured are the settings in force.
func (s *site) configured() (*config.Config, error) {
	c, err := s.settings.Read()
	if err != nil {
		return nil, &problem{http.StatusInternalServerError, "The settings cannot be read", err.Error()}
	}
	return c, nil
}

// fileOf is the file that settings are written to.
func (s *site) fileOf(c *config.Config) string {
	if c.File == "" {
		return s.settings.NewFile
	}
	return c.File
}

// notWritten is for a configuration file that could not be written.
func (s *site) notWritten(err error) error {
	s.log.Error("web: settings", "err", err)
	return &problem{http.StatusInternalServerError, "Nothing was saved", "The configuration file could not be written. Is its folder yours?"}
}
