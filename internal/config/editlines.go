package config

import (
	"bytes"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// lines are a text taken apart; each keeps its end.
type lines struct {
	text []string
	end  string // of lines that are added
	// meant is what an entry of a list comes to: paths can be written in
	// several ways.
	meant func(entry string) string
}

func newLines(text []byte) *lines {
	f := &lines{end: "\n", meant: func(entry string) string { return entry }}
	if bytes.Contains(text, []byte("\r\n")) {
		f.end = "\r\n"
	}
	if len(text) > 0 {
		f.text = strings.SplitAfter(string(text), "\n")
		if last := len(f.text) - 1; f.text[last] == "" {
			f.text = f.text[:last]
		}
	}
	return f
}

func (f *lines) join(parts ...[]string) []byte {
	return []byte(strings.Join(slices.Concat(parts...), ""))
}

// ended makes sure that something can follow the lines.
func (f *lines) ended(list []string) []string {
	list = slices.Clone(list)
	if n := len(list); n > 0 && !strings.HasSuffix(list[n-1], "\n") {
		list[n-1] += f.end
	}
	return list
}

// appendBlock adds a block with one key at the end.
func (f *lines) appendBlock(block, name string, value any) []byte {
	list := f.ended(f.text)
	for n := len(list); n > 0 && strings.HasPrefix(list[n-1], "..."); n = len(list) {
		list = list[:n-1] // the mark of a document's end
	}
	return f.join(list, []string{block + ":" + f.end}, f.entry("  ", name, value))
}

// entry writes a key with its value.
func (f *lines) entry(indent, name string, value any) []string {
	list, isList := value.([]string)
	if !isList {
		return []string{indent + name + ": " + scalar(value) + f.end}
	}
	if len(list) == 0 {
		return []string{indent + name + ": []" + f.end}
	}
	out := []string{indent + name + ":" + f.end}
	for _, item := range list {
		out = append(out, indent+"  - "+scalar(item)+f.end)
	}
	return out
}

// set changes a key among the entries that stand between the lines from and
// to, or adds it behind the last of them.
func (f *lines) set(entries []*ast.MappingValueNode, name string, value any, from, to int) ([]byte, error) {
	at := slices.IndexFunc(entries, func(e *ast.MappingValueNode) bool { return keyOf(e) == name })
	if at < 0 {
		indent, place := "  ", from
		if n := len(entries); n > 0 {
			indent, place = f.indent(line(entries[n-1].Key)), f.endOf(line(entries[n-1].Key), to)
		} else if from == 0 {
			indent, place = "", to
		}
		return f.join(f.ended(f.text[:place]), f.entry(indent, name, value), f.text[place:]), nil
	}
	start := line(entries[at].Key) - 1
	if at+1 < len(entries) {
		to = line(entries[at+1].Key) - 1
	}
	end := f.endOf(start+1, to)
	return f.join(f.text[:start], f.replaced(entries[at], start, end, name, value), f.text[end:]), nil
}

func (f *lines) indent(number int) string {
	text := f.text[number-1]
	return text[:len(text)-len(strings.TrimLeft(text, " "))]
}

// endOf returns the line before which an entry ends that begins at a line:
// blank lines and comments behind it belong to what follows.
func (f *lines) endOf(number, to int) int {
	end := min(to, len(f.text))
	for end > number {
		text := strings.TrimSpace(f.text[end-1])
		if text != "" && !strings.HasPrefix(text, "#") && text != "..." {
			break
		}
		end--
	}
	return end
}

// replaced writes an entry anew. A comment behind a value on one line stays,
// and so do the lines of a list's entries that stay.
func (f *lines) replaced(e *ast.MappingValueNode, start, end int, name string, value any) []string {
	indent := f.indent(start + 1)
	if list, isList := value.([]string); isList && len(list) > 0 {
		if seq, ok := e.Value.(*ast.SequenceNode); ok && !seq.IsFlowStyle && end > start+1 && line(seq) > start+1 {
			return append([]string{f.text[start]}, f.items(seq, start+1, end, list)...)
		}
	}
	fresh := f.entry(indent, name, value)
	if comment := trailingComment(f.text[start]); comment != "" {
		fresh[0] = strings.TrimRight(fresh[0], "\r\n") + comment + f.end
	}
	return fresh
}

// items writes a list anew, each entry that stays with its own lines and the
// comments above them.
func (f *lines) items(seq *ast.SequenceNode, start, end int, list []string) []string {
	chunks := map[string][][]string{}
	begin, dash := start, ""
	for i, item := range seq.Values {
		stop := end
		if i+1 < len(seq.Values) {
			stop = f.endOf(line(item), line(seq.Values[i+1])-1)
		}
		text := f.ended(f.text[begin:stop])
		entry := item.GetToken().Value
		if s, ok := item.(*ast.StringNode); ok {
			entry = s.Value
		}
		entry = f.meant(entry)
		chunks[entry] = append(chunks[entry], text)
		if dash == "" {
			dash = f.indent(line(item))
		}
		begin = stop
	}
	var out []string
	for _, item := range list {
		entry := f.meant(item)
		if kept := chunks[entry]; len(kept) > 0 {
			out, chunks[entry] = append(out, kept[0]...), kept[1:]
		} else {
			out = append(out, dash+"- "+scalar(item)+f.end)
		}
	}
	return out
}

// trailingComment returns the comment behind a value that stands on the line
// of its key, with the space before it.
func trailingComment(text string) string {
	text = strings.TrimRight(text, "\r\n")
	_, rest, found := strings.Cut(text, ":")
	if !found {
		return ""
	}
	var quoted byte
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case quoted == '"' && c == '\\':
			i++
		case quoted != 0:
			if c == quoted {
				quoted = 0
			}
		case (c == '"' || c == '\'') && (i == 0 || strings.IndexByte(" [,", rest[i-1]) >= 0):
			quoted = c
		case c == '#' && i > 0 && (rest[i-1] == ' ' || rest[i-1] == '\t'):
			start := i
			for start > 0 && (rest[start-1] == ' ' || rest[start-1] == '\t') {
				start--
			}
			return rest[start:]
		}
	}
	return ""
}
