package vector

import "math/bits"

// Bitmap is a set of slots of one View.
type Bitmap struct {
	words []uint64
	n     int
}

// NewBitmap returns an empty set that can hold the slots below n.
func NewBitmap(n int) *Bitmap {
	return &Bitmap{make([]uint64, (n+63)/64), n}
}

// Len returns the number of slots that could be in the set.
func (b *Bitmap) Len() int { return b.n }

// Set puts a slot, which must be below Len, into the set.
func (b *Bitmap) Set(slot uint32) { b.words[slot/64] |= 1 << (slot % 64) }

// Has says whether a slot, which must be below Len, is in the set.
func (b *Bitmap) Has(slot uint32) bool { return b.words[slot/64]>>(slot%64)&1 != 0 }

// Count returns the size of the set.
func (b *Bitmap) Count() int {
	n := 0
	for _, w := range b.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// And keeps the slots that are in c too, a set of the same View, and returns
// b. Or and AndNot are alike.
func (b *Bitmap) And(c *Bitmap) *Bitmap {
	for i := range b.words {
		b.words[i] &= c.words[i]
	}
	return b
}

// Or adds the slots of c and returns b.
func (b *Bitmap) Or(c *Bitmap) *Bitmap {
	for i := range b.words {
		b.words[i] |= c.words[i]
	}
	return b
}

// AndNot removes the slots of c and returns b.
func (b *Bitmap) AndNot(c *Bitmap) *Bitmap {
	for i := range b.words {
		b.words[i] &^= c.words[i]
	}
	return b
}

// Slots lists the set in ascending order.
func (b *Bitmap) Slots() []uint32 {
	slots := make([]uint32, 0, b.Count())
	for i, w := range b.words {
		for ; w != 0; w &= w - 1 {
			slots = append(slots, uint32(i*64+bits.TrailingZeros64(w)))
		}
	}
	return slots
}

// ranks returns what tells how many slots of the set are below a slot.
func (b *Bitmap) ranks() func(slot uint32) uint32 {
	before := make([]uint32, len(b.words)) // of the words
	n := 0
	for i, w := range b.words {
		before[i] = uint32(n)
		n += bits.OnesCount64(w)
	}
	return func(slot uint32) uint32 {
		return before[slot/64] + uint32(bits.OnesCount64(b.words[slot/64]&(1<<(slot%64)-1)))
	}
}

// extend makes room for the slots below n.
func (b *Bitmap) extend(n int) {
	b.words = append(b.words, make([]uint64, (n+63)/64-len(b.words))...)
	b.n = n
}

// grown returns a copy that can hold the slots below n.
func (b *Bitmap) grown(n int) *Bitmap {
	c := NewBitmap(n)
	copy(c.words, b.words)
	return c
}
