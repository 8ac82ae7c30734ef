package vector

import "slices"

// Test is a condition on an attribute.
type Test func(column []uint32, words []uint64)

// Where returns the slots whose attribute meets the condition. It takes about
// a millisecond for a million slots.
func Where(column []uint32, test Test) *Bitmap {
	b := NewBitmap(len(column))
	test(column, b.words)
	return b
}

// each fills 64 slots at a time, without a branch that depends on the values.
func each(column []uint32, words []uint64, holds func(value uint32) uint64) {
	for i := range words {
		var w uint64
		for j, value := range column[i*64 : min(i*64+64, len(column))] {
			w |= holds(value) << j
		}
		words[i] = w
	}
}

func bit(condition bool) uint64 {
	if condition {
		return 1
	}
	return 0
}

// Is accepts one value.
func Is(value uint32) Test { return Between(value, value) }

// Between accepts the values from lo to hi, both included.
func Between(lo, hi uint32) Test {
	if lo > hi {
		return func([]uint32, []uint64) {}
	}
	span := hi - lo
	return func(column []uint32, words []uint64) {
		each(column, words, func(v uint32) uint64 { return bit(v-lo <= span) })
	}
}

// Masked accepts the values whose bits under the mask are those of want.
func Masked(mask, want uint32) Test {
	return func(column []uint32, words []uint64) {
		each(column, words, func(v uint32) uint64 { return bit(v&mask == want) })
	}
}

// maxTable is the size in bits of the largest table that AnyOf makes, 4 MB.
const maxTable = 1 << 25

// AnyOf accepts a set of values, in any order. Sets whose values lie within a
// stretch of 33 million, as numbers given in sequence do, are the fast ones.
func AnyOf(values []uint32) Test {
	if len(values) == 0 {
		return func([]uint32, []uint64) {}
	}
	lo, hi := slices.Min(values), slices.Max(values)
	if hi-lo >= maxTable {
		sorted := slices.Sorted(slices.Values(values))
		return func(column []uint32, words []uint64) {
			each(column, words, func(v uint32) uint64 {
				_, found := slices.BinarySearch(sorted, v)
				return bit(found)
			})
		}
	}
	// The last bit stands for all values outside and stays 0.
	span := hi - lo
	table := NewBitmap(int(span) + 2)
	for _, v := range values {
		table.Set(v - lo)
	}
	return func(column []uint32, words []uint64) {
		each(column, words, func(v uint32) uint64 {
			at := min(v-lo, span+1)
			return table.words[at/64] >> (at % 64) & 1
		})
	}
}
