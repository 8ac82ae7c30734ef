package mcp

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with testdata/name, or writes it with -update.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); run the test with -update if that is meant:\n%s", path, diff)
	}
}

type embedded struct {
	Source string `json:"source" jsonschema:"where it was sent" enum:"signal,whatsapp"`
}

type everything struct {
	embedded
	ID       IntOrText         `json:"id"`
	MaybeID  *IntOrText        `json:"maybe_id,omitempty"`
	Count    uint32            `json:"count"`
	Small    int8              `json:"small,omitempty" default:"5"`
	Score    *float64          `json:"score,omitempty"`
	Name     *string           `json:"name,omitempty" default:"nobody"`
	At       time.Time         `json:"at"`
	Until    *time.Time        `json:"until,omitempty"`
	Link     string            `json:"link,omitempty" format:"uri"`
	Kinds    []string          `json:"kinds" enum:"image,video"`
	Three    [3]int            `json:"three"`
	Nested   []*embedded       `json:"nested"`
	Extra    map[string]string `json:"extra,omitempty"`
	Full     bool              `json:"full,omitempty" default:"false"`
	Untagged int
	Ignored  chan int `json:"-"`
}

func TestSchemaOf(t *testing.T) {
	t.Parallel()
	raw, err := json.MarshalIndent(SchemaOf[everything](), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "schema.golden.json", append(raw, '\n'))
	checkPortable(t, raw)
}

// checkPortable fails on what the Inspector's strict mode remarks on: lists of
// types, true and false as schemas, and schemas that say nothing. Bounds are
// refused too.
func checkPortable(t testing.TB, raw []byte) {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(raw, &root); err != nil {
		t.Fatalf("schema is not an object: %v", err)
	}
	var check func(path string, node any)
	check = func(path string, node any) {
		s, ok := node.(map[string]any)
		if !ok {
			t.Errorf("%s: %v is no schema object", path, node)
			return
		}
		if _, single := s["type"].(string); !single && s["anyOf"] == nil {
			t.Errorf("%s: type is %v", path, s["type"])
		}
		for key, value := range s {
			switch key {
			case "minimum", "maximum", "minItems", "maxItems":
				t.Errorf("%s: bounds are not for schemas: %s", path, key)
			case "properties":
				for name, p := range value.(map[string]any) {
					check(path+"."+name, p)
				}
			case "items":
				check(path+"[]", value)
			case "anyOf":
				for _, branch := range value.([]any) {
					check(path+"|", branch)
				}
			case "additionalProperties":
				if value != false {
					check(path+".*", value)
				}
			}
		}
	}
	check("", root)
}

func TestSchemaOfRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		make func()
		want string
	}{
		{name: "any value", make: func() {
			SchemaOf[struct {
				A any `json:"a"`
			}]()
		}, want: "any type"},
		{name: "raw JSON", make: func() {
			SchemaOf[struct {
				A json.RawMessage `json:"a"`
			}]()
		}, want: "raw JSON"},
		{name: "no struct", make: func() { SchemaOf[map[string]string]() }, want: "only a struct"},
		{name: "function", make: func() {
			SchemaOf[struct {
				A func() `json:"a"`
			}]()
		}, want: "func()"},
		{name: "list of numbers", make: func() {
			SchemaOf[struct {
				A int `json:"a" enum:"1,2"`
			}]()
		}, want: "enum"},
		{name: "default that is no JSON", make: func() {
			SchemaOf[struct {
				A int `json:"a" default:"many"`
			}]()
		}, want: "default"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("got %v, want a panic with %q", err, tt.want)
				}
			}()
			tt.make()
		})
	}
}

func TestIntOrText(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, raw string
		want      IntOrText
		wantError bool
	}{
		{name: "integer", raw: `9007199254740993`, want: "9007199254740993"},
		{name: "string", raw: `"00ff"`, want: "00ff"},
		{name: "null", raw: `null`, want: "before"},
		{name: "boolean", raw: `true`, want: "before", wantError: true},
		{name: "object", raw: `{}`, want: "before", wantError: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := IntOrText("before")
			if err := json.Unmarshal([]byte(tt.raw), &got); (err != nil) != tt.wantError || got != tt.want {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}
