package segment

import (
	"strconv"
	"strings"
)

// Document is the searchable form of a message: tokens separated by spaces.
type Document struct {
	// Body holds the words as they are, Stems the English stems that differ
	// from their word, so that a stem is found in one of the two.
	Body, Stems string
	// Names holds the sender's and the conversation's name and filter tags.
	Names string
}

// Builder makes documents and counts in how many of them each token of Body
// and Stems stands. It is not safe for concurrent use.
type Builder struct {
	stemmer Stemmer
	terms   map[string]*termCount
	doc     int64
	body    []byte
	stems   []byte
}

type termCount struct{ docs, last int64 }

// Add segments a message's text.
func (b *Builder) Add(text, names string) Document {
	if b.terms == nil {
		b.terms = make(map[string]*termCount, 1<<14)
	}
	b.doc++
	b.body, b.stems = b.body[:0], b.stems[:0]
	Runs(text, func(r Run) bool {
		switch r.Class {
		case Word:
			b.body = b.token(b.body, r.Text)
			if stem := b.stemmer.Stem(r.Text); stem != r.Text {
				b.stems = b.token(b.stems, stem)
			}
		case Pairs:
			for _, pair := range pairTokens(r.Text) {
				b.body = b.token(b.body, pair)
			}
		case Emoji:
			b.body = b.token(b.body, r.Text)
		}
		return true
	})
	return Document{Body: string(b.body), Stems: string(b.stems), Names: names}
}

func (b *Builder) token(into []byte, token string) []byte {
	if len(into) > 0 {
		into = append(into, ' ')
	}
	count := b.terms[token]
	if count == nil {
		count = &termCount{}
		b.terms[strings.Clone(token)] = count
	}
	if count.last != b.doc {
		count.last = b.doc
		count.docs++
	}
	return append(into, token...)
}

// Take returns the counts since the last Take.
func (b *Builder) Take() map[string]int64 {
	docs := make(map[string]int64, len(b.terms))
	for term, count := range b.terms {
		docs[term] = count.docs
	}
	b.terms = nil
	return docs
}

// Filter tags stand in Names and make a filter a term of the index query. No
// word of a text is spelled like them.

// ConversationTag is the tag of every message of a conversation.
func ConversationTag(id int64) string { return "zqc" + strconv.FormatInt(id, 10) }

// SenderTag is the tag of every message a handle sent that is not the owner's.
func SenderTag(handle int64) string { return "zqh" + strconv.FormatInt(handle, 10) }

// OwnerTag is the tag of the owner's messages.
const OwnerTag = "zqme"

// SourceTag is the tag of every message of a source.
func SourceTag(source string) string { return "zqs" + source }

// ChatTag is the tag of every message of a kind of conversation, "direct" or
// "group".
func ChatTag(kind string) string { return "zqg" + kind }

// KindTag is the tag of messages that are or carry a thing: "link", "image",
// "video", "audio", "file", "reaction", "reply", "edited", "call".
func KindTag(kind string) string { return "zqk" + kind }
