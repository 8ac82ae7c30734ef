package config

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// maxFile is the largest configuration file that is read, in bytes. The
// parser needs time that grows with the square of some inputs.
const maxFile = 64 << 10

// decoder turns one YAML file into values and gathers what is wrong with it.
type decoder struct {
	name string // the file's path
	base string // its folder
	// set takes each setting the file holds.
	set  func(setting, raw) error
	errs []error
}

// decode reads a whole file. Anchors, aliases, tags and merge keys are not
// used by settings and refused, so nothing can be larger in memory than in the file.
func (d *decoder) decode(data []byte) {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	switch {
	case len(data) > maxFile:
		d.fail(0, "the file is larger than 64 KiB, which no configuration is")
		return
	case !utf8.Valid(data):
		d.fail(0, "the file is not UTF-8 text")
		return
	}
	file, err := parse(data)
	if err != nil {
		line, reason := syntax(err)
		d.fail(line, "%s", reason)
		return
	}
	seen := false
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if seen {
			d.fail(line(doc.Body), "the file holds more than one document; only one is allowed")
			return
		}
		seen = true
		d.body("", doc.Body)
	}
}

// parse wraps the YAML parser. Releases of it have panicked on malformed input
// (goccy/go-yaml issues 471 and 890), and a broken file is the user's to mend,
// not a crash.
func parse(data []byte) (file *ast.File, err error) {
	defer func() {
		if recover() != nil {
			file, err = nil, errors.New("the file is not valid YAML")
		}
	}()
	return parser.ParseBytes(data, 0)
}

// syntax takes a parser's error apart into its line and its reason.
func syntax(err error) (int, string) {
	var y yaml.Error
	if !errors.As(err, &y) {
		return 0, err.Error()
	}
	return tokenLine(y.GetToken()), "the file is not valid YAML: " + y.GetMessage()
}

func (d *decoder) fail(line int, format string, args ...any) {
	where := Origin{Layer: File, Name: d.name, Line: line}
	d.errs = append(d.errs, fmt.Errorf("%s: %w", where, fmt.Errorf(format, args...)))
}

// body reads the keys of the block named key, "" for the whole file. A block
// without keys is one whose keys are all commented out.
func (d *decoder) body(key string, node ast.Node) {
	switch n := node.(type) {
	case *ast.NullNode:
	case ast.MapNode:
		for iter := n.MapRange(); iter.Next(); {
			d.entry(key, iter.Key(), iter.Value())
		}
	default:
		got := d.raw(node)
		if key == "" {
			d.fail(got.origin.Line, "got %s, want settings in the form key: value", got)
			return
		}
		d.fail(got.origin.Line, "%s: got %s, want a block of keys", key, got)
	}
}

func (d *decoder) entry(parent string, keyNode ast.MapKeyNode, value ast.Node) {
	at := line(keyNode)
	name, ok := keyNode.(*ast.StringNode)
	if !ok {
		d.fail(at, "the key %q is not a plain word", shorten(keyNode.String()))
		return
	}
	key := name.Value
	if parent != "" {
		key = parent + "." + key
	}
	if isBlock(key) {
		d.body(key, value)
		return
	}
	s, known := lookup(key)
	switch {
	case known && lastPart(key) != name.Value:
		d.fail(at, "the key %q must be written as a block: %q with %q below it",
			key, key[:len(key)-len(lastPart(key))-1], lastPart(key))
	case !known:
		d.fail(at, "unknown key %q; the nearest known key is %q", shorten(key), Nearest(key, keys()))
	default:
		d.assign(s, at, value)
	}
}

// assign hands over a value, except that of a key with nothing behind it,
// which leaves the setting as it is.
func (d *decoder) assign(s setting, at int, value ast.Node) {
	r := d.raw(value)
	r.origin.Line = at
	if r.form == null && r.text == "" {
		return
	}
	if err := d.set(s, r); err != nil {
		d.errs = append(d.errs, err)
	}
}

func (d *decoder) raw(node ast.Node) raw {
	r := raw{base: d.base, origin: Origin{Layer: File, Name: d.name, Line: line(node)}}
	switch n := node.(type) {
	case *ast.StringNode:
		r.form, r.text = text, n.Value
	case *ast.LiteralNode:
		r.form, r.text = text, n.Value.Value
	case *ast.BoolNode:
		r.form, r.text = boolean, n.Token.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		r.form, r.text = number, n.GetToken().Value
	case *ast.NullNode:
		r.form = null
		if n.Token.Type != token.ImplicitNullType {
			r.text = n.Token.Value
		}
	case *ast.SequenceNode:
		r.form = list
		for _, item := range n.Values {
			r.list = append(r.list, d.raw(item))
		}
	case ast.MapNode:
		r.form = block
	case *ast.AnchorNode:
		r.form, r.text = foreign, "an anchor"
	case *ast.AliasNode:
		r.form, r.text = foreign, "an alias"
	case *ast.TagNode:
		r.form, r.text = foreign, "a tag"
	default:
		r.form, r.text = foreign, "YAML that settings do not use"
	}
	return r
}

func line(node ast.Node) int {
	if node == nil {
		return 0
	}
	return tokenLine(node.GetToken())
}

func tokenLine(t *token.Token) int {
	if t == nil || t.Position == nil {
		return 0
	}
	return t.Position.Line
}
