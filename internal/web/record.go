package web

import (
	"log/slog"
	"net/http"
)

// record logs requests by the pattern of their route: addresses hold ids and
// what was searched for, which belong in no log.
func (s *site) record(routes *http.ServeMux, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := s.now()
		counted := &countedWriter{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(counted, r)
		_, pattern := routes.Handler(r)
		s.log.Info(requestMessage, slog.String("method", knownMethod(r.Method)), slog.String("route", pattern), slog.Int("status", counted.status),
			slog.Int64("bytes", counted.bytes), slog.Duration("took", s.now().Sub(began)))
	})
}

// knownMethod keeps out of the log what a client made up.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions, http.MethodPatch:
		return method
	}
	return "other"
}

// countedWriter remembers what was answered.
type countedWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader implements http.ResponseWriter.
func (w *countedWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *countedWriter) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *countedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
