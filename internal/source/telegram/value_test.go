package telegram

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestDecodeString(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"plain", `"tomato"`, "tomato"},
		{"short escapes", `"\n\t\r\b\f\"\\\/"`, "\n\t\r\b\f\"\\/"},
		{"unicode escapes", `"gr\u00fcn"`, "grün"},
		{"surrogate pair", `"\ud83c\udf45"`, "🍅"},
		{"lone high surrogate", `"a\ud83cb"`, "a\ufffdb"},
		{"two high surrogates", `"\ud83c\ud83c\udf45"`, "\ufffd🍅"},
		{"lone low surrogate", `"\udf45"`, "\ufffd"},
		{"the exporter's control characters", `"a\x0Bb\x1Fc\x00"`, "a\vb\x1fc\x00"},
		{"unknown escape", `"C:\q"`, `C:\q`},
		{"cut unicode escape", `"\u00"`, `\u00`},
		{"bad hexadecimal digits", `"\xzz\u+123"`, `\xzz\u+123`},
		{"invalid UTF-8", "\"a\xffb\"", "a\ufffdb"},
		{"invalid UTF-8 and escapes", "\"a\xff\\n\"", "a\ufffd\n"},
		{"number", `12`, "12"},
		{"empty", `""`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := decodeString([]byte(tt.in)); got != tt.want {
				t.Errorf("decodeString(%s) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestFields(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		want     []string
		bad      bool
	}{
		{"empty", `{}`, nil, false},
		{"members", "{ \"a\" : 1,\n\"b\":{\"c\":[2]} , \"d\":\"e\"}", []string{"a=1", `b={"c":[2]}`, `d="e"`}, false},
		{"twice", `{"a":1,"a":2}`, []string{"a=1", "a=2"}, false},
		{"escaped key", `{"\u0061":1}`, []string{"a=1"}, false},
		{"comma too many", `{"a":1,}`, []string{"a=1"}, false},
		{"array", `[1]`, nil, true},
		{"key is no string", `{1:2}`, nil, true},
		{"no colon", `{"a" 1}`, nil, true},
		{"no value", `{"a":}`, nil, true},
		{"no comma", `{"a":1 "b":2}`, []string{"a=1"}, true},
		{"cut", `{"a":1`, []string{"a=1"}, true},
		{"cut in the key", `{"a`, nil, true},
		{"nothing", ``, nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			err := fields([]byte(tt.in), func(key string, value []byte) error {
				got = append(got, key+"="+string(value))
				return nil
			})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("members (-want +got):\n%s", diff)
			}
			if (err != nil) != tt.bad {
				t.Errorf("error %v, want one: %t", err, tt.bad)
			}
		})
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"nothing", ``, ""},
		{"string", `"a\nb"`, "a\nb"},
		{"number", `12.50`, "12.50"},
		{"word", `true`, "true"},
		{"names", `["Ana", null ,"Ben"]`, "Ana, Deleted account, Ben"},
		{"empty list", `[ ]`, ""},
		{"mixed list", `[1, "a b"]`, `[1,"a b"]`},
		{"object", "{\n \"a b\": [ 1, \"c \\\" d\" ]\n}", `{"a b":[1,"c \" d"]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := plain([]byte(tt.in)); got != tt.want {
				t.Errorf("plain(%s) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// FuzzDecodeString compares with encoding/json wherever that takes the text.
// Of invalid UTF-8 the two make a different number of replacement characters.
func FuzzDecodeString(f *testing.F) {
	for _, seed := range []string{`"a"`, `"\u00e9\ud83c\udf45\n"`, `"\x0B"`, `"\ud83c"`, "\"\xff\"", `"\\\\\""`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := decodeString([]byte(text))
		if !utf8.ValidString(got) {
			t.Errorf("%q became invalid UTF-8: %q", text, got)
		}
		var want string
		if utf8.ValidString(text) && json.Unmarshal([]byte(text), &want) == nil && strings.HasPrefix(text, `"`) && strings.HasSuffix(text, `"`) && got != want {
			t.Errorf("%q became %q, encoding/json says %q", text, got, want)
		}
	})
}
