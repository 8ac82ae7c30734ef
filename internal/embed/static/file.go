package static

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The file: a header of headerSize bytes, the bucket index, the marks, the
// scales, the rows. Numbers are little-endian.
//
//	0  magic, 8 bytes
//	8  uint32 version
//	12 uint32 components of a row
//	16 uint32 words
//	20 uint32 bits of a word's hash that choose its bucket
//	24 name, 24 bytes, filled with zeros
//	48 checksum, 16 hexadecimal digits of the SHA-256 of all that follows
const (
	magic       = "msgstat\n"
	fileVersion = 1
	headerSize  = 64
	bucketBits  = 16
	buckets     = 1 << bucketBits
	rowSize     = Dims / 2
)

// ErrFormat is wrapped by the errors about data that is no table.
var ErrFormat = errors.New("not a table of word vectors")

// Open reads a table from the bytes of its file, which it keeps.
func Open(data string) (*Table, error) {
	if len(data) < headerSize || data[:len(magic)] != magic {
		return nil, fmt.Errorf("open table: %w", ErrFormat)
	}
	header := []byte(data[:headerSize])
	number := func(at int) uint32 { return binary.LittleEndian.Uint32(header[at:]) }
	if v := number(8); v != fileVersion {
		return nil, fmt.Errorf("open table: %w: version %d, not %d", ErrFormat, v, fileVersion)
	}
	if number(12) != Dims || number(20) != bucketBits {
		return nil, fmt.Errorf("open table: %w: rows of %d, buckets of %d bits", ErrFormat, number(12), number(20))
	}
	words := int64(number(16))
	if want := headerSize + 4*(buckets+1) + words*(4+4+rowSize); int64(len(data)) != want {
		return nil, fmt.Errorf("open table: %w: %d bytes, not %d", ErrFormat, len(data), want)
	}
	t := &Table{words: int(words)}
	rest := data[headerSize:]
	take := func(n int) string {
		part := rest[:n]
		rest = rest[n:]
		return part
	}
	t.index, t.marks, t.scales, t.rows = take(4*(buckets+1)), take(4*t.words), take(4*t.words), rest
	if err := t.check(); err != nil {
		return nil, fmt.Errorf("open table: %w: %w", ErrFormat, err)
	}
	name := trimZeros(data[24:48])
	t.fingerprint = fmt.Sprintf("%s-%d-%s", name, readingVersion, data[48:64])
	return t, nil
}

// check makes sure that no lookup can leave the table.
func (t *Table) check() error {
	last := uint32(0)
	for b := range buckets + 1 {
		next := at32(t.index, b)
		if next < last || next > uint32(t.words) {
			return fmt.Errorf("bucket %d begins at word %d", b, next)
		}
		last = next
	}
	return nil
}

func trimZeros(s string) string {
	for len(s) > 0 && s[len(s)-1] == 0 {
		s = s[:len(s)-1]
	}
	return s
}

// at32 returns the i-th uint32 of s.
func at32(s string, i int) uint32 {
	s = s[4*i : 4*i+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// find returns the row of a word, or -1.
func (t *Table) find(hash uint64) int {
	bucket, mark := int(hash>>(64-bucketBits)), uint32(hash>>16)
	for i, end := int(at32(t.index, bucket)), int(at32(t.index, bucket+1)); i < end; i++ {
		if at32(t.marks, i) == mark {
			return i
		}
	}
	return -1
}

// add adds a row times weight to sum.
func (t *Table) add(sum *[Dims]float32, row int, weight float32) {
	step := weight * math.Float32frombits(at32(t.scales, row))
	packed := t.rows[row*rowSize : (row+1)*rowSize]
	for i := range rowSize {
		c := packed[i]
		sum[2*i] += step * (float32(c&15) - middle)
		sum[2*i+1] += step * (float32(c>>4) - middle)
	}
}

// middle is what stands for zero between the sixteen steps of a component.
const middle = 7.5
