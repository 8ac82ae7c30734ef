package spam

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// words splits a body into lower-case words: runs of letters, marks and
// digits, without what is invisible, apostrophes inside words dropped ("don't"
// is "dont"). Full-width and other compatibility forms read like plain ones.
func words(body string) []string {
	text := plainLetters(body)
	list := make([]string, 0, len(text)/5+1)
	for start := -1; ; {
		end := start
		for end = start + 1; end < len(text) && !wordByte[text[end]]; end++ {
		}
		if end >= len(text) {
			return list
		}
		first := end
		for end < len(text) && wordByte[text[end]] {
			end++
		}
		list = append(list, text[first:end])
		start = end - 1
	}
}

// wordByte says which bytes of plainLetters belong to words.
var wordByte = func() (table [256]bool) {
	for c := range table {
		table[c] = c >= utf8.RuneSelf || c >= '0' && c <= '9' || c >= 'a' && c <= 'z'
	}
	return table
}()

// plainLetters lowers the case, drops apostrophes and what is invisible, and
// makes a space of everything else beyond ASCII that is no part of a word.
func plainLetters(body string) string {
	if isASCII(body) {
		lower := strings.ToLower(body)
		if strings.IndexByte(lower, '\'') >= 0 {
			lower = strings.ReplaceAll(lower, "'", "")
		}
		return lower
	}
	return strings.ToLower(strings.Map(func(r rune) rune {
		switch {
		case r == '\'', r == '’', r == 'ʼ', isInvisible(r):
			return -1
		case r < utf8.RuneSelf, unicode.IsLetter(r), unicode.IsMark(r), unicode.IsDigit(r):
			return r
		}
		return ' '
	}, norm.NFKC.String(body)))
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isInvisible reports whether r takes no ink and only gets in the way of
// comparing: format characters, joiners, variation selectors.
func isInvisible(r rune) bool {
	return r >= 0xAD && (unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r))
}

// phrases finds phrases of whole words by their first word.
type phrases struct {
	byFirst map[string][]phrase
	// inside are phrases of scripts that put no spaces between words.
	inside []phrase
}

type phrase struct {
	words []string
	group int    // what the phrase is a sign of
	shown string // as it was listed
}

// add lists a phrase and reports whether it holds a word.
func (p *phrases) add(text string, group int) bool {
	list := words(text)
	if len(list) == 0 {
		return false
	}
	entry := phrase{words: list, group: group, shown: text}
	if strings.ContainsFunc(text, unspaced) {
		p.inside = append(p.inside, entry)
		return true
	}
	if p.byFirst == nil {
		p.byFirst = map[string][]phrase{}
	}
	p.byFirst[list[0]] = append(p.byFirst[list[0]], entry)
	return true
}

func unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// find yields the phrases that occur in a text, given as its words, as often
// as they occur.
func (p *phrases) find(text []string, yield func(phrase)) {
	if len(p.byFirst) > 0 {
		for i, w := range text {
			for _, entry := range p.byFirst[w] {
				if startsWith(text[i:], entry.words) {
					yield(entry)
				}
			}
		}
	}
	if len(p.inside) > 0 {
		whole := strings.Join(text, " ")
		for _, entry := range p.inside {
			if strings.Contains(whole, strings.Join(entry.words, " ")) {
				yield(entry)
			}
		}
	}
}

func startsWith(text, start []string) bool {
	if len(text) < len(start) {
		return false
	}
	for i := 1; i < len(start); i++ { // the first is known to be equal
		if text[i] != start[i] {
			return false
		}
	}
	return true
}
