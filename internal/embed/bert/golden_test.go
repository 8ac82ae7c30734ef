package bert

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

func builtinModel(t testing.TB) *Model {
	t.Helper()
	m, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// withKernels returns the model computing with others.
func (m *Model) withKernels(k *kernels) *Model {
	other := *m
	other.kernels, other.fast = k, k != &scalarKernels
	return &other
}

func readJSON(t testing.TB, to any, path ...string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{"testdata"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatal(err)
	}
}

func readFloats(t testing.TB, path ...string) []float32 {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{"testdata"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	values := make([]float32, len(data)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return values
}

// golden returns texts and what the original weights make of them, computed
// in float64; see tools/embedmodel/transformer.
func golden(t testing.TB, folder string, dims int) (texts []string, vectors [][]float32) {
	t.Helper()
	readJSON(t, &texts, folder, "sentences.json")
	all := readFloats(t, folder, "vectors.f32")
	if len(all) != len(texts)*dims || len(texts) == 0 {
		t.Fatalf("%d numbers for %d texts", len(all), len(texts))
	}
	for range texts {
		vectors, all = append(vectors, all[:dims]), all[dims:]
	}
	return texts, vectors
}

func cosine(a, b []float32) float64 {
	var dot, aa, bb float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return dot / math.Sqrt(aa*bb)
}

func similarity(want, got [][]float32) (mean, least float64) {
	least = 1
	for i := range want {
		c := cosine(want[i], got[i])
		mean += c / float64(len(want))
		least = min(least, c)
	}
	return mean, least
}

// How near the vectors are to those of the original weights.
func TestGolden(t *testing.T) {
	t.Parallel()
	m := builtinModel(t)
	texts, want := golden(t, "minilm", m.Dims())
	got, err := m.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	mean, least := similarity(want, got)
	t.Logf("cosine with the original: mean %.5f, least %.5f", mean, least)
	if !(mean >= 0.998) || !(least >= 0.99) {
		t.Errorf("cosine with the original: mean %.5f, least %.5f", mean, least)
	}
	// What the model's documentation gives as example.
	for _, pair := range []struct {
		a, b int
		want float64
	}{{0, 1, 0.6660}, {0, 2, 0.1046}, {1, 2, 0.1411}} {
		if c := cosine(got[pair.a], got[pair.b]); math.Abs(c-pair.want) > 0.02 {
			t.Errorf("%q and %q have the cosine %.4f, want %.4f", texts[pair.a], texts[pair.b], c, pair.want)
		}
	}
}
