package vector

import (
	"context"
	"math/bits"
	"slices"
)

// estimator guesses scores from codes alone, better than distances do: it
// knows the sizes of the query's components, and adds them with the signs of
// the slot's. Codes are in memory, bytes are not, so this saves most reads.
type estimator [][256]int32 // the sum for every value of every byte of a code

func newEstimator(wide []int16) estimator {
	e := make(estimator, len(wide)/8)
	for i := range e {
		part := wide[i*8 : i*8+8]
		var all int32
		for _, x := range part {
			all -= int32(x)
		}
		e[i][0] = all
		for b := 1; b < 256; b++ {
			// One bit more than a value that is known already.
			e[i][b] = e[i][b&(b-1)] + 2*int32(part[bits.TrailingZeros8(uint8(b))])
		}
	}
	return e
}

func (e estimator) of(code []uint64) int32 {
	var a, b int32
	for i, w := range code {
		t := e[i*8 : i*8+8 : i*8+8]
		a += t[0][byte(w)] + t[1][byte(w>>8)] + t[2][byte(w>>16)] + t[3][byte(w>>24)]
		b += t[4][byte(w>>32)] + t[5][byte(w>>40)] + t[6][byte(w>>48)] + t[7][byte(w>>56)]
	}
	return a + b
}

// likeliest returns, in ascending order, the n of the slots with the highest
// estimates, the lowest slots where they tie.
func (v *View) likeliest(ctx context.Context, q *query, slots []uint32, n, workers int) ([]uint32, error) {
	e := newEstimator(q.wide)
	words := len(q.code)
	// The better a slot, the smaller its key.
	ranked := make([]uint64, len(slots))
	parts := split(len(slots), 512, workers)
	err := v.each(ctx, parts, func(_ context.Context, i int) error {
		for j := parts[i].from; j < parts[i].to; j++ {
			at := int(slots[j]) * words
			estimate := e.of(v.words[at : at+words])
			ranked[j] = uint64(^uint32(estimate)^1<<31)<<32 | uint64(slots[j])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	smallest(ranked, n)
	chosen := make([]uint32, n)
	for i, key := range ranked[:n] {
		chosen[i] = uint32(key)
	}
	slices.Sort(chosen)
	return chosen, nil
}

// smallest moves the n smallest of the different keys to the front.
func smallest(keys []uint64, n int) {
	for len(keys) > 1 && n > 0 && n < len(keys) {
		a, b, c := keys[0], keys[len(keys)/2], keys[len(keys)-1]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := 0, len(keys)-1
		for i <= j {
			for keys[i] < pivot {
				i++
			}
			for keys[j] > pivot {
				j--
			}
			if i <= j {
				keys[i], keys[j] = keys[j], keys[i]
				i++
				j--
			}
		}
		switch {
		case n <= j+1:
			keys = keys[:j+1]
		case n >= i:
			keys, n = keys[i:], n-i
		default:
			return
		}
	}
}
