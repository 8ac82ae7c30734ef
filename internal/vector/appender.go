package vector

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// appender writes to the end of one file, in large pieces.
type appender struct {
	file file
	name string
	// size and sum are those of the file without the buffer.
	size   int64
	sum    uint32
	buffer []byte
	// dirty means that there is something a sync would bring to the disk.
	dirty bool
}

const bufferSize = 1 << 20

// room returns n bytes at the end, to be filled before the next call of any
// method but room.
func (a *appender) room(n int) []byte {
	at := len(a.buffer)
	if cap(a.buffer)-at < n {
		grown := make([]byte, at, max(at+n, min(2*cap(a.buffer), bufferSize)))
		copy(grown, a.buffer)
		a.buffer = grown
	}
	a.buffer = a.buffer[:at+n]
	return a.buffer[at:]
}

// mark appends a mark.
func (a *appender) mark(m Mark) error {
	room := a.room(markSize)
	binary.LittleEndian.PutUint32(room, m.Slot)
	binary.LittleEndian.PutUint32(room[4:], m.Group)
	binary.LittleEndian.PutUint32(room[8:], m.Ref)
	return a.flushIfLarge()
}

// flushIfLarge writes the buffer when it is worth it.
func (a *appender) flushIfLarge() error {
	if len(a.buffer) < bufferSize {
		return nil
	}
	return a.flush()
}

func (a *appender) flush() error {
	if len(a.buffer) == 0 {
		return nil
	}
	a.dirty = true
	if _, err := a.file.WriteAt(a.buffer, a.size); err != nil {
		return fmt.Errorf("write %s: %w", a.name, err)
	}
	a.size += int64(len(a.buffer))
	a.sum = crc32.Update(a.sum, castagnoli, a.buffer)
	a.buffer = a.buffer[:0]
	return nil
}

func (a *appender) sync() error {
	if err := a.flush(); err != nil {
		return err
	}
	if !a.dirty {
		return nil
	}
	if err := a.file.Sync(); err != nil {
		return fmt.Errorf("sync %s: %w", a.name, err)
	}
	a.dirty = false
	return nil
}
