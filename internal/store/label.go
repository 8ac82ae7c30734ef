package store

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Owner is what the archive's owner is called wherever a sender is named.
const Owner = "Me"

// label is what to call a handle. A person who calls themselves Me is shown
// by their native id, so that the word means the owner and nobody else.
func label(p Person) string {
	for _, name := range []string{p.Name, p.Native} {
		if name != "" && !looksLikeOwner(name) {
			return name
		}
	}
	return string(p.Source) + ":" + p.Native
}

// looksLikeOwner reports whether a person reads a name as Owner: case, what
// takes no ink and letters of other scripts that look the same do not count.
func looksLikeOwner(name string) bool {
	seen := strings.Map(func(r rune) rune {
		if same, ok := lookalikes[r]; ok {
			return same
		}
		if unicode.IsSpace(r) || unicode.IsControl(r) || unicode.In(r, inkless...) {
			return -1
		}
		return r
	}, norm.NFKC.String(name))
	return strings.EqualFold(seen, Owner)
}

// inkless are characters that show nothing; the Braille pattern without dots
// is a symbol to Unicode.
var inkless = []*unicode.RangeTable{
	unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector,
	{R16: []unicode.Range16{{Lo: 0x2800, Hi: 0x2800, Stride: 1}}},
}

// lookalikes are the Greek, Cyrillic and phonetic letters that look like those
// of Owner.
var lookalikes = map[rune]rune{
	'\u039C': 'M', '\u041C': 'M', '\u043C': 'm', '\u1D0D': 'm',
	'\u0395': 'E', '\u0415': 'E', '\u0435': 'e', '\u1D07': 'e',
}
