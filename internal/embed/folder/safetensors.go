package folder

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// Bounds on a safetensors file. The format allows headers of 100 MB; that of
// a static model names three tensors.
const (
	maxTensorHeader = 1 << 20
	maxRows         = 1 << 24
	maxDims         = 1 << 14
)

// tensor is one array of a safetensors file: little-endian numbers, the last
// dimension next to each other. The format is that of
// https://github.com/huggingface/safetensors.
type tensor struct {
	kind   string // "F32", "I8", …
	rows   int
	dims   int // 1 for a list
	at     int64
	reader io.ReaderAt
}

// sizes are the bytes of a number of each kind that is read.
var sizes = map[string]int{"F64": 8, "F32": 4, "F16": 2, "I8": 1, "I64": 8, "I32": 4}

// tensors reads the header of a file of the given size. Tensors of other
// kinds or with more than two dimensions are left out.
func tensors(file io.ReaderAt, size int64) (map[string]tensor, error) {
	var length [8]byte
	if _, err := file.ReadAt(length[:], 0); err != nil {
		return nil, fmt.Errorf("read header: %w", err)
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > maxTensorHeader || int64(n) > size-8 {
		return nil, errors.New("the file is not in the safetensors format")
	}
	header := make([]byte, n)
	if _, err := file.ReadAt(header, 8); err != nil {
		return nil, fmt.Errorf("read header: %w", err)
	}
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(bytes.TrimRight(header, " "), &entries); err != nil {
		return nil, errors.New("the file is not in the safetensors format")
	}
	data := 8 + int64(n)
	all := make(map[string]tensor)
	for name, raw := range entries {
		if name == "__metadata__" {
			continue
		}
		var entry struct {
			Kind    string   `json:"dtype"`
			Shape   []int64  `json:"shape"`
			Offsets [2]int64 `json:"data_offsets"`
		}
		if err := json.Unmarshal(raw, &entry); err != nil {
			return nil, errors.New("the file is not in the safetensors format")
		}
		if sizes[entry.Kind] == 0 || len(entry.Shape) == 0 || len(entry.Shape) > 2 {
			continue
		}
		t := tensor{kind: entry.Kind, dims: 1, at: data + entry.Offsets[0], reader: file}
		if len(entry.Shape) == 2 {
			if entry.Shape[1] < 1 || entry.Shape[1] > maxDims {
				return nil, fmt.Errorf("the tensor %.40q is not of a size that models have", name)
			}
			t.dims = int(entry.Shape[1])
		}
		if entry.Shape[0] < 1 || entry.Shape[0] > maxRows {
			return nil, fmt.Errorf("the tensor %.40q is not of a size that models have", name)
		}
		t.rows = int(entry.Shape[0])
		begin, end := entry.Offsets[0], entry.Offsets[1]
		if begin < 0 || end > size-data || end-begin != int64(t.rows)*int64(t.rowSize()) {
			return nil, fmt.Errorf("the tensor %.40q lies outside the file; it may be incomplete", name)
		}
		all[name] = t
	}
	return all, nil
}

// rowSize returns the bytes of a row.
func (t tensor) rowSize() int { return t.dims * sizes[t.kind] }

// add adds a row, times weight, to sum. Buffer has the size of a row.
func (t tensor) add(sum []float64, row int, weight float64, buffer []byte) error {
	if _, err := t.reader.ReadAt(buffer, t.at+int64(row)*int64(len(buffer))); err != nil {
		return fmt.Errorf("read row %d: %w", row, err)
	}
	for i := range sum {
		sum[i] += weight * t.number(buffer, i)
	}
	return nil
}

// number returns the ith number of a row.
func (t tensor) number(row []byte, i int) float64 {
	le := binary.LittleEndian
	switch t.kind {
	case "F64":
		return math.Float64frombits(le.Uint64(row[8*i:]))
	case "F32":
		return float64(math.Float32frombits(le.Uint32(row[4*i:])))
	case "F16":
		return half(le.Uint16(row[2*i:]))
	case "I64":
		return float64(int64(le.Uint64(row[8*i:])))
	case "I32":
		return float64(int32(le.Uint32(row[4*i:])))
	default:
		return float64(int8(row[i]))
	}
}

// list reads a tensor whole.
func (t tensor) list() ([]float64, error) {
	raw := make([]byte, t.rows*t.rowSize())
	if _, err := t.reader.ReadAt(raw, t.at); err != nil {
		return nil, fmt.Errorf("read tensor: %w", err)
	}
	all := make([]float64, t.rows*t.dims)
	for i := range all {
		all[i] = t.number(raw, i)
	}
	return all, nil
}

// half returns the value of a binary16 number of IEEE 754.
func half(bits uint16) float64 {
	sign := 1 - 2*float64(bits>>15)
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	default:
		return sign * math.Ldexp(1024+fraction, exponent-25)
	}
}
