package signal

import (
	"errors"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

const (
	// maxFolders and maxNames bound what is remembered of a chat's media
	// folders; beyond them a file counts as present.
	maxFolders = 64
	maxNames   = 1 << 16
)

// shelf knows which attachment files of a chat exist.
type shelf struct {
	fsys   fs.FS
	folder string // the chat's
	names  int
	seen   map[string]map[string]bool
}

// The reasons for which an attachment has no path.
const (
	missingFile   = "file not in the export"
	missingUnsafe = "unsafe path"
	missingParent = "stickers lie beside the chat's folder, outside of what was opened"
)

// has reports whether the file at place exists; known is false when its
// folder is too large to remember.
func (s *shelf) has(place string) (present, known bool) {
	dir, name := path.Split(place)
	names, ok := s.seen[dir]
	if !ok {
		if s.seen == nil {
			s.seen = map[string]map[string]bool{}
		}
		if len(s.seen) < maxFolders {
			names = s.list(path.Clean(dir))
		}
		if len(s.seen) < maxFolders {
			s.seen[dir] = names
		}
	}
	return names[name], names != nil
}

// list returns the names in a folder: none if it cannot be read, nil if they
// are too many.
func (s *shelf) list(dir string) map[string]bool {
	names := map[string]bool{}
	f, err := s.fsys.Open(dir)
	if err != nil {
		return names
	}
	defer f.Close()
	d, ok := f.(fs.ReadDirFile)
	if !ok {
		return names
	}
	for {
		entries, err := d.ReadDir(1024)
		for _, e := range entries {
			names[e.Name()] = true
		}
		if s.names += len(entries); s.names > maxNames {
			return nil
		}
		if err != nil || len(entries) == 0 {
			if err != nil && !errors.Is(err, io.EOF) {
				return nil
			}
			return names
		}
	}
}

const (
	mediaPrefix   = "media/"
	stickerPrefix = "../exported_stickers/"
	stickerFolder = "exported_stickers"
)

// isReference reports whether ref leads to where the exporter puts files,
// and cuts the dots it begins with.
func isReference(ref string) (cut string, sticker, ok bool) {
	for strings.HasPrefix(ref, "./") {
		ref = ref[2:]
	}
	switch {
	case strings.HasPrefix(ref, mediaPrefix):
		return ref, false, true
	case strings.HasPrefix(ref, stickerPrefix):
		return ref, true, true
	}
	return "", false, false
}

// place fills in where the attachment with reference ref lies; label is the
// file's name if the reference was made from it, else empty.
func (s *shelf) place(a *msg.Attachment, ref, label string) {
	root, inside := s.folder, path.Join(s.folder, mediaPrefix)+"/"
	if a.Sticker {
		if s.folder == "." {
			a.Missing = missingParent
			return
		}
		root = path.Dir(s.folder)
		inside = path.Join(root, stickerFolder) + "/"
		ref = ref[len("../"):]
	}
	// White space is all that the exporter escapes, so that a percent sign
	// may be one: what exists decides.
	for _, try := range [...]struct {
		ref     string
		escaped bool
	}{{labelled(ref, label), false}, {ref, false}, {ref, true}} {
		if try.ref == "" {
			continue
		}
		full, err := source.Resolve(root, try.ref, try.escaped)
		if err != nil || !strings.HasPrefix(full, inside) {
			a.Missing = missingUnsafe
			continue
		}
		present, known := s.has(full)
		if present || !known {
			a.Path, a.Missing = full, ""
			return
		}
		a.Missing = missingFile
		if !strings.Contains(ref, "%") {
			return
		}
	}
}

// labelled is ref with label for its last part, or empty without label.
func labelled(ref, label string) string {
	if label == "" {
		return ""
	}
	return ref[:strings.LastIndexByte(ref, '/')+1] + label
}

// fileName is the name to show of the file that ref leads to.
func fileName(ref string) string {
	name := ref[strings.LastIndexByte(ref, '/')+1:]
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	return name
}

// withoutStamp cuts the time and number that the exporter puts before a
// file's own name: 2022-08-10T19-33-48.638_00_ or, in 2020, 2020-05-01_00_.
func withoutStamp(name string) string {
	for _, template := range []string{"0000-00-00T00-00-00.000_00_", "0000-00-00_00_"} {
		if n := len(template); len(name) > n && fits([]byte(name[:n]), template) {
			return name[n:]
		}
	}
	return name
}
