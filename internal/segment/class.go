package segment

import (
	"unicode"
	"unicode/utf8"
)

// class says what a character is to a text that is cut into tokens.
type class uint8

const (
	classNone    class = iota
	classWord          // makes words
	classPairs         // makes pairs
	classMark          // belongs to the run it stands in
	classIgnored       // invisible, and ends no run
	classEmoji
)

var asciiWord = func() (table [utf8.RuneSelf]bool) {
	for c := range table {
		table[c] = c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	return table
}()

// firstSpaceless is the first character of any spaceless script.
const firstSpaceless = 0x0E00

// spaceless are the scripts that do not put spaces between words, or, like
// Hangul, glue endings to them.
var spaceless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
	unicode.Bopomofo, unicode.Tai_Le, unicode.New_Tai_Lue, unicode.Tai_Tham, unicode.Yi,
}

// spacelessToo are characters of those scripts that Unicode counts to none:
// the long vowel and voicing marks of Kana, and ideographs made numbers.
var spacelessToo = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x3006, 0x3006, 1}, {0x3031, 0x3035, 1}, {0x309B, 0x309C, 1}, {0x30FC, 0x30FC, 1}, {0x3190, 0x319F, 1},
		{0x3220, 0x3229, 1}, {0x3280, 0x3289, 1}, {0xFF70, 0xFF70, 1}, {0xFF9E, 0xFF9F, 1},
	},
}

const (
	fractionSlash    = 0x2044 // inside ½
	letterApostrophe = 0x02BC
	letterOkina      = 0x02BB
	enclosingKeycap  = 0x20E3
)

func classify(r rune) class {
	switch {
	case r < 0x0300:
		return classifyLatin(r)
	case isPlainPair(r):
		return classPairs
	case r == utf8.RuneError:
		return classNone
	case r >= firstSpaceless && (unicode.IsOneOf(spaceless, r) || unicode.Is(spacelessToo, r)):
		return classifySpaceless(r)
	case isSelector(r):
		return classIgnored
	case r == enclosingKeycap:
		return classNone
	case unicode.IsMark(r), r == fractionSlash:
		return classMark
	case unicode.IsLetter(r), unicode.IsNumber(r), unicode.Is(unicode.Co, r):
		return classWord
	case unicode.Is(unicode.Cf, r):
		return classIgnored
	case isEmoji(r):
		return classEmoji
	}
	return classNone
}

func classifyLatin(r rune) class {
	switch {
	case r == letterApostrophe, r == letterOkina: // like the apostrophes that are punctuation
		return classNone
	case unicode.IsLetter(r), unicode.IsNumber(r):
		return classWord
	case r == 0xA9, r == 0xAE:
		return classEmoji
	case r == 0xAD: // soft hyphen
		return classIgnored
	}
	return classNone
}

// isPlainPair covers most of the characters of the commonest spaceless
// scripts, those that folding leaves as they are.
func isPlainPair(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3 || r >= 0x3041 && r <= 0x3096 || r >= 0x30A1 && r <= 0x30FA
}

// classifySpaceless leaves out the punctuation that belongs to a script.
func classifySpaceless(r rune) class {
	if unicode.IsPunct(r) {
		return classNone
	}
	return classPairs
}

// isSelector reports whether r selects the look of the character before it.
func isSelector(r rune) bool {
	return r >= 0xFE00 && r <= 0xFE0F || r >= 0x180B && r <= 0x180F || r >= 0xE0100 && r <= 0xE01EF
}

// symbols are the emoji that Unicode does not count to the other symbols.
var symbols = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x203C, 0x203C, 1}, {0x2049, 0x2049, 1}, {0x2194, 0x21AA, 1}, {0x25F8, 0x25FF, 1}, {0x2934, 0x2935, 1}, {0x3030, 0x3030, 1}, {0x303D, 0x303D, 1},
	},
	R32: []unicode.Range32{{0x1F000, 0x1FAFF, 1}},
}

// IsEmoji reports whether a character is a pictograph, which makes a run of
// its own.
func IsEmoji(r rune) bool { return classify(r) == classEmoji }

func isEmoji(r rune) bool { return unicode.Is(unicode.So, r) || unicode.Is(symbols, r) }
