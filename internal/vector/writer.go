package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Writer changes an index. What it was told becomes visible, all at once, when
// it is committed, and is forgotten otherwise. There is one Writer of an index
// at a time, and it is for one goroutine at a time.
//
// After an error from the file system every method returns that error. The
// index is at its last commit then, or, when Commit or Compact failed in its
// last step, at the one that was being made; Close and OpenWriter go on from
// there.
type Writer struct {
	dir  string
	spec Spec
	disk disk
	lock *flock.Flock

	header header // the last commit; sequence 0: none yet
	head   file
	files  [kinds]*appender
	count  uint32 // slots with those not yet committed
	marks  uint32 // with those not yet committed
	dead   *Bitmap
	quant  *quantiser
	failed error
}

// OpenWriter opens the index for writing and creates it if there is none,
// which readers see with the first commit. It returns a LockedError while
// another writer has it, and the errors of Open when there is an index that
// cannot be used: after Remove it can be built anew.
func OpenWriter(dir string, spec Spec) (*Writer, error) {
	return openWriter(dir, spec, osDisk{})
}

func openWriter(dir string, spec Spec, d disk) (*Writer, error) {
	if err := spec.check(); err != nil {
		return nil, fmt.Errorf("open vector index: %w", err)
	}
	if spec.Dims == 0 {
		return nil, errors.New("open vector index: vectors of 0 components")
	}
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return nil, fmt.Errorf("create folder of vector index: %w", err)
	}
	lock, err := acquire(lockFile(dir, spec.Fingerprint))
	if err != nil {
		return nil, err
	}
	w := &Writer{dir: dir, spec: spec, disk: d, lock: lock}
	if err := w.start(); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

func (w *Writer) start() error {
	name := headFile(w.dir, w.spec.Fingerprint)
	head, err := w.disk.open(name)
	if errors.Is(err, os.ErrNotExist) {
		return w.begin()
	}
	if err != nil {
		return fmt.Errorf("open vector index: %w", err)
	}
	w.head = head
	h, err := readHeader(name, head)
	if err != nil {
		return err
	}
	if err := h.check(name, w.spec); err != nil {
		return err
	}
	w.header = *h
	return w.resume()
}

func acquire(name string) (*flock.Flock, error) {
	lock := flock.New(name, flock.SetPermissions(fileMode))
	ok, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock vector index: %w", err)
	}
	if !ok {
		return nil, &LockedError{name}
	}
	return lock, nil
}

// begin prepares an index that does not exist yet.
func (w *Writer) begin() error {
	w.header = header{
		archive:     w.spec.Archive,
		dims:        w.spec.Dims,
		rotated:     w.spec.Rotate,
		seed:        seedOf(w.spec.Fingerprint),
		clip:        clipFor(paddedDims(w.spec.Dims)),
		fingerprint: w.spec.Fingerprint,
	}
	w.quant = newQuantiser(&w.header)
	w.dead = NewBitmap(0)
	if err := w.tidy(); err != nil {
		return err
	}
	files, err := w.create(0)
	w.files = files
	return err
}

// seedOf makes the rotation of a new index. It needs to be no secret, and the
// same files come of the same input this way.
func seedOf(fingerprint string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(fingerprint))
	return h.Sum64()
}

// resume goes on from the last commit.
func (w *Writer) resume() error {
	w.quant = newQuantiser(&w.header)
	w.count, w.marks = w.header.count, w.header.marks
	w.dead = NewBitmap(int(w.count))
	for k := range kinds {
		name := dataFile(w.dir, w.header.fingerprint, w.header.generation, k)
		f, err := w.disk.open(name)
		if errors.Is(err, os.ErrNotExist) {
			return &DamagedError{name, "missing"}
		}
		if err != nil {
			return fmt.Errorf("open vector index: %w", err)
		}
		w.files[k] = &appender{file: f, name: name, size: w.header.size(k), sum: w.header.sums[k]}
		if err := checkSize(name, f, w.header.size(k)); err != nil {
			return err
		}
	}
	if err := readDead(w.files[dead].name, w.files[dead].file, &w.header, 0, 0, w.dead); err != nil {
		return err
	}
	if _, err := w.readMarks(); err != nil {
		return err
	}
	return w.tidy()
}

// readMarks reads the committed marks.
func (w *Writer) readMarks() ([]byte, error) {
	f := w.files[marks]
	list := make([]byte, w.header.size(marks))
	if _, err := f.file.ReadAt(list, 0); err != nil {
		return nil, fmt.Errorf("read %s: %w", f.name, err)
	}
	return list, checkMarks(f.name, list, &w.header)
}

// tidy removes what an interrupted writer left, and what readers kept open
// when it should have been removed, where the system forbids that.
func (w *Writer) tidy() error {
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		return fmt.Errorf("open vector index: %w", err)
	}
	for _, e := range entries {
		generation, ok := generationOf(e.Name(), w.spec.Fingerprint)
		if ok && (generation != w.header.generation || w.header.sequence == 0) {
			_ = w.disk.remove(filepath.Join(w.dir, e.Name())) // in the way of nobody
		}
	}
	return nil
}

// create makes the empty files of a generation.
func (w *Writer) create(generation uint64) (files [kinds]*appender, err error) {
	for k := range kinds {
		name := dataFile(w.dir, w.spec.Fingerprint, generation, k)
		f, err := w.disk.create(name)
		if err != nil {
			return files, fmt.Errorf("create vector index: %w", err)
		}
		files[k] = &appender{file: f, name: name, dirty: true}
	}
	return files, nil
}

// State returns what the last commit was given, nil before the first.
func (w *Writer) State() []byte {
	if w.header.sequence == 0 {
		return nil
	}
	return []byte(w.header.state)
}

// Len returns the number of slots, those not yet committed and deleted ones
// among them.
func (w *Writer) Len() int { return int(w.count) }

// Deleted says whether a slot, which must be below Len, is deleted.
func (w *Writer) Deleted(slot uint32) bool { return w.dead.Has(slot) }

// Append adds items and returns the slot of the first; the others follow. An
// item that is not as described makes it refuse all of them.
func (w *Writer) Append(items []Item) (first uint32, err error) {
	if w.failed != nil {
		return 0, w.failed
	}
	for i := range items {
		if err := checkVector(items[i].Vector, w.header.dims); err != nil {
			return 0, fmt.Errorf("append item %d: %w", i, err)
		}
	}
	if len(items) > MaxSlots-int(w.count) {
		return 0, fmt.Errorf("append %d items: an index has at most %d slots", len(items), MaxSlots)
	}
	first = w.count
	for len(items) > 0 {
		n := min(len(items), 4096)
		w.add(items[:n])
		items = items[n:]
		for k := range dead {
			if err := w.files[k].flushIfLarge(); err != nil {
				return 0, w.fail(err)
			}
		}
	}
	w.dead.extend(int(w.count))
	return first, nil
}

// add puts items into the buffers.
func (w *Writer) add(items []Item) {
	w.quant.rows(items, w.files[codes].room(codes.rowSize(w.quant.padded)*len(items)), w.files[int8s].room(w.quant.padded*len(items)))
	var columns [kinds][]byte
	for k := refs; k <= keys; k++ {
		columns[k] = w.files[k].room(4 * len(items))
	}
	for i := range items {
		it := &items[i]
		for j, value := range [...]uint32{it.Ref, it.Group, it.Owner, it.Time, it.Key} {
			binary.LittleEndian.PutUint32(columns[int(refs)+j][4*i:], value)
		}
	}
	w.count += uint32(len(items))
}

// Delete deletes slots; those that are deleted already are left alone.
func (w *Writer) Delete(slots []uint32) error {
	if w.failed != nil {
		return w.failed
	}
	for _, slot := range slots {
		if slot >= w.count {
			return fmt.Errorf("delete slot %d: the index has %d", slot, w.count)
		}
	}
	for _, slot := range slots {
		if w.dead.Has(slot) {
			continue
		}
		w.dead.Set(slot)
		binary.LittleEndian.PutUint32(w.files[dead].room(4), slot)
		if err := w.files[dead].flushIfLarge(); err != nil {
			return w.fail(err)
		}
	}
	return nil
}

// Mark puts slots into further groups. They stay there until they are deleted;
// a mark that is there already is kept twice.
func (w *Writer) Mark(list []Mark) error {
	if w.failed != nil {
		return w.failed
	}
	for _, m := range list {
		if m.Slot >= w.count {
			return fmt.Errorf("mark slot %d: the index has %d", m.Slot, w.count)
		}
	}
	if len(list) > MaxMarks-int(w.marks) {
		return fmt.Errorf("mark %d slots: an index has at most %d marks", len(list), MaxMarks)
	}
	for _, m := range list {
		if err := w.files[marks].mark(m); err != nil {
			return w.fail(err)
		}
	}
	w.marks += uint32(len(list))
	return nil
}

// Commit makes all that was appended, deleted and marked visible, together with
// up to MaxState bytes of the caller's, and returns when it is on the disk.
func (w *Writer) Commit(state []byte) error {
	if w.failed != nil {
		return w.failed
	}
	if len(state) > MaxState {
		return fmt.Errorf("commit vector index: state of %d bytes, at most %d", len(state), MaxState)
	}
	next := w.header
	next.state = string(state)
	if err := w.commit(next, w.files, w.count); err != nil {
		return w.fail(err)
	}
	return nil
}

// commit brings the files to the disk and then the header that speaks of them.
func (w *Writer) commit(next header, files [kinds]*appender, count uint32) error {
	for k, f := range files {
		if err := f.sync(); err != nil {
			return err
		}
		next.sums[k] = f.sum
	}
	next.count, next.dead, next.marks = count, uint32(files[dead].size/4), uint32(files[marks].size/markSize)
	if next == w.header && next.sequence != 0 {
		return nil
	}
	next.sequence++
	if next.sequence == 1 || next.generation != w.header.generation {
		if err := w.disk.syncDir(w.dir); err != nil {
			return fmt.Errorf("sync folder: %w", err)
		}
	}
	if err := w.writeHeader(&next); err != nil {
		return err
	}
	w.header = next
	return nil
}

func (w *Writer) writeHeader(h *header) error {
	name := headFile(w.dir, w.spec.Fingerprint)
	if w.head != nil {
		if _, err := w.head.WriteAt(h.encode(), h.offset()); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		if err := w.head.Sync(); err != nil {
			return fmt.Errorf("sync %s: %w", name, err)
		}
		return nil
	}
	// The first record appears with its file.
	head, err := w.createHead(name+".new", h)
	if err != nil {
		return err
	}
	w.head = head
	if err := w.disk.rename(name+".new", name); err != nil {
		return fmt.Errorf("create vector index: %w", err)
	}
	if err := w.disk.syncDir(w.dir); err != nil {
		return fmt.Errorf("sync folder: %w", err)
	}
	return nil
}

func (w *Writer) createHead(name string, h *header) (file, error) {
	f, err := w.disk.create(name)
	if err != nil {
		return nil, fmt.Errorf("create vector index: %w", err)
	}
	whole := make([]byte, headSize)
	copy(whole[h.offset():], h.encode())
	if _, err = f.WriteAt(whole, 0); err == nil {
		err = f.Sync()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("write %s: %w", name, err), f.Close())
	}
	return f, nil
}

func (w *Writer) fail(err error) error {
	w.failed = fmt.Errorf("write vector index (what was committed before is intact): %w", err)
	return w.failed
}

// Close gives up what was not committed, and the lock.
func (w *Writer) Close() error {
	var all []error
	for _, f := range w.files {
		if f != nil {
			all = append(all, f.file.Close())
		}
	}
	if w.head != nil {
		all = append(all, w.head.Close())
	}
	w.failed = os.ErrClosed
	return errors.Join(append(all, w.lock.Close())...)
}
