package mcp

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

var errRemoteNeedsToken = errors.New(
	"serving other machines needs --allow-remote and a token: give --token-file or MSGBROWSE_MCP_TOKEN")

// middleware wraps a handler.
type middleware func(http.Handler) http.Handler

// checkHost refuses requests for any host name but this machine's own, which
// keeps a page whose name was pointed at this machine from reading answers.
func checkHost(allowRemote bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !allowRemote && !isLoopbackHost(r.Host) {
			http.Error(w, fmt.Sprintf("forbidden: this server does not answer for the host %q; use 127.0.0.1 or localhost", r.Host),
				http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isLoopbackHost reports whether host, with or without a port, is localhost
// or a loopback address.
func isLoopbackHost(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// checkOrigins refuses what browsers send on behalf of web pages, except for
// pages of the allowed origins, whose preflight requests are answered.
func checkOrigins(allowed []string) (middleware, error) {
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

// checkToken refuses requests that do not carry the token. An empty token
// lets every request pass.
func checkToken(token string) (middleware, error) {
	if token == "" {
		return func(next http.Handler) http.Handler { return next }, nil
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("the token must be printable ASCII without spaces")
	}
	want := sha256.Sum256([]byte(token)) // equal lengths, so that comparing takes the same time always
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
			got := sha256.Sum256([]byte(strings.TrimSpace(given)))
			if strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(got[:], want[:]) == 1 {
				next.ServeHTTP(w, r)
				return
			}
			challenge := `Bearer realm="msgbrowse"`
			if scheme != "" {
				challenge += `, error="invalid_token"`
			}
			w.Header().Set("WWW-Authenticate", challenge)
			http.Error(w, "unauthorized: send the server's token as Authorization: Bearer …", http.StatusUnauthorized)
		})
	}, nil
}
