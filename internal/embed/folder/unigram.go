package folder

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// unigram cuts text into the pieces whose probabilities have the greatest
// product, as SentencePiece does (Kudo, "Subword Regularization", 2018). The
// name of a special token in a text is only text.
type unigram struct {
	prepare func(string) string
	words   func(string) []string
	ids     map[string]int32
	scores  []float64
	longest int // of any piece, in bytes
	unknown int32
	penalty float64 // the score of an unknown character
	bytes   []int32 // the piece of each byte, when unknown characters become those
}

// unknownPenalty is how much less likely than the least likely piece an
// unknown character is, as a logarithm; a constant of SentencePiece.
const unknownPenalty = 10

// unigramJSON is the model of a tokenizer.json.
type unigramJSON struct {
	Unknown      *int32               `json:"unk_id"`
	Vocabulary   [][2]json.RawMessage `json:"vocab"`
	ByteFallback bool                 `json:"byte_fallback"`
}

func newUnigram(model, normalizer, preTokenizer json.RawMessage) (*unigram, error) {
	var m unigramJSON
	if err := json.Unmarshal(model, &m); err != nil {
		return nil, errors.New("the vocabulary is not a list of pieces with scores")
	}
	if len(m.Vocabulary) == 0 || len(m.Vocabulary) > maxRows {
		return nil, fmt.Errorf("the vocabulary has %d pieces", len(m.Vocabulary))
	}
	u := &unigram{ids: make(map[string]int32, len(m.Vocabulary)), scores: make([]float64, len(m.Vocabulary)), unknown: -1}
	least := math.Inf(1)
	for i, entry := range m.Vocabulary {
		var piece string
		if json.Unmarshal(entry[0], &piece) != nil || json.Unmarshal(entry[1], &u.scores[i]) != nil {
			return nil, fmt.Errorf("entry %d of the vocabulary is not a piece with a score", i)
		}
		u.ids[piece] = int32(i)
		u.longest = max(u.longest, len(piece))
		least = min(least, u.scores[i])
	}
	u.penalty = least - unknownPenalty
	if m.Unknown != nil {
		if *m.Unknown < 0 || int(*m.Unknown) >= len(m.Vocabulary) {
			return nil, fmt.Errorf("the unknown piece is number %d of %d", *m.Unknown, len(m.Vocabulary))
		}
		u.unknown = *m.Unknown
	}
	delete(u.ids, "") // would be found everywhere
	if m.ByteFallback {
		u.bytes = u.bytePieces()
	}
	var err error
	if u.prepare, err = newPreparation(normalizer); err != nil {
		return nil, err
	}
	u.words, err = newSplitter(preTokenizer)
	return u, err
}

// bytePieces returns the pieces named <0x00> to <0xFF>, nil unless all exist.
func (u *unigram) bytePieces() []int32 {
	all := make([]int32, 256)
	for b := range all {
		id, ok := u.ids[fmt.Sprintf("<0x%02X>", b)]
		if !ok {
			return nil
		}
		all[b] = id
	}
	return all
}

// Unknown returns the piece of unknown characters, -1 when there is none.
func (u *unigram) Unknown() int32 { return u.unknown }

// Size returns the number of pieces.
func (u *unigram) Size() int { return len(u.scores) }

// Append appends at most limit pieces of a text.
func (u *unigram) Append(ids []int32, text string, limit int) []int32 {
	limit += len(ids)
	for _, word := range u.words(u.prepare(text)) {
		if len(ids) >= limit {
			break
		}
		ids = u.cut(ids, word)
	}
	return ids[:min(len(ids), limit)]
}

// step is the best way to a place in a word: the piece that ends there, where
// it begins, and the score of all pieces so far.
type step struct {
	from  int
	id    int32
	score float64
}

// cut appends the pieces of one word; unknown characters next to each other
// become one unknown piece.
func (u *unigram) cut(ids []int32, word string) []int32 {
	steps := make([]step, len(word)+1)
	for i := range steps {
		steps[i].from = -1
	}
	steps[0].from = 0
	for at := 0; at < len(word); {
		_, size := utf8.DecodeRuneInString(word[at:])
		single := false
		for end := at + size; end <= min(len(word), at+u.longest); {
			if id, ok := u.ids[word[at:end]]; ok {
				single = single || end == at+size
				steps[end].offer(step{at, id, steps[at].score + u.scores[id]})
			}
			if end == len(word) {
				break
			}
			_, next := utf8.DecodeRuneInString(word[end:])
			end += next
		}
		if !single {
			steps[at+size].offer(step{at, -1, steps[at].score + u.penalty})
		}
		at += size
	}
	var path []step // from the end
	for end := len(word); end > 0; end = steps[end].from {
		path = append(path, steps[end])
	}
	fused := false
	for i, p := range slices.Backward(path) {
		end := len(word)
		if i > 0 {
			end = path[i-1].from
		}
		switch {
		case p.id >= 0:
			ids, fused = append(ids, p.id), false
		case u.bytes != nil:
			for _, b := range []byte(word[p.from:end]) {
				ids = append(ids, u.bytes[b])
			}
		case u.unknown >= 0 && !fused:
			ids, fused = append(ids, u.unknown), true
		}
	}
	return ids
}

// offer takes a better way to a place; of equals the first stays.
func (s *step) offer(other step) {
	if s.from < 0 || other.score > s.score {
		*s = other
	}
}

// space is the character that SentencePiece writes for a space.
const space = "\u2581"

// newSplitter reads the pre-tokenizer, which puts the sign for a space before
// words and cuts there.
func newSplitter(raw json.RawMessage) (func(string) []string, error) {
	var p struct {
		Type     string            `json:"type"`
		Sequence []json.RawMessage `json:"pretokenizers"`
		Scheme   string            `json:"prepend_scheme"`
		Prefix   *bool             `json:"add_prefix_space"`
		Sign     string            `json:"replacement"`
		Split    *bool             `json:"split"`
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, errors.New("the pre-tokenizer cannot be read")
	}
	switch p.Type {
	case "WhitespaceSplit":
		return strings.Fields, nil
	case "Metaspace":
		if p.Sign != space {
			return nil, fmt.Errorf("a pre-tokenizer that writes %.8q for a space is not supported", p.Sign)
		}
		prepend := p.Scheme == "always" || p.Scheme == "first" || p.Scheme == "" && (p.Prefix == nil || *p.Prefix)
		return metaspace(prepend, p.Split == nil || *p.Split), nil
	case "Sequence":
		return splitterSequence(p.Sequence)
	default:
		return nil, fmt.Errorf("the pre-tokenizer is of type %.40q, which is not supported for Unigram", p.Type)
	}
}

func splitterSequence(raw []json.RawMessage) (func(string) []string, error) {
	var all []func(string) []string
	for _, one := range raw {
		splitter, err := newSplitter(one)
		if err != nil {
			return nil, err
		}
		all = append(all, splitter)
	}
	return func(text string) []string {
		words := []string{text}
		for _, splitter := range all {
			var next []string
			for _, word := range words {
				next = append(next, splitter(word)...)
			}
			words = next
		}
		return words
	}, nil
}

func metaspace(prepend, split bool) func(string) []string {
	return func(text string) []string {
		text = strings.ReplaceAll(text, " ", space)
		if prepend && text != "" && !strings.HasPrefix(text, space) {
			text = space + text
		}
		var words []string
		for split && text != "" {
			at := strings.Index(text[1:], space) + 1
			if at == 0 {
				break
			}
			words, text = append(words, text[:at]), text[at:]
		}
		if text != "" {
			words = append(words, text)
		}
		return words
	}
}
