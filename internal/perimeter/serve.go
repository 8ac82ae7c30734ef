package perimeter

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Bounds of every server.
const (
	// HeaderTime is how long a client may take to send a request's headers.
	HeaderTime = 10 * time.Second
	// ShutdownTime is how long running requests may take once the server ends.
	ShutdownTime   = 5 * time.Second
	idleTime       = 2 * time.Minute
	maxHeaderBytes = 64 << 10
)

// An OptionError says that what the caller asked for is refused or makes no
// sense. Nothing was done then.
type OptionError struct{ Err error }

// Error implements error.
func (e *OptionError) Error() string { return e.Err.Error() }

// Unwrap gives the error itself.
func (e *OptionError) Unwrap() error { return e.Err }

// Listen opens addr. Unless remote is set it makes sure, before and after,
// that only this machine can connect: a name may resolve to anything. usual is
// the address that a refusal recommends, which is
// an *OptionError.
func Listen(ctx context.Context, addr, usual string, remote bool) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, &OptionError{fmt.Errorf("listen on %q: want host:port: %w", addr, err)}
	}
	if !remote && !IsLoopbackHost(host) {
		return nil, notLoopback(addr, usual)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", addr, err)
	}
	if !remote && !IsLoopbackHost(listener.Addr().String()) {
		_ = listener.Close()
		return nil, notLoopback(addr, usual)
	}
	return listener, nil
}

func notLoopback(addr, usual string) error {
	return &OptionError{fmt.Errorf("listen on %q: other machines could connect; use a loopback address such as %s, or: %w",
		addr, usual, ErrRemoteNeedsToken)}
}

// Serve answers connections of the listener until ctx ends; then it finishes
// running requests, for at most five seconds, and returns nil.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: HeaderTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeaderBytes,
		BaseContext:       func(net.Listener) context.Context { return running },
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), ShutdownTime)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		stop() // cancels the requests that are still running
		if err := server.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			return fmt.Errorf("close: %w", err)
		}
	}
	return nil
}
