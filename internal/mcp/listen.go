package mcp

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/msgbrowse/msgbrowse/internal/perimeter"
)

// DefaultAddress is where the HTTP transport listens unless told otherwise.
const DefaultAddress = "127.0.0.1:8788"

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
		return fmt.Errorf("serve http: %w", &perimeter.OptionError{Err: err})
	}
	listener, err := perimeter.Listen(ctx, addr, DefaultAddress, o.AllowRemote)
	if err != nil {
		return fmt.Errorf("serve http: %w", tokenAdvice(err))
	}
	url := "http://" + listener.Addr().String() + EndpointPath
	o.logger().Info("mcp: listening", "url", url)
	if o.OnListen != nil {
		o.OnListen(url)
	}
	if err := perimeter.Serve(ctx, listener, handler, o.logger()); err != nil {
		return fmt.Errorf("serve http: %w", err)
	}
	return nil
}
