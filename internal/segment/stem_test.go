package segment

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestStem(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, word, want string }{
		{"plural", "keys", "key"},
		{"doubled letter", "running", "run"},
		{"noun of a y", "happiness", "happi"},
		{"y itself", "happy", "happi"},
		{"irregular on paper", "dying", "die"},
		{"short", "is", "is"},
		{"number", "2024", "2024"},
		{"letters and digits", "mp3s", "mp3s"},
		{"Russian", "домами", "дом"},
		{"Russian noun", "книгу", "книг"},
		{"Russian genitive plural, folded", Fold("ключей"), "ключ"},
		{"Russian adjective, folded", Fold("новый"), "нов"},
		{"Russian adjective in another case", "новые", "нов"},
		{"Russian stem too short", Fold("май"), "маи"},
		{"Ukrainian letters", "київ", "київ"},
		{"other script", "λογοσ", "λογοσ"},
		{"too long for a word", strings.Repeat("ab", 16) + "ings", strings.Repeat("ab", 16) + "ings"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := Stem(test.word); got != test.want {
				t.Errorf("Stem(%q) = %q, want %q", test.word, got, test.want)
			}
		})
	}
}

// endings inflect and derive; put behind a word, its last letter doubled or
// dropped, they make most forms that English has, and many it has not.
var endings = []string{
	"", "s", "es", "ed", "ing", "ings", "ingly", "er", "ers", "est", "ly", "ness", "ment", "ments", "ful", "fully", "less", "able", "ably", "ation",
	"ations", "ize", "izing", "ized", "ization", "al", "ally", "ality", "ive", "iveness", "ous", "ousness", "y", "ies", "ied", "ier", "iest", "ily", "iness", "ying",
}

// vocabulary derives tens of thousands of words from those of testdata.
func vocabulary(t *testing.T) []string {
	t.Helper()
	file, err := os.Open("testdata/words.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	words := map[string]bool{}
	scan := bufio.NewScanner(file)
	scan.Split(bufio.ScanWords)
	for scan.Scan() {
		word := scan.Text()
		for _, ending := range endings {
			words[word+ending] = true
			words[word+word[len(word)-1:]+ending] = true
			words[word[:len(word)-1]+ending] = true
		}
	}
	list := []string{}
	for word := range words {
		if Inflects(word) {
			list = append(list, word)
		}
	}
	slices.Sort(list)
	return list
}

// TestStemPrefixFindsAll tries every two words with one stem: looking where
// StemPrefix says from one must find the other.
func TestStemPrefixFindsAll(t *testing.T) {
	t.Parallel()
	words := vocabulary(t)
	if len(words) < 20_000 {
		t.Fatalf("vocabulary has only %d words", len(words))
	}
	groups := map[string][]string{}
	for _, word := range words {
		groups[Stem(word)] = append(groups[Stem(word)], word)
	}
	for stem, group := range groups {
		prefix, others := StemPrefix(stem)
		if len(prefix) < 2 {
			t.Errorf("stem %q is looked for under %q, which is half the vocabulary", stem, prefix)
		}
		shortest := group[0]
		for _, word := range group {
			if !strings.HasPrefix(word, prefix) && !slices.Contains(others, word) {
				t.Errorf("%q has the stem %q but is not found under %q or among %q", word, stem, prefix, others)
			}
			if len(word) < len(shortest) {
				shortest = word
			}
		}
		for _, word := range group {
			if len(word)-len(shortest) > LongestEnding {
				t.Errorf("%q is %d letters longer than %q of its stem", word, len(word)-len(shortest), shortest)
			}
		}
	}
}

// TestIrregularWords keeps the table to what needs it.
func TestIrregularWords(t *testing.T) {
	t.Parallel()
	for stem, words := range irregular {
		for _, word := range words {
			prefix, others := StemPrefix(stem)
			if Stem(word) != stem || strings.HasPrefix(word, prefix) || !slices.Contains(others, word) {
				t.Errorf("%q: stem %q, looked for under %q and among %q; want the stem %q and only the latter", word, Stem(word), prefix, others, stem)
			}
		}
	}
}

func TestStopWords(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]bool{"the": true, "what": true, "don": true, "t": true, "key": false, "die": false, "": false} {
		if got := IsStopWord(word); got != want {
			t.Errorf("IsStopWord(%q) = %v, want %v", word, got, want)
		}
	}
	for word := range stopWords() {
		if Fold(word) != word {
			t.Errorf("the stop word %q is no folded word", word)
		}
	}
}

func TestAttached(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, word  string
		with, never []string
	}{
		{"Arabic without an article", "كتاب", []string{"الكتاب", "والكتاب", "للكتاب", "بكتاب"}, []string{"كتاب"}},
		{"Arabic with an article", "الكتاب", []string{"كتاب", "بالكتاب", "وكتاب"}, []string{"الكتاب", "الالكتاب"}},
		{"Arabic, too short for an article", "اليد", []string{"واليد"}, []string{"يد"}},
		{"Hebrew without an article", "מפתח", []string{"המפתח", "במפתח"}, []string{"פתח"}},
		{"Hebrew with an article", "המפתח", []string{"מפתח", "ומפתח"}, nil},
		{"Latin", "book", nil, []string{"book"}},
		{"nothing", "", nil, []string{""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := Attached(test.word)
			for _, want := range test.with {
				if !slices.Contains(got, want) {
					t.Errorf("Attached(%q) = %q, want %q among them", test.word, got, want)
				}
			}
			for _, not := range test.never {
				if slices.Contains(got, not) {
					t.Errorf("Attached(%q) = %q, want no %q among them", test.word, got, not)
				}
			}
		})
	}
}
