package vector

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// Of every version the first 16 bytes of a record keep their meaning, and its
// checksum covers 512 bytes.
const (
	formatVersion = 2
	recordSize    = 512
	// recordStride keeps the records apart, so that a write that fails tears
	// only one of them.
	recordStride = 4096
	headSize     = recordStride + recordSize
)

var magic = [8]byte{'M', 'S', 'G', 'B', 'V', 'E', 'C', '\n'}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// header is what one commit says.
type header struct {
	// sequence counts the commits of the index, generation its compactions.
	sequence, generation uint64
	archive              uint64
	dims                 int
	rotated              bool
	seed                 uint64
	// clip is the size of component that the byte 127 stands for.
	clip float32
	// count is the number of slots, dead how many of them are deleted. marks is
	// the number of marks.
	count, dead, marks uint32
	// sums are the CRC-32C of the committed part of every file.
	sums        [kinds]uint32
	fingerprint string
	state       string
}

// size returns the committed bytes of a file.
func (h *header) size(k kind) int64 {
	return int64(h.rows(k)) * int64(k.rowSize(paddedDims(h.dims)))
}

// rows returns the committed entries of a file.
func (h *header) rows(k kind) uint32 {
	switch k {
	case dead:
		return h.dead
	case marks:
		return h.marks
	default:
		return h.count
	}
}

// offset returns where in the head file the record belongs.
func (h *header) offset() int64 { return int64(h.sequence%2) * recordStride }

func (h *header) encode() []byte {
	b := make([]byte, 0, recordSize)
	le := binary.LittleEndian
	b = append(b, magic[:]...)
	b = le.AppendUint32(b, formatVersion)
	b = le.AppendUint32(b, 0) // the checksum
	b = le.AppendUint64(b, h.sequence)
	b = le.AppendUint64(b, h.generation)
	b = le.AppendUint64(b, h.archive)
	b = le.AppendUint64(b, h.seed)
	b = le.AppendUint32(b, uint32(h.dims))
	var flags uint32
	if h.rotated {
		flags = 1
	}
	b = le.AppendUint32(b, flags)
	b = le.AppendUint32(b, math.Float32bits(h.clip))
	b = le.AppendUint32(b, h.count)
	b = le.AppendUint32(b, h.dead)
	b = le.AppendUint32(b, h.marks)
	for _, sum := range h.sums {
		b = le.AppendUint32(b, sum)
	}
	b = le.AppendUint32(b, uint32(len(h.fingerprint)))
	b = le.AppendUint32(b, uint32(len(h.state)))
	b = append(b, h.fingerprint...)
	b = append(b, h.state...)
	b = b[:recordSize]
	le.PutUint32(b[12:], crc32.Checksum(b, castagnoli))
	return b
}

// versionError is a record of another version, which is otherwise sound.
type versionError uint32

func (e versionError) Error() string { return fmt.Sprintf("format %d", uint32(e)) }

// of returns the error for the caller.
func (e versionError) of(file string) error {
	if e < formatVersion {
		return &OlderFormatError{file, uint32(e)}
	}
	return &NewerFormatError{file, uint32(e)}
}

func decodeHeader(b []byte) (*header, error) {
	le := binary.LittleEndian
	if len(b) != recordSize || !bytes.Equal(b[:8], magic[:]) {
		return nil, errors.New("no header")
	}
	var zero [4]byte
	sum := crc32.Update(crc32.Update(crc32.Checksum(b[:12], castagnoli), castagnoli, zero[:]), castagnoli, b[16:])
	if sum != le.Uint32(b[12:]) {
		return nil, errors.New("wrong checksum of the header")
	}
	if v := le.Uint32(b[8:]); v != formatVersion {
		return nil, versionError(v)
	}
	h := &header{
		sequence:   le.Uint64(b[16:]),
		generation: le.Uint64(b[24:]),
		archive:    le.Uint64(b[32:]),
		seed:       le.Uint64(b[40:]),
		dims:       int(le.Uint32(b[48:])),
		rotated:    le.Uint32(b[52:]) == 1,
		clip:       math.Float32frombits(le.Uint32(b[56:])),
		count:      le.Uint32(b[60:]),
		dead:       le.Uint32(b[64:]),
		marks:      le.Uint32(b[68:]),
	}
	at := 72
	for k := range h.sums {
		h.sums[k] = le.Uint32(b[at:])
		at += 4
	}
	name, state := le.Uint32(b[at:]), le.Uint32(b[at+4:])
	at += 8
	switch {
	case h.dims < 1 || h.dims > MaxDims:
		return nil, fmt.Errorf("%d components", h.dims)
	case !(h.clip > 0 && h.clip <= math.MaxFloat32):
		return nil, fmt.Errorf("scale %g", h.clip)
	case h.count > MaxSlots || h.dead > h.count || h.marks > MaxMarks:
		return nil, fmt.Errorf("%d of %d slots deleted, %d marks", h.dead, h.count, h.marks)
	case name > MaxFingerprint || state > MaxState:
		return nil, fmt.Errorf("fingerprint of %d bytes, state of %d", name, state)
	}
	h.fingerprint = string(b[at : at+int(name)])
	at += int(name)
	h.state = string(b[at : at+int(state)])
	if !validFingerprint(h.fingerprint) {
		return nil, fmt.Errorf("fingerprint %q", h.fingerprint)
	}
	return h, nil
}

// readHeader returns the newest valid record of a head file. The other one
// may be half written at this moment.
func readHeader(file string, r io.ReaderAt) (*header, error) {
	var problem error
	for range 5 { // a quick writer may tear one record after the other while they are read
		buf := make([]byte, headSize)
		n, err := r.ReadAt(buf, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read vector index: %w", err)
		}
		if n < recordSize {
			return nil, &DamagedError{file, fmt.Sprintf("%d bytes long", n)}
		}
		a, errA := decodeHeader(buf[:recordSize])
		b, errB := decodeHeader(buf[recordStride:max(n, recordStride)])
		for _, err := range []error{errA, errB} {
			if v := versionError(0); errors.As(err, &v) {
				return nil, v.of(file)
			}
		}
		switch {
		case a != nil && (b == nil || a.sequence > b.sequence):
			return a, nil
		case b != nil:
			return b, nil
		}
		problem = errA
	}
	return nil, &DamagedError{file, problem.Error()}
}

// check compares the header with what is wanted.
func (h *header) check(file string, spec Spec) error {
	switch {
	case h.fingerprint != spec.Fingerprint:
		return &OtherModelError{Dir: file, Want: spec.Fingerprint, Found: []string{h.fingerprint}}
	case h.archive != spec.Archive:
		return &OtherArchiveError{file, spec.Archive, h.archive}
	case spec.Dims != 0 && h.dims != spec.Dims:
		return &DamagedError{file, fmt.Sprintf("vectors of %d components, the model has %d", h.dims, spec.Dims)}
	}
	return nil
}
