package web

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/msgbrowse/msgbrowse/internal/perimeter"
)

// maxBody bounds what a request may bring. Forms of this interface have a few
// fields.
const maxBody = 64 << 10

// policy lets pages load this server's own files and nothing else: no inline
// script or style, no frame, no other site, no plug-in.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// secure sets the headers that every answer carries.
func secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// refuseCrossOrigin refuses requests that change something and come from
// pages of other sites.
func refuseCrossOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "forbidden: pages of other sites may not use this server", http.StatusForbidden)
	}))
	return protection.Handler(next)
}

// refuseForeignParts refuses what pages of other sites, also those that other
// programs of this machine serve, load into themselves: they could read
// nothing of it, but how long it takes tells whether a search finds anything.
// Links from there lead here all the same.
func refuseForeignParts(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site := r.Header.Get("Sec-Fetch-Site")
		follows := r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
		if (site == "cross-site" || site == "same-site") && !follows {
			http.Error(w, "forbidden: pages of other sites may lead here, and load nothing from here", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// boundBody refuses bodies beyond maxBody.
func boundBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > maxBody {
			http.Error(w, fmt.Sprintf("the request is larger than %d bytes", maxBody), http.StatusRequestEntityTooLarge)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		next.ServeHTTP(w, r)
	})
}

// serveError words what keeps the server from serving.
func serveError(err error) error {
	if errors.Is(err, perimeter.ErrRemoteNeedsToken) {
		err = fmt.Errorf("%w: give --token-file or MSGBROWSE_WEB_TOKEN", err)
	}
	return fmt.Errorf("serve web interface: %w", err)
}
