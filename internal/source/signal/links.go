package signal

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/msg"
	"github.com/msgbrowse/msgbrowse/internal/source"
)

// link is an attachment or a sticker as the transcript writes it.
type link struct {
	label   string
	ref     string // without the dots it began with
	image   bool   // it began with an exclamation mark
	sticker bool
	exact   bool // label is the file's name, of which ref was made
	missing string
}

// placeholders stand for attachments that the exporter left out.
var placeholders = [...]string{"(media not exported)", "(attachment not exported)"}

// maxLink bounds the length of a link, in bytes.
const maxLink = 4096

// cutLink cuts an attachment from the end of text, which ends in ")". Links
// to anywhere else are somebody's words and stay.
func cutLink(text string) (l link, rest string, ok bool) {
	for _, p := range placeholders {
		if strings.HasSuffix(text, p) {
			return link{missing: p[1 : len(p)-1]}, text[:len(text)-len(p)], true
		}
	}
	line := text[max(0, len(text)-maxLink):]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	// A file's name can hold brackets, so the last pair of them may not be
	// the one between label and target.
	for middle := strings.LastIndex(line, "]("); middle >= 0; middle = strings.LastIndex(line[:middle], "](") {
		target := line[middle+2 : len(line)-1]
		if l.ref, l.sticker, ok = isReference(target); ok {
			return l.cutLabel(text[:len(text)-len(target)-len("]()")], line[:middle])
		}
	}
	return link{}, "", false
}

// cutLabel cuts the label of l from the end of text; line is as much of it
// as a label can fill.
func (l link) cutLabel(text, line string) (link, string, bool) {
	name := l.ref[strings.LastIndexByte(l.ref, '/')+1:]
	open := labelStart(line, name)
	if open < 0 {
		return link{}, "", false
	}
	l.label = line[open+1:]
	l.exact = !l.sticker && madeFrom(name, l.label)
	rest := text[:len(text)-len(l.label)-1]
	if cut, found := strings.CutSuffix(rest, "!"); found {
		l.image, rest = true, cut
	}
	return l, rest, true
}

// labelStart finds the bracket that opens a link's label at the end of
// before: the one after which the file's name stands, brackets in it or not,
// else the nearest.
func labelStart(before, name string) int {
	nearest := strings.LastIndexByte(before, '[')
	for at := nearest; at >= 0; at = strings.LastIndexByte(before[:at], '[') {
		if madeFrom(name, before[at+1:]) {
			return at
		}
	}
	return nearest
}

// madeFrom reports whether the exporter makes name out of label: it writes
// %20 for white space and leaves everything else alone.
func madeFrom(name, label string) bool {
	if name == label {
		return true
	}
	for label != "" {
		r, n := utf8.DecodeRuneInString(label)
		want := label[:n]
		if unicode.IsSpace(r) {
			want = "%20"
		}
		var ok bool
		if name, ok = strings.CutPrefix(name, want); !ok {
			return false
		}
		label = label[n:]
	}
	return name == ""
}

// attachment describes the file that l leads to.
func (l link) attachment(s *shelf) msg.Attachment {
	if l.missing != "" {
		return msg.Attachment{Missing: l.missing}
	}
	a := msg.Attachment{Sticker: l.sticker, Name: fileName(l.ref)}
	label := ""
	if l.exact {
		label, a.Name = l.label, l.label
	}
	s.place(&a, l.ref, label)
	a.Name = withoutStamp(a.Name)
	a.Kind = source.KindOfName(a.Name)
	if l.image || l.sticker {
		a.Kind = msg.Image
	}
	return a
}
