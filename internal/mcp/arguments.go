package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// argumentSpec knows the arguments of one tool. It accepts what clients and
// models really send, as long as the meaning is certain, and explains in one
// sentence what is wrong with the rest.
type argumentSpec struct {
	tool   string
	params []param
}

// param is one argument.
type param struct {
	name     string
	kind     kind
	list     bool // a list of kind
	required bool
	enum     []string
}

// kind is the type of an argument or of a list's elements.
type kind int

const (
	textKind kind = iota
	integerKind
	numberKind
	booleanKind
	intOrTextKind
)

// newArgumentSpec reads a tool's input schema, which must be what SchemaOf
// makes of a struct of texts, numbers, booleans, IntOrText and lists of them.
func newArgumentSpec(tool string, s *jsonschema.Schema) (*argumentSpec, error) {
	spec := &argumentSpec{tool: tool}
	for _, name := range s.PropertyOrder {
		p := param{name: name, required: slices.Contains(s.Required, name)}
		value := s.Properties[name]
		if value.Type == "array" {
			p.list, value = true, value.Items
		}
		switch {
		case value.Type == "string":
			p.kind = textKind
		case value.Type == "integer":
			p.kind = integerKind
		case value.Type == "number":
			p.kind = numberKind
		case value.Type == "boolean":
			p.kind = booleanKind
		case len(value.AnyOf) == 2 && value.AnyOf[0].Type == "integer" && value.AnyOf[1].Type == "string":
			p.kind = intOrTextKind
		default:
			return nil, fmt.Errorf("argument %s of %s: type is not supported", name, tool)
		}
		for _, v := range value.Enum {
			p.enum = append(p.enum, fmt.Sprint(v))
		}
		spec.params = append(spec.params, p)
	}
	return spec, nil
}

// prepare returns the arguments in the form the tool's handler expects, in
// the order of the schema: only known names, no nulls, every value of its
// declared type, IntOrText as a string. Integers are kept digit for digit.
// The error is a sentence for the model and says everything that is wrong.
func (spec *argumentSpec) prepare(raw json.RawMessage) (json.RawMessage, error) {
	given, ok := argumentObject(raw)
	if !ok {
		return nil, spec.fault([]string{"the arguments must be a JSON object"})
	}
	var problems []string
	for _, name := range sortedKeys(given) {
		if !slices.ContainsFunc(spec.params, func(p param) bool { return p.name == name }) {
			problems = append(problems, spec.unknown(name, given))
		}
	}
	out := []byte{'{'}
	for _, p := range spec.params {
		value, isGiven := given[p.name]
		if !isGiven || isUnset(value, p) {
			if p.required {
				problems = append(problems, fmt.Sprintf("%q is required", p.name))
			}
			continue
		}
		fixed, problem := p.coerce(value)
		if problem != "" {
			problems = append(problems, problem)
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, quoteJSON(p.name)...)
		out = append(out, ':')
		out = append(out, fixed...)
	}
	if problems != nil {
		return nil, spec.fault(problems)
	}
	return append(out, '}'), nil
}

// argumentObject decodes the arguments: an object, an object written into a
// string, or nothing.
func argumentObject(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	raw = bytes.TrimSpace(raw)
	if isString(raw) {
		var text string
		if json.Unmarshal(raw, &text) != nil {
			return nil, false
		}
		raw = bytes.TrimSpace([]byte(text))
	}
	if len(raw) == 0 || string(raw) == "null" {
		return nil, true
	}
	var given map[string]json.RawMessage
	err := json.Unmarshal(raw, &given)
	return given, err == nil
}

// isUnset reports whether a value stands for "not given": null, and for an
// optional argument also the empty string and the word null.
func isUnset(raw json.RawMessage, p param) bool {
	if string(raw) == "null" {
		return true
	}
	var text string
	if !isString(raw) || json.Unmarshal(raw, &text) != nil {
		return false
	}
	if p.required && p.kind == textKind {
		return false
	}
	text = strings.TrimSpace(text)
	return text == "" || text == "null"
}

// unknown says that an argument does not exist and which one may be meant.
func (spec *argumentSpec) unknown(name string, given map[string]json.RawMessage) string {
	var free []string
	for _, p := range spec.params {
		if _, taken := given[p.name]; !taken {
			free = append(free, p.name)
		}
	}
	if meant := nearest(name, free); meant != "" {
		return fmt.Sprintf("unknown argument %s (did you mean %q?)", excerpt(name), meant)
	}
	return "unknown argument " + excerpt(name)
}

// fault joins the problems into one sentence that names the tool, followed by
// its valid arguments.
func (spec *argumentSpec) fault(problems []string) error {
	names := make([]string, len(spec.params))
	for i, p := range spec.params {
		names[i] = p.name
		if p.required {
			names[i] += " (required)"
		}
	}
	valid := strings.Join(names, ", ")
	if valid == "" {
		valid = "none"
	}
	return fmt.Errorf("invalid arguments for %s: %s. Valid arguments: %s", spec.tool, strings.Join(problems, "; "), valid)
}

func sortedKeys(m map[string]json.RawMessage) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func quoteJSON(s string) []byte {
	raw, _ := json.Marshal(s) // a string always encodes
	return raw
}
