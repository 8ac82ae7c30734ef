package mcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// DefaultAddress is where the HTTP transport listens unless told otherwise.
const DefaultAddress = "127.0.0.1:8788"

const (
	headerTime     = 10 * time.Second
	idleTime       = 2 * time.Minute
	shutdownTime   = 5 * time.Second
	maxHeaderBytes = 64 << 10
)

// An OptionError says that what the caller asked for is refused or makes no
// sense. Nothing was done then.
type OptionError struct{ Err error }

func (e *OptionError) Error() string { return e.Err.Error() }

func (e *OptionError) Unwrap() error { return e.Err }

// ServeHTTP serves clients over streamable HTTP at addr, DefaultAddress if
// empty, until ctx ends; then it finishes running requests, for at most five
// seconds, and returns nil. Any address that other machines can reach is
// refused unless HTTPOptions.AllowRemote and a token are given. That and other
// faults of addr and o are an *OptionError.
func ServeHTTP(ctx context.Context, addr string, server *sdk.Server, o HTTPOptions) error {
	if addr == "" {
		addr = DefaultAddress
	}
	handler, err := NewHTTPHandler(server, o)
	if err != nil {
		return fmt.Errorf("serve http: %w", &OptionError{err})
	}
	listener, err := listen(ctx, addr, o.AllowRemote)
	if err != nil {
		return fmt.Errorf("serve http: %w", err)
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	httpServer := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeaderBytes,
		BaseContext:       func(net.Listener) context.Context { return running },
		ErrorLog:          slog.NewLogLogger(o.logger().Handler(), slog.LevelWarn),
	}
	url := "http://" + listener.Addr().String() + EndpointPath
	o.logger().Info("mcp: listening", "url", url)
	if o.OnListen != nil {
		o.OnListen(url)
	}
	failed := make(chan error, 1)
	go func() { failed <- httpServer.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve http: %w", err)
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if err := httpServer.Shutdown(grace); err != nil {
		stop() // cancels the calls that are still running
		if err := httpServer.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			return fmt.Errorf("serve http: close: %w", err)
		}
	}
	return nil
}

// listen opens addr. Unless remote is set it makes sure, before and after,
// that only this machine can connect: a name may resolve to anything.
func listen(ctx context.Context, addr string, remote bool) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, &OptionError{fmt.Errorf("listen on %q: want host:port: %w", addr, err)}
	}
	if !remote && !isLoopbackHost(host) {
		return nil, notLoopback(addr)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", addr, err)
	}
	if !remote && !isLoopbackHost(listener.Addr().String()) {
		_ = listener.Close()
		return nil, notLoopback(addr)
	}
	return listener, nil
}

func notLoopback(addr string) error {
	return &OptionError{fmt.Errorf("listen on %q: other machines could connect; use a loopback address such as %s, or: %w",
		addr, DefaultAddress, errRemoteNeedsToken)}
}
