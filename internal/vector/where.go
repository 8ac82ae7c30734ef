package vector

import (
	"slices"
	"sync"
)

// Test is a condition on an attribute.
type Test func(column []uint32, words []uint64)

// Where returns the slots whose attribute meets the condition. It takes one
// to three milliseconds for a million slots, divided by the processors.
func Where(column []uint32, test Test) *Bitmap {
	b := NewBitmap(len(column))
	var all sync.WaitGroup
	for _, p := range split(len(column), 1<<16, workersOr(0)) {
		all.Go(func() { test(column[p.from:p.to], b.words[p.from/64:(p.to+63)/64]) })
	}
	all.Wait()
	return b
}

// Is accepts one value.
func Is(value uint32) Test { return Between(value, value) }

// Between accepts the values from lo to hi, both included.
func Between(lo, hi uint32) Test {
	if lo > hi {
		return none
	}
	span := hi - lo
	return func(column []uint32, words []uint64) {
		for i := range words {
			var w uint64
			some := some(column, i)
			for _, v := range some {
				w = w>>1 | bit(v-lo <= span)<<63
			}
			words[i] = w >> (64 - len(some))
		}
	}
}

// Masked accepts the values whose bits under the mask are those of want.
func Masked(mask, want uint32) Test {
	return func(column []uint32, words []uint64) {
		for i := range words {
			var w uint64
			some := some(column, i)
			for _, v := range some {
				w = w>>1 | bit(v&mask == want)<<63
			}
			words[i] = w >> (64 - len(some))
		}
	}
}

// maxTable is the size in bits of the largest table that AnyOf makes, 4 MB.
const maxTable = 1 << 25

// AnyOf accepts a set of values, in any order. Sets whose values lie within a
// stretch of 33 million, as numbers given in sequence do, are the fast ones.
func AnyOf(values []uint32) Test {
	if len(values) == 0 {
		return none
	}
	lo, hi := slices.Min(values), slices.Max(values)
	if hi-lo >= maxTable {
		return anyOfSorted(slices.Sorted(slices.Values(values)))
	}
	// The last bit stands for all values outside and stays 0.
	span := hi - lo
	table := NewBitmap(int(span) + 2)
	for _, v := range values {
		table.Set(v - lo)
	}
	return func(column []uint32, words []uint64) {
		for i := range words {
			var w uint64
			some := some(column, i)
			for _, v := range some {
				at := min(v-lo, span+1)
				w = w>>1 | table.words[at/64]>>(at%64)<<63
			}
			words[i] = w >> (64 - len(some))
		}
	}
}

func anyOfSorted(sorted []uint32) Test {
	return func(column []uint32, words []uint64) {
		for i := range words {
			for j, v := range some(column, i) {
				_, found := slices.BinarySearch(sorted, v)
				words[i] |= bit(found) << j
			}
		}
	}
}

func none([]uint32, []uint64) {}

// some returns the values that word i of a set stands for. The loops over them
// shift each answer in from the top, without a branch, and are written out for
// each test because a call for each value takes five times as long.
func some(column []uint32, i int) []uint32 {
	return column[i*64 : min(i*64+64, len(column))]
}

func bit(condition bool) uint64 {
	if condition {
		return 1
	}
	return 0
}
