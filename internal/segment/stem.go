package segment

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/russian"
)

// Stem returns the stem of a folded word: the English one of letters of ASCII,
// the Russian one of Cyrillic letters. Numbers and the words of other scripts
// come back as they are.
func Stem(word string) string {
	switch {
	case !Inflects(word):
		return word
	case word[0] < utf8.RuneSelf:
		return english.Stem(word, true)
	}
	return russianStem(word)
}

// Inflects reports whether a word is of the kind that Stem works on.
func Inflects(word string) bool {
	if len(word) < 3 || len(word) > 30 && word[0] < utf8.RuneSelf || len(word) > 60 {
		return false
	}
	first, last := 'a', 'z'
	if word[0] >= utf8.RuneSelf {
		first, last = 'а', 'я'
	}
	for _, r := range word {
		if r < first || r > last {
			return false
		}
	}
	return true
}

// shortestRussian is how many letters a Russian stem has at least.
const shortestRussian = 3

// russianStem returns the stem of a word in which folding made every й an и,
// which at the end of a word changes its ending.
func russianStem(word string) string {
	ending := word
	if begins, isVowel := strings.CutSuffix(word, "и"); isVowel {
		if r, _ := utf8.DecodeLastRuneInString(begins); strings.ContainsRune("аеиоуыэюя", r) {
			ending = begins + "й"
		}
	}
	stem := strings.ReplaceAll(russian.Stem(ending, true), "й", "и")
	if utf8.RuneCountInString(stem) < shortestRussian || !strings.HasPrefix(word, stem) {
		return word
	}
	return stem
}

// Attached returns the other forms that a folded word of Arabic or Hebrew has
// with the article and the particles that are written with it as one word. Few
// of them may be words.
func Attached(word string) []string {
	r, _ := utf8.DecodeRuneInString(word)
	var articles, particles []string
	switch {
	case r >= 0x0620 && r <= 0x06D3:
		articles, particles = arabicArticles, arabicParticles
	case r >= 0x05D0 && r <= 0x05EA:
		articles, particles = hebrewArticles, hebrewParticles
	default:
		return nil
	}
	bare := word
	for _, article := range articles {
		if rest, has := strings.CutPrefix(word, article); has && utf8.RuneCountInString(rest) >= shortestBare {
			bare = rest
			break
		}
	}
	if utf8.RuneCountInString(bare) < shortestBare {
		return nil
	}
	var forms []string
	for _, attached := range append(append([]string{""}, articles...), particles...) {
		if form := attached + bare; form != word {
			forms = append(forms, form)
		}
	}
	return forms
}

// shortestBare is how many letters a word has at least without its article.
const shortestBare = 3

// The articles, alone and with the particles before them, longest first, and
// the particles alone, which are not taken off a word: they may be part of it.
var (
	arabicArticles  = []string{"وال", "بال", "فال", "كال", "ال", "لل"}
	arabicParticles = []string{"و", "ب", "ل", "ف"}
	hebrewArticles  = []string{"וה", "שה", "מה", "ה"}
	hebrewParticles = []string{"ו", "ב", "ל", "מ", "ש"}
)

// irregular are the words whose stem does not begin like them, by stem.
var irregular = map[string][]string{"die": {"dying"}, "lie": {"lying"}, "tie": {"tying"}, "sky": {"skies"}}

// StemPrefix returns a prefix that all words with the given stem have in
// common, and the few that do not begin with it: where to look for the
// inflections of a word.
func StemPrefix(stem string) (prefix string, others []string) {
	prefix, others = stem, irregular[stem]
	switch n := len(stem); {
	case n > 0 && stem[0] >= utf8.RuneSelf: // Russian endings only follow
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
