// Package llmtest is an embedding endpoint that lives in memory and behaves
// as well or as badly as a test wants. Its connections work with the fake
// time of testing/synctest.
package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"sync"
	"testing"
)

// BaseURL is the address of every Server; only its Dial leads there.
const BaseURL = "http://embed.internal/v1"

// Request is what a client sent.
type Request struct {
	Path, Authorization string   `json:"-"`
	Model               string   `json:"model"`
	Input               []string `json:"input"`
	Format              string   `json:"encoding_format"`
	Dimensions          int      `json:"dimensions"`
}

// Behaviour answers one request.
type Behaviour func(w http.ResponseWriter, r *http.Request, asked Request)

// Server is an endpoint in memory.
type Server struct {
	conns  chan net.Conn
	closed chan struct{}

	mu         sync.Mutex
	behaviours []Behaviour
	requests   []Request
	now, most  int // requests under way, and the most there ever were
}

// New starts a server that behaves as told at its first requests, one after
// the other, and as last told ever after. It stops when the test ends.
func New(t testing.TB, behaviours ...Behaviour) *Server {
	t.Helper()
	s := &Server{conns: make(chan net.Conn), closed: make(chan struct{}), behaviours: behaviours}
	server := &http.Server{Handler: s}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(s); !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("serve in memory: %v", err)
		}
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-done
	})
	return s
}

// Dial connects to the server, whatever the address.
func (s *Server) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case s.conns <- server:
		return client, nil
	case <-s.closed:
		return nil, &net.OpError{Op: "dial", Net: "memory", Err: net.ErrClosed}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Requests returns what was asked so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// MostAtOnce returns how many requests were under way at the same time.
func (s *Server) MostAtOnce() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

// ServeHTTP answers as the next behaviour does.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	asked := Request{Path: r.URL.Path, Authorization: r.Header.Get("Authorization")}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.Method != http.MethodPost {
		http.Error(w, "not a request for embeddings", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.requests = append(s.requests, asked)
	behave := s.behaviours[min(len(s.requests), len(s.behaviours))-1]
	s.now++
	s.most = max(s.most, s.now)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.now--
		s.mu.Unlock()
	}()
	behave(w, r, asked)
}

// Accept, Close and Addr make the server its own listener.

// Accept waits for a client.
func (s *Server) Accept() (net.Conn, error) {
	select {
	case conn := <-s.conns:
		return conn, nil
	case <-s.closed:
		return nil, net.ErrClosed
	}
}

// Close stops accepting; http.Server calls it once.
func (s *Server) Close() error {
	close(s.closed)
	return nil
}

// Addr returns a name for the place that is no address.
func (s *Server) Addr() net.Addr { return memory{} }

type memory struct{}

func (memory) Network() string { return "memory" }
func (memory) String() string  { return "memory" }
