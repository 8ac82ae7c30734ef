package embed

import (
	"hash/fnv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/segment"
	"github.com/msgbrowse/msgbrowse/internal/store"
)

// kind says what a chunk is. Stored as numbers: append only.
type kind uint8

const (
	whole  kind = iota // a message
	piece              // a part of a long message
	short              // a text that many messages may consist of
	window             // several messages, one after the other
)

// chunk is a text that gets a vector.
type chunk struct {
	kind  kind
	first store.Utterance // the message, or the window's first
	span  int             // how many messages a window holds
	key   uint64          // tells short texts apart
	text  string
}

const (
	// silence, in microseconds, ends a stretch of talk: what comes after half
	// an hour is another matter more often than not.
	silence = 30 * 60 * 1_000_000
	// windowLines and windowRunes bound a window; a model that sees more sees
	// nothing clearly.
	windowLines = 6
	windowRunes = 900
	// windowStep is how many lines the next window begins further on, so that
	// most messages are seen with what came before and with what came after.
	windowStep = 3
	// shortRunes is the length up to which a folded text is one of those that
	// people write again and again.
	shortRunes = 20
	// pieceRunes is about a hundred words; models read no further than a few
	// hundred tokens.
	pieceRunes = 600
)

// cut divides the messages of one day of a conversation, in their order, into
// chunks: each stretch of talk into windows, each followed by the chunks of
// the messages that it is the first to hold. The same messages give the same
// chunks.
func cut(day []store.Utterance) []chunk {
	var chunks []chunk
	talk := make([]store.Utterance, 0, windowLines)
	for i, u := range day {
		if !speaks(u) {
			continue
		}
		if n := len(talk); n > 0 && u.Sort-talk[n-1].Sort > silence {
			chunks = cutTalk(chunks, talk)
			talk = talk[:0]
		}
		talk = append(talk, day[i])
	}
	return cutTalk(chunks, talk)
}

// speaks reports whether a message says something in words.
func speaks(u store.Utterance) bool {
	switch u.Kind {
	case msg.Notice, msg.Call, msg.Deleted, msg.Sticker:
		return false
	}
	return strings.IndexFunc(u.Body, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

// cutTalk divides a stretch of talk.
func cutTalk(chunks []chunk, talk []store.Utterance) []chunk {
	done := 0 // lines that have chunks of their own
	for from := 0; from < len(talk); from += windowStep {
		to := windowEnd(talk, from)
		if to-from > 1 {
			chunks = append(chunks, chunk{kind: window, first: talk[from], span: to - from, text: join(talk[from:to])})
		}
		for ; done < to; done++ {
			chunks = cutMessage(chunks, talk[done])
		}
		if to == len(talk) {
			break
		}
	}
	for ; done < len(talk); done++ {
		chunks = cutMessage(chunks, talk[done])
	}
	return chunks
}

// windowEnd returns where a window that begins at from ends.
func windowEnd(talk []store.Utterance, from int) int {
	to, runes := from+1, utf8.RuneCountInString(talk[from].Body)
	for to < len(talk) && to-from < windowLines {
		if runes += utf8.RuneCountInString(talk[to].Body); runes > windowRunes {
			break
		}
		to++
	}
	return to
}

func join(talk []store.Utterance) string {
	var b strings.Builder
	for i, u := range talk {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(firstRunes(u.Body, windowRunes))
	}
	return b.String()
}

// firstRunes returns at most n runes of a text.
func firstRunes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for i := range text {
		if n--; n < 0 {
			return text[:i]
		}
	}
	return text
}

// cutMessage adds the chunks of one message.
func cutMessage(chunks []chunk, u store.Utterance) []chunk {
	if key, ok := shortKey(u.Body); ok {
		return append(chunks, chunk{kind: short, first: u, key: key, text: u.Body})
	}
	if len(u.Body) <= pieceRunes {
		return append(chunks, chunk{kind: whole, first: u, text: u.Body})
	}
	pieces := cutText(u.Body)
	if len(pieces) == 1 {
		return append(chunks, chunk{kind: whole, first: u, text: pieces[0]})
	}
	for _, text := range pieces {
		chunks = append(chunks, chunk{kind: piece, first: u, text: text})
	}
	return chunks
}

// shortKey returns a number for the words of a short text; case, accents and
// punctuation do not count. 62 of its bits are used.
func shortKey(text string) (key uint64, ok bool) {
	if len(text) > 4*shortRunes {
		return 0, false
	}
	folded := segment.Fold(text)
	if utf8.RuneCountInString(folded) > shortRunes {
		return 0, false
	}
	h := fnv.New64a()
	h.Write([]byte(folded))
	return h.Sum64() >> 2, true
}

// cutText divides a long text into pieces, where it can between words.
func cutText(text string) []string {
	var pieces []string
	for utf8.RuneCountInString(text) > pieceRunes {
		head := firstRunes(text, pieceRunes)
		if at := strings.LastIndexFunc(head, unicode.IsSpace); at > len(head)/2 {
			head = head[:at]
		}
		pieces = append(pieces, head)
		text = strings.TrimLeftFunc(text[len(head):], unicode.IsSpace)
	}
	if text != "" {
		pieces = append(pieces, text)
	}
	return pieces
}
