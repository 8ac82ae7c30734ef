package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

func echoSpec(t testing.TB) *argumentSpec {
	t.Helper()
	spec, err := newArgumentSpec("search_messages", SchemaOf[echoInput]())
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func TestPrepareArguments(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{name: "as declared", in: `{"query":"a","message_id":"m","conversation":"c","has":["link"],"sort":"name","limit":5,"weight":0.5,"full":true}`,
			want: `{"query":"a","message_id":"m","conversation":"c","has":["link"],"sort":"name","limit":5,"weight":0.5,"full":true}`},
		{name: "order of the schema", in: `{"limit":1,"query":"a"}`, want: `{"query":"a","limit":1}`},
		{name: "spaces around", in: " \n{\"query\" : \"a\"} ", want: `{"query":"a"}`},
		{name: "last of equal keys", in: `{"query":"a","query":"b"}`, want: `{"query":"b"}`},
		{name: "text is kept as it is", in: `{"query":" <b> & \u00e9\n"}`, want: `{"query":" <b> & \u00e9\n"}`},

		{name: "nulls are dropped", in: `{"query":"a","message_id":null,"conversation":null,"has":null,"sort":null,"limit":null,"full":null}`, want: `{"query":"a"}`},
		{name: "empty strings are dropped", in: `{"query":"a","message_id":"","conversation":"  ","has":"","sort":"","limit":"","full":""}`, want: `{"query":"a"}`},
		{name: "the word null is dropped", in: `{"query":"a","message_id":"null","conversation":"null","has":"null","limit":"null","full":"null"}`, want: `{"query":"a"}`},
		{name: "but may be looked for", in: `{"query":"null"}`, want: `{"query":"null"}`},
		{name: "a required text may be empty", in: `{"query":""}`, want: `{"query":""}`},

		{name: "integer as string", in: `{"query":"a","limit":" 5 "}`, want: `{"query":"a","limit":5}`},
		{name: "integer as fraction", in: `{"query":"a","limit":5.0}`, want: `{"query":"a","limit":5}`},
		{name: "integer with exponent", in: `{"query":"a","limit":1e2}`, want: `{"query":"a","limit":100}`},
		{name: "integer as string fraction", in: `{"query":"a","limit":"5.0"}`, want: `{"query":"a","limit":5}`},
		{name: "leading zeros", in: `{"query":"a","limit":"007"}`, want: `{"query":"a","limit":7}`},
		{name: "zero", in: `{"query":"a","limit":"-000"}`, want: `{"query":"a","limit":0}`},
		{name: "negative", in: `{"query":"a","limit":"-3"}`, want: `{"query":"a","limit":-3}`},
		{name: "beyond a double", in: `{"query":"a","limit":9007199254740993}`, want: `{"query":"a","limit":9007199254740993}`},
		{name: "number as string", in: `{"query":"a","weight":"1.5"}`, want: `{"query":"a","weight":1.5}`},
		{name: "boolean as string", in: `{"query":"a","full":"True"}`, want: `{"query":"a","full":true}`},
		{name: "boolean as number", in: `{"query":"a","full":0}`, want: `{"query":"a","full":false}`},
		{name: "text as number", in: `{"query":2024}`, want: `{"query":"2024"}`},
		{name: "one value for a list", in: `{"query":"a","has":"link"}`, want: `{"query":"a","has":["link"]}`},
		{name: "list in a string", in: `{"query":"a","has":" [\"link\",\"image\"]"}`, want: `{"query":"a","has":["link","image"]}`},
		{name: "a text in brackets for a list of texts", in: `{"query":"a","people":"[draft] notes"}`, want: `{"query":"a","people":["[draft] notes"]}`},
		{name: "empty list", in: `{"query":"a","has":[]}`, want: `{"query":"a","has":[]}`},
		{name: "list of one for a value", in: `{"query":["a"]}`, want: `{"query":"a"}`},
		{name: "a text that looks like a list stays one", in: `{"query":"[\"a\"]"}`, want: `{"query":"[\"a\"]"}`},
		{name: "case of listed values", in: `{"query":"a","has":["Link"],"sort":" RECENT "}`, want: `{"query":"a","has":["link"],"sort":"recent"}`},
		{name: "all in a string", in: `"{\"query\":\"a\",\"limit\":\"5\"}"`, want: `{"query":"a","limit":5}`},

		{name: "id as integer", in: `{"query":"a","message_id":9007199254740993}`, want: `{"query":"a","message_id":"9007199254740993"}`},
		{name: "id as numeric string", in: `{"query":"a","message_id":" 12 "}`, want: `{"query":"a","message_id":"12"}`},
		{name: "id as hash", in: `{"query":"a","message_id":"00ffab12"}`, want: `{"query":"a","message_id":"00ffab12"}`},
		{name: "hash of digits keeps its zeros", in: `{"query":"a","message_id":"00123456"}`, want: `{"query":"a","message_id":"00123456"}`},
		{name: "id as fraction", in: `{"query":"a","message_id":12.0}`, want: `{"query":"a","message_id":"12"}`},
	}
	spec := echoSpec(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := spec.prepare(json.RawMessage(tt.in))
			if err != nil || string(got) != tt.want {
				t.Errorf("got %s, %v\nwant %s", got, err, tt.want)
			}
			var in echoInput
			if err := json.Unmarshal(got, &in); err != nil {
				t.Errorf("the result does not fit the tool's input: %v", err)
			}
		})
	}
}

func TestPrepareArgumentsRefuses(t *testing.T) {
	t.Parallel()
	const valid = ". Valid arguments: query (required), message_id, conversation, has, people, sort, limit, weight, full"
	tests := []struct{ name, in, want string }{
		{name: "typing error", in: `{"querry":"a"}`, want: `unknown argument "querry" (did you mean "query"?); "query" is required`},
		{name: "another style", in: `{"query":"a","messageId":1}`, want: `unknown argument "messageId" (did you mean "message_id"?)`},
		{name: "nothing near", in: `{"query":"a","zzz":1}`, want: `unknown argument "zzz"`},
		{name: "a taken name is not suggested", in: `{"query":"a","querys":1}`, want: `unknown argument "querys"`},
		{name: "case counts", in: `{"Query":"a"}`, want: `unknown argument "Query" (did you mean "query"?); "query" is required`},
		{name: "missing", in: `{}`, want: `"query" is required`},
		{name: "nothing", in: ``, want: `"query" is required`},
		{name: "null", in: `null`, want: `"query" is required`},
		{name: "empty string", in: `""`, want: `"query" is required`},
		{name: "required null", in: `{"query":null}`, want: `"query" is required`},
		{name: "not an object", in: `[1]`, want: `the arguments must be a JSON object`},
		{name: "words", in: `"find it"`, want: `the arguments must be a JSON object`},
		{name: "integer as word", in: `{"query":"a","limit":"many"}`, want: `"limit" must be an integer, not "many"`},
		{name: "integer with fraction", in: `{"query":"a","limit":5.5}`, want: `"limit" must be an integer, not 5.5`},
		{name: "integer as boolean", in: `{"query":"a","limit":true}`, want: `"limit" must be an integer, not true`},
		{name: "integer beyond 64 bits", in: `{"query":"a","limit":99999999999999999999}`, want: `"limit" must be an integer, not 99999999999999999999`},
		{name: "integer of a million digits", in: `{"query":"a","limit":1e1000000}`, want: `"limit" must be an integer, not 1e1000000`},
		{name: "hexadecimal", in: `{"query":"a","limit":"0x10"}`, want: `"limit" must be an integer, not "0x10"`},
		{name: "two signs", in: `{"query":"a","limit":"+-5"}`, want: `"limit" must be an integer, not "+-5"`},
		{name: "number as word", in: `{"query":"a","weight":"NaN"}`, want: `"weight" must be a number, not "NaN"`},
		{name: "boolean as word", in: `{"query":"a","full":"yes"}`, want: `"full" must be true or false, not "yes"`},
		{name: "text as object", in: `{"query":{"a":1}}`, want: `"query" must be a string, not {\"a\":1}`},
		{name: "text as boolean", in: `{"query":true}`, want: `"query" must be a string, not true`},
		{name: "two values for one", in: `{"query":["a","b"]}`, want: `"query" must be a string, not [\"a\",\"b\"]`},
		{name: "no value for one", in: `{"query":[]}`, want: `"query" must be a string, not []`},
		{name: "id as fraction", in: `{"query":"a","message_id":1.5}`, want: `"message_id" must be an integer or a string, not 1.5`},
		{name: "id as boolean", in: `{"query":"a","message_id":true}`, want: `"message_id" must be an integer or a string, not true`},
		{name: "value not listed", in: `{"query":"a","sort":"recant"}`, want: `"sort" must be one of recent, name, not "recant" (did you mean "recent"?)`},
		{name: "value far from the list", in: `{"query":"a","sort":"zzzzzzzz"}`, want: `"sort" must be one of recent, name, not "zzzzzzzz"`},
		{name: "element not listed", in: `{"query":"a","has":["link","pics"]}`, want: `"has" must be a list, each element one of link, image, file, not "pics"`},
		{name: "element null", in: `{"query":"a","has":[null]}`, want: `"has" must be a list, each element one of link, image, file, not null`},
		{name: "all at once", in: `{"qury":"a","limit":"x","full":"y"}`, want: `unknown argument "qury" (did you mean "query"?); "query" is required; "limit" must be an integer, not "x"; "full" must be true or false, not "y"`},
		{name: "long values are cut", in: `{"query":"a","limit":"` + strings.Repeat("é", 200) + `"}`, want: `"limit" must be an integer, not "` + strings.Repeat("é", excerptLength) + `…"`},
		{name: "control characters are shown", in: `{"query":"a","limit":"\u001b[31m\u202e"}`, want: `"limit" must be an integer, not "\x1b[31m\u202e"`},
	}
	spec := echoSpec(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := spec.prepare(json.RawMessage(tt.in))
			want := "invalid arguments for search_messages: " + tt.want + valid
			if err == nil || err.Error() != want {
				t.Errorf("got %s, %v\nwant error %s", got, err, want)
			}
		})
	}
}

func TestPrepareNoArguments(t *testing.T) {
	t.Parallel()
	spec, err := newArgumentSpec("ping", SchemaOf[struct{}]())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := spec.prepare(nil); err != nil || string(got) != "{}" {
		t.Errorf("got %s, %v, want {}", got, err)
	}
	want := `invalid arguments for ping: unknown argument "a". Valid arguments: none`
	if _, err := spec.prepare(json.RawMessage(`{"a":1}`)); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestArgumentSpecRefusesNestedInput(t *testing.T) {
	t.Parallel()
	type nested struct {
		Inner struct {
			A string `json:"a"`
		} `json:"inner"`
	}
	if _, err := newArgumentSpec("x", SchemaOf[nested]()); err == nil || !strings.Contains(err.Error(), "inner") {
		t.Errorf("got %v, want an error that names the argument", err)
	}
}

// Whatever comes in, what goes to the tool fits its schema, and refusals name
// the tool.
func FuzzPrepareArguments(f *testing.F) {
	for _, seed := range []string{
		`{"query":"a","message_id":1,"has":"link","limit":"5","full":"true"}`, `"{\"query\":1}"`, `null`, `[`, `{"query":[["a"]]}`,
		`{"query":"a","message_id":-0,"limit":1e2,"weight":"1e400"}`, `{"query":"a","has":"[1"}`, `{"":null}`,
	} {
		f.Add([]byte(seed))
	}
	spec := echoSpec(f)
	resolved, err := SchemaOf[echoInput]().Resolve(&jsonschema.ResolveOptions{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := spec.prepare(raw)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "invalid arguments for search_messages: ") {
				t.Errorf("refusal does not name the tool: %v", err)
			}
			return
		}
		var value any
		if err := json.Unmarshal(got, &value); err != nil {
			t.Fatalf("%q became %q: %v", raw, got, err)
		}
		if err := resolved.Validate(value); err != nil {
			t.Errorf("%q became %q: %v", raw, got, err)
		}
		var in echoInput
		if err := json.Unmarshal(got, &in); err != nil {
			t.Errorf("%q became %q: %v", raw, got, err)
		}
	})
}
