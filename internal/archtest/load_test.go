package archtest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// file is one Go file that is not a test.
type file struct {
	// pkg is its package's path below the module, name the file's path below
	// the root, with slashes.
	pkg, name string
	lines     int
	syntax    *ast.File
}

func (f file) imports() []string {
	var paths []string
	for _, spec := range f.syntax.Imports {
		paths = append(paths, importPath(spec))
	}
	return paths
}

func importPath(spec *ast.ImportSpec) string {
	path, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
	return path
}

// load reads the files of every package of the module in dir, those for other
// platforms too.
func load(t *testing.T, dir string) []file {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles,
		Dir:  dir,
		// Nothing is downloaded: who imports whom stands in the files.
		Env: append(os.Environ(), "GOFLAGS=-mod=readonly", "GOPROXY=off", "GOWORK=off", "CGO_ENABLED=0"),
	}, "./...")
	if err != nil {
		t.Fatalf("load packages: %v", err)
	}
	var files []file
	for _, p := range pkgs {
		for _, name := range slices.Concat(p.GoFiles, p.IgnoredFiles) {
			if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				continue
			}
			if f, ok := parse(t, dir, strings.TrimPrefix(p.PkgPath, module+"/"), name); ok {
				files = append(files, f)
			}
		}
	}
	return files
}

// generator marks programs that are run by hand and are part of no package.
var generator = regexp.MustCompile(`(?m)^//go:build ignore$`)

// parse reads one file; false means that it is a generator.
func parse(t *testing.T, dir, pkg, name string) (file, bool) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	syntax, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	short, err := filepath.Rel(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	f := file{pkg: pkg, name: filepath.ToSlash(short), lines: bytes.Count(text, []byte("\n")), syntax: syntax}
	return f, !generator.Match(text)
}
