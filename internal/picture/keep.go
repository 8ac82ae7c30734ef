package picture

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// converterTime is how long a converter may take for one picture.
const converterTime = 20 * time.Second

// New returns a Copier that keeps its copies in dir, which is made when it is
// needed.
func New(dir string) *Copier {
	return &Copier{dir: dir, look: exec.LookPath, patience: converterTime, maxKept: MaxKept}
}

// kept opens a copy that is there, and notes that it was asked for.
func (c *Copier) kept(digest string) (*os.File, error) {
	f, err := os.Open(c.path(digest))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > MaxCopy {
		return nil, errors.Join(ErrUnreadable, err, f.Close())
	}
	now := time.Now()
	_ = os.Chtimes(c.path(digest), now, now) // in a folder that cannot be written to, the order is that of making
	return f, nil
}

// keep writes a copy, whole or not at all, and removes those that are too
// many.
func (c *Copier) keep(digest string, data []byte) (err error) {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return fmt.Errorf("keep copy: %w", err)
	}
	f, err := os.CreateTemp(c.dir, "making-*") // 0600
	if err != nil {
		return fmt.Errorf("keep copy: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("keep copy: %w", err), os.Remove(f.Name()))
		}
	}()
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), c.path(digest)); err != nil {
		return err
	}
	c.prune(digest)
	return nil
}

// prune removes the copies that were not asked for longest until the others
// fit, and what an earlier process left half made. What cannot be removed
// stays.
func (c *Copier) prune(but string) {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	var copies []fs.FileInfo
	var size int64
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case err != nil:
		case strings.HasPrefix(e.Name(), "making-"):
			if time.Since(info.ModTime()) > time.Hour {
				_ = os.RemoveAll(filepath.Join(c.dir, e.Name()))
			}
		case info.Mode().IsRegular() && strings.HasSuffix(e.Name(), ".jpg"):
			copies = append(copies, info)
			size += info.Size()
		}
	}
	slices.SortFunc(copies, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, info := range copies {
		if size <= c.maxKept {
			return
		}
		if info.Name() != but+".jpg" && os.Remove(filepath.Join(c.dir, info.Name())) == nil {
			size -= info.Size()
		}
	}
}
