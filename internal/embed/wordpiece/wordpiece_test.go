package wordpiece

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// vocabulary returns that of BERT's English uncased models.
func vocabulary(t testing.TB) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/vocab.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func english(t testing.TB) *Tokenizer {
	t.Helper()
	tokenizer, err := New(vocabulary(t), Uncased())
	if err != nil {
		t.Fatal(err)
	}
	return tokenizer
}

type goldenCase struct {
	Text    string  `json:"text"`
	IDs     []int32 `json:"ids"`
	First16 []int32 `json:"first16"`
}

// golden returns what the reference makes of many texts; see
// tools/embedmodel/transformer.
func golden(t testing.TB) []goldenCase {
	t.Helper()
	data, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []goldenCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 60 {
		t.Fatalf("only %d cases", len(cases))
	}
	return cases
}

func TestGolden(t *testing.T) {
	t.Parallel()
	tokenizer := english(t)
	for _, c := range golden(t) {
		if diff := cmp.Diff(c.IDs, tokenizer.Encode(nil, c.Text, 1<<20)); diff != "" {
			t.Errorf("%+q (-want +got):\n%s", c.Text, diff)
		}
		if diff := cmp.Diff(c.First16, tokenizer.Encode(nil, c.Text, 16)); diff != "" {
			t.Errorf("%+q cut to 16 (-want +got):\n%s", c.Text, diff)
		}
	}
}

func TestAppend(t *testing.T) {
	t.Parallel()
	tokenizer, err := New([]string{"[UNK]", "[CLS]", "[SEP]", "play", "##ing", "##in", "##g", "p", "!"}, Uncased())
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		ids   []int32
		text  string
		limit int
		want  []int32
	}{
		{"longest piece first", nil, "playing", 10, []int32{3, 4}},
		{"no piece goes on", nil, "player!", 10, []int32{0, 8}},
		{"continuations do not start", nil, "ing", 10, []int32{0}},
		{"limit inside a word", nil, "playing playing", 3, []int32{3, 4, 3}},
		{"limit counts from what is there", []int32{7, 7}, "playing", 1, []int32{7, 7, 3}},
		{"limit zero", []int32{7}, "playing", 0, []int32{7}},
		{"negative limit", []int32{7}, "playing", -5, []int32{7}},
		{"prefix in the text", nil, "##ing", 10, []int32{0, 0, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, tokenizer.Append(tt.ids, tt.text, tt.limit)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestNewErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		vocabulary []string
		change     func(*Options)
	}{
		{"empty vocabulary", nil, func(*Options) {}},
		{"no end token", []string{"[UNK]", "[CLS]"}, func(*Options) {}},
		{"no unknown token wanted", []string{"a"}, func(o *Options) { *o = Options{} }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			options := Uncased()
			tt.change(&options)
			if _, err := New(tt.vocabulary, options); !errors.Is(err, ErrVocabulary) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// A text can be as long as it likes: only its start is read.
func TestLongText(t *testing.T) {
	t.Parallel()
	tokenizer := english(t)
	short := strings.Repeat("over and over ", 20)
	long := strings.Repeat("over and over ", 1_000_000)
	start := time.Now()
	for range 20 {
		tokenizer.Encode(nil, long, 32)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
	if diff := cmp.Diff(tokenizer.Encode(nil, short, 32), tokenizer.Encode(nil, long, 32)); diff != "" {
		t.Errorf("(-short +long):\n%s", diff)
	}
}

func FuzzEncode(f *testing.F) {
	for _, c := range golden(f) {
		f.Add(c.Text, 16)
	}
	tokenizer := english(f)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = 2 + max(limit, -limit, 0)%300
		ids := tokenizer.Encode(nil, text, limit)
		if len(ids) < 2 || len(ids) > limit || ids[0] != tokenizer.start || ids[len(ids)-1] != tokenizer.end {
			t.Fatalf("%d ids of at most %d: %v", len(ids), limit, ids)
		}
		inner := ids[1 : len(ids)-1]
		for _, id := range inner {
			if id == tokenizer.start || id == tokenizer.end || id < 0 || int(id) >= tokenizer.Size() {
				t.Fatalf("id %d in the text", id)
			}
		}
		if longer := tokenizer.Append(nil, text, limit+5); !cmp.Equal(longer[:len(inner)], inner) && len(inner) > 0 {
			t.Fatalf("%v is no start of %v", inner, longer)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	tokenizer := english(b)
	text := "Where did you park the car? I left it on Elm Street, next to the bakery."
	ids := make([]int32, 0, 64)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		ids = tokenizer.Encode(ids[:0], text, 64)
	}
}

func BenchmarkNew(b *testing.B) {
	words := vocabulary(b)
	for b.Loop() {
		if _, err := New(words, Uncased()); err != nil {
			b.Fatal(err)
		}
	}
}
