// Package wordpiece cuts text into the pieces that models of the BERT family
// know, exactly as the tokenizers they were trained with do.
//
// The method is that of BERT (Devlin et al., "BERT: Pre-training of Deep
// Bidirectional Transformers", 2019): invisible characters are dropped,
// accents stripped, letters made small, words split at white space and
// around punctuation and ideographs; then each word is cut, from its start,
// into the longest pieces that the vocabulary has (Schuster and Nakajima,
// "Japanese and Korean Voice Search", 2012). What the vocabulary is for the
// details of, such as which characters are invisible, follows Hugging Face's
// tokenizers, whose output is the reference of the tests.
//
// In one respect it differs: a text that contains the name of a special
// token, like "[SEP]", is only text. Strangers do not steer the model.
package wordpiece

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Options says how text is prepared and what the special tokens are called.
type Options struct {
	CleanText       bool   // drop control and other invisible characters
	SpaceIdeographs bool   // make every Han character a word
	StripAccents    bool   // decompose, then drop what is put on letters
	Lowercase       bool   // make letters small
	Unknown         string // stands for a word that cannot be cut into pieces
	Start, End      string // stand before and after a text
	Prefix          string // what marks a piece that continues a word
	MaxWordRunes    int    // longer words are unknown
}

// Uncased returns the options of BERT's uncased models.
func Uncased() Options {
	return Options{
		CleanText: true, SpaceIdeographs: true, StripAccents: true, Lowercase: true,
		Unknown: "[UNK]", Start: "[CLS]", End: "[SEP]", Prefix: "##", MaxWordRunes: 100,
	}
}

// A Tokenizer cuts text by one vocabulary. It is safe for concurrent use.
type Tokenizer struct {
	options             Options
	unknown, start, end int32 // start and end are -1 if there are none
	size                int
	words               map[string]int32 // pieces that start a word
	continuations       map[string]int32 // pieces that go on, without the prefix
	longest             int              // of any piece, in bytes
}

// ErrVocabulary is wrapped by every error about a vocabulary that cannot be
// used.
var ErrVocabulary = errors.New("unusable vocabulary")

// New returns a tokenizer for the vocabulary, whose pieces have their
// position as identifier; the strings are kept, not copied. If a piece occurs
// twice, the later one counts.
func New(vocabulary []string, options Options) (*Tokenizer, error) {
	ids := make(map[string]int32, len(vocabulary))
	for id, piece := range vocabulary {
		ids[piece] = int32(id)
	}
	return build(ids, options)
}

func build(ids map[string]int32, options Options) (*Tokenizer, error) {
	t := &Tokenizer{
		options: options, start: -1, end: -1,
		words: ids, continuations: make(map[string]int32, len(ids)/4),
	}
	for _, special := range []struct {
		name string
		id   *int32
	}{{options.Unknown, &t.unknown}, {options.Start, &t.start}, {options.End, &t.end}} {
		id, ok := ids[special.name]
		switch {
		case ok:
			*special.id = id
		case special.name != "" || special.id == &t.unknown:
			return nil, fmt.Errorf("%w: it has no token %q", ErrVocabulary, special.name)
		}
	}
	for piece, id := range ids {
		t.size = max(t.size, int(id)+1)
		t.longest = max(t.longest, len(piece))
		if rest, ok := strings.CutPrefix(piece, options.Prefix); ok && rest != "" {
			t.continuations[rest] = id
		}
	}
	return t, nil
}

// Size is one more than the largest identifier.
func (t *Tokenizer) Size() int { return t.size }

// Unknown is the identifier that stands for words without pieces.
func (t *Tokenizer) Unknown() int32 { return t.unknown }

// Append appends the pieces of a text to ids, at most limit of them, without
// special tokens, and returns the extended slice. No more of a long text is
// read than the limit needs.
func (t *Tokenizer) Append(ids []int32, text string, limit int) []int32 {
	limit = len(ids) + max(limit, 0)
	w := words{text: text, options: &t.options}
	for len(ids) < limit && w.next() {
		ids = t.cut(ids, w.word, w.runes)
	}
	return ids[:min(len(ids), limit)]
}

// Encode appends a text as the model reads it: the start token, as many
// pieces as fit, the end token; never more than limit tokens in all, which
// must be at least 2.
func (t *Tokenizer) Encode(ids []int32, text string, limit int) []int32 {
	for _, special := range []int32{t.start, t.end} {
		if special >= 0 {
			limit--
		}
	}
	if t.start >= 0 {
		ids = append(ids, t.start)
	}
	ids = t.Append(ids, text, limit)
	if t.end >= 0 {
		ids = append(ids, t.end)
	}
	return ids
}

// cut appends the pieces of a word of so many runes, or one unknown if it
// cannot be cut without rest.
func (t *Tokenizer) cut(ids []int32, word []byte, runes int) []int32 {
	if runes > t.options.MaxWordRunes {
		return append(ids, t.unknown)
	}
	before := len(ids)
	pieces := t.words
	for len(word) > 0 {
		n := min(len(word), t.longest)
		id, ok := pieces[string(word[:n])]
		for !ok && n > 0 {
			_, size := utf8.DecodeLastRune(word[:n])
			n -= size
			id, ok = pieces[string(word[:n])]
		}
		if n == 0 {
			return append(ids[:before], t.unknown)
		}
		ids = append(ids, id)
		word = word[n:]
		pieces = t.continuations
	}
	return ids
}
