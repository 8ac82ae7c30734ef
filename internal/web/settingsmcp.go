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
	Tabs   []option
}

func (s *site) mcpSettings(*http.Request) (answer, error) {
	view := mcpView{Clients: s.clients, Served: s.servesMCP, Path: MCPPath, Tabs: s.settingsTabs("/settings/mcp")}
	return answer{page: "mcpsettings", title: "MCP clients", nav: "settings", data: view}, nil
}
