package ingest

import (
	"archive/zip"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// cleanNames gives the entries of a zip names that can stand side by side in
// a file system: in UTF-8, with slashes, relative, each once. One bad name
// would otherwise hide the whole folder it is in. Folders follow from the
// names of files and are left out.
func cleanNames(files []*zip.File) []*zip.File {
	files = slices.DeleteFunc(files, func(f *zip.File) bool { return strings.HasSuffix(f.Name, "/") || strings.HasSuffix(f.Name, `\`) })
	taken := map[string]bool{}
	for _, f := range files {
		f.Name = cleanName(f)
		for dir := path.Dir(f.Name); dir != "." && !taken[dir]; dir = path.Dir(dir) {
			taken[dir] = true
		}
	}
	for _, f := range files {
		f.Name = unused(f.Name, taken)
		taken[f.Name] = true
	}
	return files
}

func cleanName(f *zip.File) string {
	name := f.Name
	// Many programs write UTF-8 without saying so.
	if f.NonUTF8 && !utf8.ValidString(name) {
		if decoded, err := charmap.CodePage437.NewDecoder().String(name); err == nil {
			name = decoded
		}
	}
	name = strings.ToValidUTF8(strings.ReplaceAll(name, `\`, "/"), "\uFFFD")
	return strings.TrimPrefix(path.Clean("/"+name), "/")
}

// unused returns a name that is not taken: itself, or with a number before
// its extension.
func unused(name string, taken map[string]bool) string {
	candidate := name
	for n := 2; taken[candidate] || candidate == ""; n++ {
		extension := path.Ext(name)
		candidate = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, extension), n, extension)
	}
	return candidate
}
