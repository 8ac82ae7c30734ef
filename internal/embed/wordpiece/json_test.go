package wordpiece

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const smallJSON = `{
	"version": "1.0",
	"added_tokens": [],
	"normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true},
	"pre_tokenizer": {"type": "BertPreTokenizer"},
	"post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]},
	"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
		"vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "cafe": 3, "##s": 4, "Café": 5, "好": 6}}
}`

func TestFromJSON(t *testing.T) {
	t.Parallel()
	template := `"post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, ` +
		`{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "[SEP]", "type_id": 0}}]}`
	bert := `"post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]}`
	tests := []struct {
		name     string
		old, new string // in smallJSON
		text     string
		want     []int32
	}{
		{"uncased", "", "", "Cafés 好好", []int32{1, 3, 4, 6, 6, 2}},
		{"template", bert, template, "Cafés", []int32{1, 3, 4, 2}},
		{"nothing around", bert, `"post_processor": null`, "Cafés", []int32{3, 4}},
		{"cased keeps accents", `"lowercase": true`, `"lowercase": false`, "Café cafe", []int32{1, 5, 3, 2}},
		{"cased without accents", `null, "lowercase": true`, `true, "lowercase": false`, "Café café", []int32{1, 0, 3, 2}},
		{"ideographs together", `"handle_chinese_chars": true`, `"handle_chinese_chars": false`, "好好", []int32{1, 0, 2}},
		{"short words only", `"max_input_chars_per_word": 100`, `"max_input_chars_per_word": 4`, "cafe cafes", []int32{1, 3, 0, 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(smallJSON, tt.old) {
				t.Fatalf("nothing to replace: %s", tt.old)
			}
			tokenizer, err := FromJSON([]byte(strings.Replace(smallJSON, tt.old, tt.new, 1)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, tokenizer.Encode(nil, tt.text, 100)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFromJSONErrors(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, old, new, want string }{
		{"not JSON", `{`, `[[`, "tokenizer.json"},
		{"other model", `"WordPiece"`, `"Unigram"`, `"Unigram"`},
		{"other normalizer", `"BertNormalizer"`, `"NFC"`, `"NFC"`},
		{"no normalizer", `"normalizer"`, `"x"`, "normalizer"},
		{"other pre-tokenizer", `"BertPreTokenizer"`, `"Metaspace"`, `"Metaspace"`},
		{"other post-processor", `"BertProcessing"`, `"RobertaProcessing"`, `"RobertaProcessing"`},
		{"post-processor without tokens", `"cls": ["[CLS]", 1]`, `"cls": []`, "post-processor"},
		{"missing special token", `"[SEP]": 2`, `"[SAP]": 2`, `"[SEP]"`},
		{"negative identifier", `"[UNK]": 0`, `"[UNK]": -1`, "-1"},
		{"huge identifier", `"好": 6`, `"好": 2000000000`, "2000000000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := FromJSON([]byte(strings.Replace(smallJSON, tt.old, tt.new, 1)))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want it to say %s", err, tt.want)
			}
			if tt.name != "not JSON" && !errors.Is(err, ErrVocabulary) {
				t.Errorf("%v is no ErrVocabulary", err)
			}
		})
	}
}

// The library's file and a plain list of the same vocabulary come to the
// same pieces.
func TestFromJSONGolden(t *testing.T) {
	t.Parallel()
	ids := make(map[string]int)
	for id, piece := range vocabulary(t) {
		ids[piece] = id
	}
	vocab, err := json.Marshal(ids)
	if err != nil {
		t.Fatal(err)
	}
	start := strings.Index(smallJSON, `{"[UNK]"`)
	tokenizer, err := FromJSON([]byte(smallJSON[:start] + string(vocab) + "}}"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tokenizer.Size(), len(ids); got != want {
		t.Errorf("size %d, want %d", got, want)
	}
	for _, c := range golden(t) {
		if diff := cmp.Diff(c.IDs, tokenizer.Encode(nil, c.Text, 1<<20)); diff != "" {
			t.Errorf("%+q (-want +got):\n%s", c.Text, diff)
		}
	}
}

func FuzzFromJSON(f *testing.F) {
	f.Add([]byte(smallJSON), "Cafés 好")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		tokenizer, err := FromJSON(data)
		if err != nil {
			return
		}
		for _, id := range tokenizer.Append(nil, text, 50) {
			if id < 0 || int(id) >= tokenizer.Size() {
				t.Fatalf("id %d of %d", id, tokenizer.Size())
			}
		}
	})
}
