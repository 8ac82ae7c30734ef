package whatsapp

import (
	"bytes"
	_ "embed" // phrases.txt
	"strings"
	"sync"
	"unicode/utf8"
)

// phrase is what a text made by WhatsApp means.
type phrase uint8

const (
	noPhrase phrase = iota
	omittedMedia
	omittedImage
	omittedVideo
	omittedAudio
	omittedDocument
	omittedSticker
	omittedContact
	deletedMessage
	deletedByOwner // "You deleted this message"
	editedMessage  // inside <>
	attachedLabel  // inside <name: file> and (…)
	missedCall
	anyCall
	liveLocation
	viewOnce
	nullMedia  // what Android writes for media it has no name for
	unreadable // the phone itself could not show the message
)

// phraseNames are the section headings of phrases.txt.
var phraseNames = map[string]phrase{
	"omitted media":    omittedMedia,
	"omitted image":    omittedImage,
	"omitted video":    omittedVideo,
	"omitted audio":    omittedAudio,
	"omitted document": omittedDocument,
	"omitted sticker":  omittedSticker,
	"omitted contact":  omittedContact,
	"deleted message":  deletedMessage,
	"deleted by owner": deletedByOwner,
	"edited message":   editedMessage,
	"attached label":   attachedLabel,
	"missed call":      missedCall,
	"any call":         anyCall,
	"live location":    liveLocation,
	"view once":        viewOnce,
	"null media":       nullMedia,
	"unreadable":       unreadable,
}

//go:embed phrases.txt
var phraseFile string

// phrases are the texts of phrases.txt in the form foldPhrase gives.
var phrases = sync.OnceValue(func() map[string]phrase {
	index := map[string]phrase{}
	meaning := noPhrase
	for line := range strings.Lines(phraseFile) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			meaning = phraseNames[strings.TrimSuffix(name, "]")]
			continue
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		for text := range strings.SplitSeq(line, "|") {
			if folded := foldPhrase(nil, text); len(folded) > 0 {
				index[string(folded)] = meaning
			}
		}
	}
	return index
})

// longestPhrase is in bytes, with room for marks.
const longestPhrase = 240

// phraseOf looks up a text that stands alone.
func phraseOf(text string) phrase {
	if len(text) > longestPhrase {
		return noPhrase
	}
	var buf [longestPhrase]byte
	return phrases()[string(foldPhrase(buf[:0], text))]
}

// foldPhrase appends text to dst without marks, spaces at the ends and a last
// dot, with plain spaces and with ASCII letters in lower case.
func foldPhrase(dst []byte, text string) []byte {
	start := len(dst)
	for i := 0; i < len(text); {
		b := text[i]
		if b >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(text[i:])
			i += n
			if isMark(r) {
				continue
			}
			if plainRune(r) != ' ' {
				dst = append(dst, text[i-n:i]...)
				continue
			}
			b = ' '
		} else {
			i++
		}
		switch {
		case b == ' ' && len(dst) == start:
		case b >= 'A' && b <= 'Z':
			dst = append(dst, b|0x20)
		default:
			dst = append(dst, b)
		}
	}
	dst = bytes.TrimSuffix(bytes.TrimRight(dst, " ."), []byte("。"))
	return dst
}

// phraseEnds hold the first two and the last two bytes of every phrase: a
// cheap test that few other texts pass.
type phraseEnds struct{ first, last [1 << 16 / 64]uint64 }

var ends = sync.OnceValue(func() *phraseEnds {
	var e phraseEnds
	for text := range phrases() {
		first, last := pairKey(text[0], text[1]), pairKey(text[len(text)-2], text[len(text)-1])
		e.first[first/64] |= 1 << (first % 64)
		e.last[last/64] |= 1 << (last % 64)
	}
	return &e
})

func pairKey(a, b byte) uint { return uint(lowerASCII(a))<<8 | uint(lowerASCII(b)) }

func lowerASCII(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b | 0x20
	}
	return b
}

// mayBePhrase is false for most texts for which phraseOf is noPhrase. It looks
// at texts without marks.
func mayBePhrase(text string) bool {
	if len(text) > longestPhrase {
		return false
	}
	for len(text) > 0 && text[0] == ' ' {
		text = text[1:]
	}
	for len(text) > 0 && (text[len(text)-1] == ' ' || text[len(text)-1] == '.') {
		text = text[:len(text)-1]
	}
	if text = strings.TrimSuffix(text, "。"); len(text) < 2 {
		return false
	}
	e := ends()
	first, last := pairKey(text[0], text[1]), pairKey(text[len(text)-2], text[len(text)-1])
	return e.first[first/64]&(1<<(first%64)) != 0 && e.last[last/64]&(1<<(last%64)) != 0
}
