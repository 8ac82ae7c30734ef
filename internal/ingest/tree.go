package ingest

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/source"
)

// Tree is what a path the user pointed at gives access to: a folder, one file
// of a folder, or a zip. Nothing outside it can be reached through FS.
type Tree struct {
	FS fs.FS
	// Path is the absolute path of the folder or the zip.
	Path string
	// Container is its base name.
	Container string
	// Zip is set when FS is the inside of a zip.
	Zip bool
	// Only limits the tree to one file, when the user pointed at that.
	Only    string
	closers []io.Closer
	// pages are HTML files that walk left aside.
	pages []found
}

// Close releases the tree's files.
func (t *Tree) Close() error {
	var errs []error
	for _, c := range t.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// Zip limits: an entry, or a zip as a whole, that unpacks to more than
// maxRatio times its packed size and is larger than bombFloor is taken for a
// bomb. Chat exports pack 3 to 20 times.
const (
	maxRatio  = 200
	bombFloor = 64 << 20
)

func isBomb(unpacked, packed uint64) bool {
	return unpacked > bombFloor && unpacked/max(packed, 1) > maxRatio
}

// OpenTree opens what the user pointed at.
func OpenTree(name string) (*Tree, error) {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return nil, fmt.Errorf("resolve path: %w", err)
	}
	info, err := os.Stat(absolute)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return openFolder(absolute, "")
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("open %s: neither a file nor a folder", absolute)
	}
	isZip, err := hasZipMagic(absolute)
	if err != nil {
		return nil, err
	}
	if isZip {
		return openZip(absolute)
	}
	// A link that the user names is followed; one that is found is not.
	if absolute, err = followLink(absolute); err != nil {
		return nil, err
	}
	return openFolder(filepath.Dir(absolute), filepath.Base(absolute))
}

func followLink(name string) (string, error) {
	info, err := os.Lstat(name)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return name, err
	}
	return filepath.EvalSymlinks(name)
}

func openFolder(dir, only string) (*Tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Tree{FS: root.FS(), Path: dir, Container: filepath.Base(dir), Only: only, closers: []io.Closer{root}}, nil
}

func hasZipMagic(name string) (bool, error) {
	file, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer file.Close()
	var head [4]byte
	n, err := io.ReadFull(file, head[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	return string(head[:n]) == "PK\x03\x04", nil
}

func openZip(name string) (*Tree, error) {
	archive, err := zip.OpenReader(name)
	if err != nil {
		return nil, fmt.Errorf("open zip %s: %w", name, err)
	}
	info, err := os.Stat(name)
	if err != nil {
		archive.Close()
		return nil, err
	}
	archive.File = cleanNames(archive.File)
	unpacked := uint64(0)
	for _, file := range archive.File {
		unpacked += min(file.UncompressedSize64, 1<<40) // no overflow by what is made up
		if isBomb(file.UncompressedSize64, file.CompressedSize64) || isBomb(unpacked, uint64(info.Size())) {
			archive.Close()
			return nil, fmt.Errorf("open zip %s: it would unpack to more than %d times its size with %s; refused as a zip bomb", name, maxRatio, file.Name)
		}
	}
	return &Tree{FS: &archive.Reader, Path: name, Container: filepath.Base(name), Zip: true, closers: []io.Closer{archive}}, nil
}

// mediaExtensions are never looked into unless the user names the file: they
// are what exports refer to, and there can be a hundred thousand of them.
var mediaExtensions = map[string]bool{
	".jpg": true, ".jpeg": true, ".png": true, ".gif": true, ".webp": true, ".heic": true, ".heif": true, ".avif": true, ".bmp": true,
	".tif": true, ".tiff": true, ".tgs": true, ".mp4": true, ".mov": true, ".m4v": true, ".3gp": true, ".webm": true, ".mkv": true,
	".avi": true, ".mp3": true, ".m4a": true, ".aac": true, ".ogg": true, ".oga": true, ".opus": true, ".wav": true, ".amr": true,
	".caf": true, ".flac": true, ".pdf": true, ".css": true, ".js": true, ".vcf": true,
}

// maxPages is how many HTML files of a tree are looked into, and that only
// where it holds no export: exports write such files beside what is read.
const maxPages = 20

// found is a file of a tree.
type found struct {
	path string
	info fs.FileInfo
}

// walk lists the files of a tree that may be exports, in path order, and the
// symbolic links that might lead to some. What cannot be read is reported to
// failed and left out.
func (t *Tree) walk(ctx context.Context, failed func(path string, err error)) (list []found, links []string, err error) {
	if t.Only != "" {
		info, err := fs.Stat(t.FS, t.Only)
		if err != nil {
			return nil, nil, err
		}
		return []found{{t.Only, info}}, nil, nil
	}
	err = fs.WalkDir(t.listing(), ".", func(name string, entry fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed(name, err)
			if entry != nil && entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		base := path.Base(name)
		if entry.IsDir() {
			if base != "." && (strings.HasPrefix(base, ".") || base == "__MACOSX") {
				return fs.SkipDir
			}
			return nil
		}
		ext := strings.ToLower(path.Ext(base))
		if strings.HasPrefix(base, ".") || mediaExtensions[ext] {
			return nil
		}
		if ext == ".html" || ext == ".htm" {
			if info, err := entry.Info(); err == nil && entry.Type().IsRegular() && len(t.pages) < maxPages {
				t.pages = append(t.pages, found{name, info})
			}
			return nil
		}
		if entry.Type()&fs.ModeSymlink != 0 {
			links = append(links, name)
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			failed(name, err)
			return nil
		}
		list = append(list, found{name, info})
		return nil
	})
	return list, links, err
}

// listing is the tree for walking: names and sizes, which need none of the
// checks that opening a file through FS makes at every step of its path. A walk
// does not follow symbolic links.
func (t *Tree) listing() fs.FS {
	if t.Zip {
		return t.FS
	}
	return os.DirFS(t.Path)
}

// candidate reads the beginning of a file.
func (t *Tree) candidate(f found) (source.Candidate, error) {
	c := source.Candidate{FS: t.FS, Path: f.path, Container: t.Container, Size: f.info.Size()}
	file, err := t.FS.Open(f.path)
	if err != nil {
		return c, err
	}
	defer file.Close()
	c.Head, err = io.ReadAll(io.LimitReader(file, source.HeadSize))
	return c, err
}
