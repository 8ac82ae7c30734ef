package bert

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func tinyFile(t testing.TB) []byte {
	t.Helper()
	file, err := os.ReadFile("testdata/tiny/model.bin")
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func tiny(t testing.TB) *Model {
	t.Helper()
	m, err := Open(tinyFile(t))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// everyKernels runs a test with assembly, if there is any, and without.
func everyKernels(t *testing.T, m *Model, test func(*testing.T, *Model)) {
	t.Helper()
	all := []*kernels{&scalarKernels}
	if k, ok := fastKernels(); ok {
		all = append(all, k)
	}
	for _, k := range all {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			test(t, m.withKernels(k))
		})
	}
}

func embedAll(t testing.TB, m *Model, texts ...string) [][]float32 {
	t.Helper()
	vectors, err := m.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return vectors
}

// A shape unlike the built-in model's: the first token's vector, other sizes,
// a query prefix, few positions.
func TestGoldenTiny(t *testing.T) {
	t.Parallel()
	everyKernels(t, tiny(t), func(t *testing.T, m *Model) {
		var texts []string
		readJSON(t, &texts, "tiny", "sentences.json")
		all := readFloats(t, "tiny", "vectors.f32")
		var want [][]float32
		for ; len(all) > 0; all = all[m.Dims():] {
			want = append(want, all[:m.Dims()])
		}
		got := embedAll(t, m, texts...)
		query, err := m.EmbedQuery(t.Context(), texts[0])
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, query)
		mean, least := similarity(want, got)
		t.Logf("cosine with the original: mean %.5f, least %.5f", mean, least)
		if len(got) != len(want) || !(mean >= 0.999) || !(least >= 0.998) {
			t.Errorf("cosine with the original: mean %.5f, least %.5f of %d", mean, least, len(got))
		}
	})
}

// The whole model with assembly and without.
func TestKernelsAgree(t *testing.T) {
	t.Parallel()
	fast := fast(t)
	texts := []string{"Where did you park the car?", "ok", "I left it on Elm Street, next to the bakery."}
	m := builtinModel(t)
	want, got := embedAll(t, m.withKernels(&scalarKernels), texts...), embedAll(t, m.withKernels(fast), texts...)
	if mean, least := similarity(want, got); !(least > 0.9999) {
		t.Errorf("cosine between scalar and %s: mean %v, least %v", fast.name, mean, least)
	}
}

// A vector depends on its text alone, not on what else is in the batch.
func TestBatchesDoNotMix(t *testing.T) {
	t.Parallel()
	everyKernels(t, tiny(t), func(t *testing.T, m *Model) {
		var texts []string
		for i := range 60 {
			texts = append(texts, strings.Repeat("they said you can ", i%7)+fmt.Sprint(i))
		}
		want := embedAll(t, m, texts...)
		for i, text := range texts {
			if diff := cmp.Diff(want[i], embedAll(t, m, text)[0]); diff != "" {
				t.Fatalf("%q alone (-together +alone):\n%s", text, diff)
			}
		}
	})
}

func TestEmbed(t *testing.T) {
	t.Parallel()
	m := tiny(t)
	zero := make([]float32, m.Dims())
	tests := []struct {
		name  string
		texts []string
		zero  []bool
	}{
		{"no texts", nil, nil},
		{"empty text", []string{""}, []bool{true}},
		{"white and invisible", []string{" \n\u200b", "\xff\xfe"}, []bool{true, true}},
		{"nothing known", []string{"猫 犬"}, []bool{true}},
		{"something known", []string{"猫 you", "the"}, []bool{false, false}},
		{"much longer than the limit", []string{strings.Repeat("you ", 100_000)}, []bool{false}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			vectors := embedAll(t, m, tt.texts...)
			if len(vectors) != len(tt.texts) {
				t.Fatalf("%d vectors for %d texts", len(vectors), len(tt.texts))
			}
			for i, v := range vectors {
				if isZero := cmp.Equal(v, zero); isZero != tt.zero[i] {
					t.Errorf("text %d is zero: %v", i, isZero)
				}
				if c := cosine(v, v); !tt.zero[i] && !(c > 0.99999 && c < 1.00001) {
					t.Errorf("text %d: %v", i, v)
				}
			}
		})
	}
}

func TestWithMaxTokens(t *testing.T) {
	t.Parallel()
	m := tiny(t)
	long, short := "you and they are not there", "you and they"
	tests := []struct {
		n    int
		same bool
	}{{5, true}, {6, false}, {1000, false}}
	for _, tt := range tests {
		limited := m.WithMaxTokens(tt.n)
		vectors := embedAll(t, limited, long, short)
		if same := cmp.Equal(vectors[0], vectors[1]); same != tt.same {
			t.Errorf("with %d tokens the rest of the text does not count: %v", tt.n, same)
		}
	}
	if got := m.WithMaxTokens(-1).maxTokens; got != 3 {
		t.Errorf("least number of tokens is %d", got)
	}
	if a, b := m.Fingerprint(), m.WithMaxTokens(5).Fingerprint(); a == b {
		t.Errorf("same fingerprint %s for other vectors", a)
	}
}

func TestEnded(t *testing.T) {
	t.Parallel()
	m := tiny(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if vectors, err := m.Embed(ctx, []string{"you"}); !errors.Is(err, context.Canceled) || vectors != nil {
		t.Errorf("Embed: %v, %v", vectors, err)
	}
	if vector, err := m.EmbedQuery(ctx, "you"); !errors.Is(err, context.Canceled) || vector != nil {
		t.Errorf("EmbedQuery: %v, %v", vector, err)
	}
	if vectors := m.EmbedUntil(ctx, []string{"you"}); len(vectors) != 0 {
		t.Errorf("EmbedUntil: %v", vectors)
	}
}

// What is done when time is over is a start of the texts, with the vectors
// that they have otherwise.
func TestEmbedUntil(t *testing.T) {
	t.Parallel()
	m := tiny(t)
	texts := slices.Repeat([]string{"you and they", "what was the word?", "was it there"}, 4000)
	ctx, cancel := context.WithCancel(t.Context())
	var partial [][]float32
	var waiting sync.WaitGroup
	waiting.Go(func() { partial = m.EmbedUntil(ctx, texts) })
	time.Sleep(20 * time.Millisecond)
	cancel()
	waiting.Wait()
	want := embedAll(t, m, texts[:3]...)
	for i, v := range partial {
		if diff := cmp.Diff(want[i%3], v); diff != "" {
			t.Fatalf("vector %d of %d (-want +got):\n%s", i, len(partial), diff)
		}
	}
	if len(partial) > len(texts) {
		t.Errorf("%d vectors", len(partial))
	}
}

// doneAfter ends after so many questions whether it has.
type doneAfter struct {
	context.Context
	mu        sync.Mutex
	questions int
}

func (c *doneAfter) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.questions--; c.questions < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// The same without a clock: wherever it ends, a start comes back.
func TestEmbedUntilEverywhere(t *testing.T) {
	t.Parallel()
	m := tiny(t)
	texts := slices.Repeat([]string{"you and they are not there"}, 30)
	counts := make(map[int]bool)
	for questions := range 200 {
		vectors := m.EmbedUntil(&doneAfter{Context: t.Context(), questions: questions}, texts)
		for i, v := range vectors {
			if len(v) != m.Dims() {
				t.Fatalf("after %d questions: vector %d of %d has %d components", questions, i, len(vectors), len(v))
			}
		}
		counts[len(vectors)] = true
	}
	if !counts[0] || !counts[len(texts)] || len(counts) < 3 {
		t.Errorf("numbers of vectors: %v", counts)
	}
}

// Many at once get what each would get alone, and no more memory than two
// computations need.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	m := tiny(t)
	texts := []string{"you and they", "what was the word?", "when?"}
	want := embedAll(t, m, texts...)
	var waiting sync.WaitGroup
	for range 16 {
		waiting.Go(func() {
			for range 20 {
				got, err := m.Embed(t.Context(), texts)
				if err != nil || !cmp.Equal(want, got) {
					t.Errorf("%v, %s", err, cmp.Diff(want, got))
					return
				}
			}
		})
	}
	waiting.Wait()
	if len(m.scratches) != concurrency {
		t.Errorf("%d of %d scratches came back", len(m.scratches), concurrency)
	}
}

// A query does not wait for the end of a long list.
func TestQueryAmongMany(t *testing.T) {
	t.Parallel()
	m := tiny(t)
	many := slices.Repeat([]string{"you and they are not there"}, 1_000_000) // takes much longer than 5 s
	ctx, cancel := context.WithCancel(t.Context())
	var lists sync.WaitGroup
	for range concurrency {
		lists.Go(func() { m.EmbedUntil(ctx, many) })
	}
	for len(m.scratches) > 0 {
		time.Sleep(100 * time.Microsecond)
	}
	limited, stop := context.WithTimeout(t.Context(), 5*time.Second)
	defer stop()
	if _, err := m.EmbedQuery(limited, "when?"); err != nil {
		t.Error(err)
	}
	cancel()
	lists.Wait()
}

// Once warm, embedding allocates little but what it returns and one word's
// letters for each text.
func TestAllocations(t *testing.T) {
	m := tiny(t)
	texts := slices.Repeat([]string{"you and they are not there"}, 50)
	embedAll(t, m, texts...)
	if got := testing.AllocsPerRun(20, func() { embedAll(t, m, texts...) }); got > float64(2*len(texts)) {
		t.Errorf("%v allocations for %d texts", got, len(texts))
	}
}

func FuzzEmbed(f *testing.F) {
	f.Add("what was the word?", "")
	f.Add("\x00\xff", strings.Repeat("a", 500))
	m := tiny(f)
	f.Fuzz(func(t *testing.T, a, b string) {
		vectors := embedAll(t, m, a, b, a)
		if !cmp.Equal(vectors[0], vectors[2]) {
			t.Fatalf("two vectors for %q", a)
		}
		for _, v := range vectors {
			if c := cosine(v, v); slices.ContainsFunc(v, func(x float32) bool { return x != 0 }) && !(c > 0.9999 && c < 1.0001) {
				t.Fatalf("%q, %q: %v", a, b, v)
			}
		}
	})
}
