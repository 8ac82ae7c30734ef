package segment

import (
	"slices"
	"sync"

	"github.com/kljensen/snowball/english"
)

// Stem returns the English stem of a folded word; words of other languages,
// numbers and everything not plain ASCII come back as they are.
func Stem(word string) string {
	if !Inflects(word) {
		return word
	}
	return english.Stem(word, true)
}

// Inflects reports whether a word is of the kind that Stem works on.
func Inflects(word string) bool {
	if len(word) < 3 || len(word) > 30 {
		return false
	}
	for i := 0; i < len(word); i++ {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return true
}

// irregular are the words whose stem does not begin like them, by stem.
var irregular = map[string][]string{"die": {"dying"}, "lie": {"lying"}, "tie": {"tying"}, "sky": {"skies"}}

// StemPrefix returns a prefix that all words with the given stem have in
// common, and the few that do not begin with it: where to look for the
// inflections of a word.
func StemPrefix(stem string) (prefix string, others []string) {
	prefix, others = stem, irregular[stem]
	switch n := len(stem); {
	// The rules that put a letter in place of another change the last one
	// only: happy and happiness have the stem happi.
	case n > 3, n == 3 && stem[2] == 'i':
		prefix = stem[:n-1]
	// A final e that so short a stem keeps gives way in use, using.
	case n == 3 && stem[2] == 'e':
		others = slices.Clone(others)
		for _, ending := range [...]string{"ing", "ings", "ingly"} {
			others = append(others, stem[:2]+ending)
		}
	}
	return prefix, others
}

// LongestEnding is by how many letters two words of one stem differ at most.
const LongestEnding = 12

var stopWords = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for _, word := range [...]string{
		"a", "about", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because", "been", "before",
		"being", "between", "both", "but", "by", "can", "could", "d", "did", "didn", "do", "does", "doesn", "doing", "don", "during",
		"each", "few", "for", "from", "further", "had", "has", "have", "having", "he", "her", "here", "hers", "him", "his", "how", "i",
		"if", "in", "into", "is", "isn", "it", "its", "just", "ll", "m", "me", "more", "most", "my", "no", "nor", "not", "now", "of",
		"off", "on", "once", "only", "or", "other", "our", "out", "over", "own", "re", "s", "said", "same", "say", "says", "she", "should", "so", "some",
		"such", "t", "tell", "told", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too",
		"under", "until", "up", "ve", "very", "was", "wasn", "we", "were", "what", "when", "where", "which", "while", "who", "whom",
		"whose", "why", "will", "with", "would", "you", "your",
	} {
		set[word] = true
	}
	return set
})

// IsStopWord reports whether a folded English word carries no meaning of its
// own in a question.
func IsStopWord(word string) bool { return stopWords()[word] }
