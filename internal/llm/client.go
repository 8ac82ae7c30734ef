// Package llm is the one client that may open an outbound connection. It
// speaks the part of the OpenAI API that embeds text, which Ollama, LM Studio,
// llama.cpp, LiteLLM and OpenAI all serve, with the one address the owner
// named and nobody else: it follows no redirect and uses no proxy.
//
// What people wrote goes into requests and nowhere else. No error and no log
// line holds it, nor the API key.
package llm

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options say which endpoint a Client speaks to, and how.
type Options struct {
	// BaseURL is the API's address, usually ending in /v1. Plain http is for
	// this machine and the network around it; see New.
	BaseURL string
	// Model is the name of the embedding model.
	Model string
	// Key is sent as a bearer token; the zero Key sends none.
	Key Key
	// Dimensions asks for vectors of that many components, which only some
	// models can; 0 leaves it to the model.
	Dimensions int
	// MaxConcurrency bounds the requests of Embed under way; 0 means 4.
	MaxConcurrency int
	// Timeout bounds one request with its answer; 0 means 30 seconds.
	Timeout time.Duration
	// Attempts bounds how often Embed sends one request; 0 means 6.
	Attempts int
	// Breaker bounds what a failing endpoint costs EmbedNow.
	Breaker BreakerOptions

	// Dial opens connections; nil for the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// RootCAs are the authorities trusted for https; nil for the system's.
	RootCAs *x509.CertPool
	// Now is the clock; nil for the machine's.
	Now func() time.Time
	// Random gives numbers in [0, 1) that spread retries; nil for chance.
	Random func() float64
}

// Limits of a connection. An embedding request is answered by a machine that
// is reached within seconds or not at all.
const (
	connectTimeout = 5 * time.Second
	idleTimeout    = 90 * time.Second
	maxHeader      = 64 << 10
)

// Client embeds text through one endpoint. It is safe for concurrent use.
type Client struct {
	options  Options
	url      string // of the embeddings resource
	endpoint string
	http     *http.Client
	slots    chan struct{} // one for each request of Embed under way
	breaker  *breaker
}

// New makes a client without connecting to anything. It refuses addresses
// that are none, and plain http to anywhere but this machine, private
// addresses and names that only a local network knows: people's messages
// would cross the internet readable.
func New(o Options) (*Client, error) {
	u, err := parseBase(o.BaseURL)
	if err != nil {
		return nil, err
	}
	switch {
	case o.Model == "":
		return nil, fmt.Errorf("no model is named for %s; set llm.embed_model to an embedding model it serves", u.Host)
	case o.Dimensions < 0, o.Dimensions > maxDims:
		return nil, fmt.Errorf("cannot ask for vectors of %d components; set llm.dimensions to 1 to %d or leave it out", o.Dimensions, maxDims)
	}
	o = o.withDefaults()
	transport := &http.Transport{
		Proxy:                  nil, // a proxy would read along
		DialContext:            o.Dial,
		TLSClientConfig:        &tls.Config{RootCAs: o.RootCAs, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    connectTimeout,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    o.MaxConcurrency,
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: maxHeader,
		DisableCompression:     true, // so that the cap on an answer is one on what is received
	}
	return &Client{
		options: o, url: u.JoinPath("embeddings").String(),
		endpoint: u.Host + strings.TrimRight(u.EscapedPath(), "/"),
		http: &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
		slots:   make(chan struct{}, o.MaxConcurrency),
		breaker: newBreaker(o.Breaker, o.Now),
	}, nil
}

func (o Options) withDefaults() Options {
	if o.MaxConcurrency <= 0 {
		o.MaxConcurrency = 4
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Attempts <= 0 {
		o.Attempts = 6
	}
	if o.Dial == nil {
		o.Dial = (&net.Dialer{Timeout: connectTimeout}).DialContext
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Float64
	}
	return o
}

// Endpoint returns the host and path of the endpoint, which say who embeds.
func (c *Client) Endpoint() string { return c.endpoint }

// Model returns the name of the embedding model.
func (c *Client) Model() string { return c.options.Model }

// Dimensions returns how many components are asked for; 0 for the model's own.
func (c *Client) Dimensions() int { return c.options.Dimensions }

// MaxConcurrency returns how many requests of Embed are under way at most.
func (c *Client) MaxConcurrency() int { return c.options.MaxConcurrency }

// Close closes the connections that are idle.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Embed returns the vectors of texts in their order, as the model gives them:
// of any length, and nil where the answer had none. It sends a request that
// fails for a passing reason again, waiting longer each time. Errors are an
// *Error, or the context's.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	for attempt := 1; ; attempt++ {
		vectors, err := c.send(ctx, texts)
		if err == nil || ctx.Err() != nil || attempt >= c.options.Attempts || !err.passing {
			return vectors, result(ctx, err)
		}
		if err := wait(ctx, c.delay(attempt, err.after)); err != nil {
			return nil, err
		}
	}
}

// EmbedNow is Embed for somebody who waits: it sends one request at once,
// whatever else is under way, and after several failures in a row it returns
// an error that is ErrUnavailable without sending anything for a while. A
// deadline of ctx that passes counts as a failure, its cancellation does not.
func (c *Client) EmbedNow(ctx context.Context, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	report, open := c.breaker.enter()
	if !open {
		return nil, c.unavailable()
	}
	vectors, err := c.send(ctx, texts)
	switch {
	case err == nil:
		report(succeeded)
	case ctx.Err() == context.Canceled:
		report(unknown)
	default:
		report(failed)
	}
	return vectors, result(ctx, err)
}

// result turns what sending gave into an error to return: that of the context
// when it has ended, for the rest follows from that.
func result(ctx context.Context, err *Error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	default:
		return err
	}
}

// parseBase checks an API's address.
func parseBase(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case address == "":
		return nil, fmt.Errorf("no endpoint is named; set llm.base_url, such as http://127.0.0.1:11434/v1 for Ollama")
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "", u.RawQuery != "", u.Fragment != "":
		return nil, fmt.Errorf("llm.base_url is no web address of an API; write it as in http://127.0.0.1:11434/v1")
	case u.User != nil:
		return nil, fmt.Errorf("llm.base_url holds a name or password; put the key into the file that llm.api_key_file names")
	case u.Scheme == "http" && !nearby(u.Hostname()):
		return nil, fmt.Errorf("llm.base_url would send messages to %s unencrypted; write https:// instead", u.Host)
	}
	return u, nil
}

// localSuffixes end names that only a local network resolves: RFC 6762 for
// local, RFC 8375 for home.arpa, and ICANN's reservation of internal.
var localSuffixes = []string{".local", ".localhost", ".internal", ".home.arpa", ".lan"}

// sharedRange is the block of RFC 6598, which private overlay networks use.
var sharedRange = net.IPNet{IP: net.IPv4(100, 64, 0, 0).To4(), Mask: net.CIDRMask(10, 32)}

// nearby reports whether a host is on this machine or its own network.
func nearby(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || sharedRange.Contains(ip)
	}
	host = strings.ToLower(host)
	for _, suffix := range localSuffixes {
		if strings.HasSuffix(host, suffix) {
			return true
		}
	}
	return !strings.Contains(host, ".")
}
