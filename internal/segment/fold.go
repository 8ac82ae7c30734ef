package segment

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// letterForms spells letters that no decomposition takes apart the way people
// type them on a plain keyboard, and gives letters that differ by position or
// by keyboard alone one form.
var letterForms = map[rune]string{
	'ß': "ss", 'ø': "o", 'ł': "l", 'đ': "d", 'æ': "ae", 'œ': "oe", 'ı': "i", 'þ': "th", 'ð': "d", 'ħ': "h", 'ŧ': "t",
	'ς': "σ",
	'ى': "ي", 'ی': "ي", 'ک': "ك", 'ة': "ه",
}

// remembered bounds the characters whose class and folding are worked out
// once: the alphabets from Latin to Arabic.
const remembered = 0x0700

var alphabets = sync.OnceValue(func() *[remembered]foldedRune {
	table := new([remembered]foldedRune)
	for r := range table {
		table[r] = foldedRune{classify(rune(r)), string(appendFolded(nil, rune(r)))}
	}
	return table
})

type foldedRune struct {
	class class
	text  string
}

// appendFolded appends what is left of a character of a word: no case, no
// accents, no compatibility form, decimal digits in ASCII.
func appendFolded(buf []byte, r rune) []byte {
	if isAccent(r) {
		return buf
	}
	var in [4]byte
	for _, d := range string(norm.NFKD.Bytes(append(in[:0], string(r)...))) {
		if d >= 0x80 && unicode.IsDigit(d) {
			d = asciiDigit(d)
		}
		d = unicode.ToLower(d)
		if c := classify(d); isAccent(d) || c != classWord && c != classMark {
			continue // parentheses around a number, the spaces of a ligature
		}
		if form, ok := letterForms[d]; ok {
			buf = append(buf, form...)
			continue
		}
		buf = append(buf, string(d)...)
	}
	return buf
}

// asciiDigit returns the ASCII form of a decimal digit. Unicode keeps the ten
// digits of a script together, in order.
func asciiDigit(r rune) rune {
	for _, t := range unicode.Nd.R16 {
		if r <= rune(t.Hi) {
			return '0' + (r-rune(t.Lo))%10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if r <= rune(t.Hi) {
			return '0' + (r-rune(t.Lo))%10
		}
	}
	return r
}

// accents are the marks that a reader can do without: those of alphabetic
// scripts, the points of Hebrew and the vowel signs of Arabic. The marks of
// Indic scripts are letters to their readers and stay.
var accents = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x0300, 0x036F, 1}, {0x0483, 0x0487, 1}, {0x0591, 0x05BD, 1}, {0x05BF, 0x05BF, 1}, {0x05C1, 0x05C2, 1}, {0x05C4, 0x05C5, 1},
		{0x05C7, 0x05C7, 1}, {0x0610, 0x061A, 1},
		{0x0640, 0x0640, 1}, // the stroke that only stretches a word
		{0x064B, 0x065F, 1}, {0x0670, 0x0670, 1}, {0x06D6, 0x06DC, 1}, {0x06DF, 0x06E4, 1}, {0x06E7, 0x06E8, 1}, {0x06EA, 0x06ED, 1},
		{0x08D3, 0x08E1, 1}, {0x08E3, 0x08FF, 1}, {0x1AB0, 0x1AFF, 1}, {0x1DC0, 0x1DFF, 1}, {0x20D0, 0x20F0, 1}, {0xFE20, 0xFE2F, 1},
	},
}

func isAccent(r rune) bool { return r >= 0x0300 && unicode.Is(accents, r) }

// voicing are the marks of Kana that stand alone; typed behind a character
// they mean the voiced one.
var voicing = strings.NewReplacer("゛", "\u3099", "゜", "\u309A")

// FoldPairs returns the folded form of text that is a run of Pairs: full and
// half width alike, composed, without anything invisible.
func FoldPairs(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return !isPlainPair(r) }) < 0 {
		return text
	}
	folded := norm.NFKC.String(voicing.Replace(text))
	if strings.IndexFunc(folded, notInPairs) >= 0 {
		folded = norm.NFKC.String(strings.Map(func(r rune) rune {
			if notInPairs(r) {
				return -1
			}
			return r
		}, folded))
	}
	return strings.TrimLeftFunc(folded, func(r rune) bool { return classify(r) != classPairs })
}

func notInPairs(r rune) bool {
	c := classify(r)
	return isAccent(r) || c != classPairs && c != classMark
}
