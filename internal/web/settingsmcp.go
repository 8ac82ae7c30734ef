package web

import "net/http"

// Client is an MCP client with what to tell it.
type Client struct {
	Name string
	// Config is ready to be pasted, with where it belongs.
	Config string
}

// mcpView is the page of MCP clients.
type mcpView struct {
	Clients []Client
	// Served is set when this server answers MCP clients, too, at Path.
	Served bool
	Path   string
	Rules  bool // there is a page of rules beside this one
}

func (s *site) mcpSettings(*http.Request) (answer, error) {
	view := mcpView{Clients: s.clients, Served: s.servesMCP, Path: MCPPath, Rules: s.evidence != nil && s.evidence.Change != nil}
	return answer{page: "mcpsettings", title: "MCP clients", nav: "settings", data: view}, nil
}

// routeSettings maps addresses to the pages of settings there are.
func (s *site) routeSettings(mux *http.ServeMux) {
	first := "/settings/mcp"
	if s.evidence != nil && s.evidence.Change != nil {
		first = "/settings/spam"
		mux.Handle("GET /settings/spam", s.show(func(r *http.Request) (answer, error) { return s.evidencePage(r, s.spamSettings) }))
		mux.Handle("POST /settings/spam", s.show(s.form(s.saveSpamSettings)))
	} else if len(s.clients) == 0 {
		return
	}
	if len(s.clients) > 0 {
		mux.Handle("GET /settings/mcp", s.show(s.mcpSettings))
	}
	mux.Handle("GET /settings", http.RedirectHandler(first, http.StatusSeeOther))
	s.pages.settings = true
}
