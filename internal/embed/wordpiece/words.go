package wordpiece

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// words walks over the words of a text, prepared as the options say.
type words struct {
	text       string
	options    *Options
	word       []byte // the current one; of one that is too long only the start
	runes      int    // how many characters it has
	pending    rune   // a word of its own that was read behind it, or 0
	decomposed []byte // the parts of one character
}

// next goes to the next word and reports whether there is one.
func (w *words) next() bool {
	w.word, w.runes = w.word[:0], 0
	if w.pending != 0 {
		w.add(w.pending)
		w.pending = 0
		return true
	}
	for len(w.text) > 0 {
		r, size := utf8.DecodeRuneInString(w.text)
		character := w.text[:size]
		w.text = w.text[size:]
		if w.take(r, character) {
			return true
		}
	}
	return w.runes > 0
}

// take adds a character of the text and reports whether a word is complete.
func (w *words) take(r rune, character string) bool {
	switch {
	case w.options.CleanText && isInvisible(r):
		return false
	case unicode.IsSpace(r):
		return w.runes > 0
	}
	alone := w.options.SpaceIdeographs && isIdeograph(r)
	if r < utf8.RuneSelf || !w.options.StripAccents {
		return w.takePart(r, alone)
	}
	complete := false
	w.decomposed = norm.NFD.AppendString(w.decomposed[:0], character)
	for rest := w.decomposed; len(rest) > 0; {
		part, size := utf8.DecodeRune(rest)
		rest = rest[size:]
		if !isAccent(part) {
			complete = w.takePart(part, alone) || complete
		}
	}
	return complete
}

// takePart adds what is left of a character, which is a word of its own if
// alone or punctuation: then it ends the word before it, and is pending.
func (w *words) takePart(r rune, alone bool) bool {
	if w.options.Lowercase {
		r = unicode.ToLower(r)
	}
	switch {
	case !alone && !isPunctuation(r):
		w.add(r)
		return false
	case w.runes == 0:
		w.add(r)
	default:
		w.pending = r
	}
	return true
}

func (w *words) add(r rune) {
	w.runes++
	if w.runes <= w.options.MaxWordRunes {
		w.word = utf8.AppendRune(w.word, r)
	}
}
