package vector

import (
	"encoding/binary"
	"fmt"
	"math"
	"sync"
)

// clipDeviations is where bytes end, in standard deviations of a component.
// Components of a random unit vector are normal with deviation 1/sqrt(dims);
// for them 4 minimises the mean square error, most of which is rounding
// below it (step 4/127) and clipping above.
const clipDeviations = 4

func clipFor(padded int) float32 {
	return float32(clipDeviations / math.Sqrt(float64(padded)))
}

// tolerance is how far the length of a vector may be from 1.
const tolerance = 0.01

// checkVector refuses what is no unit or zero vector, NaN and infinity among
// it.
func checkVector(v []float32, dims int) error {
	if len(v) != dims {
		return &DimensionError{len(v), dims}
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if length := math.Sqrt(sum); sum != 0 && !(math.Abs(length-1) <= tolerance) {
		return fmt.Errorf("vector of length %g, want 1 or 0", length)
	}
	return nil
}

// quantiser turns vectors into what is stored and queries into what is
// compared with it. It is safe for concurrent use.
type quantiser struct {
	dims, padded int
	clip         float32
	rotation     *rotation // nil: none
}

func newQuantiser(h *header) *quantiser {
	q := &quantiser{dims: h.dims, padded: paddedDims(h.dims), clip: h.clip}
	if h.rotated {
		q.rotation = newRotation(q.padded, h.seed)
	}
	return q
}

// prepare writes the padded, turned vector into room, of padded length.
func (q *quantiser) prepare(v, room []float32) {
	clear(room[copy(room, v):])
	if q.rotation != nil {
		q.rotation.apply(room)
	}
}

// row writes the code and the bytes of a prepared vector.
func (q *quantiser) row(v []float32, code, row []byte) {
	scale := 127 / q.clip
	row = row[:len(v)]
	for i, x := range v {
		y := min(max(x*scale, -127), 127)
		if y < 0 {
			y -= 0.5
		} else {
			y += 0.5
		}
		row[i] = byte(int8(y))
	}
	for i := 0; i < len(v); i += 64 {
		binary.LittleEndian.PutUint64(code[i/8:], signs(v[i:i+64]))
	}
}

// rows writes the codes and the bytes of items one after the other.
func (q *quantiser) rows(items []Item, codeRoom, byteRoom []byte) {
	parts := split(len(items), 256, workersOr(0))
	var all sync.WaitGroup
	for _, p := range parts {
		all.Go(func() {
			room := make([]float32, q.padded)
			for i := p.from; i < p.to; i++ {
				q.prepare(items[i].Vector, room)
				q.row(room, codeRoom[i*q.padded/8:], byteRoom[i*q.padded:])
			}
		})
	}
	all.Wait()
}

// signs sets bit i when component i is above zero.
func signs(v []float32) uint64 {
	var w uint64
	for i, x := range v {
		w |= bit(x > 0) << i
	}
	return w
}

// query is what vectors are compared with.
type query struct {
	code []uint64
	// wide are the components in 16 bits, so that the query's rounding adds
	// next to nothing to the score's error.
	wide []int16
	// unit is the score of a product of 1.
	unit float32
	zero bool
}

func (q *quantiser) query(v []float32) (*query, error) {
	if err := checkVector(v, q.dims); err != nil {
		return nil, fmt.Errorf("compare with query: %w", err)
	}
	room := make([]float32, q.padded)
	q.prepare(v, room)
	var largest, sum float64
	for _, x := range room {
		a := math.Abs(float64(x))
		largest, sum = max(largest, a), sum+a
	}
	if largest == 0 {
		return &query{zero: true}, nil
	}
	// No product of the query with a row, whatever bytes that holds, may leave
	// 32 bits; rounding adds at most half a unit per component.
	scale := min(math.MaxInt16/largest, (math.MaxInt32/128-float64(q.padded))/sum)
	out := &query{
		code: make([]uint64, q.padded/64),
		wide: make([]int16, q.padded),
		unit: float32(float64(q.clip) / 127 / scale),
	}
	for i := range out.code {
		out.code[i] = signs(room[i*64 : i*64+64])
	}
	for i, x := range room {
		out.wide[i] = int16(math.RoundToEven(float64(x) * scale))
	}
	return out, nil
}
