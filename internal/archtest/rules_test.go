package archtest

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
)

const module = "github.com/msgbrowse/msgbrowse"

// rooms lists every package below internal and cmd with the packages of this
// module it may import. "source/*" stands for each source, which may import
// what lies below it too; "*" for every package.
var rooms = map[string][]string{
	"cmd/msgbrowse":              {"internal/cli"},
	"internal/archtest":          {},
	"internal/cli":               {"*"},
	"internal/config":            {"internal/spam/record", "internal/spelling"},
	"internal/contacts":          {"internal/msg"},
	"internal/demo":              {},
	"internal/demo/large":        {},
	"internal/domain":            {},
	"internal/e2e":               {"*"},
	"internal/embed":             {"internal/llm", "internal/msg", "internal/segment", "internal/store", "internal/vector"},
	"internal/embed/bert":        {"internal/embed", "internal/embed/wordpiece"},
	"internal/embed/endpoint":    {"internal/embed", "internal/llm"},
	"internal/embed/folder":      {"internal/embed", "internal/embed/wordpiece"},
	"internal/embed/static":      {"internal/embed", "internal/segment"},
	"internal/embed/wordpiece":   {},
	"internal/inert":             {},
	"internal/ingest":            {"internal/contacts", "internal/domain", "internal/inert", "internal/msg", "internal/segment", "internal/source", "internal/source/registry", "internal/store"},
	"internal/llm":               {},
	"internal/llm/llmtest":       {},
	"internal/mcp":               {"internal/domain", "internal/inert", "internal/mediatype", "internal/msg", "internal/perimeter", "internal/search", "internal/spam", "internal/spam/record", "internal/spelling", "internal/store"},
	"internal/mediatype":         {},
	"internal/msg":               {},
	"internal/perimeter":         {},
	"internal/search":            {"internal/contacts", "internal/domain", "internal/embed", "internal/inert", "internal/msg", "internal/segment", "internal/store", "internal/vector"},
	"internal/picture":           {"internal/mediatype"},
	"internal/segment":           {},
	"internal/source":            {"internal/msg"},
	"internal/source/*":          {"internal/msg", "internal/source"},
	"internal/source/registry":   {"internal/msg", "internal/source", "internal/source/*"},
	"internal/source/sourcetest": {"internal/msg", "internal/source"},
	"internal/spam": {"internal/contacts", "internal/inert", "internal/msg", "internal/search", "internal/segment",
		"internal/spam/record", "internal/store"},
	"internal/spam/record":       {"internal/msg"},
	"internal/spelling":          {},
	"internal/store":             {"internal/msg", "internal/spam/record"},
	"internal/vector":            {},
	"internal/vector/vectortest": {},
	"internal/unprivileged":      {},
	"internal/web": {"internal/config", "internal/contacts", "internal/embed", "internal/inert", "internal/ingest", "internal/llm",
		"internal/mediatype", "internal/msg", "internal/perimeter", "internal/picture", "internal/search", "internal/spam", "internal/spam/record", "internal/store", "internal/wording"},
	"internal/wording":              {},
	"internal/store/macaddressbook": {"internal/contacts"},
}

// reserved lists packages from elsewhere and the only rooms that may import
// them, both with all below them.
var reserved = map[string][]string{
	"crypto/tls":                             {"internal/llm", "internal/mcp", "internal/web"},
	"database/sql":                           {"internal/store", "tools/vectorbench"},
	"github.com/goccy/go-yaml":               {"internal/config"},
	"github.com/modelcontextprotocol/go-sdk": {"internal/mcp"},
	"github.com/spf13/cobra":                 {"internal/cli"},
	"github.com/spf13/pflag":                 {"internal/cli"},
	"modernc.org/sqlite":                     {"internal/store", "tools/vectorbench"},
	"net/http":                               {"internal/llm", "internal/mcp", "internal/perimeter", "internal/web", "tools/webbench"},
	"net/rpc":                                {},
	"net/smtp":                               {},
	"os/exec":                                {"internal/cli", "internal/picture", "internal/unprivileged", "tools/mcpbench", "tools/webbench"},
}

// sockets are the rooms that may import package net: the doors, the one
// client, and the settings, which check addresses.
var sockets = []string{"internal/cli", "internal/config", "internal/llm", "internal/llm/llmtest", "internal/mcp", "internal/perimeter", "internal/web"}

// timeless are the rooms whose results may not depend on when and where they
// run; so may those of the packages below them.
var timeless = []string{"internal/contacts", "internal/inert", "internal/msg", "internal/search", "internal/segment", "internal/source", "internal/spam", "internal/vector"}

// machineFacts are the functions and variables that timeless rooms do without.
var machineFacts = map[string][]string{
	"time": {"Local", "Now", "Since", "Until"},
	"os":   {"Environ", "Getenv", "LookupEnv", "Getwd", "UserHomeDir"},
}

// vague are package names that say nothing.
var vague = []string{"base", "common", "helper", "helpers", "misc", "shared", "types", "util", "utils"}

const maxLines = 600

// violations returns what is wrong with the files, sorted, each as "file:
// what", the file relative to the module's root.
func violations(files []file) []string {
	var all []string
	for _, f := range files {
		for _, check := range []func(file) []string{checkRoom, checkImports, checkName, checkLength, checkInit, checkClock} {
			for _, what := range check(f) {
				all = append(all, f.name+": "+what)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// roomOf returns the row of rooms that a package belongs to.
func roomOf(pkg string) (string, bool) {
	if _, ok := rooms[pkg]; ok {
		return pkg, true
	}
	if strings.HasPrefix(pkg, "internal/source/") {
		return "internal/source/*", true
	}
	return "", false
}

func checkRoom(f file) []string {
	if _, ok := roomOf(f.pkg); ok || strings.HasPrefix(f.pkg, "tools/") {
		return nil
	}
	return []string{"package " + f.pkg + " has no row in the table of rooms"}
}

func checkImports(f file) []string {
	var wrong []string
	for _, path := range f.imports() {
		if reason := refuse(f.pkg, path); reason != "" {
			wrong = append(wrong, "imports "+path+": "+reason)
		}
	}
	return wrong
}

// refuse says why package pkg may not import path; "" means that it may.
func refuse(pkg, path string) string {
	if own, ok := strings.CutPrefix(path, module+"/"); ok {
		return refuseOwn(pkg, own)
	}
	for prefix, allowed := range reserved {
		if within(path, prefix) && !slices.ContainsFunc(allowed, func(room string) bool { return within(pkg, room) }) {
			return "reserved for " + orNobody(allowed)
		}
	}
	room, _ := roomOf(pkg)
	first, _, _ := strings.Cut(path, "/")
	foreign := strings.Contains(first, ".")
	switch {
	case path == "net" && !slices.Contains(sockets, pkg):
		return "reserved for " + orNobody(sockets)
	case foreign && room == "internal/msg":
		return "msg needs nothing but the standard library"
	case foreign && (room == "internal/source" || room == "internal/source/*") && !within(path, "golang.org/x/text"):
		return "sources need nothing but the standard library and golang.org/x/text"
	}
	return ""
}

func refuseOwn(pkg, own string) string {
	if door := path.Base(own); (own == "internal/cli" || own == "internal/mcp" || own == "internal/web") &&
		pkg != "internal/cli" && (own != "internal/cli" || pkg != "cmd/msgbrowse") {
		return door + " is a door, which nobody imports"
	}
	room, ok := roomOf(pkg)
	if !ok {
		return ""
	}
	for _, allowed := range rooms[room] {
		switch {
		case allowed == "*", allowed == own:
			return ""
		case allowed == "internal/source/*" && within(own, "internal/source"):
			return ""
		}
	}
	if room == "internal/source/*" && within(own, family(pkg)) {
		return ""
	}
	return "not in " + room + "'s row of the table of rooms"
}

// family returns the package of the source that pkg is part of.
func family(pkg string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(pkg, "internal/source/"), "/")
	return "internal/source/" + name
}

func within(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}

func orNobody(names []string) string {
	if len(names) == 0 {
		return "nobody"
	}
	return strings.Join(names, ", ")
}

func checkName(f file) []string {
	if slices.Contains(vague, f.syntax.Name.Name) || slices.Contains(vague, path.Base(f.pkg)) {
		return []string{"package name " + f.syntax.Name.Name + " does not say what the package holds"}
	}
	return nil
}

func checkLength(f file) []string {
	if f.lines > maxLines {
		return []string{strconv.Itoa(f.lines) + " lines, at most " + strconv.Itoa(maxLines) + " are allowed"}
	}
	return nil
}

func checkInit(f file) []string {
	for _, decl := range f.syntax.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
			return []string{"init function: nothing happens by being imported"}
		}
	}
	return nil
}

// checkClock finds what a timeless room asks the machine. A dot import would
// hide it and is refused whole. The suite for sources is a test, though it is
// a package, and looks for its samples.
func checkClock(f file) []string {
	if f.pkg == "internal/source/sourcetest" || !slices.ContainsFunc(timeless, func(room string) bool { return within(f.pkg, room) }) {
		return nil
	}
	var wrong []string
	names := make(map[string]string) // local name to path
	for _, spec := range f.syntax.Imports {
		path := importPath(spec)
		name := path
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if _, watched := machineFacts[path]; watched && name == "." {
			wrong = append(wrong, "dot import of "+path)
		}
		names[name] = path
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := selector.X.(*ast.Ident); ok && x.Obj == nil {
			path := names[x.Name]
			if slices.Contains(machineFacts[path], selector.Sel.Name) {
				wrong = append(wrong, path+"."+selector.Sel.Name+": such facts are passed in")
			}
		}
		return true
	})
	return wrong
}
