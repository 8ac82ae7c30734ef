package vector

import (
	"bytes"
	"context"
	"hash/crc32"
	"io"
)

// Verify reads all that is committed, some hundred megabytes for a million
// vectors, and returns a DamagedError when it is not what was written. Nothing
// else finds a flipped bit in the data: searches answer wrong, but do not fail.
func (v *View) Verify(ctx context.Context) error {
	return v.guard(func() error {
		for k := range dead { // the deleted slots and the marks were checked when they were read
			if err := v.verify(ctx, k); err != nil {
				return err
			}
		}
		return nil
	})
}

func (v *View) verify(ctx context.Context, k kind) error {
	var r io.ReaderAt = bytes.NewReader(v.mapped[k])
	if k == int8s {
		r = v.int8s
	}
	sum := uint32(0)
	buf := make([]byte, min(bufferSize, v.header.size(k)))
	for at, size := int64(0), v.header.size(k); at < size; at += int64(len(buf)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		buf = buf[:min(int64(len(buf)), size-at)]
		if _, err := r.ReadAt(buf, at); err != nil {
			return v.unreadable(k, err)
		}
		sum = crc32.Update(sum, castagnoli, buf)
	}
	if sum != v.header.sums[k] {
		return &DamagedError{v.file(k), "wrong checksum"}
	}
	return nil
}
