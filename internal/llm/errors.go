package llm

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// ErrUnavailable is what an error is that was returned without asking an
// endpoint, because it failed several times in a row.
var ErrUnavailable = errors.New("the endpoint has failed several times and is left alone for a while")

// ErrTooLong is what an error is when the endpoint said that a text, or all
// texts of the request together, are too long for it.
var ErrTooLong = errors.New("the text is too long for the model")

// Error says why an endpoint did not embed, and what to do about it.
type Error struct {
	// Endpoint is the host and path that were asked.
	Endpoint string
	// Status is the HTTP status of the answer, 0 without one.
	Status int
	// What says what happened and Remedy what to do, each a clause.
	What, Remedy string

	cause   error
	passing bool          // worth another attempt
	after   time.Duration // how long the endpoint wants to be left alone
}

// Error returns one sentence with the endpoint, what happened and the remedy.
func (e *Error) Error() string {
	return fmt.Sprintf("embed with %s: %s; %s", e.Endpoint, e.What, e.Remedy)
}

// Unwrap returns ErrUnavailable, ErrTooLong or what caused the error.
func (e *Error) Unwrap() error { return e.cause }

func (c *Client) unavailable() *Error {
	return &Error{
		Endpoint: c.endpoint, cause: ErrUnavailable,
		What:   fmt.Sprintf("it failed several times in a row and is asked again in %s", c.breaker.remaining().Round(time.Second)),
		Remedy: "check that the server at llm.base_url runs and answers quickly",
	}
}

// tooLarge is the error for a request that is not even sent.
func (c *Client) tooLarge() *Error {
	return &Error{Endpoint: c.endpoint, cause: ErrTooLong,
		What: "the texts of one request are larger than 8 MiB together", Remedy: "send fewer at once"}
}

// broken is the error for an answer that makes no sense.
func (c *Client) broken(what string) *Error {
	return &Error{Endpoint: c.endpoint, Status: http.StatusOK, What: what,
		Remedy: "check that llm.base_url is the address of an OpenAI-compatible API, usually ending in /v1"}
}

// unreached is the error for a request without an answer.
func (c *Client) unreached(err error) *Error {
	e := &Error{Endpoint: c.endpoint, cause: err, passing: true, Remedy: "check llm.base_url and that the server there runs"}
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		e.What = fmt.Sprintf("no complete answer came within %s", c.options.Timeout)
		e.Remedy = "check that the server runs, or raise llm.timeout"
	case errors.As(err, &certificate):
		e.What, e.passing = "its certificate is not trusted", false
		e.Remedy = "check llm.base_url, or have the system trust the authority that issued the certificate"
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		e.What, e.passing = "it does not speak https", false
		e.Remedy = "write http:// in llm.base_url if the server is on your own network"
	case errors.As(err, &dns) && dns.IsNotFound:
		e.What, e.passing = "no machine has that name", false
		e.Remedy = "check the spelling of llm.base_url"
	case errors.As(err, new(*net.OpError)):
		e.What = "no connection could be made or kept"
	default:
		e.What = "the connection ended before the answer was complete"
	}
	return e
}

// refused is the error for an answer with a status other than 200.
func (c *Client) refused(status int, reply complaint) *Error {
	said := reply.quoted()
	e := &Error{Endpoint: c.endpoint, Status: status}
	switch {
	case reply.tooLong() || status == http.StatusRequestEntityTooLarge:
		e.cause = ErrTooLong
		e.What, e.Remedy = "a text is too long for the model"+said, "lower llm.max_chars"
	case status >= 300 && status < 400:
		e.What, e.Remedy = "it sends requests elsewhere, which are not followed"+said, "set llm.base_url to the address that answers"
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		// What it says is left out: some services repeat the key.
		e.What = "it refused the API key"
		if c.options.Key == (Key{}) {
			e.What = "it asks for an API key"
		}
		e.Remedy = "put a valid key into the file that llm.api_key_file names, or into MSGBROWSE_LLM_API_KEY"
	case status == http.StatusNotFound:
		e.What = fmt.Sprintf("it knows no such address, or no model %q%s", c.options.Model, said)
		e.Remedy = "check llm.base_url, which usually ends in /v1, and llm.embed_model; Ollama needs the model pulled first"
	case status == http.StatusPaymentRequired || reply.Code == "insufficient_quota":
		e.What, e.Remedy = "the account has no credit left", "add credit at the service, or set another llm.base_url"
	case status == http.StatusTooManyRequests:
		e.What, e.Remedy, e.passing = "it limits how many requests it takes"+said, "lower llm.max_concurrency, or try again later", true
	case status >= 500 && status != http.StatusNotImplemented || status == http.StatusRequestTimeout:
		e.What, e.Remedy, e.passing = fmt.Sprintf("it failed with status %d%s", status, said), "look into the server's own log, or try again later", true
	default:
		e.What = fmt.Sprintf("it refused the request with status %d%s", status, said)
		e.Remedy = "check that llm.embed_model names an embedding model, and that it can have llm.dimensions if set"
	}
	return e
}
