package mcp

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// IntOrText is an argument that may be written as an integer or as a string,
// such as a message's number or its hash. It holds the text either way, digit
// for digit: no integer is rounded.
type IntOrText string

// UnmarshalJSON accepts a JSON string or number; null leaves v as it is.
func (v *IntOrText) UnmarshalJSON(raw []byte) error {
	switch {
	case string(raw) == "null":
		return nil
	case isString(raw):
		return json.Unmarshal(raw, (*string)(v))
	case isScalarID(raw):
		*v = IntOrText(raw)
		return nil
	}
	return fmt.Errorf("read %s: want an integer or a string", raw)
}

// typeSchemas are the types whose inferred schema would be wrong or would
// lose its meaning. The union is written with anyOf because clients that know
// only single types reject a list of types.
var typeSchemas = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[IntOrText](): {AnyOf: []*jsonschema.Schema{{Type: "integer"}, {Type: "string"}}},
	reflect.TypeFor[time.Time](): {Type: "string", Format: "date-time"},
}

// SchemaOf returns the JSON schema of T, a struct, in the subset that all
// clients understand: every place has one type and no null, numbers have no
// bounds (values are clamped, not refused), objects are closed. A field
// without omitempty or omitzero is required. Field tags: `jsonschema` is the
// description; `enum:"a,b"` lists the values of a string, or of the strings
// of a slice; `format:"date-time"` and `default:"20"` are hints only. It
// panics when T cannot be described, which a program's first run shows.
func SchemaOf[T any]() *jsonschema.Schema {
	t := reflect.TypeFor[T]()
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: typeSchemas})
	if err != nil {
		panic(fmt.Errorf("describe %s: %w", t, err))
	}
	if t.Kind() != reflect.Struct {
		panic(fmt.Errorf("describe %s: only a struct has named fields", t))
	}
	tidy(t, s)
	return s
}

// tidy brings s, the inferred schema of t, into the portable subset.
func tidy(t reflect.Type, s *jsonschema.Schema) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s.Types != nil {
		s.Type, s.Types = s.Types[len(s.Types)-1], nil // ["null", T]
	}
	s.Minimum, s.Maximum, s.MinItems, s.MaxItems = nil, nil, nil, nil
	if typeSchemas[t] != nil {
		if s.Type == "null" { // a pointer to a union
			s.Type = ""
		}
		return
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			panic(fmt.Errorf("describe %s: bytes and raw JSON have no schema", t))
		}
		tidy(t.Elem(), s.Items)
	case reflect.Map:
		tidy(t.Elem(), s.AdditionalProperties)
	case reflect.Interface:
		panic(fmt.Errorf("describe %s: a value of any type has no schema", t))
	case reflect.Struct:
		for _, field := range reflect.VisibleFields(t) {
			if p := s.Properties[jsonName(field)]; p != nil && field.IsExported() && !field.Anonymous {
				tidy(field.Type, p)
				applyTags(field, p)
			}
		}
	}
}

func jsonName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	if name == "" {
		return field.Name
	}
	return name
}

func applyTags(field reflect.StructField, s *jsonschema.Schema) {
	target := s
	if s.Items != nil {
		target = s.Items
	}
	if values, ok := field.Tag.Lookup("enum"); ok {
		if target.Type != "string" {
			panic(fmt.Errorf("describe field %s: enum needs strings", field.Name))
		}
		for v := range strings.SplitSeq(values, ",") {
			target.Enum = append(target.Enum, v)
		}
	}
	if format, ok := field.Tag.Lookup("format"); ok {
		target.Format = format
	}
	if value, ok := field.Tag.Lookup("default"); ok {
		raw := json.RawMessage(value)
		if s.Type == "string" {
			raw, _ = json.Marshal(value)
		}
		if !json.Valid(raw) {
			panic(fmt.Errorf("describe field %s: default %q is not JSON", field.Name, value))
		}
		s.Default = raw
	}
}
