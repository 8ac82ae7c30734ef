package bert

import (
	"fmt"
	"strings"
	"testing"
)

// messages returns n different messages of about 20 tokens.
func messages(t testing.TB, n int) (texts []string, tokens int) {
	t.Helper()
	var sentences []string
	readJSON(t, &sentences, "minilm", "sentences.json")
	m := builtinModel(t)
	for i := range n {
		words := strings.Fields(strings.Join(sentences[i%20:i%20+8], " "))
		text := fmt.Sprint(i, " ", strings.Join(words[:15+i%3], " "))
		texts = append(texts, text)
		tokens += len(m.tokenizer.Encode(nil, text, DefaultMaxTokens))
	}
	return texts, tokens
}

// The budget of the first is 70 ms on two cores: what re-ranking may take.
func BenchmarkEmbed(b *testing.B) {
	all := []*kernels{&scalarKernels}
	if k, ok := fastKernels(); ok {
		all = append([]*kernels{k}, all...)
	}
	for _, kernels := range all {
		for _, n := range []int{50, 1} {
			b.Run(fmt.Sprintf("%s/%d", kernels.name, n), func(b *testing.B) {
				m := builtinModel(b).withKernels(kernels)
				texts, tokens := messages(b, n)
				b.ReportAllocs()
				for b.Loop() {
					if _, err := m.Embed(b.Context(), texts); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(tokens), "tokens")
				b.ReportMetric(float64(tokens*b.N)/b.Elapsed().Seconds(), "tokens/s")
			})
		}
	}
}
