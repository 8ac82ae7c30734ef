package web

import (
	"net/http"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/inert"
	"github.com/msgbrowse/msgbrowse/internal/wording"
)

// Client is an MCP client with what to tell it.
type Client struct {
	Name string
	// Config is ready to be pasted, with where it belongs.
	Config string
}

// Caller is an MCP client that asked this server.
type Caller struct {
	Name  string // empty for one that does not say
	Last  time.Time
	Calls int64 // of tools
}

// lately is how long a client counts as connected after it asked: between
// requests nothing holds it.
const lately = 10 * time.Minute

// mcpView is the page of MCP clients.
type mcpView struct {
	Clients []Client
	Callers callersView
	Path    string
	Tabs    []option
}

// callersView is which clients are connected.
type callersView struct {
	// Served is set when this server answers MCP clients.
	Served bool
	List   []callerRow
}

type callerRow struct {
	Name  string
	Ago   string
	Calls int64
}

func (s *site) callersView() callersView {
	v := callersView{Served: s.callers != nil}
	if !v.Served {
		return v
	}
	now := s.now()
	for _, c := range s.callers(now.Add(-lately)) {
		row := callerRow{Name: inert.Line(c.Name), Ago: "just now", Calls: c.Calls}
		if ago := now.Sub(c.Last).Round(time.Second); ago >= time.Second {
			row.Ago = wording.Span(ago) + " ago"
		}
		v.List = append(v.List, row)
	}
	return v
}

func (s *site) mcpSettings(*http.Request) (answer, error) {
	view := mcpView{Clients: s.clients, Callers: s.callersView(), Path: MCPPath, Tabs: s.settingsTabs("/settings/mcp")}
	return answer{page: "mcpsettings", title: "MCP clients", nav: "settings", data: view}, nil
}

// mcpCallers is which clients are connected, for a page that is open.
func (s *site) mcpCallers(*http.Request) (answer, error) {
	return answer{page: "mcpcallers", title: "Connected clients", nav: "settings", data: s.callersView()}, nil
}
