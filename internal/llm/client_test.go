package llm_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/msgbrowse/msgbrowse/internal/llm"
	"github.com/msgbrowse/msgbrowse/internal/llm/llmtest"
)

// client returns a client of a server in memory. Its retries wait as long as
// they can.
func client(t *testing.T, s *llmtest.Server, change ...func(*llm.Options)) *llm.Client {
	t.Helper()
	o := llm.Options{BaseURL: llmtest.BaseURL, Model: "small", Dial: s.Dial, Random: func() float64 { return 0 }}
	for _, f := range change {
		f(&o)
	}
	c, err := llm.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

var texts = []string{"the boat leaves at noon", "昼に出発", ""}

func wanted(dims int) [][]float32 {
	var all [][]float32
	for _, text := range texts {
		all = append(all, llmtest.Vector(text, dims))
	}
	return all
}

func TestEmbed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		behaviour llmtest.Behaviour
		want      [][]float32
	}{
		{"correct", llmtest.Correct(3), wanted(3)},
		{"in another order", llmtest.Backwards(3), wanted(3)},
		{"in base64", llmtest.Base64(3), wanted(3)},
		{"in base64 with escapes", llmtest.Refuse(200, `{"data":[{"index":0,"embedding":"AACAPw=="},{"index":1,"embedding":"\/\/9\/Pw=="},{"index":2,"embedding":"AACAPw=="}]}`),
			[][]float32{{1}, {0.99999994}, {1}}},
		{"without indexes", llmtest.Refuse(200, `{"data":[{"embedding":[1]},{"embedding":[ -2e-1 ,3]},{"embedding":[4]}]}`), [][]float32{{1}, {-0.2, 3}, {4}}},
		{"partial", llmtest.Partial(3, 2), [][]float32{llmtest.Vector(texts[0], 3), nil, llmtest.Vector(texts[2], 3)}},
		{"nothing", llmtest.Refuse(200, `{"data":[]}`), [][]float32{nil, nil, nil}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(t, tt.behaviour)
			c := client(t, s)
			for _, embed := range []func(context.Context, []string) ([][]float32, error){c.Embed, c.EmbedNow} {
				got, err := embed(t.Context(), texts)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("vectors (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestRequest(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Correct(3))
	key, err := llm.NewKey(" sk-12345\n")
	if err != nil {
		t.Fatal(err)
	}
	plain := client(t, s)
	full := client(t, s, func(o *llm.Options) { o.BaseURL += "/"; o.Key = key; o.Dimensions = 3 })
	for _, c := range []*llm.Client{plain, full} {
		if _, err := c.Embed(t.Context(), texts[:1]); err != nil {
			t.Fatal(err)
		}
		if got, want := c.Endpoint(), "embed.internal/v1"; got != want {
			t.Errorf("Endpoint = %q, want %q", got, want)
		}
	}
	want := []llmtest.Request{
		{Path: "/v1/embeddings", Model: "small", Input: texts[:1], Format: "float"},
		{Path: "/v1/embeddings", Model: "small", Input: texts[:1], Format: "float", Authorization: "Bearer sk-12345", Dimensions: 3},
	}
	if diff := cmp.Diff(want, s.Requests()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// Failures that another attempt cannot mend are sentences, sent once.
func TestRefusals(t *testing.T) {
	t.Parallel()
	const at = "embed with embed.internal/v1: "
	const asAPI = "; check that llm.base_url is the address of an OpenAI-compatible API, usually ending in /v1"
	for _, tt := range []struct {
		name      string
		behaviour llmtest.Behaviour
		want      string
		is        error
	}{
		{"no key", llmtest.Refuse(401, `{"error":{"message":"You didn't provide an API key"}}`),
			"it asks for an API key; put a valid key into the file that llm.api_key_file names, or into MSGBROWSE_LLM_API_KEY", nil},
		{"model is missing", llmtest.Refuse(404, `{"error":{"message":"model \"small\" not found, try pulling it first","type":"api_error"}}`),
			`it knows no such address, or no model "small" (it says: model "small" not found, try pulling it first); ` +
				"check llm.base_url, which usually ends in /v1, and llm.embed_model; Ollama needs the model pulled first", nil},
		{"a page", llmtest.Refuse(404, `<html>not here</html>`),
			`it knows no such address, or no model "small"; check llm.base_url, which usually ends in /v1, and llm.embed_model; Ollama needs the model pulled first`, nil},
		{"no credit", llmtest.Refuse(429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`),
			"the account has no credit left; add credit at the service, or set another llm.base_url", nil},
		{"too long", llmtest.LimitLength(5, 3), "a text is too long for the model (it says: This model's maximum context length is 8192 tokens); lower llm.max_chars", llm.ErrTooLong},
		{"too long with a server's error", llmtest.Refuse(500, `{"error":"the input length exceeds the context length"}`),
			"a text is too long for the model (it says: the input length exceeds the context length); lower llm.max_chars", llm.ErrTooLong},
		{"too large", llmtest.Refuse(413, ""), "a text is too long for the model; lower llm.max_chars", llm.ErrTooLong},
		{"other refusal", llmtest.Refuse(422, `{"detail":[{"loc":["body"],"msg":"field required"}]}`),
			"it refused the request with status 422 (it says: field required); check that llm.embed_model names an embedding model, and that it can have llm.dimensions if set", nil},
		{"redirect", llmtest.Redirect(307, "http://elsewhere.internal/v1/embeddings"),
			"it sends requests elsewhere, which are not followed; set llm.base_url to the address that answers", nil},
		{"redirect home", llmtest.Redirect(301, "/v1/embeddings/"),
			"it sends requests elsewhere, which are not followed; set llm.base_url to the address that answers", nil},
		{"no JSON", llmtest.Refuse(200, "Ollama is running"), "its answer is not JSON of the expected form" + asAPI, nil},
		{"other JSON", llmtest.Refuse(200, `{"data":7}`), "its answer is not JSON of the expected form" + asAPI, nil},
		{"huge", llmtest.Huge, "its answer is larger than 3 texts can make it" + asAPI, nil},
		{"too many", llmtest.Refuse(200, `{"data":[{"embedding":[1]},{"embedding":[1]},{"embedding":[1]},{"embedding":[1]}]}`), "it gave 4 vectors for 3 texts" + asAPI, nil},
		{"too few without indexes", llmtest.Refuse(200, `{"data":[{"embedding":[1]}]}`), "it gave 1 vectors for 3 texts and does not say which" + asAPI, nil},
		{"an index twice", llmtest.Refuse(200, `{"data":[{"index":1,"embedding":[1]},{"index":1,"embedding":[1]}]}`), "it gave two vectors for text 1" + asAPI, nil},
		{"an index too large", llmtest.Refuse(200, `{"data":[{"index":3,"embedding":[1]}]}`), "it gave a vector for text 3 of 3" + asAPI, nil},
		{"a negative index", llmtest.Refuse(200, `{"data":[{"index":-1,"embedding":[1]}]}`), "it gave a vector for text -1 of 3" + asAPI, nil},
		{"null in a vector", llmtest.Refuse(200, `{"data":[{"index":0,"embedding":[1,null]}]}`), "it gave a vector with something that is not a number" + asAPI, nil},
		{"an empty vector", llmtest.Refuse(200, `{"data":[{"index":0,"embedding":[]}]}`), "it gave a vector with something that is not a number" + asAPI, nil},
		{"beyond float32", llmtest.Refuse(200, `{"data":[{"index":0,"embedding":[1e39]}]}`), "it gave a vector with something that is not a number" + asAPI, nil},
		{"not a number in base64", llmtest.Refuse(200, `{"data":[{"index":0,"embedding":"AADAfw=="}]}`), "it gave a vector with something that is not a number" + asAPI, nil},
		{"broken base64", llmtest.Refuse(200, `{"data":[{"index":0,"embedding":"AADA"}]}`), "it gave a vector in an encoding that is not known" + asAPI, nil},
		{"a nested vector", llmtest.Refuse(200, `{"data":[{"index":0,"embedding":[[1,2]]}]}`), "it gave a vector with something that is not a number" + asAPI, nil},
		{"null for a vector", llmtest.Refuse(200, `{"data":[{"index":0,"embedding":null}]}`), "it gave something that is not a vector" + asAPI, nil},
		{"a vector too long", llmtest.Refuse(200, `{"data":[{"index":0,"embedding":[0`+strings.Repeat(",0", 16384)+`]}]}`), "it gave a vector of more components than any model has" + asAPI, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(t, tt.behaviour)
			_, err := client(t, s).Embed(t.Context(), texts)
			if diff := cmp.Diff(at+tt.want, fmt.Sprint(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("error is not %v", tt.is)
			}
			if n := len(s.Requests()); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
		})
	}
}

// Neither the key nor what was sent comes back in an error.
func TestErrorsHoldNoSecrets(t *testing.T) {
	t.Parallel()
	key, err := llm.NewKey("sk-0123456789")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, body string }{
		{"key", `{"error":{"message":"invalid: sk-0123456789"}}`},
		{"whole text", `{"error":"cannot embed 昼に出発 at all"}`},
		{"part of a text", `{"error":"bad token near 'boat leaves at'"}`},
	} {
		for _, status := range []int{400, 401, 404, 501} {
			t.Run(fmt.Sprint(tt.name, status), func(t *testing.T) {
				t.Parallel()
				s := llmtest.New(t, llmtest.Refuse(status, tt.body))
				_, err := client(t, s, func(o *llm.Options) { o.Key = key }).Embed(t.Context(), texts)
				for e := err; e != nil; e = errors.Unwrap(e) {
					for _, held := range []string{"0123456789", "昼", "boat"} {
						if strings.Contains(e.Error(), held) {
							t.Errorf("error %q holds %q", e, held)
						}
					}
				}
				if err == nil {
					t.Error("no error")
				}
			})
		}
	}
	s := llmtest.New(t, llmtest.Refuse(400, `{"error":"\u001b[31mred\nline\u202e `+strings.Repeat("long ", 100)+`"}`))
	_, err = client(t, s).Embed(t.Context(), texts)
	if got := fmt.Sprint(err); strings.ContainsAny(got, "\x1b\n\u202e") || len(got) > 500 || !strings.Contains(got, "[31mred line") {
		t.Errorf("error is not harmless: %q", got)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := llmtest.New(t, llmtest.Hang)
		c := client(t, s)
		for _, embed := range []func(context.Context, []string) ([][]float32, error){c.Embed, c.EmbedNow} {
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			begun := time.Now()
			_, err := embed(ctx, texts)
			cancel()
			if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != 300*time.Millisecond {
				t.Errorf("error after %v = %v, want that of the deadline at 300 ms", time.Since(begun), err)
			}
		}
	})
}

func TestMaxConcurrency(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := llmtest.New(t, llmtest.Slow(time.Second, llmtest.Correct(3)))
		c := client(t, s, func(o *llm.Options) { o.MaxConcurrency = 3 })
		begun := time.Now()
		done := make(chan error)
		for range 9 {
			go func() {
				_, err := c.Embed(t.Context(), texts)
				done <- err
			}()
		}
		for range 9 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if s.MostAtOnce() != 3 || time.Since(begun) != 3*time.Second {
			t.Errorf("%d requests at once and %v in all, want 3 and 3s", s.MostAtOnce(), time.Since(begun))
		}
	})
}

func TestNew(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, url, model, want string }{
		{"Ollama", "http://127.0.0.1:11434/v1", "m", ""},
		{"IPv6", "http://[::1]:8080", "m", ""},
		{"in the house", "http://192.168.1.5:4000", "m", ""},
		{"overlay network", "http://100.100.1.2/v1", "m", ""},
		{"by a local name", "http://ollama:11434/v1", "m", ""},
		{"by a name of the house", "http://box.LAN/v1", "m", ""},
		{"out of a container", "http://host.docker.internal:11434/v1", "m", ""},
		{"service", "https://api.example.com/v1", "m", ""},
		{"none", "", "m", "no endpoint is named; set llm.base_url, such as http://127.0.0.1:11434/v1 for Ollama"},
		{"no address", "ollama", "m", "llm.base_url is no web address of an API; write it as in http://127.0.0.1:11434/v1"},
		{"no host", "http://:80/v1", "m", "llm.base_url is no web address of an API; write it as in http://127.0.0.1:11434/v1"},
		{"query", "https://a.example/v1?key=x", "m", "llm.base_url is no web address of an API; write it as in http://127.0.0.1:11434/v1"},
		{"password", "https://a:b@a.example/v1", "m", "llm.base_url holds a name or password; put the key into the file that llm.api_key_file names"},
		{"unencrypted", "http://api.example.com/v1", "m", "llm.base_url would send messages to api.example.com unencrypted; write https:// instead"},
		{"unencrypted to an address", "http://8.8.8.8/v1", "m", "llm.base_url would send messages to 8.8.8.8 unencrypted; write https:// instead"},
		{"no model", "https://api.example.com/v1", "", "no model is named for api.example.com; set llm.embed_model to an embedding model it serves"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := llm.New(llm.Options{BaseURL: tt.url, Model: tt.model})
			got := ""
			if err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

// https with a certificate that the client trusts works, with another one it
// is refused before anything is sent.
func TestTLS(t *testing.T) {
	t.Parallel()
	var got int
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		got++
		_, _ = io.WriteString(w, `{"data":[{"index":0,"embedding":[1]}]}`)
	}))
	server.Config.ErrorLog = nil
	server.StartTLS()
	t.Cleanup(server.Close)
	pool := server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	trusting, err := llm.New(llm.Options{BaseURL: server.URL, Model: "m", RootCAs: pool})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(trusting.Close)
	if _, err := trusting.Embed(t.Context(), []string{"a"}); err != nil || got != 1 {
		t.Errorf("%d requests arrived, error %v, want one and none", got, err)
	}
	other, err := llm.New(llm.Options{BaseURL: server.URL, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(other.Close)
	_, err = other.Embed(t.Context(), []string{"a"})
	want := "embed with " + other.Endpoint() + ": its certificate is not trusted; check llm.base_url, or have the system trust the authority that issued the certificate"
	if fmt.Sprint(err) != want || got != 1 {
		t.Errorf("%d requests arrived, error %v, want one and %s", got, err, want)
	}
}
