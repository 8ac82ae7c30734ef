package web

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync"
)

// smallest is the size in bytes from which an answer is worth compressing.
const smallest = 1 << 10

var zippers = sync.Pool{New: func() any {
	z, err := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is one that exists
	}
	return z
}}

// compress compresses the text of answers for clients that take gzip. No
// answer holds a secret beside what a stranger chose, so its size gives
// nothing away.
func compress(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept-Encoding")
		if !takesGzip(r.Header.Get("Accept-Encoding")) || r.Header.Get("Range") != "" {
			next.ServeHTTP(w, r)
			return
		}
		z := &zipWriter{ResponseWriter: w}
		defer z.close()
		next.ServeHTTP(z, r)
	})
}

func takesGzip(accepted string) bool {
	for part := range strings.SplitSeq(accepted, ",") {
		coding, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			weight = strings.ReplaceAll(weight, " ", "")
			return weight != "q=0" && !strings.HasPrefix(weight, "q=0.000")
		}
	}
	return false
}

// zipWriter compresses what is text and not small; it decides at the first
// write, by which time the handler has set its headers. Handlers of pages
// write once.
type zipWriter struct {
	http.ResponseWriter
	status int
	zip    *gzip.Writer
	begun  bool
}

// WriteHeader implements http.ResponseWriter.
func (w *zipWriter) WriteHeader(status int) { w.status = status }

// Write implements http.ResponseWriter.
func (w *zipWriter) Write(p []byte) (int, error) {
	if !w.begun {
		w.begin(len(p))
	}
	if w.zip != nil {
		return w.zip.Write(p)
	}
	return w.ResponseWriter.Write(p)
}

func (w *zipWriter) begin(size int) {
	w.begun = true
	h := w.Header()
	if size >= smallest && isText(h.Get("Content-Type")) && h.Get("Content-Encoding") == "" {
		h.Del("Content-Length")
		h.Set("Content-Encoding", "gzip")
		w.zip = zippers.Get().(*gzip.Writer)
		w.zip.Reset(w.ResponseWriter)
	}
	if w.status != 0 {
		w.ResponseWriter.WriteHeader(w.status)
	}
}

func (w *zipWriter) close() {
	switch {
	case w.zip != nil:
		_ = w.zip.Close() // the client has gone: nobody is left to tell
		zippers.Put(w.zip)
	case !w.begun:
		w.begin(0)
	}
}

// Unwrap lets http.ResponseController reach the connection.
func (w *zipWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func isText(mime string) bool {
	return strings.HasPrefix(mime, "text/") || strings.HasPrefix(mime, "image/svg") || strings.HasPrefix(mime, "application/json")
}
