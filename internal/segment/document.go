package segment

import (
	"strconv"
	"strings"
	"time"
)

// Builder makes the searchable form of messages, tokens separated by spaces:
// the words as they are, then tags. It counts in how many messages each word
// stands. It is not safe for concurrent use.
type Builder struct {
	terms map[string]*termCount
	doc   int64
	text  []byte
}

type termCount struct{ docs, last int64 }

// Add segments a message's text and puts its tags behind it.
func (b *Builder) Add(text, tags string) string {
	if b.terms == nil {
		b.terms = make(map[string]*termCount, 1<<14)
	}
	b.doc++
	b.text = b.text[:0]
	Runs(text, func(r Run) bool {
		if r.Class != Pairs {
			b.token(r.Text)
			return true
		}
		for _, pair := range pairTokens(r.Text) {
			b.token(pair)
		}
		return true
	})
	if len(b.text) > 0 {
		b.text = append(b.text, ' ')
	}
	return string(append(b.text, tags...))
}

func (b *Builder) token(token string) {
	if len(b.text) > 0 {
		b.text = append(b.text, ' ')
	}
	b.text = append(b.text, token...)
	count := b.terms[token]
	if count == nil {
		count = &termCount{}
		b.terms[strings.Clone(token)] = count
	}
	if count.last != b.doc {
		count.last = b.doc
		count.docs++
	}
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

// Tags stand behind a message's words and make a filter a term of the index
// query. Like an emoji they begin with what no word holds.

// ConversationTag is the tag of every message of a conversation.
func ConversationTag(id int64) string { return reserved + "c" + strconv.FormatInt(id, 10) }

// SenderTag is the tag of every message a handle sent that is not the owner's.
func SenderTag(handle int64) string { return reserved + "h" + strconv.FormatInt(handle, 10) }

// OwnerTag is the tag of the owner's messages.
const OwnerTag = reserved + "me"

// ChatTag is the tag of every message of a source's conversations of one
// kind, "direct" or "group".
func ChatTag(source, kind string) string { return reserved + "s" + source + kind }

// MonthTag is the tag of every message of a month.
func MonthTag(t time.Time) string { return reserved + "m" + t.UTC().Format("200601") }

// KindTag is the tag of messages that are or carry a thing: "link", "image",
// "video", "audio", "file", "reaction", "reply", "edited", "call".
func KindTag(kind string) string { return reserved + "k" + kind }
