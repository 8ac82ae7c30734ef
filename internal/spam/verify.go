package spam

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ChangedError says which files of an export are not what they were.
type ChangedError struct {
	Dir   string
	Files []string // "dossier.md changed", "dossier.json is missing"
}

func (e *ChangedError) Error() string {
	return fmt.Sprintf("export %s is not what was written: %s", e.Dir, strings.Join(e.Files, ", "))
}

// Verify checks an export against its manifest and its root digest, which it
// returns. *ChangedError names the files that changed, are missing, or were
// added. Compare the digest with one that was kept elsewhere: somebody who
// changes a file can change the manifest as well.
func Verify(dir string) (root string, err error) {
	listed, err := readManifest(dir)
	if err != nil {
		return "", err
	}
	changed := &ChangedError{Dir: dir}
	note := func(name, what string) { changed.Files = append(changed.Files, name+" "+what) }
	var rooted bytes.Buffer
	for _, entry := range listed {
		content, err := os.ReadFile(filepath.Join(dir, entry.name))
		switch {
		case errors.Is(err, os.ErrNotExist):
			note(entry.name, "is missing")
		case err != nil:
			return "", fmt.Errorf("read export: %w", err)
		case digest(content) != entry.digest:
			note(entry.name, "changed")
		}
		if entry.name != htmlFile {
			fmt.Fprintf(&rooted, "%s  %s\n", entry.digest, entry.name)
		}
	}
	root = digest(rooted.Bytes())
	told, err := os.ReadFile(filepath.Join(dir, rootFile))
	switch {
	case errors.Is(err, os.ErrNotExist):
		note(rootFile, "is missing")
	case err != nil:
		return "", fmt.Errorf("read export: %w", err)
	case string(told) != rootText(root):
		note(rootFile, "does not belong to "+manifestFile)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("read export: %w", err)
	}
	for _, e := range entries {
		known := e.Name() == manifestFile || e.Name() == rootFile || slices.ContainsFunc(listed, func(m listedFile) bool { return m.name == e.Name() })
		if !known {
			note(e.Name(), "was added")
		}
	}
	if len(changed.Files) > 0 {
		return root, changed
	}
	return root, nil
}

type listedFile struct{ digest, name string }

// exportFiles are the names that a manifest lists, in its order.
var exportFiles = []string{csvFile, jsonFile, markdownFile, htmlFile}

func readManifest(dir string) ([]listedFile, error) {
	content, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("read export %s: it holds no %s; name the folder that an export wrote", dir, manifestFile)
	}
	if err != nil {
		return nil, fmt.Errorf("read export: %w", err)
	}
	var list []listedFile
	for line := range strings.Lines(string(content)) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if i := len(list); !ok || len(sum) != 64 || i >= len(exportFiles) || name != exportFiles[i] {
			return nil, &ChangedError{dir, []string{manifestFile + " changed"}}
		}
		list = append(list, listedFile{sum, name})
	}
	if len(list) != len(exportFiles) {
		return nil, &ChangedError{dir, []string{manifestFile + " changed"}}
	}
	return list, nil
}
