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
	"bytes"
	"strconv"
	"strings"
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

// reserved begins every token that no word can be: emoji and tags. No word
// holds it, so neither a text nor a prefix that someone types can reach them.
const reserved = "§"

// emojiPrefix starts the token of an emoji.
const emojiPrefix = reserved + "e"

// maxToken bounds a word's token in bytes. What is longer is no word of any
// language but encoded data, and its beginning tells it apart.
const maxToken = 128

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
		return s.word(start)
	}
	r, n := utf8.DecodeRuneInString(s.text[s.pos:])
	switch classify(r) {
	case classWord:
		return s.word(start)
	case classPairs:
		return s.pairs(start)
	case classEmoji:
		s.pos += n
		return Run{Emoji, emojiPrefix + strconv.FormatInt(int64(r), 16), start, s.pos}, true
	}
	s.pos += n
	return Run{}, false
}

func (s *scanner) word(start int) (Run, bool) {
	plain := true // ASCII and already lower case
	marked := false
	s.buf = s.buf[:0]
	end := start // without invisible characters at the end
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
			end = s.pos
			continue
		}
		class := s.letter()
		if class == classNone {
			break
		}
		if class != classIgnored {
			plain = false
			marked = marked || class == classMark
			end = s.pos
		}
	}
	switch {
	case plain && end-start == len(s.buf) && end-start <= maxToken: // nothing invisible within
		return Run{Word, s.text[start:end], start, end}, true
	case marked:
		s.buf = bytes.TrimLeftFunc(s.buf, func(r rune) bool { return classify(r) == classMark }) // their letter folded away
		if !norm.NFKD.IsNormal(s.buf) {
			s.buf = norm.NFKD.Append(nil, s.buf...)
		}
	}
	return Run{Word, string(cut(s.buf)), start, end}, len(s.buf) > 0
}

// letter takes the character at the scanner's place into the word, and returns
// classNone when it belongs to no word.
func (s *scanner) letter() class {
	r, n := utf8.DecodeRuneInString(s.text[s.pos:])
	if r < remembered {
		known := &alphabets()[r]
		if known.class == classWord || known.class == classMark {
			s.buf = append(s.buf, known.text...)
		} else if known.class != classIgnored {
			return classNone
		}
		s.pos += n
		return known.class
	}
	class := classify(r)
	switch class {
	case classWord, classMark:
		s.buf = appendFolded(s.buf, r)
	case classIgnored:
	default:
		return classNone
	}
	s.pos += n
	return class
}

// cut shortens a token to maxToken without splitting a character.
func cut(token []byte) []byte {
	if len(token) <= maxToken {
		return token
	}
	n := maxToken
	for !utf8.RuneStart(token[n]) {
		n--
	}
	return token[:n]
}

func (s *scanner) pairs(start int) (Run, bool) {
	end := start
	for s.pos < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[s.pos:])
		class := classify(r)
		if class != classPairs && class != classMark && class != classIgnored {
			break
		}
		s.pos += n
		if class != classIgnored {
			end = s.pos
		}
	}
	folded := FoldPairs(s.text[start:end])
	return Run{Pairs, folded, start, end}, folded != ""
}

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
