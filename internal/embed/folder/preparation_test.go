package folder

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is wanted is what the library tokenizers gives, for the precompiled
// table that of sentencepiece 0.2.
func TestPreparation(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, json, in, want string }{
		{"none", `null`, " Ａ\t", " Ａ\t"},
		{"precompiled", `{"type":"Precompiled","precompiled_charsmap":"AA=="}`, "①ﬁ ｶ～!\u0301\u200bx\u200dy\u061cz\ufeff\x01\t", "1fi カ～!\u0301 x\u200dy z  "},
		{"nmt", `{"type":"Nmt"}`, "a\u200db\x7f①", "a b①"},
		{"NFC", `{"type":"NFC"}`, "e\u0301", "\u00e9"},
		{"NFD and marks", `{"type":"Sequence","normalizers":[{"type":"NFD"},{"type":"StripAccents"},{"type":"Lowercase"}]}`, "ÉTÉ", "ete"},
		{"NFKD", `{"type":"NFKD"}`, "ﬁ\u00e9", "fie\u0301"},
		{"strip", `{"type":"Strip","strip_left":false,"strip_right":true}`, "  a  ", "  a"},
		{"prepend", `{"type":"Prepend","prepend":"\u2581"}`, "a", "\u2581a"},
		{"prepend to nothing", `{"type":"Prepend","prepend":"\u2581"}`, "", ""},
		{"replace a text", `{"type":"Replace","pattern":{"String":"''"},"content":"\""}`, "''a''", `"a"`},
		{"replace an expression", `{"type":"Replace","pattern":{"Regex":" {2,}"},"content":"$1 "}`, "a   b", "a$1 b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f, err := newPreparation(json.RawMessage(tt.json))
			if err != nil {
				t.Fatal(err)
			}
			if got := f(tt.in); got != tt.want {
				t.Errorf("prepared %q = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestSplitter(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, json, in string
		want           []string
	}{
		{"words", `{"type":"WhitespaceSplit"}`, " a\u3000b ", []string{"a", "b"}},
		{"metaspace", `{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"}`, "a  b ", []string{"▁a", "▁", "▁b", "▁"}},
		{"already there", `{"type":"Metaspace","replacement":"▁","prepend_scheme":"first"}`, " a", []string{"▁a"}},
		{"never", `{"type":"Metaspace","replacement":"▁","prepend_scheme":"never"}`, "a b", []string{"a", "▁b"}},
		{"as older files say it", `{"type":"Metaspace","replacement":"▁","add_prefix_space":false}`, "a b", []string{"a", "▁b"}},
		{"whole", `{"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":false}`, "a b", []string{"▁a▁b"}},
		{"both", `{"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},{"type":"Metaspace","replacement":"▁"}]}`, "a\t b", []string{"▁a", "▁b"}},
		{"nothing", `{"type":"Metaspace","replacement":"▁"}`, "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f, err := newSplitter(json.RawMessage(tt.json))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, f(tt.in)); diff != "" {
				t.Errorf("words (-want +got):\n%s", diff)
			}
		})
	}
}
