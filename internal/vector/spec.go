package vector

import (
	"fmt"
	"math"
)

// Limits of what an index holds.
const (
	// MaxDims keeps Hamming distances within 16 bits and products within 32.
	MaxDims = 16384
	// MaxSlots is the number of slots, deleted ones among them.
	MaxSlots = math.MaxInt32
	// MaxMarks is the number of marks, those of deleted slots among them.
	MaxMarks = math.MaxInt32
	// MaxState is the length in bytes of the caller's part of a commit.
	MaxState = 64
	// MaxFingerprint is the length in bytes of a fingerprint.
	MaxFingerprint = 64
)

// CompactAbove is the share of deleted slots above which compaction pays.
const CompactAbove = 0.2

// Spec says which index is meant.
type Spec struct {
	// Fingerprint names the model the vectors come from: 1 to MaxFingerprint
	// letters, digits, '-' and '.'. It names the files too.
	Fingerprint string
	// Dims is the number of components of every vector, 1 to MaxDims. For a
	// reader 0 means those of the index.
	Dims int
	// Archive identifies what was indexed. An index with another number is
	// refused with an OtherArchiveError.
	Archive uint64
	// Rotate makes a new index turn vectors and queries by a random rotation,
	// which changes no angle and evens out the sizes of the components. It is
	// for models whose vectors are not random in this sense already. An index
	// that exists goes on as it was created.
	Rotate bool
}

// Item is one vector with the numbers that belong to it.
type Item struct {
	// Vector has length 1, or is zero, which makes it score 0 with everything.
	Vector []float32
	// The attributes mean what the caller wants them to; filters are built
	// from them.
	Ref, Group, Owner, Time, Key uint32
}

// Mark puts a slot into one more group than its item's, where it has another
// Ref.
type Mark struct{ Slot, Group, Ref uint32 }

const markSize = 12 // bytes, in memory as in the file

func (s Spec) check() error {
	if !validFingerprint(s.Fingerprint) {
		return fmt.Errorf("fingerprint %q: want 1 to %d letters, digits, '-' or '.'", s.Fingerprint, MaxFingerprint)
	}
	if s.Dims < 0 || s.Dims > MaxDims {
		return fmt.Errorf("vectors of %d components: want 1 to %d", s.Dims, MaxDims)
	}
	return checkMachine()
}

func validFingerprint(s string) bool {
	if s == "" || len(s) > MaxFingerprint {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '.') {
			return false
		}
	}
	return true
}

// paddedDims is the number of components stored: a multiple of 64, so that
// codes are whole words.
func paddedDims(dims int) int { return (dims + 63) &^ 63 }
