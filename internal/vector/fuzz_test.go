package vector

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"
)

// FuzzOpen reads files of arbitrary content, with a header whose checksum is
// made right when seal says so. Whatever they hold is an index or an error
// that names it, never a panic and never a read outside of a file.
func FuzzOpen(f *testing.F) {
	dir := f.TempDir()
	small(f, dir)
	files := map[string][]byte{}
	for _, name := range indexFiles(f, dir) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			f.Fatal(err)
		}
		files[name] = data
	}
	head := files["small-1.head"]
	f.Add(head[recordStride:], files["small-1.0.codes"], files["small-1.0.dead"], files["small-1.0.marks"], files["small-1.0.ref"], true)
	f.Add(head[:recordSize], files["small-1.0.codes"][:100], []byte{}, []byte{}, files["small-1.0.ref"], false)
	shared := f.TempDir() // most runs take less time than making a folder
	f.Fuzz(func(t *testing.T, record, codesData, deadData, marksData, column []byte, seal bool) {
		whole := make([]byte, headSize)
		copy(whole[recordStride:], record)
		if part := whole[recordStride:]; seal {
			clear(part[12:16])
			binary.LittleEndian.PutUint32(part[12:], crc32.Checksum(part, castagnoli))
		}
		spec := smallSpec
		if h, err := decodeHeader(whole[recordStride:]); err == nil {
			spec = Spec{Fingerprint: h.fingerprint, Dims: h.dims, Archive: h.archive}
			h.generation = 0
			// The deleted slots and the marks get past their checksums, too.
			h.sums[dead] = crc32.Checksum(deadData[:min(int64(len(deadData)), h.size(dead))], castagnoli)
			h.sums[marks] = crc32.Checksum(marksData[:min(int64(len(marksData)), h.size(marks))], castagnoli)
			copy(whole[recordStride:], h.encode())
		}
		dir := shared
		if spec.Fingerprint != smallSpec.Fingerprint { // it names the files
			dir = t.TempDir()
		}
		for k := range kinds {
			data := column
			switch k {
			case codes, int8s:
				data = codesData
			case dead:
				data = deadData
			case marks:
				data = marksData
			}
			if err := os.WriteFile(dataFile(dir, spec.Fingerprint, 0, k), data, fileMode); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(headFile(dir, spec.Fingerprint), whole, fileMode); err != nil {
			t.Fatal(err)
		}
		_, err := use(dir, spec)
		var damaged *DamagedError
		var older *OlderFormatError
		var newer *NewerFormatError
		if err != nil && !errors.As(err, &damaged) && !errors.As(err, &older) && !errors.As(err, &newer) {
			t.Errorf("not named as damage: %v", err)
		}
	})
}

// FuzzHeader decodes records of arbitrary content, the checksum made right.
// What is accepted is within limits and the same when written again.
func FuzzHeader(f *testing.F) {
	h := header{sequence: 3, dims: 100, rotated: true, seed: 7, clip: 0.4, count: 5, dead: 1, marks: 2, fingerprint: "a-1.b", state: "marks"}
	f.Add(h.encode())
	h.fingerprint, h.state = string(make([]byte, MaxFingerprint)), string(make([]byte, MaxState))
	f.Add(h.encode())
	f.Fuzz(func(t *testing.T, record []byte) {
		if len(record) == recordSize {
			clear(record[12:16])
			binary.LittleEndian.PutUint32(record[12:], crc32.Checksum(record, castagnoli))
		}
		h, err := decodeHeader(record)
		if err != nil {
			return
		}
		if h.dims > MaxDims || h.dead > h.count || h.marks > MaxMarks || !validFingerprint(h.fingerprint) || len(h.state) > MaxState || h.size(int8s) < 0 {
			t.Errorf("accepted %+v", h)
		}
		again, err := decodeHeader(h.encode())
		if err != nil || *again != *h {
			t.Errorf("written again it is %+v, was %+v (%v)", again, h, err)
		}
	})
}
