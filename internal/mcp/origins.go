package mcp

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/msgbrowse/msgbrowse/internal/perimeter"
)

// tokenAdvice adds to an error about a missing token where one is given.
func tokenAdvice(err error) error {
	if errors.Is(err, perimeter.ErrRemoteNeedsToken) {
		return fmt.Errorf("%w: give --token-file or MSGBROWSE_MCP_TOKEN", err)
	}
	return err
}

// checkOrigins refuses what browsers send on behalf of web pages, except for
// pages of the allowed origins, whose preflight requests are answered.
func checkOrigins(allowed []string) (perimeter.Middleware, error) {
	protection := http.NewCrossOriginProtection()
	for _, origin := range allowed {
		if err := protection.AddTrustedOrigin(origin); err != nil {
			return nil, fmt.Errorf("allow origin %q: want scheme://host[:port]: %w", origin, err)
		}
	}
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, fmt.Sprintf("forbidden: pages of the origin %q may not use this server; see --allow-origin", r.Header.Get("Origin")),
			http.StatusForbidden)
	}))
	return func(next http.Handler) http.Handler {
		return protection.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			origin := r.Header.Get("Origin")
			if !slices.Contains(allowed, origin) {
				next.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Access-Control-Allow-Origin", origin)
			w.Header().Add("Vary", "Origin")
			if r.Method != http.MethodOptions {
				next.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Access-Control-Allow-Methods", http.MethodPost)
			w.Header().Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
			w.WriteHeader(http.StatusNoContent)
		}))
	}, nil
}
