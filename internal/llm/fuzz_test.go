package llm

import (
	"math"
	"strings"
	"testing"
)

// FuzzAnswer holds that any answer gives vectors of numbers, as many as there
// were texts, or an error that shows nothing of the texts or the key.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"data":[{"index":0,"embedding":[0.5,-1e3]},{"index":1,"embedding":[1]}]}`,
		`{"data":[{"embedding":"AACAPw=="}]}`, `{"data":null,"error":{"message":"the secret text"}}`,
		`{"error":"context length"}`, `{"detail":[{"msg":"no"}]}`, `{"data":[{"index":1}]}`, `[]`, `{"data":[{"index":9,"embedding":[null]}]}`,
	} {
		f.Add([]byte(seed), 200)
		f.Add([]byte(seed), 400)
	}
	c, err := New(Options{BaseURL: "http://localhost", Model: "m", Key: Key{"sk-secret"}})
	if err != nil {
		f.Fatal(err)
	}
	texts := []string{"the secret text", "another"}
	f.Fuzz(func(t *testing.T, body []byte, status int) {
		if status != 200 {
			e := c.refused(status, readComplaint(body, c.options.Key, texts))
			if s := e.Error(); strings.Contains(s, "secret text") || strings.Contains(s, "sk-secret") || strings.ContainsAny(s, "\n\x1b") {
				t.Errorf("error shows too much: %q", s)
			}
			return
		}
		vectors, e := c.vectors(body, texts)
		if e != nil {
			if s := e.Error(); strings.Contains(s, "secret text") || strings.Contains(s, "sk-secret") {
				t.Errorf("error shows too much: %q", s)
			}
			return
		}
		if len(vectors) != len(texts) {
			t.Errorf("%d vectors for %d texts", len(vectors), len(texts))
		}
		for _, v := range vectors {
			for _, x := range v {
				if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
					t.Errorf("component %v", x)
				}
			}
		}
	})
}
