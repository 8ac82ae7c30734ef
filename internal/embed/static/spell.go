package static

import "sync/atomic"

// Misspellings: a word the table does not know, of ASCII letters and not too
// short, is read as the known words one slip of the fingers away.
const (
	minMisspelt = 5
	maxMisspelt = 20
	// maxGuesses bounds the known words that share a misspelling.
	maxGuesses = 3
)

// shortened reads a word with letters drawn out, "sooo", as the word with the
// letter twice or once, and reports whether there is one.
func (r *reader) shortened(word []byte) bool {
	for keep := 2; keep >= 1; keep-- {
		var short [maxWord]byte
		n, same := 0, 0
		for i, c := range word {
			if i > 0 && c == word[i-1] {
				same++
			} else {
				same = 1
			}
			if same <= keep || !drawnOut(word, i, same) {
				short[n] = c
				n++
			}
		}
		if n == len(word) {
			return false
		}
		if row := r.table.find(hash(short[:n])); row >= 0 {
			r.row(row, 1)
			return true
		}
	}
	return false
}

// drawnOut reports whether the letter at i, the same-th of its kind in a row,
// stands in a row of three or more.
func drawnOut(word []byte, i, same int) bool {
	for i+1 < len(word) && word[i+1] == word[i] {
		i++
		same++
	}
	return same > 2
}

// misspelt reads a word as those one letter left out, added, exchanged or
// swapped away, the first letter apart, which people seldom get wrong. It
// reports whether it found any.
func (r *reader) misspelt(word []byte) bool {
	if len(word) < minMisspelt || len(word) > maxMisspelt {
		return false
	}
	for _, c := range word {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	key := hash(word)
	g := r.table.remembered(key)
	if g == nil {
		g = r.guess(word)
		r.table.remember(key, g)
	}
	for _, row := range g.rows[:g.count] {
		r.row(row, guessWeight*perRoot[g.count])
	}
	return g.count > 0
}

// guess looks for the words that a misspelling may stand for.
func (r *reader) guess(word []byte) *guesses {
	g := &guesses{table: r.table}
	var before uint64 = hashByte(fnvOffset, word[0]) // the hash of word[:i]
	for i := 1; i <= len(word) && g.count < maxGuesses; i++ {
		if i < len(word) {
			g.try(before, word[i+1:])
			if i+1 < len(word) {
				g.try(hashByte(hashByte(before, word[i+1]), word[i]), word[i+2:])
			}
		}
		for c := byte('a'); c <= 'z'; c++ {
			with := hashByte(before, c)
			g.try(with, word[i:])
			if i < len(word) && c != word[i] {
				g.try(with, word[i+1:])
			}
		}
		if i < len(word) {
			before = hashByte(before, word[i])
		}
	}
	return g
}

// guesses are the known words found for a misspelling.
type guesses struct {
	table *Table
	rows  [maxGuesses]int
	count int
}

func (g *guesses) try(h uint64, rest []byte) {
	for _, c := range rest {
		h = hashByte(h, c)
	}
	row := g.table.find(mix(h))
	if row < 0 || g.count == maxGuesses {
		return
	}
	for _, known := range g.rows[:g.count] {
		if known == row {
			return
		}
	}
	g.rows[g.count] = row
	g.count++
}

// memory keeps what unknown words were taken for: names and slang come again
// and again, and to guess costs as much as to read fifty known words. A word
// has one place, which the latest one takes.
type memory [memorySize]atomic.Pointer[remembered]

const memorySize = 1 << 16

type remembered struct {
	key uint64
	guesses
}

func (t *Table) remembered(key uint64) *guesses {
	if kept := t.memory[key%memorySize].Load(); kept != nil && kept.key == key {
		return &kept.guesses
	}
	return nil
}

func (t *Table) remember(key uint64, g *guesses) {
	t.memory[key%memorySize].Store(&remembered{key, *g})
}
