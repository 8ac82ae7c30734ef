package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/msgbrowse/msgbrowse/internal/inert"
)

// Caller is a client that asked.
type Caller struct {
	// Name is what it calls itself, with its version, on one short line; empty
	// for one that does not say.
	Name string
	// First and Last are when it asked, Calls how often it called a tool.
	First, Last time.Time
	Calls       int64
}

// Callers remember which clients asked, by the names they give. Over HTTP
// nothing is connected between requests, so being heard of lately is all that
// can be known. Revisions of the protocol with a handshake name the client
// there alone; what such a client asks afterwards is counted to the last of
// the same user agent that gave a name. It is safe for concurrent use; Now is
// needed.
type Callers struct {
	Now func() time.Time

	mu      sync.Mutex
	byName  map[string]*Caller
	byAgent map[string]string // the name that was given last
}

// Bounds of what is remembered of callers, whose names are theirs to choose.
const (
	maxCallers    = 64
	maxCallerName = 80
)

// Since lists those that asked at a moment or later, the last one first.
func (c *Callers) Since(moment time.Time) []Caller {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := []Caller{}
	for _, caller := range c.byName {
		if !caller.Last.Before(moment) {
			list = append(list, *caller)
		}
	}
	slices.SortFunc(list, func(a, b Caller) int { return cmp.Or(b.Last.Compare(a.Last), cmp.Compare(a.Name, b.Name)) })
	return list
}

// middleware hears who asks.
func (c *Callers) middleware(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		agent := ""
		if extra := req.GetExtra(); extra != nil {
			agent = extra.Header.Get("User-Agent")
		}
		c.heard(agent, callerName(req), method == methodCallTool)
		return next(ctx, method, req)
	}
}

// callerName is how the client of a request calls itself; empty when the
// request does not say.
func callerName(req sdk.Request) string {
	var client *sdk.Implementation
	if hello, ok := req.GetParams().(*sdk.InitializeParams); ok && hello != nil {
		client = hello.ClientInfo
	} else if params := req.GetParams(); params != nil {
		if text, err := json.Marshal(params.GetMeta()[sdk.MetaKeyClientInfo]); err == nil {
			client = new(sdk.Implementation)
			if json.Unmarshal(text, client) != nil {
				client = nil
			}
		}
	}
	if client == nil {
		return ""
	}
	name := inert.Line(client.Name)
	if version := inert.Line(client.Version); name != "" && version != "" {
		name += " " + version
	}
	if letters := []rune(name); len(letters) > maxCallerName {
		name = string(letters[:maxCallerName]) + "…"
	}
	return name
}

func (c *Callers) heard(agent, name string, call bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byName == nil {
		c.byName, c.byAgent = map[string]*Caller{}, map[string]string{}
	}
	if name == "" {
		name = c.byAgent[agent]
	} else {
		if len(c.byAgent) >= maxCallers {
			clear(c.byAgent)
		}
		c.byAgent[agent] = name
	}
	now := c.Now()
	caller := c.byName[name]
	if caller == nil {
		if len(c.byName) >= maxCallers {
			c.dropOldest()
		}
		caller = &Caller{Name: name, First: now}
		c.byName[name] = caller
	}
	caller.Last = now
	if call {
		caller.Calls++
	}
}

func (c *Callers) dropOldest() {
	oldest := ""
	for name, caller := range c.byName {
		if o := c.byName[oldest]; o == nil || caller.Last.Before(o.Last) {
			oldest = name
		}
	}
	delete(c.byName, oldest)
}
