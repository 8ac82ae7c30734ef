package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/msgbrowse/msgbrowse/internal/perimeter"
)

// EndpointPath is the only path the HTTP transport answers.
const EndpointPath = "/mcp"

const (
	// maxHTTPRequests is how many HTTP requests are held in memory at once.
	// Calls are bounded further by Options.MaxConcurrent.
	maxHTTPRequests = 64
	// bodyTime bounds how long a client may take to send a body.
	bodyTime = 30 * time.Second
)

// HTTPOptions configure the HTTP transport. The zero value serves this
// machine and nobody else.
type HTTPOptions struct {
	// Token, if set, must come with every request as a bearer token.
	Token string
	// AllowOrigins are the web origins ("http://localhost:6274") whose pages
	// may use the server. Without it no page may.
	AllowOrigins []string
	// AllowRemote admits other machines: the server may listen on any address
	// and answers to any host name. It needs a Token.
	AllowRemote bool
	// RequestTimeout is how long a request waits when too many others are
	// being served; DefaultCallTimeout if 0. Calls have Options.CallTimeout.
	RequestTimeout time.Duration
	// Logger receives faults and refusals, never message text; nil means no log.
	Logger *slog.Logger
	// OnListen, if set, is told the endpoint's URL once connections are accepted.
	OnListen func(url string)
}

func (o HTTPOptions) logger() *slog.Logger {
	if o.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Logger
}

// NewHTTPHandler returns the handler of the streamable HTTP transport. It
// keeps no sessions: each POST to EndpointPath stands alone, in every
// revision of the protocol, GET and DELETE are answered 405 and other paths
// 404. Requests with a foreign Host or Origin are answered 403, without the
// token 401, with a body over MaxMessageBytes 413, and 503 when too many
// others are being served. The error is about the options.
func NewHTTPHandler(server *sdk.Server, o HTTPOptions) (http.Handler, error) {
	if o.AllowRemote && o.Token == "" {
		return nil, tokenAdvice(perimeter.ErrRemoteNeedsToken)
	}
	origins, err := checkOrigins(o.AllowOrigins)
	if err != nil {
		return nil, err
	}
	token, err := perimeter.CheckToken(o.Token, perimeter.Bearer)
	if err != nil {
		return nil, err
	}
	if o.RequestTimeout == 0 {
		o.RequestTimeout = DefaultCallTimeout
	}
	var protocol http.Handler = sdk.NewStreamableHTTPHandler(
		func(*http.Request) *sdk.Server { return server },
		&sdk.StreamableHTTPOptions{
			Stateless:                    true,
			JSONResponse:                 true,
			Logger:                       slog.New(quietHandler{o.logger().Handler()}),
			MaxRequestBodyBytes:          MaxMessageBytes,
			PropagateRequestCancellation: true,
			DisableLocalhostProtection:   o.AllowRemote,
		})
	mux := http.NewServeMux()
	mux.Handle(EndpointPath, token(boundRequests(maxHTTPRequests, o.RequestTimeout, readBody(protocol))))
	return plainHeaders(perimeter.CheckHost(o.AllowRemote, origins(mux))), nil
}

// plainHeaders keeps answers, which are private, out of every cache.
func plainHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
}

// boundRequests lets n requests in at a time; others wait and are told so
// when the wait is over.
func boundRequests(n int, wait time.Duration, next http.Handler) http.Handler {
	slots := make(chan struct{}, n)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), wait)
		defer cancel()
		select {
		case slots <- struct{}{}:
			defer func() { <-slots }()
			next.ServeHTTP(w, r)
		case <-ctx.Done():
			w.Header().Set("Retry-After", "1")
			http.Error(w, fmt.Sprintf("busy: %d other requests are being served; try again in a moment", n),
				http.StatusServiceUnavailable)
		}
	})
}

// readBody reads the whole body within its bounds of size and time before the
// protocol sees it, and ties calls to the life of the request.
func readBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(time.Now().Add(bodyTime)) // not every test's writer has deadlines
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxMessageBytes))
		_ = control.SetReadDeadline(time.Time{})
		var tooLarge *http.MaxBytesError
		switch {
		case errors.As(err, &tooLarge):
			http.Error(w, "the request is larger than "+strconv.Itoa(MaxMessageBytes)+" bytes", http.StatusRequestEntityTooLarge)
			return
		case err != nil:
			http.Error(w, "the request could not be read", http.StatusBadRequest)
			return
		}
		r = r.WithContext(context.WithValue(r.Context(), carrierKey{}, r.Context()))
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}
