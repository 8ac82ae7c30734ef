package vector

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync/atomic"
	"unsafe"

	"github.com/edsrzf/mmap-go"
)

// View is one commit of an index. It never changes, and is safe for
// concurrent use until it is released; slices of its columns must not be used
// after that, nor written to.
type View struct {
	dir     string
	header  *header
	head    *os.File // which head file said so; it is not this View's to close
	mapped  [kinds]mmap.MMap
	columns [kinds][]uint32
	words   []uint64 // the codes
	int8s   *os.File
	dead    *Bitmap
	quant   *quantiser
	users   atomic.Int32
}

// loadView opens what a header names. before, an earlier commit according to
// the same head file, or nil, spares work.
func loadView(dir string, h *header, before *View) (*View, error) {
	v := &View{dir: dir, header: h}
	v.users.Store(1)
	if before != nil && before.header.generation != h.generation {
		before = nil
	}
	if before != nil {
		v.quant = before.quant
	} else {
		v.quant = newQuantiser(h)
	}
	for k := range kinds {
		if k == dead {
			continue
		}
		if err := v.open(k); err != nil {
			v.Release()
			return nil, err
		}
	}
	err := v.loadDead(before)
	if err == nil {
		err = v.guard(func() error { return checkMarks(v.file(marks), v.mapped[marks], h) })
	}
	if err != nil {
		v.Release()
		return nil, err
	}
	return v, nil
}

func (v *View) file(k kind) string {
	return dataFile(v.dir, v.header.fingerprint, v.header.generation, k)
}

// open opens one file and maps what is committed of it. The bytes are read,
// not mapped: a search touches a few thousand places all over them, and the
// mapped pages would add up to the whole file within some queries.
func (v *View) open(k kind) error {
	name := v.file(k)
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("open vector index: %w", err)
	}
	size := v.header.size(k)
	if err := checkSize(name, f, size); err != nil {
		f.Close()
		return err
	}
	if k == int8s {
		v.int8s = f
		return nil
	}
	defer f.Close()
	if size == 0 {
		return nil
	}
	m, err := mmap.MapRegion(f, int(size), mmap.RDONLY, 0, 0)
	if err != nil {
		return fmt.Errorf("map %s: %w", name, err)
	}
	v.mapped[k] = m
	if k == codes {
		v.words = unsafe.Slice((*uint64)(unsafe.Pointer(&m[0])), size/8)
	} else {
		v.columns[k] = unsafe.Slice((*uint32)(unsafe.Pointer(&m[0])), size/4)
	}
	return nil
}

type statter interface{ Stat() (os.FileInfo, error) }

// checkSize refuses a file that is shorter than what is committed of it:
// touching mapped memory behind its end would end the program.
func checkSize(name string, f statter, want int64) error {
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("open vector index: %w", err)
	}
	if info.Size() < want {
		return &DamagedError{name, fmt.Sprintf("%d bytes long, should be %d", info.Size(), want)}
	}
	return nil
}

// loadDead reads the deleted slots, of which earlier ones may be known.
func (v *View) loadDead(before *View) error {
	known, sum := 0, uint32(0)
	if before != nil && before.header.dead <= v.header.dead && before.header.count <= v.header.count {
		known, sum = int(before.header.dead), before.header.sums[dead]
		if known == int(v.header.dead) && sum == v.header.sums[dead] && before.header.count == v.header.count {
			v.dead = before.dead
			return nil
		}
		v.dead = before.dead.grown(v.Len())
	} else {
		v.dead = NewBitmap(v.Len())
	}
	f, err := os.Open(v.file(dead))
	if err != nil {
		return fmt.Errorf("open vector index: %w", err)
	}
	defer f.Close()
	return readDead(f.Name(), f, v.header, known, sum, v.dead)
}

// readDead adds the deleted slots after the known ones, whose checksum is sum,
// to the set.
func readDead(name string, f interface {
	statter
	io.ReaderAt
}, h *header, known int, sum uint32, set *Bitmap) error {
	if err := checkSize(name, f, h.size(dead)); err != nil {
		return err
	}
	list := make([]byte, h.size(dead)-int64(known)*4)
	if _, err := f.ReadAt(list, int64(known)*4); err != nil {
		return fmt.Errorf("read vector index: %w", err)
	}
	if crc32.Update(sum, castagnoli, list) != h.sums[dead] {
		return &DamagedError{name, "wrong checksum"}
	}
	for ; len(list) > 0; list = list[4:] {
		slot := uint32(list[0]) | uint32(list[1])<<8 | uint32(list[2])<<16 | uint32(list[3])<<24
		if slot >= h.count || set.Has(slot) {
			return &DamagedError{name, fmt.Sprintf("slot %d of %d deleted", slot, h.count)}
		}
		set.Set(slot)
	}
	return nil
}

// checkMarks looks through the committed part of a file of marks.
func checkMarks(name string, list []byte, h *header) error {
	if crc32.Checksum(list, castagnoli) != h.sums[marks] {
		return &DamagedError{name, "wrong checksum"}
	}
	for ; len(list) > 0; list = list[markSize:] {
		if slot := binary.LittleEndian.Uint32(list); slot >= h.count {
			return &DamagedError{name, fmt.Sprintf("slot %d of %d marked", slot, h.count)}
		}
	}
	return nil
}

// Release ends the use of the View.
func (v *View) Release() {
	if v.users.Add(-1) > 0 {
		return
	}
	for k := range v.mapped {
		if v.mapped[k] != nil {
			_ = v.mapped[k].Unmap() // nothing was written, and nothing more can be done
		}
	}
	if v.int8s != nil {
		v.int8s.Close()
	}
}

// Len returns the number of slots, deleted ones among them.
func (v *View) Len() int { return int(v.header.count) }

// Live returns the number of slots that are not deleted.
func (v *View) Live() int { return int(v.header.count - v.header.dead) }

// State returns what the writer's caller committed with it.
func (v *View) State() []byte { return []byte(v.header.state) }

// Commit numbers the commits of an index, from 1 on.
func (v *View) Commit() uint64 { return v.header.sequence }

// Compactions counts how often the slots were numbered anew.
func (v *View) Compactions() uint64 { return v.header.generation }

// Deleted says whether a slot, which must be below Len, is deleted.
func (v *View) Deleted(slot uint32) bool { return v.dead.Has(slot) }

// Marks returns the marks in the order of marking, those of deleted slots among
// them.
func (v *View) Marks() []Mark {
	column := v.columns[marks]
	if len(column) == 0 {
		return nil
	}
	return unsafe.Slice((*Mark)(unsafe.Pointer(&column[0])), len(column)*4/markSize)
}

// Refs, like the four after it, returns an attribute of all slots, deleted
// ones among them.
func (v *View) Refs() []uint32 { return v.columns[refs] }

// Groups returns the attribute Group of all slots.
func (v *View) Groups() []uint32 { return v.columns[groups] }

// Owners returns the attribute Owner of all slots.
func (v *View) Owners() []uint32 { return v.columns[owners] }

// Times returns the attribute Time of all slots.
func (v *View) Times() []uint32 { return v.columns[times] }

// Keys returns the attribute Key of all slots.
func (v *View) Keys() []uint32 { return v.columns[keys] }
