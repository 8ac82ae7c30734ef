package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Edit returns the text of the configuration file name with settings changed.
// values are by key, each of the type that Value.Value has. What already has
// the value stays as it is written; everything but the changed settings stays
// byte for byte: other keys, comments, order and line ends. Entries of a
// changed list keep their lines and the comments above them.
//
// A file that settings cannot be read from is refused, and so is one that is
// written in a way that cannot be changed safely: the error says where.
func Edit(h Host, name string, text []byte, values map[string]any) ([]byte, error) {
	before, err := readText(h, name, text)
	if err != nil {
		return nil, err
	}
	current := map[string]any{}
	for _, v := range before.Values() {
		current[v.Key] = v.Value
	}
	edited := text
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if _, known := lookup(key); !known {
			return nil, fmt.Errorf("change %s: there is no such setting", key)
		}
		if same(current[key], values[key]) {
			continue
		}
		if edited, err = editKey(h, name, edited, key, values[key]); err != nil {
			return nil, fmt.Errorf("change %s in %s: %w", key, name, err)
		}
	}
	after, err := readText(h, name, edited)
	if err != nil {
		return nil, err
	}
	for _, v := range after.Values() {
		want := current[v.Key]
		if value, asked := values[v.Key]; asked {
			want = read(h, name, v.Key, value)
		}
		if !same(v.Value, want) {
			return nil, fmt.Errorf("change %s: %s is written in a way that is not changed safely; edit it by hand", v.Key, name)
		}
	}
	return edited, nil
}

// Save writes a configuration file whole or not at all, for its owner's eyes.
// A link to the file stays one. The folder is made when it is not there.
func Save(name string, text []byte) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("save configuration: %w", err)
	}
	f, err := os.CreateTemp(dir, ".config-") // 0600
	if err != nil {
		return fmt.Errorf("save configuration: %w", err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("save configuration: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}

// readText reads what a file alone says.
func readText(h Host, name string, text []byte) (*Config, error) {
	h.Environ = slices.DeleteFunc(slices.Clone(h.Environ), func(entry string) bool {
		variable, _, _ := h.split(entry)
		return strings.HasPrefix(variable, prefix)
	})
	h.ReadFile = func(string) ([]byte, error) {
		if text == nil {
			return nil, fs.ErrNotExist
		}
		return text, nil
	}
	if text == nil {
		return Load(h, Options{})
	}
	return Load(h, Options{File: name})
}

// read is what a value comes to when it is read from the file: paths absolute,
// addresses without what means nothing.
func read(h Host, name, key string, value any) any {
	one := func(said string) raw { return raw{form: text, text: said, base: h.base(name)} }
	r := raw{base: h.base(name)}
	switch v := value.(type) {
	case string:
		r = one(v)
	case []string:
		r.form = list
		for _, item := range v {
			r.list = append(r.list, one(item))
		}
	default:
		return value
	}
	s, _ := lookup(key)
	c := defaults()
	if s.set(h, c, r) != nil {
		return value // the whole file says what is wrong
	}
	return deref(s.field(c))
}

func same(a, b any) bool {
	x, isList := a.([]string)
	y, too := b.([]string)
	if isList && too {
		return slices.Equal(x, y)
	}
	return reflect.DeepEqual(a, b)
}

// errByHand is for forms of YAML that hold a value where lines cannot be
// exchanged.
var errByHand = errors.New("the block is not written as lines of keys; edit it by hand")

// editKey changes one setting in the text of a file.
func editKey(h Host, file string, text []byte, key string, value any) ([]byte, error) {
	f := newLines(text)
	if s, _ := lookup(key); s.path {
		f.meant = func(path string) string {
			if whole, err := h.resolve(h.base(file), path); err == nil && path != "" {
				return whole
			}
			return path
		}
	}
	block, name, inBlock := strings.Cut(key, ".")
	if !inBlock {
		block, name = "", key
	}
	parsed, err := parse(bytes.TrimPrefix(text, []byte("\uFEFF")))
	if err != nil {
		return nil, err
	}
	var top []*ast.MappingValueNode
	for _, doc := range parsed.Docs {
		entries, ok := entriesOf(doc.Body)
		if !ok {
			return nil, errByHand
		}
		top = append(top, entries...)
	}
	if !inBlock {
		return f.set(top, name, value, 0, len(f.text))
	}
	at := slices.IndexFunc(top, func(e *ast.MappingValueNode) bool { return keyOf(e) == block })
	if at < 0 {
		return f.appendBlock(block, name, value), nil
	}
	entries, ok := entriesOf(top[at].Value)
	if !ok {
		return nil, errByHand
	}
	start := line(top[at].Key) // the line behind that of the block's key
	end := len(f.text)
	if at+1 < len(top) {
		end = line(top[at+1].Key) - 1
	}
	if len(entries) > 0 && line(entries[0].Key) == start {
		return nil, errByHand
	}
	return f.set(entries, name, value, start, end)
}

func keyOf(e *ast.MappingValueNode) string {
	if name, ok := e.Key.(*ast.StringNode); ok {
		return name.Value
	}
	return ""
}

// entriesOf returns the keys of a block that is written as lines.
func entriesOf(node ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := node.(type) {
	case nil:
		return nil, true
	case *ast.NullNode:
		return nil, n.Token == nil || n.Token.Value == "" || n.Token.Value == "null"
	case *ast.MappingNode:
		return n.Values, !n.IsFlowStyle
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, !n.IsFlowStyle
	case *ast.CommentGroupNode:
		return nil, true
	}
	return nil, false
}

// scalar writes a value that stands on one line.
func scalar(value any) string {
	switch v := value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case fmt.Stringer:
		return quote(v.String())
	default:
		return quote(fmt.Sprint(v))
	}
}

// quote writes a text in double quotes, which JSON and YAML share.
func quote(text string) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		return strconv.Quote(text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
