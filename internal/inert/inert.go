// Package inert makes text written by strangers safe to show as plain text:
// to a terminal, to a language model, in a file. What is shown can neither
// move the cursor, nor hide itself, nor reorder what stands around it, nor
// pretend to be a line of its own.
package inert

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text removes control characters other than line feed and tab, directional
// overrides, invisible characters and invalid bytes. Joiners and variation
// selectors stay where emoji and scripts need them.
func Text(s string) string { return clean(s, false) }

// Line is Text on one line: line breaks of every kind become " / ", other
// white space a space.
func Line(s string) string { return clean(s, true) }

// LineBreak stands for a line break in a Line.
const LineBreak = " / "

const (
	zeroWidthNonJoiner = 0x200C
	zeroWidthJoiner    = 0x200D
)

func clean(s string, oneLine bool) string {
	if isClean(s, oneLine) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	last := rune(-1) // last rune written
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteRune(utf8.RuneError)
		case isBreak(r):
			if r == '\r' && i < len(s) && s[i] == '\n' {
				continue
			}
			if oneLine {
				b.WriteString(LineBreak)
			} else {
				b.WriteByte('\n')
			}
			last = '\n'
			continue
		case r == '\t' && oneLine:
			b.WriteByte(' ')
		case r == zeroWidthJoiner, r == zeroWidthNonJoiner:
			next, _ := utf8.DecodeRuneInString(s[i:])
			if !joins(last, next, r) {
				continue
			}
			b.WriteRune(r)
		case isVariationSelector(r):
			if !takesSelector(last) {
				continue
			}
			b.WriteRune(r)
		case isHidden(r):
			continue
		default:
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

func isClean(s string, oneLine bool) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0x7F || c < ' ' && (oneLine || c != '\n' && c != '\t') {
			return !needsWork(s[i:], oneLine)
		}
	}
	return true
}

func needsWork(s string, oneLine bool) bool {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return true
			}
		}
		if r == zeroWidthJoiner || r == zeroWidthNonJoiner || isVariationSelector(r) || isHidden(r) ||
			isBreak(r) && (oneLine || r != '\n') || r == '\t' && oneLine {
			return true
		}
	}
	return false
}

func isBreak(r rune) bool {
	return r == '\n' || r == '\r' || r == '\v' || r == '\f' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// isHidden covers control and format characters (bidirectional marks,
// isolates and overrides, zero-width characters, tags, soft hyphens), the
// fillers that look like nothing, and the selectors of no script.
func isHidden(r rune) bool {
	switch {
	case r == '\n', r == '\t':
		return false
	case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r):
		return true
	case r == 0x034F, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x3164, r == 0xFFA0:
		return true
	case r >= 0xE0000 && r <= 0xE0FFF, r >= 0xFFF0 && r <= 0xFFFB:
		return true
	}
	return false
}

func isVariationSelector(r rune) bool {
	return r >= 0xFE00 && r <= 0xFE0F || r >= 0x180B && r <= 0x180D || r == 0x180F
}

// takesSelector reports whether a variation selector after r has a meaning a
// reader can see: on symbols, digits of keycaps and ideographs.
func takesSelector(r rune) bool {
	return isPictograph(r) || r == '#' || r == '*' || r >= '0' && r <= '9' || unicode.Is(unicode.Han, r) || unicode.Is(unicode.Mongolian, r)
}

// joins reports whether a joiner between two characters shapes them: emoji
// sequences, and the scripts that use joiners for their letters.
func joins(before, after, joiner rune) bool {
	if joiner == zeroWidthJoiner && (isPictograph(before) || isVariationSelector(before) || isSkinTone(before)) && isPictograph(after) {
		return true
	}
	return usesJoiners(before) && (usesJoiners(after) || joiner == zeroWidthJoiner)
}

func isSkinTone(r rune) bool { return r >= 0x1F3FB && r <= 0x1F3FF }

// pictographs are the emoji that Unicode does not count to the other symbols.
var pictographs = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x203C, 0x203C, 1}, {0x2049, 0x2049, 1}, {0x2139, 0x2139, 1}, {0x2190, 0x21FF, 1}, {0x25F8, 0x25FF, 1}, {0x2600, 0x27BF, 1},
		{0x2934, 0x2935, 1}, {0x3030, 0x3030, 1}, {0x303D, 0x303D, 1},
	},
	R32: []unicode.Range32{{0x1F000, 0x1FAFF, 1}},
}

func isPictograph(r rune) bool {
	return r != utf8.RuneError && (unicode.Is(unicode.So, r) || unicode.Is(pictographs, r))
}

// usesJoiners reports whether r is a letter or mark, of a script that uses
// joiners, which stays in the text.
func usesJoiners(r rune) bool {
	return !isHidden(r) && !isVariationSelector(r) && unicode.In(r, unicode.Arabic, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
		unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Syriac,
		unicode.Mongolian)
}
