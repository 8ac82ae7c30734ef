package folder

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzTensors holds that any file gives tensors that can be read to their
// last row, or an error.
func FuzzTensors(f *testing.F) {
	for _, name := range []string{"testdata/wordpiece-f32", "testdata/wordpiece-quantised", "testdata/unigram-f16"} {
		data, err := os.ReadFile(name + "/" + tensorFile)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("\x02\x00\x00\x00\x00\x00\x00\x00{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := tensors(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		for name, tensor := range all {
			sum, buffer := make([]float64, tensor.dims), make([]byte, tensor.rowSize())
			for _, row := range []int{0, tensor.rows - 1} {
				if err := tensor.add(sum, row, 1, buffer); err != nil {
					t.Errorf("%q, row %d of %d: %v", name, row, tensor.rows, err)
				}
			}
		}
	})
}

// FuzzUnigram holds that any text is cut into pieces of the vocabulary, never
// more than asked for, and that pieces which need no preparation give the
// text back.
func FuzzUnigram(f *testing.F) {
	text, err := os.ReadFile("testdata/unigram-bytes-i8/" + tokenizerFile)
	if err != nil {
		f.Fatal(err)
	}
	var shape struct {
		Normalizer   json.RawMessage `json:"normalizer"`
		PreTokenizer json.RawMessage `json:"pre_tokenizer"`
		Model        json.RawMessage `json:"model"`
	}
	if err := json.Unmarshal(text, &shape); err != nil {
		f.Fatal(err)
	}
	u, err := newUnigram(shape.Model, shape.Normalizer, shape.PreTokenizer)
	if err != nil {
		f.Fatal(err)
	}
	pieces := make(map[int32]string)
	for piece, id := range u.ids {
		pieces[id] = piece
	}
	for b, id := range u.bytes {
		pieces[id] = string([]byte{byte(b)})
	}
	for _, seed := range []string{"the boat leaves", "船 は\xff", "", "▁▁", strings.Repeat("boat", 50)} {
		f.Add(seed, 512)
	}
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = max(0, min(limit, 2000))
		ids := u.Append([]int32{7}, text, limit)
		if len(ids)-1 > limit || ids[0] != 7 {
			t.Fatalf("%d pieces, want at most %d after the first", len(ids)-1, limit)
		}
		var b strings.Builder
		for _, id := range ids[1:] {
			if id < 0 || int(id) >= u.Size() {
				t.Fatalf("piece %d of %d", id, u.Size())
			}
			b.WriteString(pieces[id])
		}
		if prepared := u.words(u.prepare(text)); len(ids)-1 < limit && utf8.ValidString(text) && b.String() != strings.Join(prepared, "") {
			t.Errorf("pieces give %q, want %q", b.String(), prepared)
		}
	})
}
