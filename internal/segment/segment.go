// Package segment cuts text into the tokens the keyword index holds. The same
// cut is made when a message is indexed and when a query is read, so that the
// index itself needs no knowledge of languages.
//
// Letters and digits make words; case, compatibility forms and the accents of
// alphabetic scripts are folded away. Scripts written without spaces (Han,
// Kana, Hangul, Thai, Lao, Khmer, Myanmar) become overlapping pairs of
// characters followed by the last character alone, which finds any substring
// as a phrase of pairs. An emoji becomes a token of its own.
package segment

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Class says what kind of run a token comes from.
type Class uint8

const (
	// Word is a run of letters and digits of an alphabetic script.
	Word Class = iota
	// Pairs is a run of a script written without spaces.
	Pairs
	// Emoji is a single pictograph.
	Emoji
)

// Run is a stretch of text that yields tokens, with where it stands.
type Run struct {
	Class Class
	// Text is the folded form: of a Word the token itself, of Pairs the
	// folded characters, of Emoji the token.
	Text string
	// Start and End bound the run in the original text, in bytes.
	Start, End int
}

// emojiPrefix starts the token of an emoji. No word of a real language starts
// like it, and a word that does is only found too often.
const emojiPrefix = "zqe"

// Runs calls yield for every run of text in order until yield returns false.
func Runs(text string, yield func(Run) bool) {
	s := scanner{text: text}
	for s.pos < len(text) {
		run, ok := s.next()
		if ok && !yield(run) {
			return
		}
	}
}

type scanner struct {
	text string
	pos  int
	buf  []byte
}

// next reads one run, or skips one character that is no part of any.
func (s *scanner) next() (Run, bool) {
	start := s.pos
	if c := s.text[s.pos]; c < utf8.RuneSelf {
		if !asciiWord[c] {
			s.pos++
			return Run{}, false
		}
		return s.word(start), true
	}
	r, n := utf8.DecodeRuneInString(s.text[s.pos:])
	switch classify(r) {
	case classWord:
		return s.word(start), true
	case classPairs:
		return s.pairs(start), true
	case classEmoji:
		s.pos += n
		return Run{Emoji, emojiPrefix + strconv.FormatInt(int64(r), 16), start, s.pos}, true
	}
	s.pos += n
	return Run{}, false
}

func (s *scanner) word(start int) Run {
	plain := true // ASCII and already lower case
	s.buf = s.buf[:0]
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		if c < utf8.RuneSelf {
			if !asciiWord[c] {
				break
			}
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
				plain = false
			}
			s.buf = append(s.buf, c)
			s.pos++
			continue
		}
		r, n := utf8.DecodeRuneInString(s.text[s.pos:])
		if class := classify(r); class != classWord && class != classMark {
			break
		}
		plain = false
		s.buf = appendFolded(s.buf, r)
		s.pos += n
	}
	if plain {
		return Run{Word, s.text[start:s.pos], start, s.pos}
	}
	return Run{Word, string(s.buf), start, s.pos}
}

func (s *scanner) pairs(start int) Run {
	for s.pos < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[s.pos:])
		if class := classify(r); class != classPairs && class != classMark {
			break
		}
		s.pos += n
	}
	return Run{Pairs, norm.NFKC.String(s.text[start:s.pos]), start, s.pos}
}

var asciiWord = func() (table [utf8.RuneSelf]bool) {
	for c := range table {
		table[c] = c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	return table
}()

type class uint8

const (
	classNone class = iota
	classWord
	classPairs
	classMark // belongs to the run it stands in
	classEmoji
)

// spaceless are the scripts that do not put spaces between words, or, like
// Hangul, glue endings to them.
var spaceless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

func classify(r rune) class {
	switch {
	case r < 0x0300:
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return classWord
		}
		if r == 0xA9 || r == 0xAE {
			return classEmoji
		}
		return classNone
	case r == 0x30FC: // the long vowel mark of Kana
		return classPairs
	case unicode.IsOneOf(spaceless, r):
		return classPairs
	case unicode.IsMark(r) && r != 0xFE0F && r != 0x20E3:
		return classMark
	case unicode.IsLetter(r), unicode.IsNumber(r), unicode.Is(unicode.Co, r):
		return classWord
	case isEmoji(r):
		return classEmoji
	}
	return classNone
}

func isEmoji(r rune) bool {
	return unicode.Is(unicode.So, r) || r >= 0x1F3FB && r <= 0x1F3FF || r >= 0x1F000 && r <= 0x1FAFF ||
		r == 0x203C || r == 0x2049 || r >= 0x2194 && r <= 0x21AA
}

// asciiForms spells letters that no decomposition takes apart the way people
// type them on a plain keyboard.
var asciiForms = map[rune]string{
	'ß': "ss", 'ø': "o", 'ł': "l", 'đ': "d", 'æ': "ae", 'œ': "oe", 'ı': "i", 'þ': "th", 'ð': "d", 'ħ': "h",
}

func appendFolded(buf []byte, r rune) []byte {
	if isAccent(r) {
		return buf
	}
	var in [utf8.UTFMax]byte
	n := utf8.EncodeRune(in[:], r)
	for _, d := range string(norm.NFKD.Bytes(in[:n])) {
		if isAccent(d) {
			continue
		}
		d = unicode.ToLower(d)
		if spelled, ok := asciiForms[d]; ok {
			buf = append(buf, spelled...)
			continue
		}
		buf = utf8.AppendRune(buf, d)
	}
	return buf
}

func isAccent(r rune) bool { return r >= 0x0300 && r <= 0x036F }

// Tokens returns the tokens of a run in order.
func (r Run) Tokens() []string {
	if r.Class != Pairs {
		return []string{r.Text}
	}
	return pairTokens(r.Text)
}

func pairTokens(text string) []string {
	var tokens []string
	prev := -1
	for i := range text {
		if prev >= 0 {
			_, n := utf8.DecodeRuneInString(text[i:])
			tokens = append(tokens, text[prev:i+n])
		}
		prev = i
	}
	if prev >= 0 {
		tokens = append(tokens, text[prev:])
	}
	return tokens
}

// Fold returns the tokens of text joined by spaces.
func Fold(text string) string {
	var b strings.Builder
	Runs(text, func(r Run) bool {
		for _, token := range r.Tokens() {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(token)
		}
		return true
	})
	return b.String()
}
