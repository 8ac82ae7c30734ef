package vector

import (
	"errors"
	"io"
	"os"
	"runtime"
)

// file is what a writer needs of a file.
type file interface {
	statter
	io.ReaderAt
	io.WriterAt
	Sync() error
	Close() error
}

// disk is what a writer needs of a file system, so that tests can let it fail.
type disk interface {
	create(name string) (file, error)
	open(name string) (file, error)
	rename(from, to string) error
	remove(name string) error
	// syncDir makes what was created and renamed in a folder last.
	syncDir(dir string) error
}

type osDisk struct{}

// create replaces a file rather than emptying it: a reader may have it mapped.
func (d osDisk) create(name string) (file, error) {
	if err := d.remove(name); err != nil {
		return nil, err
	}
	return openFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL)
}

func (osDisk) open(name string) (file, error) { return openFile(name, os.O_RDWR) }

func openFile(name string, flag int) (file, error) {
	f, err := os.OpenFile(name, flag, fileMode)
	if err != nil {
		return nil, err // not a nil *os.File within a file
	}
	return f, nil
}

func (osDisk) rename(from, to string) error { return os.Rename(from, to) }

func (osDisk) remove(name string) error {
	if err := os.Remove(name); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func (osDisk) syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // cannot be done, and need not be
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
