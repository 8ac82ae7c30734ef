package web_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/msgbrowse/msgbrowse/internal/ingest"
	"github.com/msgbrowse/msgbrowse/internal/search"
	"github.com/msgbrowse/msgbrowse/internal/store"
	"github.com/msgbrowse/msgbrowse/internal/web"
)

// BenchmarkPages makes pages of the bundled sample. In an archive of a million
// messages the budget is 50 ms a page, 100 ms a search and 60 kB of HTML.
func BenchmarkPages(b *testing.B) {
	data, err := sampleData()
	if err != nil {
		b.Fatal(err)
	}
	r, err := store.OpenReader(b.Context(), data, store.ReaderOptions{})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	handler, err := web.NewHandler(web.Archive{Reader: r, Searcher: search.New(r, clock), Media: ingest.OpenAttachment, Now: clock}, web.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for _, page := range []struct{ name, address string }{
		{"home", "/"}, {"conversations", "/conversations"}, {"transcript", "/c/7"}, {"message", "/c/7/at/211"}, {"calendar", "/c/7/calendar"},
		{"search", "/search?q=boat"}, {"people", "/people"}, {"person", "/people/3"}, {"media", "/media"}, {"links", "/links"}, {"status", "/status"},
	} {
		b.Run(page.name, func(b *testing.B) {
			size := 0
			for b.Loop() {
				w := httptest.NewRecorder()
				req := httptest.NewRequest(http.MethodGet, page.address, nil)
				req.Host = "localhost"
				handler.ServeHTTP(w, req)
				body, err := io.ReadAll(w.Result().Body)
				if err != nil || w.Code != http.StatusOK {
					b.Fatalf("status %d, %v", w.Code, err)
				}
				size = len(body)
			}
			b.ReportMetric(float64(size), "bytes/page")
		})
	}
}
