package wordpiece

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// words walks over the words of a text, prepared as the options say.
type words struct {
	text    string
	options *Options
	word    []byte // the current one; of one that is too long only the start
	runes   int    // how many characters it has
	pending []byte // what was read behind it
	scratch []rune
}

// next goes to the next word and reports whether there is one.
func (w *words) next() bool {
	w.word, w.runes = w.word[:0], 0
	if len(w.pending) > 0 {
		w.word, w.pending = append(w.word, w.pending...), w.pending[:0]
		w.runes = 1
		return true
	}
	for len(w.text) > 0 {
		r, size := utf8.DecodeRuneInString(w.text)
		w.text = w.text[size:]
		if w.take(r) {
			return true
		}
	}
	return w.runes > 0
}

// take adds a character of the text and reports whether a word is complete.
// A word of its own ends the one before it and is pending then.
func (w *words) take(r rune) bool {
	alone := false
	switch {
	case w.options.CleanText && isInvisible(r):
		return false
	case unicode.IsSpace(r):
		return w.runes > 0
	case w.options.SpaceIdeographs && isIdeograph(r):
		alone = true
	}
	w.scratch = w.prepare(w.scratch[:0], r)
	done := false
	for _, r := range w.scratch {
		if alone || isPunctuation(r) {
			done = w.set(r) || done
			continue
		}
		w.add(r)
	}
	return done
}

// set makes r a word of its own.
func (w *words) set(r rune) bool {
	if w.runes == 0 {
		w.word, w.runes = utf8.AppendRune(w.word, r), 1
	} else {
		w.pending = utf8.AppendRune(w.pending[:0], r)
	}
	return true
}

func (w *words) add(r rune) {
	w.runes++
	if w.runes <= w.options.MaxWordRunes {
		w.word = utf8.AppendRune(w.word, r)
	}
}

// prepare appends what one character becomes: often itself, nothing if it
// only modifies the one before.
func (w *words) prepare(to []rune, r rune) []rune {
	if r < utf8.RuneSelf || !w.options.StripAccents {
		return append(to, w.small(r))
	}
	var from, decomposed [4 * utf8.UTFMax]byte
	size := utf8.EncodeRune(from[:], r)
	rest := norm.NFD.Append(decomposed[:0], from[:size]...)
	for len(rest) > 0 {
		r, size := utf8.DecodeRune(rest)
		rest = rest[size:]
		if !isAccent(r) {
			to = append(to, w.small(r))
		}
	}
	return to
}

func (w *words) small(r rune) rune {
	if w.options.Lowercase {
		return unicode.ToLower(r)
	}
	return r
}
