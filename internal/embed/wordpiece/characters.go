package wordpiece

import (
	"unicode"
	"unicode/utf8"
)

// ideographs are the blocks whose characters BERT makes words: the Han
// characters of Unicode 8, but for the start of extension E, which the
// reference forgets.
var ideographs = &unicode.RangeTable{
	R16: []unicode.Range16{{0x3400, 0x4DBF, 1}, {0x4E00, 0x9FFF, 1}, {0xF900, 0xFAFF, 1}},
	R32: []unicode.Range32{
		{0x20000, 0x2A6DF, 1}, {0x2A700, 0x2B73F, 1}, {0x2B740, 0x2B81F, 1}, {0x2B920, 0x2CEAF, 1}, {0x2F800, 0x2FA1F, 1},
	},
}

func isIdeograph(r rune) bool {
	return r >= 0x3400 && unicode.Is(ideographs, r)
}

// isAccent finds what is put on letters. Like the other classes it follows
// the Unicode version of Go, while the reference stays with version 8: they
// differ in some hundred characters of scripts that no vocabulary knows.
func isAccent(r rune) bool { return unicode.Is(unicode.Mn, r) }

// isPunctuation counts all visible ASCII that is neither letter nor digit.
func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '!' && r <= '/' || r >= ':' && r <= '@' || r >= '[' && r <= '`' || r >= '{' && r <= '~'
	}
	return unicode.IsPunct(r)
}

// isInvisible finds controls, format characters and private characters, and
// what stands for undecodable bytes.
func isInvisible(r rune) bool {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return false
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7F
	}
	return r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}
