package static

import (
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/segment"
)

// readingVersion is part of the fingerprint; it changes whenever the same
// text would get another vector from the same table.
const readingVersion = 1

// maxWord bounds how many bytes of a word are read, like a token of the
// keyword index.
const maxWord = 128

// reader adds up the vector of one text.
type reader struct {
	table *Table
	sum   *[Dims]float32
	known bool
	buf   [maxWord]byte
}

// read cuts the text the way the keyword index does, so that both halves of
// search fold letters alike. ASCII, most of most archives, is cut here,
// because folding it needs no memory.
func (r *reader) read(text string) {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			segment.Runs(text, r.run)
			return
		}
	}
	n := 0
	for i := range len(text) {
		c := text[i]
		switch {
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
		default:
			if n > 0 {
				r.word(r.buf[:n])
			}
			n = 0
			continue
		}
		if n < maxWord {
			r.buf[n] = c
			n++
		}
	}
	if n > 0 {
		r.word(r.buf[:n])
	}
}

func (r *reader) run(run segment.Run) bool {
	text := r.buf[:copy(r.buf[:], run.Text)]
	switch run.Class {
	case segment.Word:
		r.word(text)
	case segment.Pairs:
		r.spaceless([]byte(run.Text))
	case segment.Emoji:
		if row := r.table.find(hash(text)); row >= 0 {
			r.row(row, 1)
		} else {
			r.letters(text)
		}
	}
	return true
}

func (r *reader) row(row int, weight float32) {
	r.table.add(r.sum, row, weight)
	r.known = true
}

// What an unknown word weighs that is read as another one or in pieces, next
// to 1 for a known word.
const guessWeight = 0.7

func (r *reader) word(word []byte) {
	if row := r.table.find(hash(word)); row >= 0 {
		r.row(row, 1)
		return
	}
	if !r.shortened(word) && !r.misspelt(word) {
		r.pieces(word)
	}
	r.letters(word)
}

// minPiece is the least number of characters that counts as a piece of a
// word: shorter ones mean too many things.
const minPiece = 4

// maxPieces bounds the pieces of a word; what has more is no word.
const maxPieces = 8

// pieces reads a compound or an inflected word as the longest known words in
// it, from left to right.
func (r *reader) pieces(word []byte) {
	var rows [maxPieces]int
	found := 0
	for at := 0; at < len(word) && found < maxPieces; {
		row, end := r.longest(word, at, minPiece, len(word))
		if row < 0 {
			_, n := utf8.DecodeRune(word[at:])
			at += n
			continue
		}
		rows[found] = row
		found++
		at = end
	}
	for _, row := range rows[:found] {
		r.row(row, guessWeight*perRoot[found])
	}
}

// longest finds the longest known word that begins at a place and has
// between least and most characters. It returns its row, or -1, and its end.
func (r *reader) longest(text []byte, at, least, most int) (row, end int) {
	row = -1
	h := uint64(fnvOffset)
	for i, count := at, 1; i < len(text) && count <= most; count++ {
		_, n := utf8.DecodeRune(text[i:])
		for _, c := range text[i : i+n] {
			h = hashByte(h, c)
		}
		i += n
		if count < least {
			continue
		}
		if found := r.table.find(mix(h)); found >= 0 {
			row, end = found, i
		}
	}
	return row, end
}

// maxSpaceless is the length in characters of the longest word looked for in
// a script without spaces.
const maxSpaceless = 12

// spaceless cuts a run of a script without spaces into the longest words the
// table knows, and reads by pairs of characters what it does not know.
func (r *reader) spaceless(run []byte) {
	for at := 0; at < len(run); {
		if row, end := r.longest(run, at, 1, maxSpaceless); row >= 0 {
			r.row(row, 1)
			at = end
			continue
		}
		_, n := utf8.DecodeRune(run[at:])
		_, after := utf8.DecodeRune(run[at+n:])
		r.gram(run[at:at+n+after], letterWeight)
		at += n
	}
}
