package vector

import (
	"context"
	"math/bits"
	"slices"
	"sync"
)

// rejected is the distance of slots that do not count. It is larger than any.
const rejected = 0xffff

// blockSlots is how many slots are looked at in one go: their distances stay
// in the cache until they are counted.
const blockSlots = 4096

// distances are reused, since a search of a million slots needs 2 MB of them.
var distances = sync.Pool{New: func() any { return new([]uint16) }}

// nearest returns, in ascending order, the n slots of accept (nil: of all)
// with the nearest codes, the lowest slots where distances tie.
func (v *View) nearest(ctx context.Context, code []uint64, n int, accept *Bitmap, workers int) ([]uint32, error) {
	var list []uint32 // the accepted slots, if they are few
	total := v.Len()
	if accept != nil && accept.Count() < total/8 {
		list = accept.Slots()
		total = len(list)
	}
	room := distances.Get().(*[]uint16)
	defer distances.Put(room)
	*room = slices.Grow((*room)[:0], total)[:total]
	dist := *room

	parts := split(total, blockSlots, workers)
	counts := make([][]uint32, len(parts))
	err := v.each(ctx, parts, func(ctx context.Context, i int) error {
		counts[i] = make([]uint32, v.quant.padded+1)
		return measure(ctx, parts[i], func(from, to int) {
			if list != nil {
				v.measureList(code, list[from:to], dist[from:to], counts[i])
			} else {
				v.measureBlock(code, from, accept, dist[from:to], counts[i])
			}
		})
	})
	if err != nil {
		return nil, err
	}

	limit, ties := threshold(counts, n)
	found := make([][]uint32, len(parts))
	err = v.each(ctx, parts, func(_ context.Context, i int) error {
		found[i] = choose(dist, parts[i], limit, ties[i])
		return nil
	})
	if err != nil {
		return nil, err
	}
	slots := slices.Concat(found...)
	if list != nil {
		for i, at := range slots {
			slots[i] = list[at]
		}
	}
	return slots, nil
}

// measure calls do for blocks of the part until the context ends.
func measure(ctx context.Context, p part, do func(from, to int)) error {
	for from := p.from; from < p.to; from += blockSlots {
		if err := ctx.Err(); err != nil {
			return err
		}
		do(from, min(from+blockSlots, p.to))
	}
	return nil
}

// measureBlock finds the distances of successive slots, the first of which is
// a multiple of 64, and counts them.
func (v *View) measureBlock(code []uint64, first int, accept *Bitmap, dist []uint16, counts []uint32) {
	hamming(code, v.words[first*len(code):], dist)
	if accept == nil {
		count(dist, counts)
		return
	}
	for i := 0; i < len(dist); i += 64 {
		d := dist[i:min(i+64, len(dist))]
		switch w := accept.words[(first+i)/64]; w {
		case ^uint64(0):
			count(d, counts)
		default:
			for j := range d {
				if w>>j&1 == 0 {
					d[j] = rejected
				} else {
					counts[d[j]]++
				}
			}
		}
	}
}

func count(dist []uint16, counts []uint32) {
	for _, d := range dist {
		counts[d]++
	}
}

// measureList is measureBlock for a list of slots.
func (v *View) measureList(code []uint64, list []uint32, dist []uint16, counts []uint32) {
	for i, slot := range list {
		w := v.words[int(slot)*len(code):]
		n := 0
		for j, q := range code {
			n += bits.OnesCount64(w[j] ^ q)
		}
		dist[i] = uint16(n)
		counts[n]++
	}
}

// threshold returns the distance up to which slots are taken, and how many of
// those at that distance each part may take, so that they are n in all.
func threshold(counts [][]uint32, n int) (limit uint16, ties []int) {
	ties = make([]int, len(counts))
	left := n
	for d := range counts[0] {
		here := 0
		for _, c := range counts {
			here += int(c[d])
		}
		if here < left {
			left -= here
			continue
		}
		for i, c := range counts {
			ties[i] = min(left, int(c[d]))
			left -= ties[i]
		}
		return uint16(d), ties
	}
	return rejected, ties // fewer than n: all that are not rejected
}

// choose returns the places in the part whose distance is below the limit, and
// the first ones of those at the limit.
func choose(dist []uint16, p part, limit uint16, ties int) []uint32 {
	var found []uint32
	for i, d := range dist[p.from:p.to] {
		if d > limit || d == rejected {
			continue
		}
		if d == limit {
			if ties == 0 {
				continue
			}
			ties--
		}
		found = append(found, uint32(p.from+i))
	}
	return found
}
