package endpoint_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/msgbrowse/msgbrowse/internal/embed/endpoint"
	"github.com/msgbrowse/msgbrowse/internal/llm"
	"github.com/msgbrowse/msgbrowse/internal/llm/llmtest"
)

// embedder returns one that sends two requests at once.
func embedder(t *testing.T, s *llmtest.Server, o endpoint.Options) *endpoint.Embedder {
	t.Helper()
	return embedderWith(t, s, 2, o)
}

func embedderWith(t *testing.T, s *llmtest.Server, atOnce int, o endpoint.Options) *endpoint.Embedder {
	t.Helper()
	c, err := llm.New(llm.Options{BaseURL: llmtest.BaseURL, Model: "small", Dial: s.Dial, MaxConcurrency: atOnce, Random: func() float64 { return 0 }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return endpoint.New(c, o)
}

// unit is the vector the server gives for a text, of length 1.
func unit(text string, dims int) []float32 {
	v := llmtest.Vector(text, dims)
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}

var close32 = cmpopts.EquateApprox(0, 1e-6)

func many(n int) []string {
	var texts []string
	for i := range n {
		texts = append(texts, fmt.Sprintf("text %d %s", i, strings.Repeat("é", i%7)))
	}
	return texts
}

func TestEmbed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		behaviour llmtest.Behaviour
		options   endpoint.Options
		requests  int
	}{
		{"one request", llmtest.Correct(5), endpoint.Options{}, 1},
		{"by number", llmtest.Backwards(5), endpoint.Options{BatchTexts: 7}, 8},
		{"one by one", llmtest.Correct(5), endpoint.Options{BatchChars: 1}, 50},
		{"by characters", llmtest.Correct(5), endpoint.Options{BatchChars: 44}, 14},
		{"a few missing each time", llmtest.Partial(5, 8), endpoint.Options{BatchTexts: 10}, 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(t, tt.behaviour)
			e := embedder(t, s, tt.options)
			texts := many(50)
			got, err := e.Embed(t.Context(), texts)
			if err != nil {
				t.Fatal(err)
			}
			for i, text := range texts {
				if diff := cmp.Diff(unit(text, 5), got[i], close32); diff != "" {
					t.Errorf("text %d (-want +got):\n%s", i, diff)
				}
			}
			if n := len(s.Requests()); n != tt.requests {
				t.Errorf("%d requests, want %d", n, tt.requests)
			}
			if e.Dims() != 5 {
				t.Errorf("Dims = %d, want 5", e.Dims())
			}
		})
	}
}

func TestRequestsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := llmtest.New(t, llmtest.Slow(time.Second, llmtest.Correct(2)))
		e := embedder(t, s, endpoint.Options{BatchTexts: 1})
		begun := time.Now()
		if _, err := e.Embed(t.Context(), many(6)); err != nil || time.Since(begun) != 3*time.Second || s.MostAtOnce() != 2 {
			t.Errorf("%v with %d requests at once, error %v, want 3s, 2 and none", time.Since(begun), s.MostAtOnce(), err)
		}
	})
}

// Texts without anything in them are not sent and get the zero vector.
func TestBlankTexts(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Correct(3))
	e := embedder(t, s, endpoint.Options{})
	got, err := e.Embed(t.Context(), []string{"", "a", " \n\u200b", "🎉", "b\xff"})
	want := [][]float32{{0, 0, 0}, unit("a", 3), {0, 0, 0}, unit("🎉", 3), unit("b\uFFFD", 3)}
	if diff := cmp.Diff(want, got, close32); err != nil || diff != "" {
		t.Errorf("error %v, vectors (-want +got):\n%s", err, diff)
	}
	if diff := cmp.Diff([]string{"a", "🎉", "b\uFFFD"}, s.Requests()[0].Input); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
	if v, err := e.EmbedQuery(t.Context(), "  "); err != nil || !cmp.Equal(v, []float32{0, 0, 0}) || len(s.Requests()) != 1 {
		t.Errorf("blank query = %v, %v after %d requests, want zeros, none and 1", v, err, len(s.Requests()))
	}
}

func TestLongTexts(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.LimitLength(80, 4))
	e := embedder(t, s, endpoint.Options{MaxChars: 140})
	left, right := strings.Repeat("a", 70), strings.Repeat("ö", 69)
	got, err := e.Embed(t.Context(), []string{"short", left + " " + right + "beyond", "another"})
	if err != nil {
		t.Fatal(err)
	}
	// The text is cut after the 70 letters and the space, and the space lies
	// before the middle, where its bytes are counted; the second part is cut again.
	if diff := cmp.Diff([][]float32{unit("short", 4), unit("another", 4)}, [][]float32{got[0], got[2]}, close32); diff != "" {
		t.Errorf("texts beside the long one (-want +got):\n%s", diff)
	}
	want := make([]float32, 4)
	for _, part := range []string{left, " " + right} {
		for i, x := range unit(part, 4) {
			want[i] += x * float32(len(part))
		}
	}
	var sum float64
	for _, x := range want {
		sum += float64(x) * float64(x)
	}
	for i := range want {
		want[i] /= float32(math.Sqrt(sum))
	}
	if diff := cmp.Diff(want, got[1], close32); diff != "" {
		t.Errorf("long text (-want +got):\n%s", diff)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	const at = "embed with embed.internal/v1: "
	for _, tt := range []struct {
		name       string
		behaviours []llmtest.Behaviour
		options    endpoint.Options
		want       string
	}{
		{"always too long", []llmtest.Behaviour{llmtest.LimitLength(0, 3)}, endpoint.Options{},
			at + "a text is too long for the model (it says: This model's maximum context length is 8192 tokens); lower llm.max_chars"},
		{"missing for good", []llmtest.Behaviour{llmtest.Partial(3, 1)}, endpoint.Options{},
			at + "the answer had no vector for 2 of 2 texts, also when asked for those again; look into the server's own log"},
		{"another model", []llmtest.Behaviour{llmtest.Correct(3), llmtest.Correct(4)}, endpoint.Options{BatchTexts: 1},
			at + "the model small gave a vector of 4 components where others have 3; if the model was changed, run msgbrowse index --rebuild"},
		{"not the model of the index", []llmtest.Behaviour{llmtest.Correct(3)}, endpoint.Options{Dims: 768},
			at + "the model small gave a vector of 3 components where others have 768; if the model was changed, run msgbrowse index --rebuild"},
		{"refused", []llmtest.Behaviour{llmtest.Refuse(401, "")}, endpoint.Options{BatchTexts: 1},
			at + "it asks for an API key; put a valid key into the file that llm.api_key_file names, or into MSGBROWSE_LLM_API_KEY"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(t, tt.behaviours...)
			// One at a time: which of two vectors is the other one must not
			// depend on chance.
			got, err := embedderWith(t, s, 1, tt.options).Embed(t.Context(), []string{"a", "b"})
			if diff := cmp.Diff(tt.want, fmt.Sprint(err)); diff != "" || got != nil {
				t.Errorf("%d vectors, error (-want +got):\n%s", len(got), diff)
			}
		})
	}
}

// The first error ends everything, also requests under way.
func TestFirstErrorEndsAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := llmtest.New(t, llmtest.Slow(time.Second, llmtest.Refuse(401, "")), llmtest.Hang)
		begun := time.Now()
		_, err := embedder(t, s, endpoint.Options{BatchTexts: 1}).Embed(t.Context(), many(30))
		if refusal := (*llm.Error)(nil); !errors.As(err, &refusal) || refusal.Status != 401 || time.Since(begun) != time.Second {
			t.Errorf("error after %v = %v, want the refusal after 1s", time.Since(begun), err)
		}
		if n := len(s.Requests()); n != 2 {
			t.Errorf("%d requests, want 2", n)
		}
	})
}

func TestEmbedQuery(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ok, hang := llmtest.Correct(3), llmtest.Hang
		s := llmtest.New(t, ok, hang, hang, hang)
		e := embedder(t, s, endpoint.Options{QueryPrefix: "query: ", TextPrefix: "text: "})
		got, err := e.EmbedQuery(t.Context(), "where is it")
		if diff := cmp.Diff(unit("query: where is it", 3), got, close32); err != nil || diff != "" {
			t.Errorf("error %v, vector (-want +got):\n%s", err, diff)
		}
		for i := range 4 {
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			begun := time.Now()
			_, err := e.EmbedQuery(ctx, "where is it")
			cancel()
			want, wait := context.DeadlineExceeded, 300*time.Millisecond
			if i == 3 {
				want, wait = llm.ErrUnavailable, 0
			}
			if !errors.Is(err, want) || time.Since(begun) != wait {
				t.Errorf("query %d: %v after %v, want %v after %v", i, err, time.Since(begun), want, wait)
			}
		}
	})
}

func TestProbe(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.Correct(384))
	e := embedder(t, s, endpoint.Options{TextPrefix: "text: "})
	if e.Dims() != 0 {
		t.Errorf("Dims before any answer = %d, want 0", e.Dims())
	}
	if n, err := e.Probe(t.Context()); n != 384 || err != nil || e.Dims() != 384 {
		t.Errorf("Probe = %d, %v, then Dims = %d, want 384", n, err, e.Dims())
	}
	if diff := cmp.Diff([]string{"text: hello"}, s.Requests()[0].Input); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	seen := make(map[string]string)
	for _, tt := range []struct {
		name    string
		client  llm.Options
		options endpoint.Options
		same    string
	}{
		{"plain", llm.Options{BaseURL: "http://localhost/v1", Model: "a"}, endpoint.Options{}, ""},
		{"slash", llm.Options{BaseURL: "http://localhost/v1/", Model: "a"}, endpoint.Options{}, "plain"},
		{"learned dimensions and query prefix", llm.Options{BaseURL: "http://localhost/v1", Model: "a", MaxConcurrency: 9}, endpoint.Options{Dims: 7, QueryPrefix: "q", BatchTexts: 1}, "plain"},
		{"encrypted", llm.Options{BaseURL: "https://localhost/v1", Model: "a"}, endpoint.Options{}, "plain"},
		{"host", llm.Options{BaseURL: "http://other/v1", Model: "a"}, endpoint.Options{}, ""},
		{"port", llm.Options{BaseURL: "http://localhost:1/v1", Model: "a"}, endpoint.Options{}, ""},
		{"path", llm.Options{BaseURL: "http://localhost/v2", Model: "a"}, endpoint.Options{}, ""},
		{"model", llm.Options{BaseURL: "http://localhost/v1", Model: "b"}, endpoint.Options{}, ""},
		{"dimensions", llm.Options{BaseURL: "http://localhost/v1", Model: "a", Dimensions: 7}, endpoint.Options{}, ""},
		{"cut", llm.Options{BaseURL: "http://localhost/v1", Model: "a"}, endpoint.Options{MaxChars: 7}, ""},
		{"prefix", llm.Options{BaseURL: "http://localhost/v1", Model: "a"}, endpoint.Options{TextPrefix: "t"}, ""},
	} {
		c, err := llm.New(tt.client)
		if err != nil {
			t.Fatal(err)
		}
		got := endpoint.New(c, tt.options).Fingerprint()
		if seen[got] != tt.same {
			t.Errorf("%s: the same fingerprint as %q, want %q", tt.name, seen[got], tt.same)
		}
		if seen[got] == "" {
			seen[got] = tt.name
		}
		if len(got) > 64 || strings.Trim(got, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			t.Errorf("%s: fingerprint %q cannot name a file", tt.name, got)
		}
	}
}
