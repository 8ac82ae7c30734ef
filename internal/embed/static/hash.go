package static

// The hash of a word is the 64-bit FNV-1a hash of its bytes, mixed so that
// the upper bits, which choose the bucket, depend on every byte.

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

func hashByte(h uint64, c byte) uint64 { return (h ^ uint64(c)) * fnvPrime }

// mix is the finishing step of MurmurHash3's 64-bit hash.
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

func hash(word []byte) uint64 {
	h := uint64(fnvOffset)
	for _, c := range word {
		h = hashByte(h, c)
	}
	return mix(h)
}

// next turns a state of SplitMix64 into the following one and a number.
func next(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
