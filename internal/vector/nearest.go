package vector

import (
	"context"
	"slices"
	"sync"
)

// blockSlots is how many slots are looked at in one go: their distances stay
// in the cache until they are counted.
const blockSlots = 4096

// distances are reused, since a search of a million slots needs 2 MB of them.
var distances = sync.Pool{New: func() any { return new([]uint16) }}

// nearest returns, in ascending order, the n slots with the nearest codes, the
// lowest slots where distances tie. It looks at the slots of accept, all if
// that is nil, or at the listed ones if there is a list. There must be at
// least n.
func (v *View) nearest(ctx context.Context, code []uint64, n int, accept *Bitmap, list []uint32, workers int) ([]uint32, error) {
	total := v.Len()
	if list != nil {
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
		p := parts[i]
		for from := p.from; from < p.to; from += blockSlots {
			if err := ctx.Err(); err != nil {
				return err
			}
			to := min(from+blockSlots, p.to)
			if list != nil {
				v.measureList(code, list[from:to], dist[from:to])
			} else {
				hamming(code, v.words[from*len(code):], dist[from:to])
			}
			if accept != nil && list == nil {
				countAccepted(dist[from:to], accept.words[from/64:], counts[i])
			} else {
				count(dist[from:to], counts[i])
			}
		}
		return nil
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

// measureList measures the listed slots, which ascend: those of one group lie
// side by side for the most part.
func (v *View) measureList(code []uint64, list []uint32, dist []uint16) {
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && list[to] == list[to-1]+1 {
			to++
		}
		hamming(code, v.words[int(list[from])*len(code):], dist[from:to])
		from = to
	}
}

func count(dist []uint16, counts []uint32) {
	for _, d := range dist {
		counts[d]++
	}
}

// countAccepted counts the slots in a set, the words of which begin with the
// first slot, and rejects the others. Branches would be guessed wrong as often
// as right.
func countAccepted(dist []uint16, words []uint64, counts []uint32) {
	for i := 0; i < len(dist); i += 64 {
		w := words[i/64]
		part := dist[i:min(i+64, len(dist))]
		if w == ^uint64(0) {
			count(part, counts)
			continue
		}
		for j, d := range part {
			in := w & 1
			w >>= 1
			counts[d] += uint32(in)
			part[j] = d | (uint16(in) - 1) // 0xffff, larger than any, when out
		}
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
	return uint16(len(counts[0]) - 1), ties
}

// choose returns the places in the part whose distance is below the limit, and
// the first ones of those at the limit.
func choose(dist []uint16, p part, limit uint16, ties int) []uint32 {
	var found []uint32
	const tops = 0x8000_8000_8000_8000
	beyond := uint64(limit+1) * 0x0001_0001_0001_0001
	i := p.from
	for ; i+4 <= p.to; i += 4 {
		d := dist[i : i+4 : i+4]
		// Four at once: a top bit survives where the distance, which is below
		// 0x8000 unless rejected, is above the limit.
		four := uint64(d[0]) | uint64(d[1])<<16 | uint64(d[2])<<32 | uint64(d[3])<<48
		if ((four|tops)-beyond)&tops == tops {
			continue
		}
		for j, d := range d {
			if d < limit || d == limit && ties > 0 {
				found = append(found, uint32(i+j))
			}
			if d == limit {
				ties--
			}
		}
	}
	for ; i < p.to; i++ {
		if d := dist[i]; d < limit || d == limit && ties > 0 {
			found = append(found, uint32(i))
		}
		if dist[i] == limit {
			ties--
		}
	}
	return found
}
