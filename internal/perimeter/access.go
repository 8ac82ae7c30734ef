// Package perimeter holds the rules by which both servers of the archive, the
// MCP server and the web interface, decide whom they answer: which addresses
// they listen on, which Host and which token a request must carry.
package perimeter

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// ErrRemoteNeedsToken is returned when a server is to answer other machines
// and has nothing to tell its owner from strangers by.
var ErrRemoteNeedsToken = errors.New("serving other machines needs --allow-remote and a token")

// Middleware wraps a handler.
type Middleware func(http.Handler) http.Handler

// CheckHost refuses requests for any host name but this machine's own, which
// keeps a page whose name was pointed at this machine from reading answers.
func CheckHost(allowRemote bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !allowRemote && !IsLoopbackHost(r.Host) {
			http.Error(w, fmt.Sprintf("forbidden: this server does not answer for the host %q; use 127.0.0.1 or localhost", r.Host),
				http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// IsLoopbackHost reports whether host, with or without a port, is localhost
// or a loopback address.
func IsLoopbackHost(host string) bool {
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

// Scheme is how a token comes with a request.
type Scheme string

// The schemes: Bearer (RFC 6750) for programs, which send the token itself;
// Basic (RFC 7617) for browsers, which ask for it as the password of any
// user. A server that asks with Basic takes Bearer too.
const (
	Bearer Scheme = "Bearer"
	Basic  Scheme = "Basic"
)

// CheckToken refuses requests that do not carry the token. An empty token
// lets every request pass. The error is about a token that no header can
// carry.
func CheckToken(token string, ask Scheme) (Middleware, error) {
	if token == "" {
		return func(next http.Handler) http.Handler { return next }, nil
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("the token must be printable ASCII without spaces")
	}
	want := sha256.Sum256([]byte(token)) // equal lengths, so that comparing takes the same time always
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			given, tried := givenToken(r, ask)
			got := sha256.Sum256([]byte(given))
			if given != "" && subtle.ConstantTimeCompare(got[:], want[:]) == 1 {
				next.ServeHTTP(w, r)
				return
			}
			refuse(w, ask, tried)
		})
	}, nil
}

// givenToken returns the token of a request, empty if it carries none, and
// whether it tried to say who it is at all.
func givenToken(r *http.Request, ask Scheme) (token string, tried bool) {
	if _, password, ok := r.BasicAuth(); ok && ask == Basic {
		return password, true
	}
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, string(Bearer)) {
		return "", scheme != ""
	}
	return strings.TrimSpace(given), true
}

func refuse(w http.ResponseWriter, ask Scheme, tried bool) {
	challenge, help := `Bearer realm="msgbrowse"`, "send the server's token as Authorization: Bearer …"
	switch {
	case ask == Basic:
		challenge, help = `Basic realm="msgbrowse", charset="UTF-8"`, "give the server's token as the password; the user name does not matter"
	case tried:
		challenge += `, error="invalid_token"`
	}
	w.Header().Set("WWW-Authenticate", challenge)
	http.Error(w, "unauthorized: "+help, http.StatusUnauthorized)
}
