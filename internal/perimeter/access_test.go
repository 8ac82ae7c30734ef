package perimeter

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestIsLoopbackHost(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{
		"localhost": true, "LOCALHOST:1": true, "127.0.0.1": true, "127.9.9.9:80": true, "::1": true, "[::1]": true,
		"[::1]:80": true, "[::ffff:127.0.0.1]:80": true,
		"": false, ":80": false, "0.0.0.0:80": false, "[::]:80": false, "evil.localhost": false, "localhost.": false,
		"127.0.0.1.evil.example": false, "10.0.0.1:80": false, "127.1": false,
	}
	for host, want := range tests {
		t.Run(fmt.Sprintf("%q", host), func(t *testing.T) {
			t.Parallel()
			if got := IsLoopbackHost(host); got != want {
				t.Errorf("got %t, want %t", got, want)
			}
		})
	}
}

func TestCheckToken(t *testing.T) {
	t.Parallel()
	basic := func(password string) string {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.SetBasicAuth("anybody", password)
		return r.Header.Get("Authorization")
	}
	tests := []struct {
		name          string
		ask           Scheme
		authorization string
		want          int
		challenge     string
	}{
		{"nothing, programs", Bearer, "", 401, `Bearer realm="msgbrowse"`},
		{"wrong, programs", Bearer, "Bearer no", 401, `error="invalid_token"`},
		{"right, programs", Bearer, "bearer  s3cret ", 200, ""},
		{"a password is no bearer token", Bearer, basic("s3cret"), 401, `error="invalid_token"`},
		{"nothing, browsers", Basic, "", 401, `Basic realm="msgbrowse"`},
		{"wrong, browsers", Basic, basic("no"), 401, `Basic realm="msgbrowse"`},
		{"empty password", Basic, basic(""), 401, `Basic realm="msgbrowse"`},
		{"right, browsers", Basic, basic("s3cret"), 200, ""},
		{"a program at the browsers' door", Basic, "Bearer s3cret", 200, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			check, err := CheckToken("s3cret", tt.ask)
			if err != nil {
				t.Fatal(err)
			}
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			if tt.authorization != "" {
				r.Header.Set("Authorization", tt.authorization)
			}
			w := httptest.NewRecorder()
			check(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
			if challenge := w.Header().Get("WWW-Authenticate"); w.Code != tt.want || !strings.Contains(challenge, tt.challenge) {
				t.Errorf("got %d, challenge %q", w.Code, challenge)
			}
		})
	}
	if _, err := CheckToken("two words", Basic); err == nil {
		t.Error("a token with a space was accepted")
	}
}

func TestListenRefusesOtherMachines(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"0.0.0.0:0", "[::]:0", ":0", "192.0.2.1:0"} {
		if l, err := Listen(t.Context(), addr, "127.0.0.1:1", false); err == nil {
			l.Close()
			t.Errorf("%s: listening", addr)
		} else if !strings.Contains(err.Error(), "127.0.0.1:1") {
			t.Errorf("%s: %v", addr, err)
		}
	}
	l, err := Listen(t.Context(), "127.0.0.1:0", "", false)
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}
