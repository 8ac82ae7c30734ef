package static

import (
	"math"
	"unicode/utf8"
)

// letterWeight is the length of what an unknown word adds by its letters,
// next to about 1 for a rare known word.
const letterWeight = 0.5

// perRoot[n] is 1/√n: n things that have little to do with each other and
// are weighed by it add up to a vector of length 1.
var perRoot = func() (table [maxWord + 2]float32) {
	for n := 1; n < len(table); n++ {
		table[n] = float32(1 / math.Sqrt(float64(n)))
	}
	return table
}()

// letters reads a word as its sequences of three characters, with marks for
// its beginning and end. Unknown names thereby resemble themselves and their
// variants, and nothing else.
func (r *reader) letters(word []byte) {
	count := utf8.RuneCount(word)
	weight := letterWeight * perRoot[min(count, maxWord)]
	var first, second int // where the last two characters began
	var marked [2*utf8.UTFMax + 1]byte
	for i, seen := 0, 0; i < len(word); seen++ {
		_, n := utf8.DecodeRune(word[i:])
		switch {
		case seen == 1:
			marked[0] = '^'
			r.gram(marked[:1+copy(marked[1:], word[:i+n])], weight)
		case seen > 1:
			r.gram(word[first:i+n], weight)
		case count == 1:
			r.gram(word, weight)
		}
		first, second = second, i
		i += n
	}
	if count > 1 {
		end := copy(marked[:], word[first:])
		marked[end] = '$'
		r.gram(marked[:end+1], weight)
	}
}

// gram adds the vector of a sequence of characters: signs drawn from its
// hash, so that any two are as good as at right angles.
func (r *reader) gram(gram []byte, weight float32) {
	const each = 1.0 / 16 // 1/√Dims
	step := math.Float32bits(weight * each)
	state := hash(gram)
	for i := 0; i < Dims; i += 64 {
		signs := next(&state)
		for j := range 64 {
			r.sum[i+j] += math.Float32frombits(step | uint32(signs>>j&1)<<31)
		}
	}
}
