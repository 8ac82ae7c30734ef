package bert

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
)

// A model file, little-endian:
//
//	8 bytes   "msgbert", 0
//	uint32    version, 1
//	32 bytes  SHA-256 of all that follows
//	uint32    vocabulary in bytes, vocabulary in words, hidden, layers, heads, ffn, positions
//	uint32    pooling (0 mean, 1 first token); 1, since vectors have length 1; 0
//	float32   epsilon of the layer norms
//	uint16    length of the name; length of the query prefix
//	name, query prefix
//
// Then come, each padded with zeros to a multiple of 64 bytes from the start
// of the file:
//
//	the vocabulary, one word a line
//	words:     float32 scale of each row, int8 rows of hidden
//	positions: the same, with the type "first sentence" added
//	norm
//	for each layer: queries, keys and values as one linear, output linear, norm, ffn up linear, ffn down linear, norm
//
// A norm is gamma and beta, float32. A linear is a float32 factor for each
// input; a float32 scale, a float32 bias and an int32 sum of weights for each
// output; and its int8 weights, ordered as kernels.multiply takes them. A
// weight is its integer times its output's scale times its input's factor,
// which evens out between inputs that are always large and ones that never
// are (Xiao et al., "SmoothQuant", 2022): activations are multiplied by it
// before they are rounded.
const (
	fileMagic   = "msgbert\x00"
	fileVersion = 1
	fileAlign   = 64
	checkedFrom = len(fileMagic) + 4 + sha256.Size // what the checksum covers
	fixedFields = 11*4 + 2*2
)

// Limits that keep a broken file from asking for more than it can hold, far
// above those of any encoder that a message search can afford.
const (
	maxWidth     = 4096
	maxLayers    = 48
	maxPositions = 8192
	maxWords     = 1 << 20
)

// ErrFile is wrapped by every error about a file that is no model.
var ErrFile = errors.New("no usable model file")

// shape is what a file's header says.
type shape struct {
	vocabularyBytes, words, hidden, layers, heads, ffn, positions int

	firstToken  bool // the vector is the first token's, not the mean
	normalised  bool
	eps         float32
	name        string
	queryPrefix string
}

// linear is one matrix product, table one matrix that rows are taken from.
// Weights stay where the file is; the rest are copies.
type linear struct {
	inputs, outputs int
	factors         []float32 // one for each input
	panels          []panel
}

type table struct {
	scales []byte // little-endian float32
	rows   []byte
}

type norm struct{ gamma, beta []float32 }

type layer struct {
	qkv, out, up, down linear
	afterAttention     norm
	afterFFN           norm
}

// parts are the contents of a file.
type parts struct {
	shape
	checksum   []byte
	checked    []byte
	vocabulary []string
	wordRows   table
	positions  table
	norm       norm
	layerParts []layer
}

// parse reads a file without copying its tables and matrices. It does not
// compare the checksum, which would read every page.
func parse(file []byte) (*parts, error) {
	if len(file) < checkedFrom+fixedFields || !bytes.HasPrefix(file, []byte(fileMagic)) {
		return nil, fmt.Errorf("%w: it does not begin like one", ErrFile)
	}
	if version := binary.LittleEndian.Uint32(file[len(fileMagic):]); version != fileVersion {
		return nil, fmt.Errorf("%w: its version is %d, this program reads %d", ErrFile, version, fileVersion)
	}
	p := &parts{checksum: file[checkedFrom-sha256.Size : checkedFrom], checked: file[checkedFrom:]}
	r := &reader{file: file, at: checkedFrom}
	p.shape = r.shape()
	if err := p.validate(); err != nil {
		return nil, err
	}
	r.align()
	text := r.bytes(p.vocabularyBytes)
	p.wordRows = r.table(p.words, p.hidden)
	p.positions = r.table(p.shape.positions, p.hidden)
	p.norm = r.norm(p.hidden)
	for range p.layers {
		var l layer
		l.qkv = r.linear(p.hidden, 3*p.hidden)
		l.out = r.linear(p.hidden, p.hidden)
		l.afterAttention = r.norm(p.hidden)
		l.up = r.linear(p.hidden, p.ffn)
		l.down = r.linear(p.ffn, p.hidden)
		l.afterFFN = r.norm(p.hidden)
		p.layerParts = append(p.layerParts, l)
	}
	if r.failed || r.at != len(file) {
		return nil, fmt.Errorf("%w: %d bytes do not fit what the header says", ErrFile, len(file))
	}
	p.vocabulary = strings.Split(string(text), "\n")
	if len(p.vocabulary) != p.words {
		return nil, fmt.Errorf("%w: the vocabulary has %d words instead of %d", ErrFile, len(p.vocabulary), p.words)
	}
	return p, nil
}

func (s *shape) validate() error {
	between := func(n, low, high int) bool { return n >= low && n <= high }
	switch {
	case !between(s.hidden, depthStep, maxWidth) || s.hidden%depthStep != 0,
		!between(s.ffn, depthStep, maxWidth) || s.ffn%depthStep != 0,
		!between(s.layers, 1, maxLayers),
		!between(s.positions, 2, maxPositions),
		!between(s.words, 1, maxWords),
		!(s.eps > 0 && s.eps < 1),
		s.heads < 1 || s.hidden%s.heads != 0 || (s.hidden/s.heads)%depthStep != 0:
		return fmt.Errorf("%w: a shape that cannot be computed: %d layers, %d hidden, %d heads, %d ffn, %d positions, %d words",
			ErrFile, s.layers, s.hidden, s.heads, s.ffn, s.positions, s.words)
	}
	if !s.normalised {
		return fmt.Errorf("%w: it makes vectors of other lengths than 1", ErrFile)
	}
	for _, c := range s.name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.') {
			return fmt.Errorf("%w: its name %q has other characters than letters, digits, '-' and '.'", ErrFile, s.name)
		}
	}
	if s.name == "" || len(s.name) > maxName {
		return fmt.Errorf("%w: its name has %d characters, between 1 and %d are possible", ErrFile, len(s.name), maxName)
	}
	return nil
}

// reader takes one part of a file after the other. Once one is missing all
// further ones are empty.
type reader struct {
	file   []byte
	at     int
	failed bool
}

func (r *reader) shape() shape {
	var fields [10]int
	for i := range fields {
		fields[i] = int(int32(r.uint32()))
	}
	s := shape{
		vocabularyBytes: fields[0], words: fields[1], hidden: fields[2], layers: fields[3], heads: fields[4], ffn: fields[5], positions: fields[6],
		firstToken: fields[7] == 1, normalised: fields[8] == 1,
		eps: math.Float32frombits(r.uint32()),
	}
	lengths := r.uint32()
	s.name = string(r.take(int(lengths & 0xFFFF)))
	s.queryPrefix = string(r.take(int(lengths >> 16)))
	return s
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.file)-r.at {
		r.failed = true
	}
	if r.failed {
		return nil
	}
	r.at += n
	return r.file[r.at-n : r.at : r.at]
}

func (r *reader) uint32() uint32 {
	if b := r.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) align() { r.take(-r.at & (fileAlign - 1)) }

func (r *reader) bytes(n int) []byte {
	b := r.take(n)
	r.align()
	return b
}

func (r *reader) floats(n int) []float32 {
	b := r.bytes(4 * n)
	values := make([]float32, len(b)/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return values
}

func (r *reader) integers(n int) []int32 {
	b := r.bytes(4 * n)
	values := make([]int32, len(b)/4)
	for i := range values {
		values[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return values
}

func (r *reader) norm(n int) norm { return norm{r.floats(n), r.floats(n)} }

func (r *reader) table(rows, width int) table {
	return table{r.bytes(4 * rows), r.bytes(rows * width)}
}

func (r *reader) linear(inputs, outputs int) linear {
	l := linear{inputs: inputs, outputs: outputs, factors: r.floats(inputs)}
	scales, biases, sums, weights := r.floats(outputs), r.floats(outputs), r.integers(outputs), r.bytes(inputs*outputs)
	if r.failed {
		return l
	}
	for c := 0; c < outputs; c += panelWidth {
		l.panels = append(l.panels, panel{
			weights: weights[c*inputs : (c+panelWidth)*inputs],
			sums:    sums[c : c+panelWidth],
			scales:  scales[c : c+panelWidth],
			biases:  biases[c : c+panelWidth],
		})
	}
	return l
}

// add adds a row, as floats, to a vector.
func (t *table) add(to []float32, row int) {
	scale := math.Float32frombits(binary.LittleEndian.Uint32(t.scales[4*row:]))
	for i, w := range t.rows[row*len(to) : (row+1)*len(to)] {
		to[i] += float32(int8(w)) * scale
	}
}
