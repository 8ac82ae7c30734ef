package telegram

import (
	"slices"
	"strconv"
)

// idSet remembers the message ids of one chat. Ids are unique inside a chat
// but for groups that became supergroups: exports before 2021 list the old
// group's messages under their own numbers, and the supergroup's begin at 1
// again. A set of a million neighbouring ids takes about 130 kB.
type idSet struct {
	chunks map[int64]*idChunk
	// again counts the ids that came more than once.
	again map[int64]int
	size  int
	// full is set when the set has stopped growing.
	full bool
}

// maxIDBytes bounds an idSet. Ids that come after are not remembered.
const maxIDBytes = 6 << 20

// idChunk holds ids that share all but their last 12 bits: few of them as a
// sorted list, many as a bitmap.
type idChunk struct {
	few  []uint16
	many *[64]uint64
}

const (
	chunkBits   = 12
	maxFew      = 128
	chunkCost   = 96 // of a chunk and its place in the map
	bitmapCost  = 512
	repeatsCost = 48
)

func newIDSet() *idSet {
	return &idSet{chunks: map[int64]*idChunk{}, again: map[int64]int{}}
}

// native returns the native id of the next message with this number, and
// whether an earlier one had the number too: "7", then "7#2".
func (s *idSet) native(id int64) (string, bool) {
	if !s.add(id) {
		return strconv.FormatInt(id, 10), false
	}
	if s.again[id] == 0 {
		s.size += repeatsCost
	}
	s.again[id]++
	return s.ref(id), true
}

// ref returns the native id of the latest message with this number.
func (s *idSet) ref(id int64) string {
	text := strconv.FormatInt(id, 10)
	if n := s.again[id]; n > 0 {
		text += "#" + strconv.Itoa(n+1)
	}
	return text
}

// add reports whether id was there already.
func (s *idSet) add(id int64) bool {
	low := uint16(id & (1<<chunkBits - 1))
	c := s.chunks[id>>chunkBits]
	if c.has(low) {
		return true
	}
	if s.size > maxIDBytes {
		s.full = true
		return false
	}
	if c == nil {
		c = &idChunk{}
		s.chunks[id>>chunkBits] = c
		s.size += chunkCost
	}
	s.size += c.add(low)
	return false
}

func (c *idChunk) has(low uint16) bool {
	switch {
	case c == nil:
		return false
	case c.many != nil:
		return c.many[low/64]&(1<<(low%64)) != 0
	}
	_, found := slices.BinarySearch(c.few, low)
	return found
}

// add returns by how many bytes the chunk has grown.
func (c *idChunk) add(low uint16) int {
	if c.many == nil {
		if len(c.few) < maxFew {
			at, _ := slices.BinarySearch(c.few, low)
			c.few = slices.Insert(c.few, at, low)
			return 4
		}
		c.many = new([64]uint64)
		for _, l := range c.few {
			c.many[l/64] |= 1 << (l % 64)
		}
		c.few = nil
		c.many[low/64] |= 1 << (low % 64)
		return bitmapCost - 4*maxFew
	}
	c.many[low/64] |= 1 << (low % 64)
	return 0
}
