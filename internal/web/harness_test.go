package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

// desk is a server without a network.
type desk struct {
	t       *testing.T
	handler http.Handler
	reader  *store.Reader
}

// newDesk serves a data folder.
func newDesk(t *testing.T, data string, o web.Options) *desk {
	t.Helper()
	r, err := store.OpenReader(t.Context(), data, store.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	o.Version = "test"
	handler, err := web.NewHandler(web.Archive{Reader: r, Searcher: search.New(r, clock), Media: ingest.OpenAttachment, Now: clock}, o)
	if err != nil {
		t.Fatal(err)
	}
	return &desk{t, handler, r}
}

// sampleDesk serves the bundled sample.
func sampleDesk(t *testing.T) *desk {
	t.Helper()
	return sampleDeskWith(t, web.Options{})
}

func sampleDeskWith(t *testing.T, o web.Options) *desk {
	t.Helper()
	data, err := sampleData()
	if err != nil {
		t.Fatal(err)
	}
	return newDesk(t, data, o)
}

// ask sends a request; each change prepares it.
func (d *desk) ask(method, target string, changes ...func(*http.Request)) *http.Response {
	d.t.Helper()
	r := httptest.NewRequestWithContext(d.t.Context(), method, target, nil)
	r.Host = "127.0.0.1:8787"
	for _, change := range changes {
		change(r)
	}
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	return w.Result()
}

// page reads a page that must be there.
func (d *desk) page(target string) *html.Node {
	d.t.Helper()
	return d.pageWith(target, http.StatusOK)
}

func (d *desk) pageWith(target string, status int) *html.Node {
	d.t.Helper()
	res := d.ask(http.MethodGet, target)
	if res.StatusCode != status {
		d.t.Fatalf("%s: status %d, want %d", target, res.StatusCode, status)
	}
	if kind := res.Header.Get("Content-Type"); kind != "text/html; charset=utf-8" {
		d.t.Fatalf("%s: content type %q", target, kind)
	}
	root, err := html.Parse(res.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return root
}

// all returns the elements with a tag and, unless it is empty, a class.
func all(root *html.Node, tag, class string) (list []*html.Node) {
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == tag && (class == "" || hasClass(n, class)) {
			list = append(list, n)
		}
	}
	return list
}

func hasClass(n *html.Node, class string) bool {
	for _, c := range strings.Fields(attribute(n, "class")) {
		if c == class {
			return true
		}
	}
	return false
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// text is what a person reads in an element.
func text(n *html.Node) string {
	var b strings.Builder
	for child := range n.Descendants() {
		if child.Type == html.TextNode {
			b.WriteString(child.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func texts(list []*html.Node) []string {
	all := make([]string, len(list))
	for i, n := range list {
		all[i] = text(n)
	}
	return all
}

// one returns the only element with a tag and a class.
func (d *desk) one(root *html.Node, tag, class string) *html.Node {
	d.t.Helper()
	list := all(root, tag, class)
	if len(list) != 1 {
		d.t.Fatalf("%d elements %s.%s, want one", len(list), tag, class)
	}
	return list[0]
}
