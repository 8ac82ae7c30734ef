package wordpiece

import (
	"encoding/json"
	"fmt"
)

// tokenizerJSON is the part of Hugging Face's tokenizer.json that matters
// here. The format has no specification; the names are those that the
// library "tokenizers" writes.
type tokenizerJSON struct {
	Normalizer    json.RawMessage `json:"normalizer"`
	PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
	PostProcessor *struct {
		Type   string            `json:"type"`
		Sep    []json.RawMessage `json:"sep"` // of BertProcessing: text and identifier
		Cls    []json.RawMessage `json:"cls"`
		Single []struct {
			SpecialToken *struct {
				ID string `json:"id"`
			} `json:"SpecialToken"`
		} `json:"single"` // of TemplateProcessing
	} `json:"post_processor"`
	Model struct {
		Type         string           `json:"type"`
		UnknownToken string           `json:"unk_token"`
		Prefix       string           `json:"continuing_subword_prefix"`
		MaxWordRunes int              `json:"max_input_chars_per_word"`
		Vocabulary   map[string]int32 `json:"vocab"`
	} `json:"model"`
}

type normalizerJSON struct {
	Type            string `json:"type"`
	CleanText       bool   `json:"clean_text"`
	SpaceIdeographs bool   `json:"handle_chinese_chars"`
	StripAccents    *bool  `json:"strip_accents"`
	Lowercase       bool   `json:"lowercase"`
}

// maxIdentifier keeps a broken file from claiming a vocabulary that no
// memory holds.
const maxIdentifier = 1 << 24

// FromJSON returns the tokenizer that a tokenizer.json of Hugging Face's
// library describes, if it is a WordPiece with BERT's preparation; any other
// is refused with an error that says what is not supported. What the file
// says about truncation and padding is the caller's business.
func FromJSON(data []byte) (*Tokenizer, error) {
	var file tokenizerJSON
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("read tokenizer.json: %w", err)
	}
	if file.Model.Type != "WordPiece" {
		return nil, fmt.Errorf("%w: the tokenizer is of type %q, and only WordPiece is supported", ErrVocabulary, file.Model.Type)
	}
	options := Options{
		Unknown: file.Model.UnknownToken, Prefix: file.Model.Prefix, MaxWordRunes: file.Model.MaxWordRunes,
	}
	if err := readPreparation(&options, file.Normalizer, file.PreTokenizer); err != nil {
		return nil, err
	}
	if err := readSpecials(&options, &file); err != nil {
		return nil, err
	}
	for piece, id := range file.Model.Vocabulary {
		if id < 0 || id > maxIdentifier {
			return nil, fmt.Errorf("%w: the piece %q has the identifier %d", ErrVocabulary, piece, id)
		}
	}
	return build(file.Model.Vocabulary, options)
}

func readPreparation(options *Options, normalizer, preTokenizer json.RawMessage) error {
	var n normalizerJSON
	var p struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(normalizer, &n); err != nil || n.Type != "BertNormalizer" {
		return fmt.Errorf("%w: the normalizer is of type %q, and only BertNormalizer is supported", ErrVocabulary, n.Type)
	}
	if err := json.Unmarshal(preTokenizer, &p); err != nil || p.Type != "BertPreTokenizer" {
		return fmt.Errorf("%w: the pre-tokenizer is of type %q, and only BertPreTokenizer is supported", ErrVocabulary, p.Type)
	}
	options.CleanText, options.SpaceIdeographs, options.Lowercase = n.CleanText, n.SpaceIdeographs, n.Lowercase
	options.StripAccents = n.Lowercase // what the library does unless told
	if n.StripAccents != nil {
		options.StripAccents = *n.StripAccents
	}
	return nil
}

// readSpecials finds which tokens are put around a text.
func readSpecials(options *Options, file *tokenizerJSON) error {
	post := file.PostProcessor
	if post == nil {
		return nil
	}
	switch post.Type {
	case "BertProcessing":
		for _, special := range []struct {
			pair []json.RawMessage
			name *string
		}{{post.Cls, &options.Start}, {post.Sep, &options.End}} {
			if len(special.pair) == 0 || json.Unmarshal(special.pair[0], special.name) != nil {
				return fmt.Errorf("%w: the post-processor does not name its tokens", ErrVocabulary)
			}
		}
	case "TemplateProcessing":
		if n := len(post.Single); n > 0 {
			if first := post.Single[0].SpecialToken; first != nil {
				options.Start = first.ID
			}
			if last := post.Single[n-1].SpecialToken; n > 1 && last != nil {
				options.End = last.ID
			}
		}
	default:
		return fmt.Errorf("%w: the post-processor is of type %q, which is not supported", ErrVocabulary, post.Type)
	}
	return nil
}
