package llmtest

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"hash/fnv"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Vector is what the servers here give for a text: components that follow
// from the text alone, not of length 1.
func Vector(text string, dims int) []float32 {
	v := make([]float32, dims)
	for i := range v {
		h := fnv.New32a()
		_, _ = io.WriteString(h, strconv.Itoa(i)+text)
		v[i] = float32(h.Sum32())/(1<<30) - 2
	}
	return v
}

type item struct {
	Index     int `json:"index"`
	Embedding any `json:"embedding"`
}

func reply(w http.ResponseWriter, items []item) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": items, "model": "any", "usage": map[string]int{"total_tokens": 1}})
}

func items(asked Request, dims int) []item {
	var all []item
	for i, text := range asked.Input {
		all = append(all, item{i, Vector(text, dims)})
	}
	return all
}

// Correct answers as it should.
func Correct(dims int) Behaviour {
	return func(w http.ResponseWriter, _ *http.Request, asked Request) { reply(w, items(asked, dims)) }
}

// Backwards answers correctly with the last text first.
func Backwards(dims int) Behaviour {
	return func(w http.ResponseWriter, _ *http.Request, asked Request) {
		all := items(asked, dims)
		for i := range len(all) / 2 {
			all[i], all[len(all)-1-i] = all[len(all)-1-i], all[i]
		}
		reply(w, all)
	}
}

// Base64 answers correctly in the encoding nobody asked for.
func Base64(dims int) Behaviour {
	return func(w http.ResponseWriter, _ *http.Request, asked Request) {
		var all []item
		for i, text := range asked.Input {
			var raw []byte
			for _, x := range Vector(text, dims) {
				raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
			}
			all = append(all, item{i, base64.StdEncoding.EncodeToString(raw)})
		}
		reply(w, all)
	}
}

// Partial leaves out every nth text, the first of them the nth.
func Partial(dims, n int) Behaviour {
	return func(w http.ResponseWriter, _ *http.Request, asked Request) {
		var some []item
		for i, one := range items(asked, dims) {
			if (i+1)%n != 0 {
				some = append(some, one)
			}
		}
		reply(w, some)
	}
}

// Slow waits before it does the rest.
func Slow(d time.Duration, rest Behaviour) Behaviour {
	return func(w http.ResponseWriter, r *http.Request, asked Request) {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			rest(w, r, asked)
		case <-r.Context().Done():
		}
	}
}

// Hang answers nothing until the client goes away.
func Hang(_ http.ResponseWriter, r *http.Request, _ Request) { <-r.Context().Done() }

// Limit refuses with 429 and asks to be left alone; after is the Retry-After
// header as it is written, none when empty.
func Limit(after string) Behaviour {
	return func(w http.ResponseWriter, r *http.Request, asked Request) {
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		Refuse(http.StatusTooManyRequests, `{"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}}`)(w, r, asked)
	}
}

// Refuse answers with a status and a body as they are.
func Refuse(status int, body string) Behaviour {
	return func(w http.ResponseWriter, _ *http.Request, _ Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Redirect sends the client elsewhere.
func Redirect(status int, to string) Behaviour {
	return func(w http.ResponseWriter, r *http.Request, _ Request) { http.Redirect(w, r, to, status) }
}

// BreakOff closes the connection in the middle of the answer.
func BreakOff(w http.ResponseWriter, _ *http.Request, _ Request) {
	w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(w, `{"data":[{"index":0,"embedding":[0.5,`)
	panic(http.ErrAbortHandler)
}

// Huge answers with more than any client should read.
func Huge(w http.ResponseWriter, _ *http.Request, _ Request) {
	_, _ = io.WriteString(w, `{"data":[`)
	blank := strings.Repeat(" ", 64<<10)
	for range 1 << 14 {
		if _, err := io.WriteString(w, blank); err != nil {
			return
		}
	}
}

// LimitLength refuses requests with a text of more than most characters, as
// OpenAI does, and answers others correctly.
func LimitLength(most, dims int) Behaviour {
	return func(w http.ResponseWriter, r *http.Request, asked Request) {
		for _, text := range asked.Input {
			if len([]rune(text)) > most {
				Refuse(http.StatusBadRequest, `{"error":{"message":"This model's maximum context length is 8192 tokens","type":"invalid_request_error"}}`)(w, r, asked)
				return
			}
		}
		reply(w, items(asked, dims))
	}
}
