package ingest

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// OpenAttachment opens the file of an attachment in the folder or zip its
// message was read from. Nothing outside of that can be reached, whatever
// the path says. What it returns is an io.Seeker, too; inside a zip, going
// back reads the file again from its beginning.
func OpenAttachment(_ context.Context, from store.Provenance, a store.Attachment) (io.ReadCloser, error) {
	if a.Path == "" {
		return nil, fmt.Errorf("open attachment: %w", os.ErrNotExist)
	}
	tree, err := attachmentTree(from)
	if err != nil {
		return nil, err
	}
	file, err := tree.FS.Open(a.Path)
	if err != nil {
		tree.Close()
		return nil, err
	}
	return &treeFile{File: file, tree: tree, path: a.Path}, nil
}

func attachmentTree(from store.Provenance) (*Tree, error) {
	if from.File.Member != "" {
		return openZip(from.File.Path)
	}
	info, err := os.Stat(from.Root.Path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return openFolder(from.Root.Path, "")
	}
	return openFolder(filepath.Dir(from.File.Path), "") // the root may be a link to it
}

// treeFile closes its tree with itself.
type treeFile struct {
	fs.File
	tree *Tree
	path string
	// wanted is where the next Read of a file that cannot seek begins, at how
	// far it was read.
	wanted, at int64
}

// Close closes the file and what it lies in.
func (f *treeFile) Close() error {
	err := f.File.Close()
	if treeErr := f.tree.Close(); err == nil {
		err = treeErr
	}
	return err
}

// Seek implements io.Seeker.
func (f *treeFile) Seek(offset int64, whence int) (int64, error) {
	if s, ok := f.File.(io.Seeker); ok {
		return s.Seek(offset, whence)
	}
	switch whence {
	case io.SeekCurrent:
		offset += f.wanted
	case io.SeekEnd:
		info, err := f.Stat()
		if err != nil {
			return 0, err
		}
		offset += info.Size()
	}
	if offset < 0 {
		return 0, fmt.Errorf("seek to %d: %w", offset, fs.ErrInvalid)
	}
	f.wanted = offset
	return offset, nil
}

// Read implements io.Reader.
func (f *treeFile) Read(p []byte) (int, error) {
	if f.wanted < f.at {
		again, err := f.tree.FS.Open(f.path)
		if err != nil {
			return 0, err
		}
		_ = f.File.Close() // it was only read
		f.File, f.at = again, 0
	}
	if f.wanted > f.at {
		n, err := io.CopyN(io.Discard, f.File, f.wanted-f.at)
		if f.at += n; err != nil {
			return 0, err
		}
	}
	n, err := f.File.Read(p)
	f.at += int64(n)
	f.wanted = f.at
	return n, err
}
