package vector

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
)

// DeadShare returns the share of slots that are deleted, 0 to 1. Above
// CompactAbove it is time to compact.
func (w *Writer) DeadShare() float64 {
	if w.count == 0 {
		return 0
	}
	return float64(w.dead.Count()) / float64(w.count)
}

// Compact writes the live slots to new files, in their order, and commits
// them in place of the old ones. Slots have new numbers from then on. Views of
// before keep their files. It needs room on the disk for both.
//
// What was appended, deleted and marked must have been committed. When the
// context ends, or the disk is full, the index stays as it was and the writer
// can go on.
func (w *Writer) Compact(ctx context.Context) error {
	if w.failed != nil {
		return w.failed
	}
	if w.count != w.header.count || w.dead.Count() != int(w.header.dead) || w.marks != w.header.marks {
		return errors.New("compact vector index: there are changes that are not committed")
	}
	if w.header.dead == 0 {
		return nil
	}
	next := w.header
	next.generation++
	files, err := w.create(next.generation)
	if err == nil {
		err = w.copyLive(ctx, files)
	}
	if err == nil {
		err = w.copyMarks(files[marks])
	}
	if err != nil {
		w.discard(files)
		return fmt.Errorf("compact vector index: %w", err)
	}
	live := w.header.count - w.header.dead
	if err := w.commit(next, files, live); err != nil {
		// Nobody knows which header the disk has now.
		closeAll(files)
		return w.fail(err)
	}
	old := w.files
	w.files, w.count, w.dead, w.marks = files, live, NewBitmap(int(live)), w.header.marks
	w.discard(old)
	return nil
}

// copyLive appends the live slots of the writer's files to others.
func (w *Writer) copyLive(ctx context.Context, files [kinds]*appender) error {
	for from := uint32(0); from < w.count; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if w.dead.Has(from) {
			from++
			continue
		}
		to := from + 1
		for to < w.count && to-from < 4096 && !w.dead.Has(to) {
			to++
		}
		for k := range dead {
			row := k.rowSize(w.quant.padded)
			if _, err := w.files[k].file.ReadAt(files[k].room(int(to-from)*row), int64(from)*int64(row)); err != nil {
				return fmt.Errorf("read %s: %w", w.files[k].name, err)
			}
			if err := files[k].flushIfLarge(); err != nil {
				return err
			}
		}
		from = to
	}
	return nil
}

// copyMarks appends the marks of live slots, with the numbers that these get,
// to another file.
func (w *Writer) copyMarks(to *appender) error {
	list, err := w.readMarks()
	if err != nil {
		return err
	}
	moved := w.dead.ranks()
	for ; len(list) > 0; list = list[markSize:] {
		m := Mark{binary.LittleEndian.Uint32(list), binary.LittleEndian.Uint32(list[4:]), binary.LittleEndian.Uint32(list[8:])}
		if w.dead.Has(m.Slot) {
			continue
		}
		m.Slot -= moved(m.Slot)
		if err := to.mark(m); err != nil {
			return err
		}
	}
	return nil
}

func closeAll(files [kinds]*appender) {
	for _, f := range files {
		if f != nil {
			f.file.Close()
		}
	}
}

// discard closes and removes files that no commit names. Where they cannot be
// removed, since a reader has them open, the next writer does it.
func (w *Writer) discard(files [kinds]*appender) {
	closeAll(files)
	for _, f := range files {
		if f != nil {
			_ = w.disk.remove(f.name)
		}
	}
}
