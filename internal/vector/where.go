package vector

import (
	"slices"
	"sync"
)

// Test is a condition on an attribute.
type Test func(column []uint32, words []uint64)

// Where returns the slots whose attribute meets the condition. It takes about a
// millisecond for a million slots, divided by the processors.
func Where(column []uint32, test Test) *Bitmap {
	b := NewBitmap(len(column))
	var all sync.WaitGroup
	for _, p := range split(len(column), 1<<16, workersOr(0)) {
		all.Go(func() { test(column[p.from:p.to], b.words[p.from/64:(p.to+63)/64]) })
	}
	all.Wait()
	return b
}

// MarksIn returns the marks whose group meets the condition, in the order of
// marking.
func (v *View) MarksIn(test Test) (found []Mark) {
	all := v.Marks()
	for _, i := range Where(v.columns[marks], test).Slots() {
		if i%3 == 1 { // the column holds slot, group and Ref in turn
			found = append(found, all[i/3])
		}
	}
	return found
}

// Is accepts one value.
func Is(value uint32) Test { return Between(value, value) }

// Between accepts the values from lo to hi, both included.
func Between(lo, hi uint32) Test {
	if lo > hi {
		return none
	}
	return masked(^uint32(0), lo, hi-lo)
}

// Masked accepts the values whose bits under the mask are those of want.
func Masked(mask, want uint32) Test { return masked(mask, want, 0) }

// masked accepts the values whose bits under the mask are at least lo and at
// most span above it.
func masked(mask, lo, span uint32) Test {
	return func(column []uint32, words []uint64) { testMasked(column, words, mask, lo, uint64(span)+1) }
}

// testMasked is a function of its own because the compiler inlines nothing
// into a closure that it has itself inlined. A value passes when taking above
// from it borrows, which is told without a branch; eight values at a time do
// not wait for each other.
func testMasked(column []uint32, words []uint64, mask, lo uint32, above uint64) {
	for i := range words {
		some := some(column, i)
		var w uint64
		j := 0
		for ; j+8 <= len(some); j += 8 {
			v := (*[8]uint32)(some[j:])
			low := borrow(v[0]&mask-lo, above) | borrow(v[1]&mask-lo, above)<<1 | borrow(v[2]&mask-lo, above)<<2 | borrow(v[3]&mask-lo, above)<<3
			high := borrow(v[4]&mask-lo, above) | borrow(v[5]&mask-lo, above)<<1 | borrow(v[6]&mask-lo, above)<<2 | borrow(v[7]&mask-lo, above)<<3
			w |= (low | high<<4) << j
		}
		for ; j < len(some); j++ {
			w |= borrow(some[j]&mask-lo, above) << j
		}
		words[i] = w
	}
}

// borrow is 1 when v is less than above, else 0.
func borrow(v uint32, above uint64) uint64 { return (uint64(v) - above) >> 63 }

// maxTable is the size in bits of the largest table that AnyOf makes, 4 MB.
const maxTable = 1 << 25

// AnyOf accepts a set of values, in any order. Sets whose values lie within a
// stretch of 33 million, as numbers given in sequence do, are the fast ones.
func AnyOf(values []uint32) Test {
	if len(values) == 0 {
		return none
	}
	lo, hi := slices.Min(values), slices.Max(values)
	if lo == hi {
		return Is(lo)
	}
	if hi-lo >= maxTable {
		return anyOfSorted(slices.Sorted(slices.Values(values)))
	}
	// The last bit stands for all values outside and stays 0.
	span := hi - lo
	table := NewBitmap(int(span) + 2)
	for _, v := range values {
		table.Set(v - lo)
	}
	return func(column []uint32, words []uint64) { testTable(column, words, table.words, lo, span+1) }
}

// testTable looks the values up, counted from lo; those from end on are none
// of the set.
func testTable(column []uint32, words, table []uint64, lo, end uint32) {
	for i := range words {
		some := some(column, i)
		var w uint64
		for _, v := range some {
			at := min(v-lo, end)
			w = w>>1 | table[at/64]>>(at%64)<<63
		}
		words[i] = w >> (64 - len(some))
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
// are written out for each test because a call for each value takes five times
// as long.
func some(column []uint32, i int) []uint32 {
	return column[i*64 : min(i*64+64, len(column))]
}

func bit(condition bool) uint64 {
	if condition {
		return 1
	}
	return 0
}
