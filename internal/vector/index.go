package vector

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// Index follows the commits of an index that a Writer, in this or another
// process, makes. It is safe for concurrent use.
type Index struct {
	dir  string
	spec Spec

	mu      sync.Mutex // guards what follows
	head    *os.File
	current *View
}

// Open opens the index for reading. It returns ErrAbsent when the folder holds
// no index, an OtherModelError when only those of other models, and an
// OtherArchiveError, an OlderFormatError, a NewerFormatError or a DamagedError
// when there is one that cannot be used.
func Open(dir string, spec Spec) (*Index, error) {
	if err := spec.check(); err != nil {
		return nil, fmt.Errorf("open vector index: %w", err)
	}
	ix := &Index{dir: dir, spec: spec}
	if _, err := ix.Refresh(); err != nil {
		if ix.head != nil {
			ix.head.Close()
		}
		return nil, err
	}
	return ix, nil
}

// Refresh moves on to the newest commit and says whether that is another one
// than before. When there is none it costs some microseconds. After an error
// the index stays at its commit.
func (ix *Index) Refresh() (changed bool, err error) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	// The files can disappear while they are being opened, when a compaction
	// ends at that moment. The header read after that names others.
	for range 100 {
		changed, err = ix.refresh()
		if !errors.Is(err, errMoved) {
			break
		}
	}
	return changed, err
}

// errMoved means that the files named by a header were replaced meanwhile.
var errMoved = errors.New("vector index is being replaced")

func (ix *Index) refresh() (changed bool, err error) {
	name := headFile(ix.dir, ix.spec.Fingerprint)
	// It may have been deleted, and perhaps built anew.
	if ix.head == nil || !isFile(name, ix.head) {
		fresh, err := ix.openHead(name)
		if err != nil {
			return false, err
		}
		if ix.head != nil {
			ix.head.Close()
		}
		ix.head = fresh
	}
	h, err := readHeader(name, ix.head)
	if err != nil {
		return false, err
	}
	if ix.current != nil && ix.current.head == ix.head && *ix.current.header == *h {
		return false, nil
	}
	v, err := ix.load(name, h)
	if err != nil {
		return false, err
	}
	if ix.current != nil {
		ix.current.Release()
	}
	ix.current = v
	return true, nil
}

// load opens the commit of a header.
func (ix *Index) load(name string, h *header) (*View, error) {
	if err := h.check(name, ix.spec); err != nil {
		return nil, err
	}
	var before *View
	if ix.current != nil && ix.current.head == ix.head {
		before = ix.current
	}
	v, err := loadView(ix.dir, h, before)
	if isDamage(err) && before != nil {
		// A lost header can make the commit no successor of the known one.
		v, err = loadView(ix.dir, h, nil)
	}
	if err == nil {
		v.head = ix.head
	}
	now, again := readHeader(name, ix.head)
	switch {
	case !isFile(name, ix.head), again == nil && now.generation != h.generation:
		if err == nil {
			v.Release()
		}
		return nil, errMoved
	case errors.Is(err, fs.ErrNotExist):
		return nil, &DamagedError{name, "files that it names are missing"}
	}
	return v, err
}

func isDamage(err error) bool {
	var damaged *DamagedError
	return errors.As(err, &damaged)
}

// openHead opens the head file, or says what there is instead.
func (ix *Index) openHead(name string) (*os.File, error) {
	f, err := os.Open(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	found, err := Fingerprints(ix.dir)
	if err != nil {
		return nil, fmt.Errorf("open vector index: %w", err)
	}
	if len(found) == 0 {
		return nil, ErrAbsent
	}
	return nil, &OtherModelError{ix.dir, ix.spec.Fingerprint, found}
}

// isFile says whether the name still leads to the open file.
func isFile(name string, f *os.File) bool {
	a, err := os.Stat(name)
	if err != nil {
		return false
	}
	b, err := f.Stat()
	return err == nil && os.SameFile(a, b)
}

// View returns the commit that the last Refresh found. It must be released.
func (ix *Index) View() *View {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.current.users.Add(1)
	return ix.current
}

// Close ends following. Views that were taken remain usable until they are
// released. The index must not be used afterwards.
func (ix *Index) Close() error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.current.Release()
	return ix.head.Close()
}
