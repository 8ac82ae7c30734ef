package folder

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

type wanted struct {
	Text   string    `json:"text"`
	Vector []float32 `json:"vector"`
}

// The vectors are those of model2vec itself; testdata/generate.py made them. It
// averages numbers of 16 bits as such, which costs it the fourth digit.
func TestEmbed(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("testdata/*/want.json")
	if err != nil || len(folders) != 4 {
		t.Fatalf("%d folders, %v, want 4", len(folders), err)
	}
	fingerprints := make(map[string]bool)
	for _, file := range folders {
		dir := filepath.Dir(file)
		e, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		fingerprints[e.Fingerprint()] = true
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var want []wanted
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, w := range want {
				texts = append(texts, w.Text)
			}
			got, err := e.Embed(t.Context(), texts)
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range want {
				if diff := cmp.Diff(w.Vector, got[i], cmpopts.EquateApprox(0, 1e-3)); diff != "" {
					t.Errorf("%q (-want +got):\n%s", w.Text, diff)
				}
				if one, err := e.EmbedQuery(t.Context(), w.Text); err != nil || !cmp.Equal(one, got[i]) {
					t.Errorf("%q as a query: %v, %v, want the same", w.Text, one, err)
				}
			}
			if e.Dims() != 6 {
				t.Errorf("Dims = %d, want 6", e.Dims())
			}
		})
	}
	if len(fingerprints) != 4 {
		t.Errorf("%d different fingerprints of 4 models", len(fingerprints))
	}
}

func TestHalf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		bits uint16
		want float64
	}{
		{0x0000, 0}, {0x3c00, 1}, {0xc000, -2}, {0x7bff, 65504}, {0x0001, 0x1p-24}, {0x03ff, 1023 * 0x1p-24}, {0x0400, 0x1p-14},
		{0x3555, 0.333251953125}, {0x7c00, math.Inf(1)}, {0xfc00, math.Inf(-1)},
	} {
		if got := half(tt.bits); got != tt.want {
			t.Errorf("half(%#04x) = %v, want %v", tt.bits, got, tt.want)
		}
	}
	if got := half(0x7e00); !math.IsNaN(got) {
		t.Errorf("half(0x7e00) = %v, want NaN", got)
	}
}

// copyModel returns a folder with the files of a model, some replaced; an
// empty text leaves a file out.
func copyModel(t testing.TB, from string, replaced map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{tensorFile, tokenizerFile, configFile} {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := replaced[name]; ok {
			text = []byte(other)
		}
		if len(text) == 0 {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	const from = "testdata/unigram-f16"
	model, err := os.ReadFile(filepath.Join(from, tensorFile))
	if err != nil {
		t.Fatal(err)
	}
	tokenizer, err := os.ReadFile(filepath.Join(from, tokenizerFile))
	if err != nil {
		t.Fatal(err)
	}
	change := func(text []byte, old, other string) string {
		if !strings.Contains(string(text), old) {
			t.Fatalf("the fixture does not hold %q", old)
		}
		return strings.Replace(string(text), old, other, 1)
	}
	for _, tt := range []struct{ name, file, text, want string }{
		{"no table", tensorFile, "", "read model.safetensors: no such file or directory"},
		{"no tokenizer", tokenizerFile, "", "read tokenizer.json: no such file or directory"},
		{"no configuration", configFile, "", "read config.json: no such file or directory"},
		{"another format", tensorFile, "PK\x03\x04\x00\x00\x00\x00\x00\x00", "model.safetensors: the file is not in the safetensors format"},
		{"pointer of a version control", tensorFile, "version", "model.safetensors: read header: EOF"},
		{"cut off", tensorFile, string(model[:len(model)-1]), `model.safetensors: the tensor "embeddings" lies outside the file; it may be incomplete`},
		{"no embeddings", tensorFile, change(model, `"embeddings"`, `"embeddingz"`), `model.safetensors: there is no tensor "embeddings" of F64, F32, F16 or I8`},
		{"other numbers", tensorFile, change(model, `"F16"`, `"B16"`), `model.safetensors: there is no tensor "embeddings" of F64, F32, F16 or I8`},
		{"not JSON", tokenizerFile, "<html>", "tokenizer.json: it is not the JSON that describes a tokenizer"},
		{"no model", tokenizerFile, "{}", "tokenizer.json: it is not the JSON that describes a tokenizer"},
		{"other tokenizer", tokenizerFile, change(tokenizer, `"type":"Unigram"`, `"type":"BPE"`), `tokenizer.json: its type is "BPE"; WordPiece and Unigram are supported`},
		{"other normalizer", tokenizerFile, change(tokenizer, `"type":"NFKC"`, `"type":"BertNormalizer"`), `tokenizer.json: the normalizer is of type "BertNormalizer", which is not supported for Unigram`},
		{"other pre-tokenizer", tokenizerFile, change(tokenizer, `"type":"WhitespaceSplit"`, `"type":"Digits"`), `tokenizer.json: the pre-tokenizer is of type "Digits", which is not supported for Unigram`},
		{"expression of another language", tokenizerFile, change(tokenizer, `" {2,}"`, `"(?=a)"`), `tokenizer.json: the normalizer replaces "(?=a)", which is not supported`},
		{"more pieces than vectors", tokenizerFile, change(tokenizer, `"vocab":[`, `"vocab":[["x",-1],`), "tokenizer.json: it has "},
		{"length that is none", configFile, `{"max_length":0}`, "config.json: max_length is 0, which is not a number of pieces"},
		{"configuration that is none", configFile, `[]`, "config.json: it is not JSON of the expected form"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := copyModel(t, from, map[string]string{tt.file: tt.text})
			_, err := Open(dir)
			got := fmt.Sprint(err)
			if !strings.HasPrefix(got, "open the model in "+dir+": "+tt.want) || !strings.HasSuffix(got, "; set embeddings.folder to the folder of a "+
				"model2vec model, which holds model.safetensors, tokenizer.json and config.json") {
				t.Errorf("error = %v, want %s and the remedy", err, tt.want)
			}
		})
	}
}

// The fingerprint changes with the vectors, not with the place.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	const from = "testdata/wordpiece-f32"
	model, err := os.ReadFile(filepath.Join(from, tensorFile))
	if err != nil {
		t.Fatal(err)
	}
	model[len(model)-1] ^= 1
	fingerprint := func(dir string) string {
		e, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		return e.Fingerprint()
	}
	here, copied := fingerprint(from), fingerprint(copyModel(t, from, nil))
	changed := fingerprint(copyModel(t, from, map[string]string{tensorFile: string(model)}))
	if here != copied || here == changed || len(here) > 64 {
		t.Errorf("fingerprints: %s here, %s copied, %s changed", here, copied, changed)
	}
}

// A vector that is none is an error, not a vector.
func TestNotNumbers(t *testing.T) {
	t.Parallel()
	const from = "testdata/wordpiece-f32"
	model, err := os.ReadFile(filepath.Join(from, tensorFile))
	if err != nil {
		t.Fatal(err)
	}
	at := len(model) - 1
	for ; model[at] != '}'; at-- { // the header ends there, spaces follow
		model[at] = 0xff
	}
	e, err := Open(copyModel(t, from, map[string]string{tensorFile: string(model)}))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if v, err := e.EmbedQuery(t.Context(), "boat"); err == nil {
		t.Errorf("vector = %v, want an error", v)
	}
}
