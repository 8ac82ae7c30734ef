package cli

import (
	"errors"
	"sync"
	"time"

	"github.com/msgbrowse/msgbrowse/internal/config"
	"github.com/msgbrowse/msgbrowse/internal/mcp"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

// liveArchive makes what a web server answers with, anew whenever settings
// are saved on a page. What answered before stays open until the end: a
// request may still use it.
type liveArchive struct {
	app     *app
	reader  *store.Reader
	withMCP bool
	callers *mcp.Callers

	mu       sync.Mutex
	releases []func() error
}

// answering is what answers as the settings say.
func (l *liveArchive) answering(settings *config.Config) (web.Answering, error) {
	a := l.app
	s, release, err := a.searcher(settings, l.reader)
	if err != nil {
		return web.Answering{}, err
	}
	l.mu.Lock()
	l.releases = append(l.releases, release)
	l.mu.Unlock()
	made := web.Answering{Searcher: s}
	if !l.withMCP {
		return made, nil
	}
	over, err := a.httpOptions(settings)
	if err != nil {
		return made, err
	}
	// Whoever reaches the pages reaches this, too.
	over.AllowRemote = over.AllowRemote || settings.Web.AllowRemote
	archive, err := a.archiveOf(settings, l.reader, s)
	if err != nil {
		return made, err
	}
	options := a.serverOptions(settings)
	options.Callers = l.callers
	if made.MCP, err = mcp.NewHTTPHandler(mcp.NewArchiveServer(archive, options), over); err != nil {
		return made, usage(err)
	}
	return made, nil
}

// close releases everything that answered.
func (l *liveArchive) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var err error
	for _, release := range l.releases {
		err = errors.Join(err, release())
	}
	l.releases = nil
	return err
}

// asked are the MCP clients that asked at a moment or later.
func (l *liveArchive) asked(since time.Time) []web.Caller {
	var list []web.Caller
	for _, c := range l.callers.Since(since) {
		list = append(list, web.Caller{Name: c.Name, Last: c.Last, Calls: c.Calls})
	}
	return list
}
