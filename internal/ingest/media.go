package ingest

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/msgbrowse/msgbrowse/internal/store"
)

// OpenAttachment opens the file of an attachment in the folder or zip its
// message was read from. Nothing outside of that can be reached, whatever
// the path says.
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
	return treeFile{file, tree}, nil
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
	io.ReadCloser
	tree *Tree
}

func (f treeFile) Close() error {
	err := f.ReadCloser.Close()
	if treeErr := f.tree.Close(); err == nil {
		err = treeErr
	}
	return err
}
